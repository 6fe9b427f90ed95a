; class OrderStatus(str, Enum): OPEN = "open"; Django's TextChoices: OPEN = "open", _("Open")
(class_definition name: (identifier) @name superclasses: (argument_list) @_bases
  body: (block (expression_statement (assignment left: (identifier) @state right: (_)))) @set
  (#match? @_bases "Enum|Choices"))
(class_definition name: (identifier) @name superclasses: (argument_list) @_bases
  body: (block (expression_statement (assignment left: (identifier) @state right: [
    (integer) @number
    (string) @value
    (parenthesized_expression (string) @value)
    (tuple . (string) @value)
    (expression_list . (string) @value)
  ]))) @set
  (#match? @_bases "Enum|Choices"))

; OrderStatus = Literal["open", "closed"], and as a field of a class
(assignment left: (identifier) @name
  right: (subscript value: (_) @_literal subscript: (string) @state) @set
  (#match? @_literal "Literal$"))
(assignment left: (identifier) @name
  type: (type (generic_type (identifier) @_literal (type_parameter (type (string) @state)))) @set
  (#eq? @_literal "Literal"))
(class_definition name: (identifier) @owner body: (block) @owned)

; STATUS_CHOICES = [("open", "Open"), ("closed", "Closed")]
(assignment left: (identifier) @name
  right: [(list (tuple . (string) @state)) (tuple (tuple . (string) @state))] @set
  (#match? @name "CHOICES$"))

; ORDER_STATUSES = ("open", "closed"), a list, a set, or frozenset({"open", "closed"})
(assignment left: (identifier) @name right: [(list (string) @state) (set (string) @state) (tuple (string) @state)] @set)
(assignment left: (identifier) @name
  right: (call function: (identifier) @_set
    arguments: (argument_list [(list (string) @state) (set (string) @state) (tuple (string) @state)])) @set
  (#match? @_set "^(frozenset|set|tuple|list)$"))

; ORDER_STATUS_OPEN = "open", of a module and of a class
(module (expression_statement (assignment left: (identifier) @state right: (string) @value))) @set
(class_definition name: (identifier) @owner
  body: (block (expression_statement (assignment left: (identifier) @state right: (string) @value))) @set)

; TRANSITIONS = {OrderStatus.OPEN: {OrderStatus.CLOSED}, OrderStatus.CLOSED: set()}
(assignment left: (identifier) @name right: (dictionary (pair key: (_) @from value: (_) @targets)) @map)
