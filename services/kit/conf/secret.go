package conf

import (
	"fmt"
	"io"
	"log/slog"
	"strings"
)

// Secret is a text that prints, logs and marshals as ***. Reveal returns the text.
type Secret string

const hidden = "***"

// Reveal is the text itself.
func (s Secret) Reveal() string { return string(s) }

// IsSet reports whether there is a text.
func (s Secret) IsSet() bool { return s != "" }

// List is a secret that may be several, separated by commas: the first is in use, the others are those of before, which still open what they
// have closed. Empty parts are left out.
func (s Secret) List() (all []string) {
	for part := range strings.SplitSeq(string(s), ",") {
		if part = strings.TrimSpace(part); part != "" {
			all = append(all, part)
		}
	}
	return all
}

// All is List as bytes.
func (s Secret) All() (all [][]byte) {
	for _, one := range s.List() {
		all = append(all, []byte(one))
	}
	return all
}

// Keys is All in two parts: the one in use, nil for none, and those of before.
func (s Secret) Keys() (current []byte, older [][]byte) {
	if all := s.All(); len(all) > 0 {
		return all[0], all[1:]
	}
	return nil, nil
}

// Format writes *** for every verb of fmt.
func (s Secret) Format(state fmt.State, _ rune) { _, _ = io.WriteString(state, hidden) }

// String is ***.
func (s Secret) String() string { return hidden }

// LogValue is *** for slog.
func (s Secret) LogValue() slog.Value { return slog.StringValue(hidden) }

// MarshalText is *** for encoding/json and its like.
func (s Secret) MarshalText() ([]byte, error) { return []byte(hidden), nil }
