//go:build unix

package moneycalendar

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"talkoot.fi/kit/ids"
	"talkoot.fi/kit/session"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/contenttest"
	"talkoot.fi/content/internal/pledging/subscriptions"
)

func day(y int, m time.Month, d int) time.Time { return time.Date(y, m, d, 0, 0, 0, 0, time.UTC) }

func TestAhead_IsWhatComesAsThingsStand(t *testing.T) {
	t.Parallel()
	begun, today := day(2026, 1, 31), day(2026, 11, 23)
	view := func(change func(v *subscriptions.View)) subscriptions.View {
		next := day(2026, 11, 30)
		v := subscriptions.View{Status: subscriptions.Active, AmountMinor: 7_00, BegunOn: &begun, NextChargeOn: &next}
		change(&v)
		return v
	}
	for name, c := range map[string]struct {
		view  subscriptions.View
		count int
		first Charge
		then  Charge
	}{
		"from the first day, clamped to each month's end": {view(func(*subscriptions.View) {}), 12,
			Charge{11, day(2026, 11, 30), 7_00, Coming}, Charge{12, day(2026, 12, 31), 7_00, Coming}},
		"a coming level": {view(func(v *subscriptions.View) { v.NextAmountMinor = new(int64(15_00)) }), 12,
			Charge{11, day(2026, 11, 30), 15_00, Coming}, Charge{12, day(2026, 12, 31), 15_00, Coming}},
		"a pause ends": {view(func(v *subscriptions.View) { v.Status, *v.NextChargeOn = subscriptions.Paused, day(2027, 2, 28) }), 9,
			Charge{14, day(2027, 2, 28), 7_00, Coming}, Charge{15, day(2027, 3, 31), 7_00, Coming}},
		"a failed charge waits on its own day, at its own amount": {view(func(v *subscriptions.View) {
			v.NextChargeOn, v.DueOn, v.NextAmountMinor = nil, new(day(2026, 10, 31)), new(int64(15_00))
		}), 13, Charge{10, day(2026, 10, 31), 7_00, Waiting}, Charge{11, day(2026, 11, 30), 15_00, Coming}},
		"past due, only that waits, on its own day after the next one's": {view(func(v *subscriptions.View) {
			v.NextChargeOn, v.DueOn, v.Status = nil, new(day(2026, 9, 30)), subscriptions.PastDue
		}), 1, Charge{9, day(2026, 9, 30), 7_00, Waiting}, Charge{}},
		"a first month at its bank comes today": {subscriptions.View{Status: subscriptions.Created, IsProcessing: true, AmountMinor: 7_00}, 1,
			Charge{1, today, 7_00, Coming}, Charge{}},
		"a month that is being charged comes": {view(func(v *subscriptions.View) { v.NextChargeOn = nil }), 13,
			Charge{10, day(2026, 10, 31), 7_00, Coming}, Charge{11, day(2026, 11, 30), 7_00, Coming}},
		"a held month waits on its day, at its coming level, and others come": {view(func(v *subscriptions.View) {
			v.NextChargeOn, v.HeldOn, v.NextAmountMinor = nil, new(day(2026, 11, 30)), new(int64(15_00))
		}), 12, Charge{11, day(2026, 11, 30), 15_00, Held}, Charge{12, day(2026, 12, 31), 15_00, Coming}},
		"a held month whose day has passed": {view(func(v *subscriptions.View) { v.HeldOn = new(day(2026, 10, 31)) }), 13,
			Charge{10, day(2026, 10, 31), 7_00, Held}, Charge{11, day(2026, 11, 30), 7_00, Coming}},
		"days that pass while a failed charge waits are left out, today's too": {view(func(v *subscriptions.View) {
			v.BegunOn, v.NextChargeOn, v.DueOn = new(day(2026, 1, 23)), nil, new(day(2026, 9, 23))
		}), 12, Charge{9, day(2026, 9, 23), 7_00, Waiting}, Charge{12, day(2026, 12, 23), 7_00, Coming}},
		"one that ends":     {view(func(v *subscriptions.View) { v.EndsOn = &today }), 0, Charge{}, Charge{}},
		"one that is over":  {view(func(v *subscriptions.View) { v.Status = subscriptions.Canceled }), 0, Charge{}, Charge{}},
		"one not begun yet": {view(func(v *subscriptions.View) { v.Status, v.BegunOn = subscriptions.Created, nil }), 0, Charge{}, Charge{}},
	} {
		got := append(ahead(c.view, today), Charge{}, Charge{})
		if len(got)-2 != c.count || got[0] != c.first || got[1] != c.then {
			t.Errorf("%s: %d, %+v", name, len(got)-2, got)
		}
	}
}

