package postcodes_test

import (
	"testing"

	"talkoot.fi/kit/postcodes"
)

func TestRead_TakesWhatPeopleType_AndTellsTheFormOfOthers(t *testing.T) {
	t.Parallel()
	for _, one := range []struct{ country, said, is, example string }{
		{"FI", "00500", "00500", ""}, {"FI", " 00 500 ", "00500", ""}, {"FI", "fi-00500", "00500", ""}, {"FI", "\u206672\u00a0400\u2069", "72400", ""},
		{"FI", "0050", "", "33100"}, {"FI", "005000", "", "33100"}, {"FI", "0O500", "", "33100"},
		{"SE", "111 22", "111 22", ""}, {"SE", "1112", "", "111 22"}, {"GB", "sw1a 1aa", "sw1a 1aa", ""}, {"GB", "12345", "", "SW1A 1AA"},
		{"IE", "", "", ""}, {"JP", "150-0001", "150-0001", ""}, {"FI", "", "", ""},
	} {
		if is, example := postcodes.Read(one.country, one.said); is != one.is || example != one.example {
			t.Errorf("%s %q: %q, %q", one.country, one.said, is, example)
		}
	}
	if !postcodes.AreNeeded("FI") || postcodes.AreNeeded("IE") {
		t.Error("Finland has postcodes, Ireland does without")
	}
}

// The example of each country is one of its own.
func TestForms_TakeTheirExample(t *testing.T) {
	t.Parallel()
	for _, country := range []string{"FI", "AX", "SE", "NO", "DK", "IS", "EE", "LV", "LT", "DE", "AT", "CH", "BE", "FR", "ES", "IT", "PT", "PL", "NL", "GB", "US", "CA"} {
		_, example := postcodes.Read(country, "?")
		if is, _ := postcodes.Read(country, example); example == "" || is == "" {
			t.Errorf("%s: %q", country, example)
		}
	}
}
