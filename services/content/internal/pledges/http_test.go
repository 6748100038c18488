package pledges_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/ratelimit"

	"talkoot.fi/content/internal/campaigns"
	"talkoot.fi/content/internal/profiles"
)

var plenty = ratelimit.Per(10_000, time.Second)

// answer is what a call gave, as far as tests look at it.
type answer struct {
	code   int
	status string
	fields []string // "path rule"
	pledge struct {
		ID       string      `json:"pledge_id"`
		Status   string      `json:"status"`
		Amount   json.Number `json:"amount"`
		VAT      json.Number `json:"vat_included"`
		Quantity int         `json:"quantity"`
		Lines    []struct {
			Label  string      `json:"label"`
			Amount json.Number `json:"amount"`
		} `json:"lines"`
		ReservedUntil time.Time `json:"reserved_until"`
	}
	retryAfter string
}

func post(t *testing.T, h http.Handler, address, body string, headers ...string) answer {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, address, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	a := answer{code: w.Code, retryAfter: w.Header().Get("Retry-After")}
	var decoded struct {
		Status string `json:"status"`
		Fields []struct{ Path, Rule string }
		Pledge json.RawMessage
	}
	if err := json.Unmarshal(w.Body.Bytes(), &decoded); err != nil {
		t.Fatalf("%d %s: %v", w.Code, w.Body, err)
	}
	a.status = decoded.Status
	for _, f := range decoded.Fields {
		a.fields = append(a.fields, f.Path+" "+f.Rule)
	}
	if decoded.Pledge != nil {
		if err := json.Unmarshal(decoded.Pledge, &a.pledge); err != nil {
			t.Fatal(err)
		}
	}
	return a
}

func (w *world) address() string { return fmt.Sprintf("/campaigns/%d/pledges/", w.campaign) }

const who = `"email": "leena@example.fi", "first_name": "Leena", "last_name": "H"`

func TestCreatePledge_Prices(t *testing.T) {
	w := setup(t)
	h := w.serve(t, plenty)
	address := `, "address_street": "Katu 1", "address_postcode": "00100", "address_city": "Helsinki"`
	for name, c := range map[string]struct {
		body  string
		lines string
		vat   string
	}{
		"support":           {fmt.Sprintf(`{"amount": 20.5, "pledge_meta": {%s}}`, who), "Tuki ilman vastiketta 20.5", ""},
		"the least support": {fmt.Sprintf(`{"amount": 0.5, "reward_id": null, "pledge_meta": {%s}}`, who), "Tuki ilman vastiketta 0.5", ""},
		"the most support":  {fmt.Sprintf(`{"amount": 100000, "pledge_meta": {%s}}`, who), "Tuki ilman vastiketta 100000", ""},
		"a reward with more than its price": {fmt.Sprintf(`{"amount": 12, "reward_id": %d, "pledge_meta": {%s, "language": "EN",
			"custom_questions": {"custom_question_1": "Leena"}}}`, w.unlimited, who), "Ladle 10; Extra support 2", "2.03"},
		"many of a reward": {fmt.Sprintf(`{"amount": 30, "reward_id": %d, "pledge_meta": {%s, "quantity": 3,
			"custom_questions": {"custom_question_1": "Leena"}}}`, w.unlimited, who), "3 × Kauha 30", "6.1"},
		"a free added cost":              {fmt.Sprintf(`{"amount": 45, "reward_id": %d, "pledge_meta": {%s, "added_cost": 0 %s}}`, w.posted, who, address), "Iltavuoro 45", ""},
		"fetched, so without an address": {fmt.Sprintf(`{"amount": 45, "reward_id": %d, "pledge_meta": {%s, "added_cost": 0}}`, w.posted, who), "Iltavuoro 45", ""},
		"an added cost": {fmt.Sprintf(`{"amount": 96.5, "reward_id": %d, "pledge_meta": {%s, "quantity": 2, "added_cost": 1 %s}}`, w.posted, who, address),
			"2 × Iltavuoro 90; Kirje 6.5", ""},
		"an address abroad": {fmt.Sprintf(`{"amount": 45, "reward_id": %d, "pledge_meta": {%s, "added_cost": 0, "address_street": "Gatan 1",
			"address_postcode": "SE-111 22", "address_city": "Stockholm", "address_country": "SE"}}`, w.posted, who), "Iltavuoro 45", ""},
	} {
		t.Run(name, func(t *testing.T) {
			a := post(t, h, w.address(), c.body)
			if a.code != http.StatusCreated {
				t.Fatalf("%d %s %v", a.code, a.status, a.fields)
			}
			var lines []string
			for _, l := range a.pledge.Lines {
				lines = append(lines, l.Label+" "+l.Amount.String())
			}
			if got := strings.Join(lines, "; "); got != c.lines || a.pledge.VAT.String() != c.vat {
				t.Errorf("lines %q, VAT %q", got, a.pledge.VAT)
			}
			if !a.pledge.ReservedUntil.Equal(noon.Add(firstHold)) || a.pledge.Status != "created" {
				t.Errorf("%s until %s", a.pledge.Status, a.pledge.ReservedUntil)
			}
		})
	}
	w.checkInvariants(t)
}

