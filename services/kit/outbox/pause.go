package outbox

import (
	"math/rand/v2"
	"strings"
	"time"
)

// pause is the time until the next attempt: 1 s doubled each time up to 5 minutes, and an hour from the alarm on,
// each 20 % shorter or longer by chance so that messages that failed together do not come back together.
func pause(attempt, alarmAfter int) time.Duration {
	d := longestPause
	switch {
	case attempt >= alarmAfter:
		d = alarmPause
	case attempt <= 8: // 2^8 s is the last power below the longest pause
		d = firstPause << (attempt - 1)
	}
	return d - d/5 + rand.N(2*d/5+1) //nolint:gosec // jitter, not a secret
}

// clean makes an error's text storable: PostgreSQL takes neither broken UTF-8 nor zero bytes.
func clean(text string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\x00", "")
}
