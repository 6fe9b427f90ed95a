; enum class OrderStatus(val wire: String) { OPEN("open"), CLOSED("closed") }
(class_declaration name: (identifier) @name (enum_class_body (enum_entry (identifier) @state)) @set)
(class_declaration name: (identifier) @name
  (enum_class_body (enum_entry (identifier) @state
    (value_arguments . (value_argument (string_literal) @value)))) @set)
(class_declaration name: (identifier) @owner (class_body) @owned)
