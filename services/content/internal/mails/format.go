package mails

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

const noBreak = "\u00a0"

// euros writes minor units as people of a language do, always with cents: 1 290,50 €, €1,290.50.
func euros(language string, minor int64) string {
	group, decimal := noBreak, ","
	if language == "en" {
		group, decimal = ",", "."
	}
	digits := strconv.FormatInt(minor/100, 10)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + group + digits[i:]
	}
	sum := fmt.Sprintf("%s%s%02d", digits, decimal, minor%100)
	if language == "en" {
		return "€" + sum
	}
	return sum + noBreak + "€"
}

// wholeEuros writes an amount without cents, rounded down, as campaign pages do: 24 000 €, €24,000.
func wholeEuros(language string, minor int64) string {
	sum := euros(language, minor-minor%100)
	if language == "en" {
		return strings.TrimSuffix(sum, ".00")
	}
	return strings.TrimSuffix(sum, ",00"+noBreak+"€") + noBreak + "€"
}

// percent writes tenths of a per cent: 25,5 %, 25.5%, 14 %; an empty text for 0.
func percent(language string, tenths int64) string {
	if tenths == 0 {
		return ""
	}
	number := strings.TrimSuffix(fmt.Sprintf("%d.%d", tenths/10, tenths%10), ".0")
	if language == "en" {
		return number + "%"
	}
	return strings.Replace(number, ".", ",", 1) + noBreak + "%"
}

var months = map[string][12]string{
	"en": {"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"},
	"sv": {"jan.", "feb.", "mars", "apr.", "maj", "juni", "juli", "aug.", "sep.", "okt.", "nov.", "dec."},
}

// day writes a calendar day: 20.11.2026, 20 Nov 2026, 20 nov. 2026.
func day(language string, t time.Time) string {
	names, ok := months[language]
	if !ok {
		return t.Format("2.1.2006")
	}
	return strings.Join([]string{strconv.Itoa(t.Day()), names[t.Month()-1], strconv.Itoa(t.Year())}, noBreak)
}