func TestNextTry_IsTheDayOfAFailedMonthThatIsTriedAgain(t *testing.T) {
	t.Parallel()
	today := day(2026, 11, 23)
	for name, c := range map[string]struct {
		due, try, ends, want string
	}{
		"a failed month":              {"2026-11-20", "2026-11-25", "", "2026-11-25"},
		"on its very day":             {"2026-11-20", "2026-11-23", "", "2026-11-23"},
		"a try that is over":          {"2026-11-20", "2026-11-22", "", ""},
		"tried no more":               {"2026-11-20", "", "", ""},
		"one that ends":               {"2026-11-20", "2026-11-25", "2026-12-19", ""},
		"nothing has failed any more": {"", "2026-11-25", "", ""},
	} {
		on := func(text string) *time.Time {
			if text == "" {
				return nil
			}
			d, err := time.Parse(time.DateOnly, text)
			if err != nil {
				t.Fatal(err)
			}
			return &d
		}
		got := nextTry(subscriptions.View{DueOn: on(c.due), NextTryOn: on(c.try), EndsOn: on(c.ends)}, today)
		if want := on(c.want); (got == nil) != (want == nil) || got != nil && !got.Equal(*want) {
			t.Errorf("%s: %v, not %s", name, got, c.want)
		}
	}
}

// What is charged on the day of the next try is in the calendar program on that day, also beside the next month's own charge.
func TestICalendar_HasAFailedMonth_OnTheDayOfItsNextTry(t *testing.T) {
	t.Parallel()
	failed := Support{SubscriptionID: ids.New(), Currency: "EUR", Preview: json.RawMessage(`{"title": "Kuoro"}`), Charges: []Charge{
		{10, day(2026, 10, 31), 7_00, Waiting}, {11, day(2026, 11, 30), 7_00, Coming}}, NextTryOn: new(day(2026, 11, 2))}
	body, err := iCalendar([]Support{failed}, "fi", day(2026, 11, 1))
	if err != nil {
		t.Fatal(err)
	}
	text := string(body)
	if strings.Count(text, "BEGIN:VEVENT") != 2 || !strings.Contains(text, "DTSTART;VALUE=DATE:20261102\r\nDTEND;VALUE=DATE:20261103") ||
		strings.Contains(text, "20261031") {
		t.Errorf("the feed is\n%s", text)
	}
	if uids := regexp.MustCompile(`UID:\S+`).FindAllString(text, -1); len(uids) != 2 || uids[0] == uids[1] {
		t.Errorf("the events are %v", uids)
	}
}

