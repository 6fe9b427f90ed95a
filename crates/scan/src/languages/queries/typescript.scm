; enum OrderStatus { Open = "open" }
(enum_declaration name: (identifier) @name body: (enum_body name: [(property_identifier) (string)] @state) @set)
(enum_declaration name: (identifier) @name
  body: (enum_body (enum_assignment name: [(property_identifier) (string)] @state)) @set)
(enum_declaration name: (identifier) @name
  body: (enum_body (enum_assignment name: [(property_identifier) (string)] @state value: (string) @value)) @set)

; type OrderStatus = "open" | "closed"; interface Order { status: "open" | "closed" }
(type_alias_declaration name: (type_identifier) @name value: (union_type) @list)
(property_signature name: (property_identifier) @name type: (type_annotation (union_type) @list))
(interface_declaration name: (type_identifier) @owner body: (_) @owned)
(type_alias_declaration name: (type_identifier) @owner value: (object_type) @owned)

; const ORDER_STATUSES = ["open", "closed"] as const; const OrderStatus = { Open: "open" } as const
(variable_declarator name: (identifier) @name value: (as_expression [(array) (object)] @list "const"))

; const OrderStatus = z.enum(["open", "closed"]), and as a field; pgEnum("order_status", ["open", "closed"])
(variable_declarator name: (identifier) @name
  value: (call_expression
    function: (member_expression property: (property_identifier) @_enum)
    arguments: (arguments . (array (string) @state)) @set)
  (#eq? @_enum "enum"))
(pair key: (property_identifier) @name
  value: (call_expression
    function: (member_expression property: (property_identifier) @_enum)
    arguments: (arguments . (array (string) @state)) @set)
  (#eq? @_enum "enum"))
(variable_declarator name: (identifier) @owner value: (call_expression) @owned)
(call_expression
  function: (identifier) @_enum
  arguments: (arguments . (string) @name . (array (string) @state)) @set
  (#match? @_enum "^(pgEnum|mysqlEnum)$"))

; const TRANSITIONS: Record<OrderStatus, OrderStatus[]> = { open: ["closed"], closed: [] }
(variable_declarator name: (identifier) @name
  value: (object (pair key: (_) @from value: (_) @targets)) @map)
(variable_declarator name: (identifier) @name
  value: (as_expression (object (pair key: (_) @from value: (_) @targets)) @map))
(variable_declarator name: (identifier) @name
  value: (satisfies_expression (object (pair key: (_) @from value: (_) @targets)) @map))
(public_field_definition name: (property_identifier) @name
  value: (object (pair key: (_) @from value: (_) @targets)) @map)
(variable_declarator
  type: (type_annotation (generic_type type_arguments: (type_arguments . (type_identifier) @of)))
  value: (_) @map)
(public_field_definition
  type: (type_annotation (generic_type type_arguments: (type_arguments . (type_identifier) @of)))
  value: (_) @map)
; Partial<Record<OrderStatus, OrderStatus[]>>
(variable_declarator
  type: (type_annotation (generic_type type_arguments: (type_arguments .
    (generic_type type_arguments: (type_arguments . (type_identifier) @of)))))
  value: (_) @map)
(public_field_definition
  type: (type_annotation (generic_type type_arguments: (type_arguments .
    (generic_type type_arguments: (type_arguments . (type_identifier) @of)))))
  value: (_) @map)
(array [(string) (member_expression)] @to)
