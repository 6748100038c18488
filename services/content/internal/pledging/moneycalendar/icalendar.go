package moneycalendar

import (
	"bytes"
	"crypto/sha256"
	"encoding/base32"
	"encoding/json"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"talkoot.fi/kit/money"
)

// names of the feed.
var names = map[string]string{"fi": "Talkoot: kuukausituki", "en": "Talkoot: monthly support", "sv": "Talkoot: månadsstöd"}

// lineOctets is how long a line may be without its break (RFC 5545, 3.1).
const lineOctets = 75

// finland is the time zone of all days in the feed. It also keeps a calendar without events valid, because each needs a
// component (RFC 5545, 3.4).
var finland = []string{
	"BEGIN:VTIMEZONE", "TZID:Europe/Helsinki",
	"BEGIN:STANDARD", "DTSTART:19961027T040000", "RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU",
	"TZOFFSETFROM:+0300", "TZOFFSETTO:+0200", "TZNAME:EET", "END:STANDARD",
	"BEGIN:DAYLIGHT", "DTSTART:19970330T030000", "RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU",
	"TZOFFSETFROM:+0200", "TZOFFSETTO:+0300", "TZNAME:EEST", "END:DAYLIGHT",
	"END:VTIMEZONE",
}

// iCalendar writes the coming charges as all-day events (RFC 5545), a failed month on the day of its next try. A month's event keeps its
// UID when its amount or its day changes.
func iCalendar(supports []Support, language string, now time.Time) ([]byte, error) {
	var out bytes.Buffer
	line := func(text string) { writeFolded(&out, text) }
	line("BEGIN:VCALENDAR")
	line("VERSION:2.0")
	line("PRODID:-//Talkoot//Monthly support//EN")
	line("CALSCALE:GREGORIAN")
	line("X-WR-CALNAME:" + escape(names[language]))
	line("REFRESH-INTERVAL;VALUE=DURATION:PT12H")
	for _, text := range finland {
		line(text)
	}
	for _, s := range supports {
		var campaign struct{ Title string }
		if err := json.Unmarshal(s.Preview, &campaign); err != nil {
			return nil, fmt.Errorf("read the campaign of a calendar: %w", err)
		}
		for _, c := range s.Charges {
			on := c.Day
			switch {
			case c.State == Waiting && s.NextTryOn != nil:
				on = *s.NextTryOn
			case c.State != Coming:
				continue
			}
			line("BEGIN:VEVENT")
			line("UID:" + uid(s.SubscriptionID, c.Day))
			line("DTSTAMP:" + now.UTC().Format("20060102T150405Z"))
			line("DTSTART;VALUE=DATE:" + on.Format("20060102"))
			line("DTEND;VALUE=DATE:" + on.AddDate(0, 0, 1).Format("20060102"))
			line("SUMMARY:" + escape(campaign.Title+": "+money.New(c.AmountMinor, s.Currency).String()))
			line("TRANSP:TRANSPARENT")
			line("END:VEVENT")
		}
	}
	line("END:VCALENDAR")
	return out.Bytes(), nil
}

// uid names the event of a month. It is a hash: calendar programs pass on what they are given, and ids of what people pay for stay with us.
func uid(subscriptionID string, day time.Time) string {
	hash := sha256.Sum256([]byte("calendar:" + subscriptionID + day.Format(":2006-01")))
	return strings.ToLower(base32.StdEncoding.EncodeToString(hash[:15])) + "@talkoot"
}

// escape is a text value (RFC 5545, 3.3.11). Other control characters are no text.
func escape(text string) string {
	text = strings.NewReplacer("\\", "\\\\", ";", "\\;", ",", "\\,", "\r\n", "\\n", "\n", "\\n").Replace(text)
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\t' || r == 0x7f {
			return -1
		}
		return r
	}, text)
}

// writeFolded writes a content line: what is longer goes on in lines that begin with a space; no character is cut.
func writeFolded(out *bytes.Buffer, text string) {
	room := lineOctets
	for _, r := range text {
		if size := utf8.RuneLen(r); size > room {
			out.WriteString("\r\n ")
			room = lineOctets - 1
		}
		out.WriteRune(r)
		room -= utf8.RuneLen(r)
	}
	out.WriteString("\r\n")
}
