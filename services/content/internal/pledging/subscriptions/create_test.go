//go:build unix

package subscriptions_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/api/internalapi"
	"talkoot.fi/content/internal/campaign/campaigns"
)

func TestCreate_WaitsForItsFirstMonth(t *testing.T) {
	w := setup(t)
	s := w.begins(0, body("10", w.choir))
	if s.Status != api.SubscriptionStatusCreated || s.Amount != 10_00 || s.RewardTitle == nil || *s.RewardTitle != "Eturivi" || s.PayableUntil == nil ||
		!s.PayableUntil.Equal(w.Now().Add(time.Hour)) || len(s.Charges) != 0 || s.NameShown != api.FullName {
		t.Errorf("%+v", s)
	}
	if got := w.totals(); got != "0 of 0" {
		t.Errorf("it counts before it is paid: %s", got)
	}
	w.checkInvariants()
}

func TestCreate_RefusesBadInput(t *testing.T) {
	w := setup(t)
	valid := `"email": "a@b.fi", "first_name": "A", "last_name": "B"`
	for name, tt := range map[string]struct {
		body, want string
		status     int
	}{
		"too little":             {`{"amount": 0.49, ` + valid + `}`, "amount amount_too_small", 422},
		"nothing":                {`{"amount": 0, ` + valid + `}`, "amount amount_too_small", 422},
		"less than the reward":   {fmt.Sprintf(`{"amount": 6.99, "reward_id": %d, %s}`, w.choir, valid), "amount amount_too_small", 422},
		"half cents":             {`{"amount": 5.005, ` + valid + `}`, "amount decimals", 422},
		"a foreign reward":       {`{"amount": 10, "reward_id": 987654, ` + valid + `}`, "reward_id unknown_reward", 422},
		"a closed reward":        {fmt.Sprintf(`{"amount": 10, "reward_id": %d, %s}`, w.closed, valid), "", 409},
		"faults all at once":     {`{"amount": 0.1, "email": "x", "first_name": " ", "last_name": "B"}`, "first_name required, email email, amount amount_too_small", 422},
		"a quantity is no field": {`{"amount": 10, "quantity": 2, ` + valid + `}`, "quantity unknown_field", 400},
	} {
		t.Run(name, func(t *testing.T) {
			answer := w.Post(w.path(), tt.body, 0)
			var refused struct {
				Fields []struct{ Path, Rule string }
			}
			if err := json.Unmarshal(answer.Body, &refused); err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, f := range refused.Fields {
				got = append(got, f.Path+" "+f.Rule)
			}
			if answer.Status != tt.status || strings.Join(got, ", ") != tt.want {
				t.Errorf("%d %s", answer.Status, answer.Body)
			}
		})
	}
	if n := w.number(`SELECT count(*) FROM subscriptions`); n != 0 {
		t.Errorf("%d subscriptions", n)
	}
}

func TestCreate_OnlyACampaignThatTakesMonthlySupport(t *testing.T) {
	w := setup(t)
	for stage, want := range map[campaigns.Stage]string{campaigns.StageDraft: "404 not_found", campaigns.StagePreparing: "409 campaign_not_open",
		campaigns.StageFunding: "409 campaign_is_one_off", campaigns.StageSucceeded: "409 campaign_not_open", campaigns.StageClosed: "409 campaign_not_open"} {
		id := w.Campaign(campaigns.New{Slug: fmt.Sprint("stage-", stage), Language: "fi", CategoryID: 1, TeamUserIDs: []int64{w.creator}, LastDay: "2026-12-24",
			Texts: map[string]campaigns.Text{"fi": {Title: "T"}}}, stage)
		answer := w.Post(fmt.Sprintf("/campaigns/%d/subscriptions/", id), body("10", 0), 0)
		var refused struct{ Status string }
		if err := json.Unmarshal(answer.Body, &refused); err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(answer.Status, " ", refused.Status); got != want {
			t.Errorf("stage %d: %s, want %s", stage, got, want)
		}
	}
}

func TestCreate_ARepeatedKeyMakesOne(t *testing.T) {
	w := setup(t)
	content := body("10", w.choir)
	var mu sync.Mutex
	made := map[string]bool{}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			s := w.begins(0, content, "Idempotency-Key", "one-of-mine")
			mu.Lock()
			defer mu.Unlock()
			made[s.SubscriptionID] = true
		})
	}
	all.Wait()
	if len(made) != 1 || w.number(`SELECT count(*) FROM subscriptions`) != 1 {
		t.Errorf("made %v", made)
	}
	counted := strings.TrimSuffix(content, "}") + `, "subscription_meta": {"visitor": "0123456789abcdefghijklmnop", "source": "letter"}}`
	if s := w.begins(0, counted, "Idempotency-Key", "one-of-mine"); !made[s.SubscriptionID] {
		t.Errorf("from another tab, counted otherwise: %s", s.SubscriptionID)
	}
	if answer := w.Post(w.path(), body("11", 0), 0, "Idempotency-Key", "one-of-mine"); answer.Status != 422 && answer.Status != 409 {
		t.Errorf("another body: %d %s", answer.Status, answer.Body)
	}
	w.moveStage(campaigns.StageClosed)
	if s := w.begins(0, content, "Idempotency-Key", "one-of-mine"); !made[s.SubscriptionID] {
		t.Errorf("the repeat after the close made %s", s.SubscriptionID)
	}
	w.checkInvariants()
}

