// JSON: the shapes that Rust's serde writes and reads.

// DecodeError is a value that is not the JSON of what was expected.
type DecodeError struct {
	Message string
}

// Error is what was expected, and what is there.
func (e *DecodeError) Error() string {
	return e.Message
}

func wrong(format string, values ...any) error {
	return &DecodeError{fmt.Sprintf(format, values...)}
}

// UnknownState is the name of a state that this version of the machine does not have. It is a DecodeError, too.
type UnknownState struct {
	// Text is the name.
	Text string
	// Expected are the names that would have been one.
	Expected []string
}

// Error names the state, and those that there are.
func (e *UnknownState) Error() string {
	return fmt.Sprintf("`%s` is no state: expected %s", e.Text, Listed(e.Expected, "or"))
}

// Unwrap is the same as a DecodeError.
func (e *UnknownState) Unwrap() error {
	return &DecodeError{e.Error()}
}

// Listed are names in backticks: `a`, `b` or `c`.
func Listed[T ~string](names []T, last string) string {
	if len(names) == 0 {
		return "nothing"
	}
	var text []byte
	for idx, it := range names {
		switch {
		case idx == 0:
		case idx == len(names)-1:
			text = append(append(append(text, ' '), last...), ' ')
		default:
			text = append(text, ", "...)
		}
		text = append(append(append(text, '`'), it...), '`')
	}
	return string(text)
}

// AppendText writes a text.
func AppendText[T ~string](out []byte, text T) []byte {
	out = append(out, '"')
	for _, it := range string(text) {
		switch {
		case it == '"' || it == '\\':
			out = append(out, '\\', byte(it))
		case it == '\n':
			out = append(out, `\n`...)
		case it == '\r':
			out = append(out, `\r`...)
		case it == '\t':
			out = append(out, `\t`...)
		case it == '\b':
			out = append(out, `\b`...)
		case it == '\f':
			out = append(out, `\f`...)
		case it < ' ':
			out = append(out, fmt.Sprintf(`\u%04x`, it)...)
		default:
			out = utf8.AppendRune(out, it)
		}
	}
	return append(out, '"')
}

// AppendInt writes a whole number, a duration or a moment.
func AppendInt[T ~int64](out []byte, value T) []byte {
	return strconv.AppendInt(out, int64(value), 10)
}

// AppendBool writes true or false.
func AppendBool(out []byte, value bool) []byte {
	return strconv.AppendBool(out, value)
}

// AppendDecimal writes a decimal as a text.
func AppendDecimal(out []byte, value Decimal) []byte {
	return append(append(append(out, '"'), value.String()...), '"')
}

// AppendReference writes a key.
func AppendReference(out []byte, value Reference) []byte {
	if value.isNumber {
		return append(out, value.text...)
	}
	return AppendText(out, value.text)
}

// AppendNull writes a value that may be null.
func AppendNull[T any](out []byte, value Null[T], write func([]byte, T) []byte) []byte {
	if !value.Valid {
		return append(out, "null"...)
	}
	return write(out, value.V)
}

func appendTexts[T ~string](out []byte, texts []T) []byte {
	out = append(out, '[')
	for idx, it := range texts {
		if idx > 0 {
			out = append(out, ',')
		}
		out = AppendText(out, it)
	}
	return append(out, ']')
}

// Parse reads one JSON value. Numbers keep their digits.
func Parse(data []byte) (any, error) {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return nil, wrong("this is no JSON: %v", err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, wrong("this is no JSON: there is text behind the value")
	}
	return value, nil
}

// Fields are the members of an object, and the first error in them.
type Fields struct {
	members map[string]any
	err     error
}

// Object is a value as an object.
func Object(value any, what string) *Fields {
	members, is := value.(map[string]any)
	if !is {
		return &Fields{nil, wrong("%s is an object, not %s", what, kindOf(value))}
	}
	return &Fields{members, nil}
}

// Err is the first error; nil if there is none.
func (f *Fields) Err() error {
	return f.err
}

// Checked is a value that was read from some fields, or the first error in them.
func Checked[T any](value T, fields *Fields) (T, error) {
	if fields.err != nil {
		var nothing T
		return nothing, fields.err
	}
	return value, nil
}

// IsUnknown is the name of an unknown state, if that is the error.
func IsUnknown(err error) (text string, is bool) {
	var unknown *UnknownState
	if errors.As(err, &unknown) {
		return unknown.Text, true
	}
	return "", false
}

// Member is a member as it is.
func (f *Fields) Member(name string) any {
	value, is := f.members[name]
	if !is && f.err == nil {
		f.err = wrong("`%s` is missing", name)
	}
	return value
}

// Read is a member that is never null; the zero value after an error.
func Read[T any](fields *Fields, name string, read func(value any, what string) (T, error)) T {
	value := fields.Member(name)
	var found T
	if fields.err == nil {
		found, fields.err = read(value, "`"+name+"`")
	}
	return found
}

