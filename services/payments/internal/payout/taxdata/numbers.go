package taxdata

import (
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/typed"
)

// number is a number as its register has it, in capitals: spaces, hyphens, full-width digits and whatever else it was copied with are for readers.
func number(said string) string { return typed.Number(norm.NFKC.String(said)) }

// isNumber tells whether a number has digits and letters of the Latin alphabet alone, least to most of them.
func isNumber(text string, least, most int) bool {
	return len(text) >= least && len(text) <= most && strings.Trim(text, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}

func isDigits(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }

// taxNumber reads a tax number of a country, or gives the rule that it breaks. The check signs of Finnish and Swedish numbers are counted; what
// others are like is for their countries to say. born is the birth date of a person, zero when it is not known.
func taxNumber(country string, kind Kind, said string, born time.Time) (is, broken string) {
	switch {
	case country == "FI" && kind == Person:
		return henkilotunnus(said, born)
	case country == "FI":
		if is = businessID(number(said)); is == "" {
			broken = apperr.RuleTaxNumber
		}
		return is, broken
	case country == "SE" && kind == Person:
		return personnummer(said)
	case country == "SE":
		is = number(said)
		if len(is) == 12 && strings.HasPrefix(is, "16") { // as the tax office writes it among people's
			is = is[2:]
		}
		if !isOrganisation(is) {
			return "", apperr.RuleTaxNumber
		}
		return is, ""
	}
	if is = number(said); !isNumber(is, 4, 20) || strings.Trim(is, "0") == "" {
		return "", apperr.RuleTaxNumber
	}
	return is, ""
}

// centuries are the signs between the birth date and the rest of a Finnish personal identity code, those of 2023 included.
var centuries = map[rune]int{'+': 1800, '-': 1900, 'U': 1900, 'V': 1900, 'W': 1900, 'X': 1900, 'Y': 1900, //nolint:gochecknoglobals // a constant that Go cannot have
	'A': 2000, 'B': 2000, 'C': 2000, 'D': 2000, 'E': 2000, 'F': 2000}

// henkilotunnus reads a Finnish personal identity code. Its numbers from 900 on are given for a while by hospitals and the like, and to nobody for good.
func henkilotunnus(said string, born time.Time) (is, broken string) {
	is = strings.ToUpper(strings.Map(func(r rune) rune {
		switch {
		case unicode.Is(unicode.Pd, r), r == '−':
			return '-'
		case unicode.IsSpace(r), unicode.Is(unicode.Cf, r), unicode.IsControl(r):
			return -1
		}
		return r
	}, norm.NFKC.String(said)))
	if len(is) != 11 || !isDigits(is[:6]) || !isDigits(is[7:10]) {
		return "", apperr.RuleTaxNumber
	}
	century, isKnown := centuries[rune(is[6])]
	year, _ := strconv.Atoi(is[4:6])
	day, isDay := dayOf(century+year, is[2:4], is[:2])
	counted, _ := strconv.Atoi(is[:6] + is[7:10])
	if !isKnown || !isDay || is[7:10] < "002" || is[7] == '9' || is[10] != "0123456789ABCDEFHJKLMNPRSTUVWXY"[counted%31] {
		return "", apperr.RuleTaxNumber
	}
	if !born.IsZero() && !day.Equal(born) { // a code is given anew when its date was wrong
		return "", apperr.RuleTaxNumberBirth
	}
	return is, ""
}

// businessID reads a Finnish business id without its hyphen, or gives "". Old ones have lost their leading zero.
func businessID(digits string) string {
	if len(digits) == 7 {
		digits = "0" + digits
	}
	if len(digits) != 8 || !isDigits(digits) {
		return ""
	}
	sum := 0
	for i, weight := range []int{7, 9, 10, 5, 8, 4, 2} {
		sum += weight * int(digits[i]-'0')
	}
	check := (11 - sum%11) % 11
	if sum == 0 || check == 10 || check != int(digits[7]-'0') {
		return ""
	}
	return digits[:7] + "-" + digits[7:]
}

// registerNumber reads the number that an association or a foundation has in its Finnish register, or gives "": at most six digits, with a dot as the register
// has it. Not each of them has a business id, which has two digits more.
func registerNumber(said string) string {
	digits := strings.TrimLeft(number(said), "0")
	if !isDigits(digits) || len(digits) > 6 {
		return ""
	}
	if n := len(digits) - 3; n > 0 {
		digits = digits[:n] + "." + digits[n:]
	}
	return digits
}

// personnummer reads a Swedish personal identity or coordination number. It need not be the birth date's: when the numbers of a day were given out,
// those of a day beside it were taken.
func personnummer(said string) (is, broken string) {
	is = number(said)
	if len(is) != 10 && len(is) != 12 || !isDigits(is) || !luhn(is[len(is)-10:]) {
		return "", apperr.RuleTaxNumber
	}
	date := is[:len(is)-4]
	day, _ := strconv.Atoi(date[len(date)-2:])
	if day > 60 { // of a coordination number
		day -= 60
	}
	year := 2000 // of ten digits: any century, and 29 February is a day of some
	if len(is) == 12 {
		year, _ = strconv.Atoi(is[:4])
	} else if short, _ := strconv.Atoi(is[:2]); short > 0 {
		year += short
	}
	if _, isDay := dayOf(year, date[len(date)-4:len(date)-2], strconv.Itoa(day)); !isDay || len(is) == 12 && (year < 1850 || year > 2100) {
		return "", apperr.RuleTaxNumber
	}
	return is, ""
}

// isOrganisation tells a Swedish organisation number, whose third digit is none that a month begins with.
func isOrganisation(digits string) bool {
	return len(digits) == 10 && isDigits(digits) && digits[2] >= '2' && luhn(digits)
}

// luhn tells whether the last digit is the check digit of those before it (ISO/IEC 7812-1).
func luhn(digits string) bool {
	sum := 0
	for i := range digits {
		d := int(digits[len(digits)-1-i] - '0')
		if i%2 == 1 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
	}
	return sum%10 == 0 && strings.Trim(digits, "0") != ""
}

// dayOf is a day that the calendar has.
func dayOf(year int, month, day string) (time.Time, bool) {
	m, _ := strconv.Atoi(month)
	d, _ := strconv.Atoi(day)
	at := time.Date(year, time.Month(m), d, 0, 0, 0, 0, time.UTC)
	return at, m >= 1 && m <= 12 && at.Day() == d
}

// vatForms are the VAT numbers of the Union's countries after their prefix, as its register (VIES) has them.
var vatForms = forms(map[string]string{ //nolint:gochecknoglobals // a constant that Go cannot have
	"AT": `U\d{8}`, "BE": `[01]\d{9}`, "BG": `\d{9,10}`, "CY": `\d{8}[A-Z]`, "CZ": `\d{8,10}`, "DE": `\d{9}`, "DK": `\d{8}`, "EE": `\d{9}`, "EL": `\d{9}`,
	"ES": `[A-Z0-9]\d{7}[A-Z0-9]`, "FI": `\d{8}`, "FR": `[A-HJ-NP-Z0-9]{2}\d{9}`, "HR": `\d{11}`, "HU": `\d{8}`, "IE": `\d[A-Z0-9+*]\d{5}[A-Z]{1,2}`,
	"IT": `\d{11}`, "LT": `(\d{9}|\d{12})`, "LU": `\d{8}`, "LV": `\d{11}`, "MT": `\d{8}`, "NL": `\d{9}B\d{2}`, "PL": `\d{10}`, "PT": `\d{9}`, "RO": `\d{2,10}`,
	"SE": `\d{12}`, "SI": `\d{8}`, "SK": `\d{10}`, "XI": `(\d{9}|\d{12}|GD\d{3}|HA\d{3})`})

func forms(of map[string]string) map[string]*regexp.Regexp {
	out := map[string]*regexp.Regexp{}
	for country, form := range of {
		out[country] = regexp.MustCompile("^" + form + "$")
	}
	return out
}

// vatNumber reads a VAT number with its country's letters, or gives the rule that it breaks; of countries outside the Union their length alone is asked.
func vatNumber(said string) (is, broken string) {
	is = number(said)
	if !isNumber(is, 4, 20) || isDigits(is[:1]) || isDigits(is[1:2]) {
		return "", apperr.RuleVATNumber
	}
	country, rest := is[:2], is[2:]
	if country == "GR" { // the register has it under its own name
		country, is = "EL", "EL"+rest
	}
	isRight := true
	if form, isUnion := vatForms[country]; isUnion {
		isRight = form.MatchString(rest)
	}
	switch {
	case !isRight:
	case country == "FI":
		isRight = businessID(rest) != ""
	case country == "SE":
		isRight = luhn(rest[:10]) && rest[10:] != "00"
	}
	if !isRight {
		return "", apperr.RuleVATNumber
	}
	return is, ""
}
