// Null is a value that may be null. The zero value is null.
type Null[T any] struct {
	V     T
	Valid bool
}

// Some is a value that is not null.
func Some[T any](value T) Null[T] {
	return Null[T]{value, true}
}

// Same is whether two values are equal; null equals null alone.
func Same[T comparable](a, b Null[T]) bool {
	return a.Valid == b.Valid && (!a.Valid || a.V == b.V)
}

// SameDecimal is whether two decimals are equal; null equals null alone.
func SameDecimal(a, b Null[Decimal]) bool {
	return a.Valid == b.Valid && (!a.Valid || a.V.Cmp(b.V) == 0)
}

// Reference is the key of an object outside the machine: a text or a whole number. The zero value is the empty text.
type Reference struct {
	text     string
	isNumber bool
}

// TextReference is a key that is a text.
func TextReference(text string) Reference {
	return Reference{text, false}
}

// NumberReference is a key that is a whole number.
func NumberReference(number int64) Reference {
	return Reference{strconv.FormatInt(number, 10), true}
}

// String is the key as a text.
func (r Reference) String() string {
	return r.text
}

// Number is the key as a whole number, if it is one of 64 bits with sign.
func (r Reference) Number() (int64, bool) {
	number, err := strconv.ParseInt(r.text, 10, 64)
	return number, r.isNumber && err == nil
}

// Show functions are values in messages.

// ShowBool is true or false.
func ShowBool(value bool) string {
	return strconv.FormatBool(value)
}

// ShowInt is a whole number.
func ShowInt(value int64) string {
	return strconv.FormatInt(value, 10)
}

// ShowText is a text or a name as it is.
func ShowText[T ~string](value T) string {
	return string(value)
}

// Show is a decimal, a duration, a moment or a key.
func Show[T fmt.Stringer](value T) string {
	return value.String()
}

// ShowNull is a value that may be null.
func ShowNull[T any](value Null[T], show func(T) string) string {
	if !value.Valid {
		return "null"
	}
	return show(value.V)
}

// In is whether a name is one of several.
func In[T comparable](name T, names []T) bool {
	for _, it := range names {
		if it == name {
			return true
		}
	}
	return false
}

// InAny is whether one of some names is one of several.
func InAny[T comparable](some, names []T) bool {
	for _, it := range some {
		if In(it, names) {
			return true
		}
	}
	return false
}