// The receipt is written later, and shows the rate that its tax was worked out by.
func TestCreatePledge_KeepsTheTaxRateThatItIsBoughtBy(t *testing.T) {
	w := setup(t)
	taxed, untaxed := w.addReward(t, 3), w.addReward(t, 3)
	rate := func(of string, id int64) {
		if err := w.db.Exec(`UPDATE rewards SET vat_tenths = `+of+` WHERE id = ?`, id).Error; err != nil {
			t.Fatal(err)
		}
	}
	rate("255", taxed)
	for reward, want := range map[int64]int{taxed: 255, untaxed: 0, 0: 0} { // 0 is support without a reward
		p := w.mustCreate(t, w.input(reward, "10"))
		rate("140", reward)
		var got int
		if err := w.db.Raw(`SELECT coalesce(CAST(bought ->> 'vat_tenths' AS int), 0) FROM pledges WHERE id = ?`, p.ID).Scan(&got).Error; err != nil {
			t.Fatal(err)
		}
		if got != want {
			t.Errorf("reward %d: the pledge has a rate of %d tenths, want %d", reward, got, want)
		}
	}
}

func TestCreatePledge_FaultsAreToldAllAtOnce(t *testing.T) {
	w := setup(t)
	h := w.serve(t, plenty)
	nearlyGone := w.addReward(t, 4)
	for range 3 {
		w.mustCreate(t, w.input(nearlyGone, "10"))
	}
	manyAnswers := strings.Builder{}
	for i := range 900 {
		fmt.Fprintf(&manyAnswers, `"k%d": "x",`, i)
	}
	for name, c := range map[string]struct {
		body   string
		status string
		fields []string
	}{
		"nothing about the person": {`{"amount": 20, "pledge_meta": {"email": " ", "first_name": " ", "last_name": ""}}`, "invalid_fields",
			[]string{"pledge_meta.email required", "pledge_meta.first_name required", "pledge_meta.last_name required"}},
		"no email": {`{"amount": 20, "pledge_meta": {"email": "leena@fi", "first_name": "A", "last_name": "B"}}`, "invalid_fields", []string{"pledge_meta.email email"}},
		"a name with the email": {`{"amount": 20, "pledge_meta": {"email": "Leena <l@example.fi>", "first_name": "A", "last_name": "B"}}`, "invalid_fields",
			[]string{"pledge_meta.email email"}},
		"too little":        {fmt.Sprintf(`{"amount": 0.49, "pledge_meta": {%s}}`, who), "invalid_fields", []string{"amount amount_too_small"}},
		"nothing":           {fmt.Sprintf(`{"amount": 0, "pledge_meta": {%s}}`, who), "invalid_fields", []string{"amount amount_too_small"}},
		"less than nothing": {fmt.Sprintf(`{"amount": -5, "pledge_meta": {%s}}`, who), "invalid_fields", []string{"amount format"}},
		"too much":          {fmt.Sprintf(`{"amount": 100000.01, "pledge_meta": {%s}}`, who), "invalid_fields", []string{"amount max_value"}},
		"half cents":        {fmt.Sprintf(`{"amount": 20.005, "pledge_meta": {%s}}`, who), "invalid_fields", []string{"amount decimals"}},
		"an exponent":       {fmt.Sprintf(`{"amount": 2e3, "pledge_meta": {%s}}`, who), "invalid_fields", []string{"amount format"}},
		"support in pieces": {fmt.Sprintf(`{"amount": 20, "pledge_meta": {%s, "quantity": 2, "added_cost": 0, "custom_questions": {"custom_question_1": "x"}}}`, who),
			"invalid_fields", []string{"pledge_meta.added_cost unknown_added_cost", "pledge_meta.custom_questions format",
				"pledge_meta.quantity max_value"}},
		"below the reward and no answer": {fmt.Sprintf(`{"amount": 9.99, "reward_id": %d, "pledge_meta": {%s}}`, w.unlimited, who), "invalid_fields",
			[]string{"amount amount_too_small", "pledge_meta.custom_questions.custom_question_1 answer_required"}},
		"below reward times quantity": {fmt.Sprintf(`{"amount": 19, "reward_id": %d, "pledge_meta": {%s, "quantity": 2, "custom_questions": {"custom_question_1": "x"}}}`,
			w.unlimited, who), "invalid_fields", []string{"amount amount_too_small"}},
		"no address and no choice": {fmt.Sprintf(`{"amount": 45, "reward_id": %d, "pledge_meta": {%s}}`, w.posted, who), "invalid_fields",
			[]string{"pledge_meta.added_cost required", "pledge_meta.address_city required",
				"pledge_meta.address_postcode required", "pledge_meta.address_street required"}},
		"sent, and no address": {fmt.Sprintf(`{"amount": 51.5, "reward_id": %d, "pledge_meta": {%s, "added_cost": 1}}`, w.posted, who), "invalid_fields",
			[]string{"pledge_meta.address_city required", "pledge_meta.address_postcode required",
				"pledge_meta.address_street required"}},
		"no such choice, short postcode": {fmt.Sprintf(`{"amount": 45, "reward_id": %d, "pledge_meta": {%s, "added_cost": 2, "address_street": "K",
			"address_postcode": "0010", "address_city": "H"}}`, w.posted, who), "invalid_fields",
			[]string{"pledge_meta.added_cost unknown_added_cost", "pledge_meta.address_postcode postcode"}},
		"the added cost not paid": {fmt.Sprintf(`{"amount": 45, "reward_id": %d, "pledge_meta": {%s, "added_cost": 1, "address_street": "K",
			"address_postcode": "00100", "address_city": "H"}}`, w.posted, who), "invalid_fields", []string{"amount amount_too_small"}},
		"a birth date that no calendar has": {fmt.Sprintf(`{"amount": 20, "pledge_meta": {%s, "birthdate": "2001-02-30"}}`, who), "invalid_fields",
			[]string{"pledge_meta.birthdate date"}},
		"a name of the platform's": {fmt.Sprintf(`{"amount": 20, "pledge_meta": {%s, "first_name": "Та1koot"}}`, `"email": "a@b.fi", "last_name": "Tuki"`), "invalid_fields",
			[]string{"pledge_meta.first_name name_reserved"}},
		"a link for a name": {`{"amount": 20, "pledge_meta": {"email": "a@b.fi", "first_name": "Voita", "last_name": "www.evil.example"}}`, "invalid_fields",
			[]string{"pledge_meta.last_name name_link"}},
		"answers to what nobody asked": {fmt.Sprintf(`{"amount": 120, "reward_id": %d, "pledge_meta": {%s, "custom_questions": {%s "k": "x"}}}`,
			w.single, who, manyAnswers.String()), "invalid_fields", []string{"pledge_meta.custom_questions format"}},
		"quantity of none":     {fmt.Sprintf(`{"amount": 20, "pledge_meta": {%s, "quantity": 0}}`, who), "invalid_fields", []string{"pledge_meta.quantity min_value"}},
		"quantity beyond all":  {fmt.Sprintf(`{"amount": 20, "pledge_meta": {%s, "quantity": 1001}}`, who), "invalid_fields", []string{"pledge_meta.quantity max_value"}},
		"no such language":     {fmt.Sprintf(`{"amount": 20, "pledge_meta": {%s, "language": "de"}}`, who), "invalid_fields", []string{"pledge_meta.language format"}},
		"a reward of nobody":   {fmt.Sprintf(`{"amount": 20, "reward_id": 999999, "pledge_meta": {%s}}`, who), "invalid_fields", []string{"reward_id unknown_reward"}},
		"a closed reward":      {fmt.Sprintf(`{"amount": 60, "reward_id": %d, "pledge_meta": {%s}}`, w.closed, who), "reward_closed", nil},
		"above what one may":   {fmt.Sprintf(`{"amount": 240, "reward_id": %d, "pledge_meta": {%s, "quantity": 2}}`, w.single, who), "invalid_fields", []string{"pledge_meta.quantity max_value"}},
		"above what is left":   {fmt.Sprintf(`{"amount": 20, "reward_id": %d, "pledge_meta": {%s, "quantity": 2}}`, nearlyGone, who), "quantity_above_stock", nil},
		"no amount":            {fmt.Sprintf(`{"pledge_meta": {%s}}`, who), "invalid_fields", []string{"amount required"}},
		"an unknown field":     {fmt.Sprintf(`{"amount": 20, "price": 1, "pledge_meta": {%s, "vip": true}}`, who), "unknown_field", nil},
		"an amount as text":    {fmt.Sprintf(`{"amount": "20", "pledge_meta": {%s}}`, who), "malformed_body", nil},
		"a quantity as text":   {fmt.Sprintf(`{"amount": 20, "pledge_meta": {%s, "quantity": "1"}}`, who), "malformed_body", nil},
		"half a JSON":          {`{"amount": 20, "pledge_meta": {`, "malformed_body", nil},
		"two JSONs":            {`{} {}`, "malformed_body", nil},
		"a body beyond bounds": {`{"amount": 20, "pledge_meta": {"first_name": "` + strings.Repeat("x", 2<<20) + `"}}`, "body_too_large", nil},
	} {
		t.Run(name, func(t *testing.T) {
			a := post(t, h, w.address(), c.body)
			slices.Sort(a.fields)
			if a.status != c.status || c.fields != nil && !slices.Equal(a.fields, c.fields) {
				t.Errorf("%d %s %q, want %s %q", a.code, a.status, a.fields, c.status, c.fields)
			}
		})
	}
	if n := w.number(t, `SELECT count(*) FROM pledges WHERE reward_id IS DISTINCT FROM ?`, nearlyGone); n != 0 {
		t.Errorf("%d pledges were made", n)
	}
	if w.reserved(t, w.single) != 0 {
		t.Error("stock was taken")
	}
}

