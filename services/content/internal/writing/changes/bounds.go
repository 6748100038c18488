package changes

import (
	"encoding/json"
	"time"
	"unicode/utf8"

	"talkoot.fi/kit/apperr"
)

const (
	// longest is the longest value that a page of the history includes, in characters of JSON. Longer ones (stories)
	// would make it megabytes: they are left out, and read one by one with ValueBefore.
	longest = 4000
	// dailyBytes is how much a person's changes may add to the history in a day. It is some hundred changes of the longest
	// stories, and thousands of anything else.
	dailyBytes = 20 << 20
)

// countSQL adds to what a person's changes have added to the history today, and returns a row unless that would be more
// than @most. It goes after an INSERT INTO history_totals (user_id, day, bytes).
const countSQL = `
	ON CONFLICT (user_id) DO UPDATE SET day = excluded.day,
	    bytes = excluded.bytes + CASE WHEN history_totals.day = excluded.day THEN history_totals.bytes ELSE 0 END
	WHERE history_totals.day <> excluded.day OR history_totals.bytes + excluded.bytes <= @most
	RETURNING user_id`

// limited is the refusal of a change beyond dailyBytes, until the next day (UTC) begins.
func limited(now time.Time) error {
	midnight := now.UTC().Truncate(24 * time.Hour).Add(24 * time.Hour)
	return apperr.New(apperr.HistoryLimit).RetryAfter(midnight.Sub(now))
}

// withoutLongValues replaces the long values after a change by nil, because they are stored elsewhere: in the row
// itself, or as the value before of its next change. Their keys stay, because Expect reads them.
func withoutLongValues(after map[string]any) (map[string]any, error) {
	kept := make(map[string]any, len(after))
	for name, value := range after {
		encoded, err := json.Marshal(value)
		if err != nil {
			return nil, err
		}
		if utf8.RuneCount(encoded) > longest {
			kept[name] = nil
			continue
		}
		kept[name] = json.RawMessage(encoded)
	}
	return kept, nil
}
