package taxdata

import (
	"testing"
	"time"

	"talkoot.fi/kit/apperr"
)

func TestTaxNumber_ChecksFinnishAndSwedishSigns_AndTakesWhatPeoplePaste(t *testing.T) {
	t.Parallel()
	born := time.Date(1952, 10, 13, 0, 0, 0, 0, time.UTC)
	for _, one := range []struct {
		country        string
		kind           Kind
		said           string
		is, brokenRule string
	}{
		{"FI", Person, "131052-308T", "131052-308T", ""},
		{"FI", Person, " 131052-308t\u200b", "131052-308T", ""},
		{"FI", Person, "131052\u2013308\u00a0T", "131052-308T", ""},  // a dash of a text program, a space that does not break
		{"FI", Person, "\u202a１３１０５２−３０８Ｔ\u202c", "131052-308T", ""}, // full width, with marks of direction
		{"FI", Person, "131052Y308T", "131052Y308T", ""},             // the signs of 2023
		{"FI", Person, "131052-308U", "", apperr.RuleTaxNumber},
		{"FI", Person, "131052-380T", "", apperr.RuleTaxNumber},
		{"FI", Person, "131052308T", "", apperr.RuleTaxNumber},
		{"FI", Person, "311152-3080", "", apperr.RuleTaxNumber},      // 31 November
		{"FI", Person, "131052A308T", "", apperr.RuleTaxNumberBirth}, // born in 2052
		{"FI", Person, "010594Y9032", "", apperr.RuleTaxNumber},      // given for a while only
		{"FI", Person, "0112038-9", "", apperr.RuleTaxNumber},
		{"FI", Person, "", "", apperr.RuleTaxNumber},
		{"FI", Business, "0112038-9", "0112038-9", ""},
		{"FI", Business, "112038 9", "0112038-9", ""},
		{"FI", Business, "0112038-8", "", apperr.RuleTaxNumber},
		{"FI", Business, "0000000-0", "", apperr.RuleTaxNumber},
		{"FI", Business, "131052-308T", "", apperr.RuleTaxNumber},
		{"SE", Person, "811218-9876", "8112189876", ""},
		{"SE", Person, "19811218-9876", "198112189876", ""},
		{"SE", Person, "701063-2391", "7010632391", ""}, // of coordination
		{"SE", Person, "811218-9875", "", apperr.RuleTaxNumber},
		{"SE", Person, "811318-9874", "", apperr.RuleTaxNumber}, // a 13th month
		{"SE", Person, "17811218-9876", "", apperr.RuleTaxNumber},
		{"SE", Business, "556012-5790", "5560125790", ""},
		{"SE", Business, "165560125790", "5560125790", ""},
		{"SE", Business, "802002-8711", "8020028711", ""}, // an ideell förening
		{"SE", Business, "16 802002-8711", "8020028711", ""},
		{"SE", Business, "802002-8712", "", apperr.RuleTaxNumber},
		{"SE", Business, "556012-5791", "", apperr.RuleTaxNumber},
		{"FI", Business, "123.456", "", apperr.RuleTaxNumber}, // of an association's register, which the tax office does not go by
		{"SE", Business, "811218-9876", "", apperr.RuleTaxNumber},
		{"DE", Person, "12 345 678 901", "12345678901", ""},
		{"IE", Business, "1234567-wa", "1234567WA", ""},
		{"DE", Person, "12", "", apperr.RuleTaxNumber},
		{"DE", Person, "123456789012345678901", "", apperr.RuleTaxNumber},
		{"DE", Person, "0000000", "", apperr.RuleTaxNumber},
		{"GR", Person, "ΑΒΓΔ1234", "", apperr.RuleTaxNumber},
	} {
		if is, broken := taxNumber(one.country, one.kind, one.said, born); is != one.is || broken != one.brokenRule {
			t.Errorf("%s %s %q: %q, %q", one.country, one.kind, one.said, is, broken)
		}
	}
}