func TestCreatePledge_WhenTheCampaignTakesNone(t *testing.T) {
	w := setup(t)
	h := w.serve(t, plenty)
	body := fmt.Sprintf(`{"amount": 20, "pledge_meta": {%s}}`, who)
	if a := post(t, h, "/campaigns/999999/pledges/", body); a.code != 404 {
		t.Errorf("unknown campaign: %d %s", a.code, a.status)
	}
	w.clock.set(time.Date(2026, 11, 30, 21, 59, 59, 0, time.UTC)) // the last second of the last day in Helsinki
	if a := post(t, h, w.address(), body); a.code != http.StatusCreated {
		t.Errorf("in the last second: %d %s", a.code, a.status)
	}
	w.clock.advance(time.Second)
	if a := post(t, h, w.address(), body); a.code != 409 || a.status != "campaign_not_open" {
		t.Errorf("after the deadline: %d %s", a.code, a.status)
	}
	w.clock.set(noon)
	for stage, want := range map[campaigns.Stage]string{campaigns.StageDraft: "not_found",
		campaigns.StagePreparing: "campaign_not_open",
		campaigns.StageSucceeded: "campaign_not_open", campaigns.StageNotReached: "campaign_not_open",
		campaigns.StageClosed:    "campaign_not_open",
		campaigns.StageRecurring: "campaign_is_recurring"} {
		if err := w.db.Exec(`UPDATE campaigns SET stage = ? WHERE id = ?`, stage, w.campaign).Error; err != nil {
			t.Fatal(err)
		}
		if a := post(t, h, w.address(), body); a.status != want {
			t.Errorf("stage %d: %d %s, want %s", stage, a.code, a.status, want)
		}
	}
}

