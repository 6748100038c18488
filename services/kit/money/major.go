package money

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// ParseMajor reads an amount in the major unit: digits, and after a point one or two decimals. It refuses signs,
// exponents, spaces, separators, superfluous leading zeros and more decimals, even zeros. Errors: ErrSyntax, ErrOverflow.
func ParseMajor(text string, currency Currency) (Amount, error) {
	whole, decimals, hasPoint := strings.Cut(text, ".")
	if !isDigits(whole) || len(whole) > 1 && whole[0] == '0' {
		return Amount{}, fmt.Errorf("%.40q: %w", text, ErrSyntax)
	}
	if hasPoint && (!isDigits(decimals) || len(decimals) > 2) {
		return Amount{}, fmt.Errorf("%.40q: %w", text, ErrSyntax)
	}
	cents := (decimals + "00")[:2]
	minor, err := strconv.ParseInt(whole+cents, 10, 64)
	if err != nil {
		return Amount{}, fmt.Errorf("%.40q: %w", text, ErrOverflow)
	}
	return Amount{minor, currency}, nil
}

// FormatMajor writes the amount in the major unit with both decimals: "12.50", "-0.05".
func (a Amount) FormatMajor() string {
	n := magnitude(a.Minor)
	sign := ""
	if a.Minor < 0 {
		sign = "-"
	}
	return fmt.Sprintf("%s%d.%02d", sign, n/minorPerMajor, n%minorPerMajor)
}

// String is for logs and messages: "12.50 EUR".
func (a Amount) String() string { return a.FormatMajor() + " " + string(a.Currency) }

// FromNumber reads a JSON number in the major unit exactly, by the rules of ParseMajor.
func FromNumber(n json.Number, currency Currency) (Amount, error) {
	return ParseMajor(n.String(), currency)
}

// Number is the amount as a JSON number in the major unit, without superfluous zeros: 12, 12.5, 12.05.
func (a Amount) Number() json.Number {
	text := a.FormatMajor()
	if a.Minor%minorPerMajor == 0 {
		return json.Number(strings.TrimSuffix(text, ".00"))
	}
	return json.Number(strings.TrimSuffix(text, "0"))
}

// Decimal is minor units that JSON writes as a decimal number of the major unit: 1250 cents are 12.5 on the wire. It is
// for the content API's bodies, where the currency stands elsewhere.
type Decimal int64

// Decimal is the amount for a JSON body.
func (a Amount) Decimal() Decimal { return Decimal(a.Minor) }

// Amount gives the currency back to a number read from JSON.
func (m Decimal) Amount(currency Currency) Amount { return Amount{int64(m), currency} }

// MarshalJSON writes the number in the major unit.
func (m Decimal) MarshalJSON() ([]byte, error) { return []byte(Amount{Minor: int64(m)}.Number()), nil }

// UnmarshalJSON reads a number in the major unit by the rules of ParseMajor; a JSON string is refused. Null changes
// nothing, as is usual in encoding/json.
func (m *Decimal) UnmarshalJSON(data []byte) error {
	if string(data) == "null" {
		return nil
	}
	a, err := ParseMajor(string(data), "")
	if err != nil {
		return err
	}
	*m = Decimal(a.Minor)
	return nil
}

func isDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}