func TestRegisterNumber_IsReadAsItsRegisterHasIt(t *testing.T) {
	t.Parallel()
	for said, want := range map[string]string{"123.456": "123.456", "123456": "123.456", " 123 456 ": "123.456", "1.234": "1.234", "1234": "1.234", "99": "99", "000123": "123",
		"１２３．４５６": "123.456", "0112038-9": "", "112038-9": "", "1234567": "", "123.456.7": "", "12a456": "", "0": "", "": "", "ry": ""} {
		if got := registerNumber(said); got != want {
			t.Errorf("%q: %q", said, got)
		}
	}
}

// The edges of personal numbers: leap days by their century, all signs of a century, numbers that are given to nobody, coordination's 61 to 91.
func TestTaxNumber_OfPeople_AtTheirEdges(t *testing.T) {
	t.Parallel()
	for _, one := range []struct{ country, said, born, is string }{
		{"FI", "290252-002T", "1952-02-29", "290252-002T"},
		{"FI", "290252Y002T", "1952-02-29", "290252Y002T"},
		{"FI", "290252X002T", "1952-02-29", "290252X002T"},
		{"FI", "290252W002T", "1952-02-29", "290252W002T"},
		{"FI", "290252V002T", "1952-02-29", "290252V002T"},
		{"FI", "290252U002T", "1952-02-29", "290252U002T"},
		{"FI", "290204A899B", "2004-02-29", "290204A899B"},
		{"FI", "290204B899B", "2004-02-29", "290204B899B"},
		{"FI", "290204C899B", "2004-02-29", "290204C899B"},
		{"FI", "290204D899B", "2004-02-29", "290204D899B"},
		{"FI", "290204E899B", "2004-02-29", "290204E899B"},
		{"FI", "290204F899B", "2004-02-29", "290204F899B"},
		{"FI", "010199+123Y", "1899-01-01", "010199+123Y"},
		{"FI", "290200-1239", "", ""},
		{"FI", "290200+1239", "", ""},
		{"FI", "290200A1239", "2000-02-29", "290200A1239"},
		{"FI", "290201A123J", "", ""},
		{"FI", "010152-001W", "", ""},
		{"FI", "010152-000V", "", ""},
		{"FI", "010152-900W", "", ""},
		{"FI", "010152A9993", "", ""},
		{"FI", "010152G123U", "", ""},
		{"FI", "010152Z123U", "", ""},
		{"FI", "000152-1236", "", ""},
		{"FI", "010052-1231", "", ""},
		{"SE", "121212+1212", "", "1212121212"},
		{"SE", "000229-1235", "", "0002291235"},
		{"SE", "0102291234", "", ""},
		{"SE", "0402891238", "", "0402891238"},
		{"SE", "0502891237", "", ""},
		{"SE", "0501911234", "", "0501911234"},
		{"SE", "0501921233", "", ""},
		{"SE", "0501601231", "", ""},
		{"SE", "0501611230", "", "0501611230"},
		{"SE", "190002291235", "", ""},
		{"SE", "200002291235", "", "200002291235"},
	} {
		born, _ := time.Parse(time.DateOnly, one.born) // none is zero
		if is, broken := taxNumber(one.country, Person, one.said, born); is != one.is || (broken == "") != (one.is != "") {
			t.Errorf("%s %s of %s: %q, %q", one.country, one.said, one.born, is, broken)
		}
	}
}

func TestVATNumber_HasTheFormOfItsCountry(t *testing.T) {
	t.Parallel()
	for said, want := range map[string]string{
		"FI01120389": "FI01120389", "fi 0112038-9": "FI01120389", "FI01120388": "", "FI112038": "", "01120389": "",
		"SE556012579001": "SE556012579001", "SE556012579000": "", "SE556012579101": "", "SE5560125790": "",
		"DE123456789": "DE123456789", "DE12345678": "", "ATU12345678": "ATU12345678", "AT12345678": "", "EL123456789": "EL123456789", "GR123456789": "EL123456789",
		"NL123456789B01": "NL123456789B01", "CHE-123.456.789 MWST": "CHE123456789MWST", "NO 123456789 MVA": "NO123456789MVA", "": "", "FI": "", "F1": "",
	} {
		is, broken := vatNumber(said)
		if is != want || (broken == "") != (want != "") {
			t.Errorf("%q: %q, %q", said, is, broken)
		}
	}
}