func TestCreatePledge_RewardOfAnotherCampaign(t *testing.T) {
	w := setup(t)
	other := w.anotherCampaign(t)
	a := post(t, w.serve(t, plenty), fmt.Sprintf("/campaigns/%d/pledges/", other), fmt.Sprintf(`{"amount": 500, "reward_id": %d, "pledge_meta": {%s}}`, w.single, who))
	if a.code != 422 || !slices.Equal(a.fields, []string{"reward_id unknown_reward"}) || w.reserved(t, w.single) != 0 {
		t.Errorf("%d %s %v", a.code, a.status, a.fields)
	}
}

func TestCreatePledge_SessionTiesItToAPerson(t *testing.T) {
	w := setup(t)
	h := w.serve(t, plenty)
	var backer int64
	err := dbx.InTx(t.Context(), w.db, func(tx *gorm.DB) (err error) {
		backer, err = profiles.Create(t.Context(), tx, profiles.New{Email: "b@example.fi", FirstName: "B", LastName: "C",
			Language: "fi", Scope: []string{"view"}}, noon)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	body := fmt.Sprintf(`{"amount": 20, "pledge_meta": {%s, "anonymous": true}}`, who)
	signed := post(t, h, w.address(), body, "Authorization", "Bearer "+tokenOf(t, backer))
	anonymous := post(t, h, strings.TrimSuffix(w.address(), "/"), body)
	for id, want := range map[string]int64{signed.pledge.ID: backer, anonymous.pledge.ID: 0} {
		if got := w.number(t, `SELECT coalesce(user_id, 0) FROM pledges WHERE id = ?`, id); got != want {
			t.Errorf("pledge of user %d, want %d", got, want)
		}
	}
	for name, header := range map[string]string{"forged": "Bearer e30.e30.e30", "nonsense": "Bearer x"} {
		if a := post(t, h, w.address(), body, "Authorization", header); a.code != 401 || a.status != "token_invalid" {
			t.Errorf("%s token: %d %s", name, a.code, a.status)
		}
	}
	expired := tokenOf(t, backer)
	w.clock.advance(13 * time.Hour)
	if a := post(t, h, w.address(), body, "Authorization", "Bearer "+expired); a.code != 401 ||
		a.status != "token_expired" {
		t.Errorf("expired token: %d %s", a.code, a.status)
	}
	if n := w.number(t, `SELECT count(*) FROM pledges`); n != 2 {
		t.Errorf("%d pledges, want 2", n)
	}
}

func TestCreatePledge_IdempotencyKey(t *testing.T) {
	w := setup(t)
	h := w.serve(t, plenty)
	body := fmt.Sprintf(`{"amount": 120, "reward_id": %d, "pledge_meta": {%s}}`, w.single, who)
	key := []string{"Idempotency-Key", "a-key-of-the-browser"}
	first := post(t, h, w.address(), body, key...)
	spaced := post(t, h, w.address(), strings.ReplaceAll(body, ": ", ":  "), key...)
	if first.code != 201 || spaced.code != 201 || first.pledge.ID != spaced.pledge.ID || w.reserved(t, w.single) != 1 {
		t.Errorf("%d %s, then %d %s", first.code, first.pledge.ID, spaced.code, spaced.pledge.ID)
	}
	if a := post(t, h, w.address(), strings.Replace(body, "120", "121", 1), key...); a.code != 409 ||
		a.status != "idempotency_mismatch" {
		t.Errorf("another body: %d %s", a.code, a.status)
	}
	if a := post(t, h, w.address(), body, "Idempotency-Key", "another-key"); a.status != "reward_gone" {
		t.Errorf("another key: %d %s", a.code, a.status)
	}
	if a := post(t, h, w.address(), body, "Idempotency-Key", "short"); a.code != 422 {
		t.Errorf("short key: %d %s", a.code, a.status)
	}
	// A refused call leaves its key free.
	refused := []string{"Idempotency-Key", "key-of-a-refused-call"}
	post(t, h, w.address(), fmt.Sprintf(`{"amount": 0.1, "pledge_meta": {%s}}`, who), refused...)
	if a := post(t, h, w.address(), fmt.Sprintf(`{"amount": 10, "pledge_meta": {%s}}`, who), refused...); a.code != 201 {
		t.Errorf("after a refusal: %d %s", a.code, a.status)
	}
}

// from has a request come from an address.
func from(address string, h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.RemoteAddr = address
		h.ServeHTTP(w, r)
	})
}

