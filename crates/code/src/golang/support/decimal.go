// Decimal is a decimal of 96 bits with up to 28 digits after the point. A result beyond the limits is the nearest limit. The zero
// value is 0. Compare with Cmp: 1.0 and 1.00 are the same number and differ as values.
type Decimal struct {
	lo       uint64
	hi       uint32
	scale    uint8
	negative bool
}

const maxScale = 28

var (
	one         = big.NewInt(1)
	ten         = big.NewInt(10)
	maxMantissa = new(big.Int).Sub(new(big.Int).Lsh(one, 96), one)
	smallLimit  = new(big.Int).Lsh(one, 32)
	powers      = powersOfTen()
)

func powersOfTen() (powers [64]*big.Int) {
	powers[0] = one
	for it := 1; it < len(powers); it++ {
		powers[it] = new(big.Int).Mul(powers[it-1], ten)
	}
	return powers
}

func power(digits int) *big.Int {
	if digits < len(powers) {
		return powers[digits]
	}
	return new(big.Int).Exp(ten, big.NewInt(int64(digits)), nil)
}

// DecimalOf is a whole number as a decimal.
func DecimalOf(value int64) Decimal {
	if value < 0 {
		return Decimal{lo: -uint64(value), negative: true}
	}
	return Decimal{lo: uint64(value)}
}

// ParseDecimal reads a decimal such as -0.80. Digits that do not fit are rounded.
func ParseDecimal(text string) (Decimal, error) {
	return readDecimal(text, "a value")
}

// MustDecimal reads a decimal that is one.
func MustDecimal(text string) Decimal {
	value, err := ParseDecimal(text)
	if err != nil {
		panic(err)
	}
	return value
}

func readDecimal(text, what string) (Decimal, error) {
	unsigned := strings.TrimPrefix(text, "-")
	negative := unsigned != text
	if !negative {
		unsigned = strings.TrimPrefix(text, "+")
	}
	whole, fraction, _ := strings.Cut(unsigned, ".")
	digits := whole + fraction
	if digits == "" || strings.Trim(digits, "0123456789") != "" {
		return Decimal{}, wrong("%s is a decimal, not `%s`", what, text)
	}
	mantissa, _ := new(big.Int).SetString(digits, 10)
	value, fits := fitted(negative, mantissa, len(fraction))
	if !fits {
		return Decimal{}, wrong("%s is out of range: `%s` has more than 28 digits", what, text)
	}
	return value, nil
}

func decimal(negative bool, mantissa *big.Int, scale int) Decimal {
	low := new(big.Int).And(mantissa, new(big.Int).SetUint64(math.MaxUint64))
	high := new(big.Int).Rsh(mantissa, 64)
	return Decimal{low.Uint64(), uint32(high.Uint64()), uint8(scale), negative}
}

func largest(negative bool) Decimal {
	return Decimal{math.MaxUint64, math.MaxUint32, 0, negative}
}

func (d Decimal) mantissa() *big.Int {
	value := new(big.Int).SetUint64(uint64(d.hi))
	return value.Or(value.Lsh(value, 64), new(big.Int).SetUint64(d.lo))
}

// IsZero is whether it is zero.
func (d Decimal) IsZero() bool {
	return d.lo == 0 && d.hi == 0
}

// String is the decimal with all of its digits.
func (d Decimal) String() string {
	digits := d.mantissa().String()
	if scale := int(d.scale); scale > 0 {
		if len(digits) <= scale {
			digits = strings.Repeat("0", scale+1-len(digits)) + digits
		}
		digits = digits[:len(digits)-scale] + "." + digits[len(digits)-scale:]
	}
	if d.negative {
		return "-" + digits
	}
	return digits
}

// MarshalJSON is the decimal as a text.
func (d Decimal) MarshalJSON() ([]byte, error) {
	return []byte(`"` + d.String() + `"`), nil
}

// UnmarshalJSON reads a text such as "0.80", or a whole number.
func (d *Decimal) UnmarshalJSON(data []byte) error {
	value, err := Parse(data)
	if err != nil {
		return err
	}
	*d, err = ReadDecimal(value, "the decimal")
	return err
}

// Cmp is -1, 0 or 1: whether it is less than, equal to or greater than another one.
func (d Decimal) Cmp(other Decimal) int {
	left, right := aligned(d, other)
	return left.Cmp(right)
}

// aligned are two decimals as whole numbers of one unit.
func aligned(a, b Decimal) (left, right *big.Int) {
	scale := maxOf(int(a.scale), int(b.scale))
	signed := func(it Decimal) *big.Int {
		value := it.mantissa()
		value.Mul(value, power(scale-int(it.scale)))
		if it.negative {
			value.Neg(value)
		}
		return value
	}
	return signed(a), signed(b)
}

func maxOf(a, b int) int {
	if a > b {
		return a
	}
	return b
}

// shortened is the quotient by a power of ten, rounded half to even.
func shortened(digits *big.Int, by int) *big.Int {
	divisor := power(by)
	quotient, rest := new(big.Int).QuoRem(digits, divisor, new(big.Int))
	half := rest.Lsh(rest, 1).Cmp(divisor)
	if half > 0 || (half == 0 && quotient.Bit(0) == 1) {
		quotient.Add(quotient, one)
	}
	return quotient
}

