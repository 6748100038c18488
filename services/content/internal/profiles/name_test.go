package profiles_test

import (
	"testing"

	"talkoot.fi/content/internal/profiles"
)

func TestCheckName_RefusesWhatReadersCannotSeeAsItIs(t *testing.T) {
	for name, want := range map[string]string{
		"Áile Näkkäläjärvi": "", "O’Brien-Ng": "", "Мария": "", "李": "",
		"": "required", "  ": "required", "\u00a0": "required",
		"A\r\nBcc: x@y.example": "format", "\u202egnp.exe": "format", "\u200b": "format", "tab\there": "format",
	} {
		if got := profiles.CheckName(name); got != want {
			t.Errorf("%q: rule %q, want %q", name, got, want)
		}
	}
}
