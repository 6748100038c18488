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

var monthNames = map[string][12]string{
	"fi": {"tammikuu", "helmikuu", "maaliskuu", "huhtikuu", "toukokuu", "kesäkuu", "heinäkuu", "elokuu", "syyskuu", "lokakuu", "marraskuu", "joulukuu"},
	"en": {"January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"},
	"sv": {"januari", "februari", "mars", "april", "maj", "juni", "juli", "augusti", "september", "oktober", "november", "december"},
}

// month is a calendar month: lokakuu 2026, October 2026, oktober 2026.
func month(language string, t time.Time) string {
	return monthNames[language][t.Month()-1] + noBreak + strconv.Itoa(t.Year())
}

// shortDay is a day without its year: 20.11., 20 November, 20 november.
func shortDay(language string, t time.Time) string {
	if language == "fi" {
		return t.Format("2.1.")
	}
	return strconv.Itoa(t.Day()) + noBreak + monthNames[language][t.Month()-1]
}

// shortDays are days one after another: 23.11., 25.11. ja 27.11.
func shortDays(language string, days []time.Time) string {
	list := make([]string, len(days))
	for i, t := range days {
		list[i] = shortDay(language, t)
	}
	if len(list) < 2 {
		return strings.Join(list, "")
	}
	and := map[string]string{"fi": " ja ", "en": " and ", "sv": " och "}[language]
	last := len(list) - 1
	return strings.Join(list[:last], ", ") + and + list[last]
}
