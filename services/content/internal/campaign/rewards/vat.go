package rewards

import (
	"database/sql/driver"
	"encoding/json"
	"fmt"
	"strconv"

	"talkoot.fi/kit/money"
)

// VAT is a reward's rate in tenths of a per cent: 255 is 25.5 %. It is written in per cent; null when it is not known.
type VAT struct {
	Tenths int
	Known  bool
}

// tenths is the rate in tenths of a per cent; nil when it is not known.
func (v VAT) tenths() *int {
	if !v.Known {
		return nil
	}
	return &v.Tenths
}

// ParseVAT reads a rate in per cent with at most one decimal, or null. It reports false for anything else.
func ParseVAT(percent string) (VAT, bool) {
	if percent == "null" {
		return VAT{}, true
	}
	hundredths, err := money.ParseMajor(percent, "")
	if err != nil || hundredths.Minor%10 != 0 || hundredths.Minor > 100_00 {
		return VAT{}, false
	}
	return VAT{Tenths: int(hundredths.Minor / 10), Known: true}, true
}

// Percent is the rate for the contract, nil when it is not known.
func (v VAT) Percent() *float64 {
	if !v.Known {
		return nil
	}
	percent := float64(v.Tenths) / 10
	return &percent
}

// MarshalJSON writes the rate in per cent.
func (v VAT) MarshalJSON() ([]byte, error) { return json.Marshal(v.Percent()) }

// Scan reads the column rewards.vat_tenths.
func (v *VAT) Scan(value any) error {
	switch value := value.(type) {
	case nil:
		*v = VAT{}
		return nil
	case int64:
		*v = VAT{Tenths: int(value), Known: true}
		return nil
	default:
		return fmt.Errorf("scan %T as a rate of tax", value)
	}
}

// Value writes the column.
func (v VAT) Value() (driver.Value, error) {
	if !v.Known {
		return nil, nil //nolint:nilnil // NULL
	}
	return int64(v.Tenths), nil
}

// String is for logs.
func (v VAT) String() string { return strconv.Itoa(v.Tenths) }