// ReadNull is a member that may be null or missing.
func ReadNull[T any](fields *Fields, name string, read func(value any, what string) (T, error)) Null[T] {
	value := fields.members[name]
	if fields.err != nil || value == nil {
		return Null[T]{}
	}
	found, err := read(value, "`"+name+"`")
	fields.err = err
	return Null[T]{found, err == nil}
}

// Only is a name, or an object of one member: its name, and its value if there is one.
func Only(value any, what string) (name string, data any, err error) {
	if text, is := value.(string); is {
		return text, nil, nil
	}
	members, is := value.(map[string]any)
	if !is {
		return "", nil, wrong("%s is an object, not %s", what, kindOf(value))
	}
	if len(members) != 1 {
		return "", nil, wrong("%s is a name, or an object with one member, not one with %d", what, len(members))
	}
	for name, data = range members {
	}
	return name, data, nil
}

// NoData has an error if there is data beside a name that has none.
func NoData(name string, data any) *Fields {
	if data != nil {
		return &Fields{nil, wrong("`%s` has no data", name)}
	}
	return &Fields{}
}

// SomeData are the fields beside a name.
func SomeData(name string, data any) *Fields {
	if data == nil {
		return &Fields{nil, wrong("`%s` is an object with its data, not a name alone", name)}
	}
	return Object(data, "`"+name+"`")
}

// UnknownName is the error of a name that is none of these.
func UnknownName(text, kind string, names ...string) error {
	return wrong("`%s` is no %s: expected %s", text, kind, Listed(names, "or"))
}

// ReadBool reads true or false.
func ReadBool(value any, what string) (bool, error) {
	found, is := value.(bool)
	if !is {
		return false, wrong("%s is true or false, not %s", what, kindOf(value))
	}
	return found, nil
}

// ReadInt reads a whole number, a duration or a moment of 64 bits.
func ReadInt[T ~int64](value any, what string) (T, error) {
	number, is := value.(json.Number)
	if !is || strings.ContainsAny(string(number), ".eE") {
		return 0, wrong("%s is a whole number, not %s", what, kindOf(value))
	}
	found, err := strconv.ParseInt(string(number), 10, 64)
	if err != nil {
		return 0, wrong("%s is out of range: %s has more than 64 bits", what, number)
	}
	return T(found), nil
}

// ReadText reads a text.
func ReadText(value any, what string) (string, error) {
	found, is := value.(string)
	if !is {
		return "", wrong("%s is a text, not %s", what, kindOf(value))
	}
	return found, nil
}

// ReadDecimal reads a decimal as a text such as "0.80", or a whole number. Digits that do not fit are rounded.
func ReadDecimal(value any, what string) (Decimal, error) {
	switch it := value.(type) {
	case string:
		return readDecimal(it, what)
	case json.Number:
		if !strings.ContainsAny(string(it), ".eE") {
			return readDecimal(string(it), what)
		}
	}
	return Decimal{}, wrong("%s is a decimal as a text, not %s", what, kindOf(value))
}

// ReadReference reads a key: a text or a whole number.
func ReadReference(value any, what string) (Reference, error) {
	switch it := value.(type) {
	case string:
		return Reference{it, false}, nil
	case json.Number:
		if !strings.ContainsAny(string(it), ".eE") {
			return Reference{string(it), true}, nil
		}
	}
	return Reference{}, wrong("%s is a whole number or a text, not %s", what, kindOf(value))
}

// Named reads a value with a function that parses its name.
func Named[T ~string](parse func(string) (T, error)) func(value any, what string) (T, error) {
	return func(value any, what string) (T, error) {
		text, err := ReadText(value, what)
		if err != nil {
			return "", err
		}
		return parse(text)
	}
}

// ParseState is the state with a name; an UnknownState if there is none.
func ParseState[T ~string](text string, states []T) (T, error) {
	for _, it := range states {
		if string(it) == text {
			return it, nil
		}
	}
	return "", &UnknownState{text, textsOf(states)}
}

// ParseName is one of several names.
func ParseName[T ~string](text, kind string, names []T, ignoresCase bool) (T, error) {
	for _, it := range names {
		if string(it) == text || (ignoresCase && lower(string(it)) == lower(text)) {
			return it, nil
		}
	}
	return "", UnknownName(text, kind, textsOf(names)...)
}

func textsOf[T ~string](names []T) []string {
	texts := make([]string, len(names))
	for idx, it := range names {
		texts[idx] = string(it)
	}
	return texts
}

// lower is a text whose letters of ASCII are in lower case.
func lower(text string) string {
	return strings.Map(func(it rune) rune {
		if 'A' <= it && it <= 'Z' {
			return it - 'A' + 'a'
		}
		return it
	}, text)
}

func kindOf(value any) string {
	switch it := value.(type) {
	case nil:
		return "null"
	case []any:
		return "a list"
	case map[string]any:
		return "an object"
	default:
		return fmt.Sprintf("`%v`", it)
	}
}