// The days of the law, by what has happened until when.
func TestAsking_RemindsTwiceAndHoldsAfterSixtyDays(t *testing.T) {
	t.Parallel()
	asked := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	at := func(days float64) *time.Time {
		then := asked.Add(time.Duration(days * float64(day)))
		return &then
	}
	for name, one := range map[string]struct {
		asking   Asking
		now      *time.Time
		reminder int
		isHeld   bool
		by       *time.Time
	}{
		"asked today":                            {Asking{AskedAt: asked}, at(0), 0, false, at(67)},
		"just before the first":                  {Asking{AskedAt: asked}, at(6.99), 0, false, at(67)},
		"the first":                              {Asking{AskedAt: asked}, at(7), 1, false, at(67)},
		"nobody was reminded for a year":         {Asking{AskedAt: asked}, at(365), 1, false, at(67)},
		"the first was":                          {Asking{AskedAt: asked, RemindedAt: at(8)}, at(37.9), 0, false, at(68)},
		"the second":                             {Asking{AskedAt: asked, RemindedAt: at(8)}, at(38), 2, false, at(68)},
		"the second did not leave":               {Asking{AskedAt: asked, RemindedAt: at(8)}, at(300), 2, false, at(68)},
		"both were, the last day":                {Asking{AskedAt: asked, RemindedAt: at(8), RemindedAgainAt: at(38)}, at(67.99), 0, false, at(68)},
		"both were, sixty days are over":         {Asking{AskedAt: asked, RemindedAt: at(8), RemindedAgainAt: at(38)}, at(68), 0, true, at(68)},
		"the second was late":                    {Asking{AskedAt: asked, RemindedAt: at(8), RemindedAgainAt: at(65)}, at(70), 0, false, at(79)},
		"the second was late, two weeks later":   {Asking{AskedAt: asked, RemindedAt: at(8), RemindedAgainAt: at(65)}, at(79), 0, true, at(79)},
		"given before the first":                 {Asking{AskedAt: asked, GivenAt: at(1)}, at(400), 0, false, at(67)},
		"given before the second":                {Asking{AskedAt: asked, RemindedAt: at(8), GivenAt: at(9)}, at(400), 0, false, at(68)},
		"given after payouts waited: they leave": {Asking{AskedAt: asked, RemindedAt: at(8), RemindedAgainAt: at(38), GivenAt: at(90)}, at(91), 0, false, at(68)},
	} {
		if got := one.asking.Reminder(*one.now); got != one.reminder {
			t.Errorf("%s: reminder %d", name, got)
		}
		if got := one.asking.IsHeld(*one.now); got != one.isHeld {
			t.Errorf("%s: held %t", name, got)
		}
		if got := one.asking.By(); !got.Equal(*one.by) {
			t.Errorf("%s: by %s", name, got)
		}
	}
}

func TestSeals_OpenInTheirRowAlone_AndByTheirKey(t *testing.T) {
	t.Parallel()
	old, next := []byte("an old secret of at least thirty-two bytes"), []byte("a next secret of at least thirty-two bytes")
	make1 := func(secrets ...[]byte) Seals {
		s, err := NewSeals(secrets...)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	was, both, only := make1(old), make1(next, old), make1(next)
	key, box, err := was.sealed(3, 1, Data{Kind: Person, FirstName: "Áile"})
	if err != nil {
		t.Fatal(err)
	}
	if d, err := both.opened(3, 1, key, box); err != nil || d.FirstName != "Áile" {
		t.Errorf("%+v, %v", d, err)
	}
	if _, err := only.opened(3, 1, key, box); err == nil {
		t.Error("a key that is gone opens")
	}
	for _, row := range [][2]int64{{4, 1}, {3, 2}} {
		if _, err := both.opened(row[0], row[1], key, box); err == nil {
			t.Errorf("it opens as account %d, version %d", row[0], row[1])
		}
	}
	if _, err := NewSeals(); err == nil {
		t.Error("no key is a key")
	}
}
