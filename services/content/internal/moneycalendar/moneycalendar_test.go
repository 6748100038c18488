//go:build unix

package moneycalendar

import (
	"encoding/json"
	"errors"
	"regexp"
	"strings"
	"testing"
	"time"

	"talkoot.fi/kit/ids"

	"talkoot.fi/content/internal/campaigns"
	"talkoot.fi/content/internal/contenttest"
	"talkoot.fi/content/internal/subscriptions"
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
			Charge{day(2026, 11, 30), 7_00, Coming}, Charge{day(2026, 12, 31), 7_00, Coming}},
		"a coming level": {view(func(v *subscriptions.View) { v.NextAmountMinor = new(int64(15_00)) }), 12,
			Charge{day(2026, 11, 30), 15_00, Coming}, Charge{day(2026, 12, 31), 15_00, Coming}},
		"a pause ends": {view(func(v *subscriptions.View) { v.Status, *v.NextChargeOn = subscriptions.Paused, day(2027, 2, 28) }), 9,
			Charge{day(2027, 2, 28), 7_00, Coming}, Charge{day(2027, 3, 31), 7_00, Coming}},
		"a failed charge waits, at its own amount": {view(func(v *subscriptions.View) {
			v.NextChargeOn, v.NextAmountMinor = nil, new(int64(15_00))
		}), 13, Charge{day(2026, 10, 31), 7_00, Waiting}, Charge{day(2026, 11, 30), 15_00, Coming}},
		"past due, only that waits": {view(func(v *subscriptions.View) { v.NextChargeOn, v.Status = nil, subscriptions.PastDue }), 1,
			Charge{day(2026, 10, 31), 7_00, Waiting}, Charge{}},
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
			{day(2026, 10, 31), 7_00, Charged}, {day(2026, 11, 30), minor, Coming}, {day(2026, 12, 31), minor, Coming}}}}, "fi",
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
		!strings.Contains(whole, "DTSTART;VALUE=DATE:20261231\r\nDTEND;VALUE=DATE:20270101\r\n") || strings.Contains(whole, id) {
		t.Errorf("the feed is\n%s", body)
	}
	uids := regexp.MustCompile(`UID:\S+`)
	if before, after := uids.FindAllString(whole, -1), uids.FindAllString(feed(9_00), -1); len(before) != 2 || before[0] == before[1] ||
		before[0] != after[0] || before[1] != after[1] {
		t.Errorf("the events are %v, then %v", before, after)
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
	s, err := New(Options{DB: w.DB, Monthly: w.Subscriptions, Now: w.Now, Zone: w.Zone, Secret: []byte(strings.Repeat("s", 32)),
		PublicURL: "https://talkoot.test"})
	if err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	renew := func(user int64) string {
		t.Helper()
		url, err := s.RenewFeed(ctx, user)
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
