package fields_test

import (
	"slices"
	"strings"
	"testing"

	"talkoot.fi/payments/internal/fields"
)

// Of each country one number that its banks publish.
var examples = []string{
	"AD1200012030200359100100", "AT611904300234573201", "BE68539007547034", "BG80BNBG96611020345678", "CH9300762011623852957", "CY17002001280000001200527600",
	"CZ6508000000192000145399", "DE89370400440532013000", "DK5000400440116243", "EE382200221020145685", "ES9121000418450200051332", "FI2112345600000785",
	"FR1420041010050500013M02606", "GB29NWBK60161331926819", "GR1601101250000000012300695", "HR1210010051863000160", "HU42117730161111101800000000",
	"IE29AIBK93115212345678", "IS140159260076545510730339", "IT60X0542811101000000123456", "LI21088100002324013AA", "LT121000011101001000", "LU280019400644750000",
	"LV80BANK0000435195001", "MC5811222000010123456789030", "MT84MALT011000012345MTLCAST001S", "NL91ABNA0417164300", "NO9386011117947", "PL61109010140000071219812874",
	"PT50000201231234567890154", "RO49AAAA1B31007593840000", "SE4550000000058398257466", "SI56263300012039086", "SK3112000000198742637541", "SM86U0322509800000000270100",
	"VA59001123000012345678",
}

func TestIBAN_EachCountrysIsTaken_AndWithOneSignChangedItIsNot(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, number := range examples {
		country := number[:2]
		seen[country] = true
		spaced := strings.ToLower(number[:4] + " " + number[4:8] + "-" + number[8:])
		if got, broken := fields.IBAN(spaced); broken != "" || got != number {
			t.Errorf("%s: %s %s", number, got, broken)
		}
		for at := 4; at < len(number); at++ {
			signs := "0123456789" // the check finds any other digit for a digit, and any other letter for a letter
			if number[at] > '9' {
				signs = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
			}
			for _, sign := range signs {
				changed := number[:at] + string(sign) + number[at+1:]
				if _, broken := fields.IBAN(changed); changed != number && broken != "iban" {
					t.Errorf("%s for %s: %q", changed, number, broken)
				}
			}
		}
		if _, broken := fields.IBAN(number + "0"); broken != "iban" {
			t.Errorf("%s with a sign too many: %q", number, broken)
		}
	}
	for country := range fields.SEPA.IBANLengths {
		if !seen[country] || !fields.SEPA.HasCountry(country) {
			t.Errorf("%s is not tried", country)
		}
	}
}

// People copy numbers from bills, banks' pages and messages, with what stands around and between the signs there.
func TestIBAN_AsItIsCopied_IsTheNumber(t *testing.T) {
	t.Parallel()
	for _, copied := range []string{"FI21 1234 5600 0007 85", "IBAN FI21 1234 5600 0007 85", "iban: fi21 1234 5600 0007 85", "\tFI21 1234\n5600 0007 85 ",
		"FI21\u202f1234\u202f5600\u202f0007\u202f85", "FI21\u20091234\u20095600\u20090007\u200985", "\u202dFI2112345600000785\u202c", "FI21\u200b12345600000785",
		"FI21\u20111234\u20135600\u22120007\u00ad85", "FI21.1234.5600.0007.85"} {
		if got, broken := fields.IBAN(copied); got != "FI2112345600000785" || broken != "" {
			t.Errorf("%q: %q %s", copied, got, broken)
		}
	}
}

// 27 of the union, three of the economic area, six others, and the three dependencies of the Crown, whose numbers are British.
func TestArea_HasThirtyNineCountries(t *testing.T) {
	t.Parallel()
	if n := len(slices.Compact(slices.Sorted(slices.Values(fields.SEPA.Countries)))); n != 39 {
		t.Errorf("%d countries", n)
	}
	for _, country := range []string{"GG", "IM", "JE"} {
		if _, has := fields.SEPA.IBANLengths[country]; has || !fields.SEPA.HasCountry(country) {
			t.Errorf("%s", country)
		}
	}
}