// fitted is the decimal of these digits with as many of them as fit; not if it is too large. A zero has no sign.
func fitted(negative bool, digits *big.Int, scale int) (Decimal, bool) {
	dropped := maxOf(0, scale-maxScale)
	if dropped > 0 || digits.Cmp(maxMantissa) > 0 {
		for new(big.Int).Quo(digits, power(dropped)).Cmp(maxMantissa) > 0 {
			dropped++
		}
		if dropped > scale {
			return Decimal{}, false
		}
		digits = shortened(digits, dropped)
		scale -= dropped
		if digits.Cmp(maxMantissa) > 0 {
			if scale == 0 {
				return Decimal{}, false
			}
			digits = shortened(digits, 1)
			scale--
		}
	}
	return decimal(negative && digits.Sign() != 0, digits, scale), true
}

// Add is the sum, rounded to the digits that fit.
func (d Decimal) Add(other Decimal) Decimal {
	if d.IsZero() {
		return other
	}
	if other.IsZero() {
		return d
	}
	left, right := aligned(d, other)
	total := left.Add(left, right)
	sum, fits := fitted(total.Sign() < 0, new(big.Int).Abs(total), maxOf(int(d.scale), int(other.scale)))
	if !fits {
		return largest(d.negative)
	}
	return sum
}

// Sub is the difference, rounded to the digits that fit.
func (d Decimal) Sub(other Decimal) Decimal {
	if !other.IsZero() {
		other.negative = !other.negative
	}
	return d.Add(other)
}

// Mul is the product, rounded to the digits that fit.
func (d Decimal) Mul(other Decimal) Decimal {
	if d.IsZero() || other.IsZero() {
		return Decimal{}
	}
	left, right := d.mantissa(), other.mantissa()
	scale, negative := int(d.scale)+int(other.scale), d.negative != other.negative
	isSmall := left.Cmp(smallLimit) < 0 && right.Cmp(smallLimit) < 0
	if isSmall && scale > maxScale+19 {
		return Decimal{}
	}
	product, fits := fitted(negative, left.Mul(left, right), scale)
	if !fits {
		return largest(negative)
	}
	// The decimals of Rust keep the sign of a larger product that is rounded to zero.
	if negative && product.IsZero() && !isSmall {
		product.negative = true
	}
	return product
}

// Div is the quotient, rounded to the nearest decimal; the other one is not zero.
func (d Decimal) Div(other Decimal) Decimal {
	if d.IsZero() {
		return Decimal{}
	}
	by, negative, scale := other.mantissa(), d.negative != other.negative, int(d.scale)-int(other.scale)
	quotient, rest := new(big.Int).QuoRem(d.mantissa(), by, new(big.Int))
	isRounded := false
	for rest.Sign() != 0 || scale < 0 {
		step := 9
		if rest.Sign() == 0 {
			if -scale < step {
				step = -scale
			}
		} else {
			isRounded = true
			if maxScale-scale < step {
				step = maxScale - scale
			}
			for step > 0 && new(big.Int).Mul(quotient, power(step)).Cmp(maxMantissa) > 0 {
				step--
			}
			if step < 9 && step+scale < 0 {
				return largest(negative)
			}
			if step == 0 {
				half := new(big.Int).Lsh(rest, 1).Cmp(by)
				if half > 0 || (half == 0 && quotient.Bit(0) == 1) {
					quotient.Add(quotient, one)
				}
				if quotient.Cmp(maxMantissa) > 0 {
					if scale == 0 {
						return largest(negative)
					}
					quotient = shortened(quotient, 1)
					scale--
				}
				break
			}
		}
		scale += step
		quotient.Mul(quotient, power(step))
		if quotient.Cmp(maxMantissa) > 0 {
			return largest(negative)
		}
		more, left := new(big.Int).QuoRem(rest.Mul(rest, power(step)), by, new(big.Int))
		rest = left
		quotient.Add(quotient, more)
		if quotient.Cmp(maxMantissa) > 0 {
			if scale == 0 {
				return largest(negative)
			}
			last := new(big.Int)
			quotient.QuoRem(quotient, ten, last)
			if digit := last.Int64(); digit > 5 || (digit == 5 && (rest.Sign() != 0 || quotient.Bit(0) == 1)) {
				quotient.Add(quotient, one)
			}
			scale--
			break
		}
	}
	if isRounded {
		quotient, scale = withoutZeros(quotient, scale)
	}
	return decimal(negative && quotient.Sign() != 0, quotient, scale)
}

// withoutZeros drops the zeros at the end of a quotient, as far as the decimals of Rust drop them.
func withoutZeros(quotient *big.Int, scale int) (*big.Int, int) {
	drop := func(digits int, mask uint64) bool {
		if low := new(big.Int).And(quotient, new(big.Int).SetUint64(mask)); low.Sign() != 0 || scale < digits {
			return false
		}
		shorter, rest := new(big.Int).QuoRem(quotient, power(digits), new(big.Int))
		if rest.Sign() != 0 {
			return false
		}
		quotient, scale = shorter, scale-digits
		return true
	}
	for drop(8, math.MaxUint32) {
	}
	drop(4, 15)
	drop(2, 3)
	drop(1, 1)
	return quotient, scale
}

// Rem is the exact remainder, with the sign of the left side; the other one is not zero.
func (d Decimal) Rem(other Decimal) Decimal {
	left, right := aligned(d, other)
	rest := left.Rem(left, right)
	return decimal(d.negative && rest.Sign() != 0, new(big.Int).Abs(rest), maxOf(int(d.scale), int(other.scale)))
}
