; enum OrderStatus { ORDER_STATUS_UNSPECIFIED = 0; ORDER_STATUS_OPEN = 1; }
(enum (enum_name (identifier) @name) (enum_body (enum_field . (identifier) @state)) @set)
(enum_field . (identifier) @state (int_lit) @number)
; ORDER_STATUS_OPEN = 1 [(gogoproto.enumvalue_customname) = "OrderOpen"]: the name in generated code
((enum_field . (identifier) @state (enum_value_option (constant (string) @value)) @_option)
  (#match? @_option "customname"))
(message (message_name (identifier) @owner) (message_body) @owned)
