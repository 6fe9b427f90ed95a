; enum class OrderStatus(val wire: String) { OPEN("open"), CLOSED("closed") }
(class_declaration name: (identifier) @name (enum_class_body (enum_entry (identifier) @state)) @set)
(class_declaration name: (identifier) @name
  (enum_class_body (enum_entry (identifier) @state
    (value_arguments . (value_argument (string_literal) @value)))) @set)
(class_declaration name: (identifier) @owner (class_body) @owned)

; sealed class OrderState { object Open : OrderState(); data class Closed(val at: Long) : OrderState() }
((class_declaration (modifiers) @_sealed name: (identifier) @name
  (class_body [(object_declaration name: (identifier) @state) (class_declaration name: (identifier) @state)]) @set)
  (#match? @_sealed "sealed"))
