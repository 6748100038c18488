package outbox

import (
	"encoding/binary"
	"hash/fnv"
	"strings"
	"time"
)

// pause is the time until a message's next attempt: 1 s doubled each time up to 5 minutes, and an hour from the alarm
// on, each up to 20 % shorter or longer so that messages that failed together are not retried together. The jitter
// derives from id and attempt, so that simulations are deterministic.
func pause(id int64, attempt, alarmAfter int) time.Duration {
	d := longestPause
	switch {
	case attempt >= alarmAfter:
		d = alarmPause
	case attempt <= 8: // 2^8 s is the last power below the longest pause
		d = firstPause << (attempt - 1)
	}
	return d - d/5 + time.Duration(spread(id, attempt)%uint64(2*d/5+1)) // #nosec G115 -- positive, and below d
}

// spread is a pseudo-random number that derives from id and attempt.
func spread(id int64, attempt int) uint64 {
	hash := fnv.New64a()
	_ = binary.Write(hash, binary.BigEndian, [2]int64{id, int64(attempt)}) // a hash's Write never fails
	return hash.Sum64()
}

// clean makes an error's text storable: PostgreSQL accepts neither invalid UTF-8 nor zero bytes.
func clean(text string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\x00", "")
}