func TestOrder_IsWhatIsPaidEachMonth(t *testing.T) {
	w := setup(t)
	leena := w.Person("Leena")
	s := w.begins(leena, body("10", w.choir))
	o, err := w.Order(t.Context(), s.SubscriptionID)
	if err != nil {
		t.Fatal(err)
	}
	if o.SubjectKind != internalapi.Subscription || o.State != internalapi.Payable || o.AmountMinor != 10_00 || *o.BackerUserID != leena ||
		o.Level.AmountMinor != 10_00 || o.Level.Title["en"] != "Front row" || o.Level.Description["fi"] != "Paikka" || *o.PayeeUserID != w.creator ||
		o.Description != "Kuoro: Eturivi" || o.ReturnPath != "/payment-return/?subscription="+s.SubscriptionID {
		t.Errorf("%+v", o)
	}
	w.Advance(time.Hour)
	if o, _ := w.Order(t.Context(), s.SubscriptionID); o.State != internalapi.Closed {
		t.Errorf("after an hour it is %s", o.State)
	}
	paid := w.supporter(0, "5", 0)
	if o, _ := w.Order(t.Context(), paid.SubscriptionID); o.State != internalapi.Paid || o.Level.RewardID != nil || o.BackerUserID != nil {
		t.Errorf("%+v", o)
	}
	if _, err := w.Order(t.Context(), "00000000000000000000000001"); err == nil {
		t.Error("somebody's order")
	}
}

func TestChange_CorrectsWhoSupportsAndNeverWithWhat(t *testing.T) {
	w := setup(t)
	leena := w.Person("Leena")
	s := w.begins(leena, body("10", w.choir))
	change := func(content string) (api.Subscription, int) {
		t.Helper()
		answer := w.Post("/v2/subscriptions/"+s.SubscriptionID+"/", content, leena)
		var a api.SubscriptionAnswer
		if err := json.Unmarshal(answer.Body, &a); err != nil {
			t.Fatal(err)
		}
		return a.Subscription, answer.Status
	}
	got, status := change(fmt.Sprintf(`{"amount": 10, "reward_id": %d, "first_name": "Liisa", "email": "liisa@example.fi",
		"subscription_meta": {"anonymous": true}}`, w.choir))
	if status != 200 || got.Amount != 10_00 || got.FirstName != "Liisa" || got.Email == nil || *got.Email != "liisa@example.fi" || got.NameShown != api.Anonymous {
		t.Errorf("%d %+v", status, got)
	}
	for _, content := range []string{`{"amount": 10.5}`, `{"amount": 1e1}`, `{"amount": -10}`, fmt.Sprintf(`{"reward_id": %d}`, w.patron)} {
		if got, status := change(content); status != 422 {
			t.Errorf("%s before it is paid: %d %+v", content, status, got)
		}
	}
	w.mustPay(w.paid(s, 1), internalapi.EventOutcomeOutcomeApplied)
	for _, content := range []string{`{"amount": 4}`, `{"email": "muu@example.fi"}`} {
		if _, status := change(content); status != 422 {
			t.Errorf("%s when it is paid: %d", content, status)
		}
	}
	if got, status := change(`{"first_name": "Leena", "subscription_meta": {"anonymous": false}}`); status != 200 || got.FirstName != "Leena" || got.NameShown != api.FullName {
		t.Errorf("%d %+v", status, got)
	}
	w.checkInvariants()
}

func TestLevel_IsCheckedAndChangesNothing(t *testing.T) {
	w := setup(t)
	s := w.supporter(0, "7", w.choir)
	l, err := w.Level(t.Context(), s.SubscriptionID, 20_00, &w.patron)
	if err != nil || l.Title["fi"] != "Mesenaatti" || l.AmountMinor != 20_00 || l.Currency != "EUR" {
		t.Errorf("%+v, %v", l, err)
	}
	foreign := int64(987654)
	for name, tt := range map[string]struct {
		minor  int64
		reward *int64
	}{"too little": {49, nil}, "nothing": {0, nil}, "less than the reward": {19_99, &w.patron}, "a closed reward": {20_00, &w.closed}, "a foreign one": {20_00, &foreign}} {
		if _, err := w.Level(t.Context(), s.SubscriptionID, tt.minor, tt.reward); err == nil {
			t.Errorf("%s is allowed", name)
		}
	}
	if got := w.read(s.SubscriptionID); got.Amount != 7_00 || got.NextAmount != nil {
		t.Errorf("%+v", got)
	}
	w.moveStage(campaigns.StageClosed)
	if _, err := w.Level(t.Context(), s.SubscriptionID, 20_00, nil); err == nil {
		t.Error("a closed campaign takes another level")
	}
}