// Who guesses another's key gets nothing of theirs, and takes nothing from them.
func TestCreatePledge_AnIdempotencyKeyIsItsCallersOwn(t *testing.T) {
	w := setup(t)
	h := w.serve(t, plenty)
	people := make([]int64, 2)
	err := dbx.InTx(t.Context(), w.db, func(tx *gorm.DB) (err error) {
		for i := range people {
			people[i], err = profiles.Create(t.Context(), tx, profiles.New{Email: fmt.Sprintf("%d@example.fi", i),
				FirstName: "B", LastName: "C", Language: "fi", Scope: []string{"view"}}, noon)
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	body := fmt.Sprintf(`{"amount": 20, "pledge_meta": {%s}}`, who)
	key := []string{"Idempotency-Key", "a-key-that-is-guessed"}
	as := func(person int64) []string {
		return append([]string{"Authorization", "Bearer " + tokenOf(t, person)}, key...)
	}
	made := map[string]string{}
	for _, c := range []struct {
		caller, address string
		headers         []string
	}{
		{"anonymous", "203.0.113.9:1", key},
		{"anonymous", "203.0.113.9:2", key},
		{"anonymous elsewhere", "203.0.113.10:1", key},
		{"anonymous by IPv6", "[2001:db8:1:2::1]:1", key},
		{"anonymous by IPv6", "[2001:db8:1:2::2]:1", key},
		{"anonymous in another network", "[2001:db8:1:3::1]:1", key},
		{"the first person", "203.0.113.9:1", as(people[0])},
		{"the first person", "[2001:db8::7]:1", as(people[0])},
		{"the second person", "203.0.113.9:1", as(people[1])},
	} {
		a := post(t, from(c.address, h), w.address(), body, c.headers...)
		if a.code != 201 {
			t.Fatalf("%s from %s: %d %s", c.caller, c.address, a.code, a.status)
		}
		if before := made[c.caller]; before != "" && before != a.pledge.ID {
			t.Errorf("%s from %s has another pledge", c.caller, c.address)
		}
		for caller, id := range made {
			if caller != c.caller && id == a.pledge.ID {
				t.Errorf("%s got the pledge of %s", c.caller, caller)
			}
		}
		made[c.caller] = a.pledge.ID
	}
	other := strings.Replace(body, "20", "30", 1)
	if a := post(t, from("203.0.113.9:1", h), w.address(), other, key...); a.code != 409 ||
		a.status != "idempotency_mismatch" {
		t.Errorf("the same caller with another body: %d %s", a.code, a.status)
	}
	if a := post(t, from("203.0.113.11:1", h), w.address(), other, key...); a.code != 201 {
		t.Errorf("a stranger whose body is another: %d %s", a.code, a.status)
	}
	if n := w.number(t, `SELECT count(*) FROM idempotency_keys WHERE scope LIKE '%203.0%' OR scope LIKE '%2001:%'`); n != 0 {
		t.Errorf("%d keys are kept with their caller's address", n)
	}
}

func TestCreatePledge_TooManyFromOneAddress(t *testing.T) {
	w := setup(t)
	h := w.serve(t, ratelimit.Per(2, time.Minute))
	body := fmt.Sprintf(`{"amount": 20, "pledge_meta": {%s}}`, who)
	for i, want := range []int{201, 201, 429} {
		if a := post(t, h, w.address(), body); a.code != want || (want == 429) != (a.retryAfter != "") {
			t.Errorf("try %d: %d, Retry-After %q", i, a.code, a.retryAfter)
		}
	}
}

// A network of IPv6 is one holder, however many addresses it has.
func TestCreatePledge_OneNetworkHoldsNoMoreThanItMay(t *testing.T) {
	w := setup(t)
	h := w.serve(t, plenty)
	reward := w.addReward(t, 4)
	for i, c := range []struct {
		from, want string
	}{
		{"[2001:db8:1:2::1]:1", ""}, {"[2001:db8:1:2::2]:1", ""}, {"[2001:db8:1:2::3]:1", "too_many_held"},
		{"[2001:db8:1:3::1]:1", ""},
	} {
		body := fmt.Sprintf(`{"amount": 10, "reward_id": %d, "pledge_meta": {"email": "b%d@example.fi", "first_name": "A", "last_name": "B"}}`, reward, i)
		if a := post(t, from(c.from, h), w.address(), body); a.status != c.want ||
			(c.want != "") != (a.code == http.StatusConflict) {
			t.Errorf("%d, from %s: %d %q, want %q", i, c.from, a.code, a.status, c.want)
		}
	}
}

func TestPledge_ReadAndRelease(t *testing.T) {
	w := setup(t)
	h := w.serve(t, plenty)
	made := post(t, h, w.address(), fmt.Sprintf(`{"amount": 120, "reward_id": %d, "pledge_meta": {%s}}`, w.single, who))
	ask := func(method, id string) int {
		answer := httptest.NewRecorder()
		h.ServeHTTP(answer, httptest.NewRequestWithContext(t.Context(), method, "/pledges/"+id+"/", http.NoBody))
		return answer.Code
	}
	for _, c := range []struct {
		method, id string
		want       int
	}{
		{"GET", made.pledge.ID, 200}, {"GET", strings.ToUpper(made.pledge.ID), 200}, {"GET", strings.Repeat("0", 26), 404},
		{"GET", "x", 404},
		{"DELETE", made.pledge.ID, 204}, {"DELETE", made.pledge.ID, 204}, {"GET", made.pledge.ID, 200},
		{"DELETE", strings.Repeat("0", 26), 404},
	} {
		if got := ask(c.method, c.id); got != c.want {
			t.Errorf("%s %s: %d, want %d", c.method, c.id, got, c.want)
		}
	}
}
