package outbox

import (
	"encoding/binary"
	"hash/fnv"
	"strings"
	"time"
)

// pause is the time until a message's next attempt: 1 s doubled each time up to 5 minutes, and an hour from the alarm on,
// each up to 20 % shorter or longer so that messages that failed together do not come back together. The same attempt of
// the same message always has the same pause: what happens when follows from the clock alone.
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

// spread is a number that looks like chance.
func spread(id int64, attempt int) uint64 {
	hash := fnv.New64a()
	_ = binary.Write(hash, binary.BigEndian, [2]int64{id, int64(attempt)}) // a hash never fails to write
	return hash.Sum64()
}

// clean makes an error's text storable: PostgreSQL takes neither broken UTF-8 nor zero bytes.
func clean(text string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\x00", "")
}
