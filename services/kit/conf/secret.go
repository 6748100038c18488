package conf

import (
	"fmt"
	"io"
	"log/slog"
)

// Secret is a text that prints, logs and marshals as ***. Reveal returns the text.
type Secret string

const hidden = "***"

// Reveal is the text itself.
func (s Secret) Reveal() string { return string(s) }

// IsSet reports whether there is a text.
func (s Secret) IsSet() bool { return s != "" }

// Format writes *** for every verb of fmt.
func (s Secret) Format(state fmt.State, _ rune) { _, _ = io.WriteString(state, hidden) }

// String is ***.
func (s Secret) String() string { return hidden }

// LogValue is *** for slog.
func (s Secret) LogValue() slog.Value { return slog.StringValue(hidden) }

// MarshalText is *** for encoding/json and its like.
func (s Secret) MarshalText() ([]byte, error) { return []byte(hidden), nil }
