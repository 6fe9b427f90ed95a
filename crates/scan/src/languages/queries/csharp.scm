; enum OrderStatus { Open, Closed = 2 }
(enum_declaration name: (identifier) @name
  body: (enum_member_declaration_list (enum_member_declaration name: (identifier) @state)) @set)
(class_declaration name: (identifier) @owner body: (_) @owned)
