; enum OrderStatus { ORDER_STATUS_UNSPECIFIED = 0; ORDER_STATUS_OPEN = 1; }
(enum (enum_name (identifier) @name) (enum_body (enum_field . (identifier) @state)) @set)
(message (message_name (identifier) @owner) (message_body) @owned)
