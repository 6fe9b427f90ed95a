// Duration is a duration in microseconds.
type Duration int64

// Timestamp is a moment: microseconds since 1970-01-01T00:00:00Z.
type Timestamp int64

// DurationOf is a duration of the standard library, rounded towards zero.
func DurationOf(value time.Duration) Duration {
	return Duration(value.Microseconds())
}

// Std is the duration of the standard library, or its nearest limit: that is about 292 years.
func (d Duration) Std() time.Duration {
	return time.Duration(Mul(int64(d), int64(time.Microsecond)))
}

// String is the duration in the largest unit that divides it, such as 90s.
func (d Duration) String() string {
	for _, it := range durations {
		if d != 0 && int64(d)%it.size == 0 {
			return strconv.FormatInt(int64(d)/it.size, 10) + it.unit
		}
	}
	return "0s"
}

var durations = []struct {
	unit string
	size int64
}{{"d", 86_400_000_000}, {"h", 3_600_000_000}, {"m", 60_000_000}, {"s", 1_000_000}, {"ms", 1_000}, {"us", 1}}

// TimestampOf is the moment of a time of the standard library, rounded down.
func TimestampOf(value time.Time) Timestamp {
	return Timestamp(value.UnixMicro())
}

// Time is the moment in UTC.
func (t Timestamp) Time() time.Time {
	return time.UnixMicro(int64(t)).UTC()
}

// String is the moment in RFC 3339, with microseconds if there are any.
func (t Timestamp) String() string {
	at := t.Time()
	text := fmt.Sprintf("%04d-%02d-%02dT%02d:%02d:%02d", at.Year(), at.Month(), at.Day(), at.Hour(), at.Minute(), at.Second())
	if micros := at.Nanosecond() / 1_000; micros != 0 {
		text += fmt.Sprintf(".%06d", micros)
	}
	return text + "Z"
}

// Whole numbers have 64 bits. A result beyond the limits is the nearest limit.

func limit[T ~int64](negative bool) T {
	if negative {
		return math.MinInt64
	}
	return math.MaxInt64
}

// Add is the sum.
func Add[T ~int64](a, b T) T {
	sum := a + b
	if (sum > a) == (b > 0) {
		return sum
	}
	return limit[T](b < 0)
}

// Sub is the difference.
func Sub[T ~int64](a, b T) T {
	difference := a - b
	if (difference < a) == (b > 0) {
		return difference
	}
	return limit[T](b > 0)
}

// Mul is the product.
func Mul[T ~int64](a, b T) T {
	if a == 0 || b == 0 {
		return 0
	}
	product := a * b
	if product/b != a || (a == -1 && b == math.MinInt64) || (b == -1 && a == math.MinInt64) {
		return limit[T]((a < 0) != (b < 0))
	}
	return product
}

// Div is the quotient, rounded towards zero; b is not zero.
func Div[T ~int64](a, b T) T {
	if a == math.MinInt64 && b == -1 {
		return math.MaxInt64
	}
	return a / b
}

// Rem is the remainder, with the sign of a; b is not zero.
func Rem[T ~int64](a, b T) T {
	if b == -1 {
		return 0
	}
	return a % b
}

// Later is a moment, and a duration later.
func Later(moment Timestamp, by Duration) Timestamp {
	return Add(moment, Timestamp(by))
}

// Earlier is a moment, and a duration earlier.
func Earlier(moment Timestamp, by Duration) Timestamp {
	return Sub(moment, Timestamp(by))
}

// Since is the duration from the second moment to the first.
func Since(moment, from Timestamp) Duration {
	return Duration(Sub(moment, from))
}

// Times is a multiple of a duration.
func Times(duration Duration, n int64) Duration {
	return Mul(duration, Duration(n))
}

// Len is the number of Unicode scalar values of a text.
func Len(text string) int64 {
	return int64(utf8.RuneCountInString(text))
}
