; const ( OrderOpen OrderStatus = "open"; … ), and with iota
(const_declaration) @set
(const_spec name: (identifier) @state type: (type_identifier) @of)
(const_spec name: (identifier) @state type: (type_identifier) @of
  value: (expression_list [(interpreted_string_literal) (raw_string_literal)] @value))
(const_spec name: (identifier) @state !type !value)
(const_spec name: (identifier) @state
  value: (expression_list [(iota) @iota (binary_expression left: (iota) @iota operator: "+" right: (int_literal) @number)]))
(const_spec name: (identifier) @state type: (type_identifier) value: (expression_list (int_literal) @number))

; const ( OrderStatusOpen = "open"; … )
(const_spec name: (identifier) @state !type
  value: (expression_list [(interpreted_string_literal) (raw_string_literal)] @value))

; var transitions = map[OrderStatus][]OrderStatus{OrderOpen: {OrderClosed}}, or a map of maps
(var_spec name: (identifier) @name
  value: (expression_list (composite_literal
    type: (map_type key: (_) @of)
    body: (literal_value (keyed_element
      key: (literal_element (_) @from)
      value: (literal_element (_) @targets))) @map)))
(short_var_declaration left: (expression_list (identifier) @name)
  right: (expression_list (composite_literal
    type: (map_type key: (_) @of)
    body: (literal_value (keyed_element
      key: (literal_element (_) @from)
      value: (literal_element (_) @targets))) @map)))
