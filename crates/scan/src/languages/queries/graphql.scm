; enum OrderStatus { OPEN CLOSED }
(enum_type_definition (name) @name (enum_values_definition (enum_value_definition (enum_value (name) @state))) @set)