func TestICalendar_IsFoldedAndEscaped_AndItsEventsKeepTheirNames(t *testing.T) {
	t.Parallel()
	title := strings.Repeat("Kuoro; kylän, ääni\\\nEND:VCALENDAR ", 4)
	preview, err := json.Marshal(map[string]string{"title": title})
	if err != nil {
		t.Fatal(err)
	}
	id := ids.New()
	feed := func(minor int64) string {
		t.Helper()
		body, err := iCalendar([]Support{{SubscriptionID: id, Currency: "EUR", Preview: preview, Charges: []Charge{
			{9, day(2026, 9, 30), 7_00, Charged}, {10, day(2026, 10, 31), minor, Waiting}, {11, day(2026, 11, 30), minor, Coming},
			{12, day(2026, 12, 31), minor, Coming}}},
			{SubscriptionID: ids.New(), Currency: "EUR", Preview: preview, Charges: []Charge{{11, day(2026, 11, 30), minor, Held}}}}, "fi",
			time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC))
		if err != nil {
			t.Fatal(err)
		}
		return string(body)
	}
	body := feed(7_00)
	for line := range strings.SplitSeq(strings.TrimSuffix(body, "\r\n"), "\r\n") {
		if len(line) > 75 || strings.ContainsAny(line, "\r\n") || !json.Valid([]byte(`"`+strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\t", `\t`).Replace(line)+`"`)) {
			t.Errorf("line of %d octets: %q", len(line), line)
		}
	}
	whole := strings.ReplaceAll(body, "\r\n ", "")
	want := "SUMMARY:" + strings.Repeat(`Kuoro\; kylän\, ääni\\\nEND:VCALENDAR `, 4) + ": 7.00 EUR\r\n"
	if strings.Count(whole, want) != 2 || strings.Count(whole, "BEGIN:VEVENT\r\n") != 2 || strings.Count(whole, "\r\nEND:VCALENDAR\r\n") != 1 ||
		!strings.Contains(whole, "DTSTART;VALUE=DATE:20261231\r\nDTEND;VALUE=DATE:20270101\r\n") || strings.Contains(whole, id) ||
		strings.Contains(whole, "METHOD:") { // which the answer's type would have to name (RFC 5545, 3.7.2)
		t.Errorf("the feed is\n%s", body)
	}
	uids := regexp.MustCompile(`UID:\S+`)
	if before, after := uids.FindAllString(whole, -1), uids.FindAllString(feed(9_00), -1); len(before) != 2 || before[0] == before[1] ||
		before[0] != after[0] || before[1] != after[1] {
		t.Errorf("the events are %v, then %v", before, after)
	}
}

// A calendar without a component is not valid, and some programs refuse it.
func TestICalendar_WithoutAComingCharge_HasAComponent(t *testing.T) {
	t.Parallel()
	body, err := iCalendar(nil, "fi", time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC))
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(body), "BEGIN:VTIMEZONE\r\n"); n != 1 {
		t.Errorf("%d components in\n%s", n, body)
	}
}

// What was begun without signing in is in the calendar of whoever has confirmed its address, and nobody's limit counts it.
func TestMoneyCalendar_SaysWhatTheSpendingLimitCounts(t *testing.T) {
	w := contenttest.New(t)
	creator, backer := w.Person("Reijo"), w.Person("Aino")
	campaign := w.Campaign(campaigns.New{Slug: "kuoro", Language: "fi", CategoryID: w.Category("yhteiso"), TeamUserIDs: []int64{creator},
		Texts: map[string]campaigns.Text{"fi": {Title: "Kuoro"}}}, campaigns.StageRecurring)
	own, unsigned := ids.New(), ids.New()
	for id, user := range map[string]*int64{own: &backer, unsigned: nil} {
		w.Exec(`INSERT INTO subscriptions (id, campaign_id, user_id, status, amount_minor, currency, email, first_name, last_name, language,
				payable_until, begun_on, next_charge_on, created_at, updated_at)
			SELECT ?, ?, ?, 'active', 700, 'EUR', email, 'Aino', 'Virta', 'fi', now(), CAST(@day AS date), CAST(@day AS date) + 31, now(), now()
			FROM users WHERE id = @backer`, id, campaign, user, map[string]any{"day": w.Now().Format(time.DateOnly), "backer": backer})
	}
	s, err := New(Options{DB: w.DB, Monthly: w.Subscriptions, Now: w.Now, Zone: w.Zone, Secrets: [][]byte{[]byte(strings.Repeat("s", 32))},
		PublicURL: "https://talkoot.test"})
	if err != nil {
		t.Fatal(err)
	}
	ctx := session.With(t.Context(), session.Identity{UserID: backer})
	answer, err := NewHandlers(s).MoneyCalendar(ctx, api.MoneyCalendarRequestObject{Language: "fi"})
	shown, ok := answer.(api.MoneyCalendar200JSONResponse)
	if err != nil || !ok || len(shown.Supports) != 2 {
		t.Fatalf("%+v, %v", answer, err)
	}
	for _, one := range shown.Supports {
		if one.IsInLimit != (one.SubscriptionID == own) {
			t.Errorf("counted %t of what was begun signed in %t", one.IsInLimit, one.SubscriptionID == own)
		}
	}
}

func TestFeed_HasASecretAddress_ThatCanBeRenewedAndTurnedOff(t *testing.T) {
	w := contenttest.New(t)
	creator, backer, other := w.Person("Reijo"), w.Person("Aino"), w.Person("Muu")
	campaign := w.Campaign(campaigns.New{Slug: "kuoro", Language: "fi", CategoryID: w.Category("yhteiso"), TeamUserIDs: []int64{creator},
		Texts: map[string]campaigns.Text{"fi": {Title: "Kuoro"}}}, campaigns.StageRecurring)
	w.Exec(`INSERT INTO subscriptions (id, campaign_id, user_id, status, amount_minor, currency, email, first_name, last_name, language, payable_until,
			begun_on, next_charge_on, created_at, updated_at)
		VALUES (?, ?, ?, 'active', 700, 'EUR', 'a@b.fi', 'Aino', 'Virta', 'fi', now(), CAST(@day AS date), CAST(@day AS date) + 31, now(), now())`,
		ids.New(), campaign, backer, map[string]any{"day": w.Now().Format(time.DateOnly)})
	s, err := New(Options{DB: w.DB, Monthly: w.Subscriptions, Now: w.Now, Zone: w.Zone, Secrets: [][]byte{[]byte(strings.Repeat("s", 32))},
		PublicURL: "https://talkoot.test"})
	if err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	renew := func(user int64) string {
		t.Helper()
		who := session.Identity{UserID: user, SessionID: fmt.Sprint("s", user)}
		w.Exec(`INSERT INTO sessions (id, user_id, created_at, expires_at) VALUES (?, ?, now(), now() + interval '1 day') ON CONFLICT DO NOTHING`,
			who.SessionID, user)
		url, err := s.RenewFeed(ctx, who)
		if err != nil {
			t.Fatal(err)
		}
		return strings.TrimSuffix(strings.TrimPrefix(url, "https://talkoot.test/content/users/calendars/"), "/")
	}
	wants := func(token string, isThere bool, why string) {
		t.Helper()
		body, err := s.Feed(ctx, token)
		if isThere && (err != nil || !strings.Contains(string(body), "Kuoro: 7.00 EUR") || strings.Contains(string(body), "Aino")) {
			t.Errorf("%s: %s, %v", why, body, err)
		}
		if !isThere && !errors.Is(err, ErrNoFeed) {
			t.Errorf("%s: %s, %v", why, body, err)
		}
	}
	if url, err := s.FeedURL(ctx, backer); url != "" || err != nil {
		t.Errorf("before it is turned on: %q, %v", url, err)
	}
	first := renew(backer)
	wants(first, true, "turned on")
	second := renew(backer)
	wants(first, false, "the former address")
	wants(second, true, "the new address")
	if body, err := s.Feed(ctx, renew(other)); err != nil || strings.Contains(string(body), "VEVENT") {
		t.Errorf("another's feed has %s, %v", body, err)
	}
	for _, made := range []string{"", "nobodysnobodysnobodysnobodys", second[:len(second)-1] + "A", second + "AA"} {
		if made != second {
			wants(made, false, made)
		}
	}
	if err := s.EndFeed(ctx, backer); err != nil {
		t.Fatal(err)
	}
	wants(second, false, "turned off")
	third := renew(backer)
	wants(second, false, "turned on again, the former address")
	wants(third, true, "turned on again")
	w.Exec(`UPDATE users SET blocked_at = now() WHERE id = ?`, backer)
	wants(third, false, "a blocked person's")
}
