; enum OrderStatus { OPEN("open"), CLOSED("closed") }
(enum_declaration name: (identifier) @name body: (enum_body (enum_constant name: (identifier) @state)) @set)
(enum_declaration name: (identifier) @name
  body: (enum_body (enum_constant name: (identifier) @state arguments: (argument_list . (string_literal) @value))) @set)
(class_declaration name: (identifier) @owner body: (_) @owned)
