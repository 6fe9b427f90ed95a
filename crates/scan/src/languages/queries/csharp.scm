; enum OrderStatus { Open, Closed = 2 }
(enum_declaration name: (identifier) @name
  body: (enum_member_declaration_list (enum_member_declaration name: (identifier) @state)) @set)
(enum_member_declaration name: (identifier) @state value: (integer_literal) @number)
(class_declaration name: (identifier) @owner body: (_) @owned)
