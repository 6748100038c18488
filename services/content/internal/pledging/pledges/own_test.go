package pledges_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/contenttest/bulk"
	"talkoot.fi/content/internal/person/profiles"
	"talkoot.fi/content/internal/pledging/pledges"
	"talkoot.fi/content/internal/writing/changes"
)

// person makes one who has confirmed their address.
func (w *world) person(t *testing.T, email string) (id int64) {
	t.Helper()
	if err := dbx.InTx(t.Context(), w.db, func(tx *gorm.DB) (err error) {
		id, err = profiles.Create(t.Context(), tx, profiles.New{Email: email, FirstName: "Leena", LastName: "Hakkarainen",
			Language: "fi", Scope: []string{"view"}}, noon)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	w.exec(t, `UPDATE users SET verified = true WHERE id = ?`, id)
	return id
}

func (w *world) exec(t *testing.T, statement string, args ...any) {
	t.Helper()
	if err := w.db.Exec(statement, args...).Error; err != nil {
		t.Fatal(err)
	}
}

// as calls the API as a person, or as nobody with 0; into may be nil.
func as(t *testing.T, h http.Handler, user int64, method, address, body string, into any) (status int) {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), method, address, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	if user != 0 {
		r.Header.Set("Authorization", "Bearer "+tokenOf(t, user))
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	if into != nil {
		if err := json.Unmarshal(w.Body.Bytes(), into); err != nil {
			t.Fatalf("%s %s: %d %s: %v", method, address, w.Code, w.Body, err)
		}
	}
	return w.Code
}

// backs makes a pledge of a person, or of an address without an account when user is 0.
func (w *world) backs(t *testing.T, user int64, email string, change func(*pledges.Input)) pledges.View {
	t.Helper()
	w.clock.advance(time.Second)
	in := w.input(0, "20")
	in.Meta.Email, in.Meta.LastName = email, "Hakkarainen"
	if user != 0 {
		in.UserID = &user
	}
	if change != nil {
		change(&in)
	}
	return w.mustCreate(t, in)
}

// byPost makes it one for the reward that is sent in May 2027.
func (w *world) byPost(in *pledges.Input) {
	cost := 1
	in.RewardID, in.Amount, in.Meta.AddedCost = &w.posted, "51.5", &cost
	in.Meta.Street, in.Meta.Postcode, in.Meta.City = "Opintie 14 B 3", "72400", "Pielavesi"
}

func TestOwnPledges_AreThoseOfTheAccountAndOfItsConfirmedAddress(t *testing.T) {
	w := setup(t)
	h := w.serve(t, plenty)
	leena, stranger := w.person(t, "leena@example.fi"), w.person(t, "muu@example.fi")
	paid := func(p pledges.View) pledges.View {
		w.mustApply(t, event(p, pledges.PaymentSucceeded), pledges.Applied)
		return p
	}
	signedIn := paid(w.backs(t, leena, "toinen@example.fi", nil))
	unsigned := paid(w.backs(t, 0, "LEENA@example.fi", nil))
	waiting := w.backs(t, leena, "leena@example.fi", nil)
	w.backs(t, 0, "leena@example.fi", nil)              // anybody may write her address and not pay
	paid(w.backs(t, stranger, "leena@example.fi", nil)) // another account's
	lapsed := w.backs(t, leena, "leena@example.fi", nil)
	if err := w.Release(t.Context(), lapsed.ID); err != nil {
		t.Fatal(err)
	}
	list := func(query string) (got []string, a api.OwnPledgesAnswer) {
		t.Helper()
		if status := as(t, h, leena, "GET", "/users/me/pledges/fi/"+query, "", &a); status != http.StatusOK {
			t.Fatalf("%d", status)
		}
		for _, p := range a.Pledges {
			got = append(got, p.PledgeID)
		}
		return got, a
	}
	ids := func(list ...pledges.View) (ids []string) {
		for _, v := range list {
			ids = append(ids, v.ID)
		}
		return ids
	}
	wants := func(what string, got, want []string) {
		t.Helper()
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	got, a := list("")
	wants("all", got, ids(waiting, unsigned, signedIn))
	if n, err := pledges.CountGoingOn(t.Context(), w.db, leena); n != 3 || err != nil {
		t.Errorf("%d counted as going on: %v", n, err)
	}
	if a.Total != 3 || a.GoingOn != 3 || a.Over != 0 {
		t.Errorf("%d in all, %d going on, %d over", a.Total, a.GoingOn, a.Over)
	}
	got, a = list("?limit=1&offset=1")
	wants("the second", got, ids(unsigned))
	if a.Total != 3 {
		t.Errorf("a page tells a total of %d", a.Total)
	}
	w.mustApply(t, event(signedIn, pledges.PaymentRefunded), pledges.Applied)
	got, a = list("?show=over")
	wants("over", got, ids(signedIn))
	if n, err := pledges.CountGoingOn(t.Context(), w.db, leena); n != 2 || err != nil {
		t.Errorf("%d counted as going on after one is over: %v", n, err)
	}
	if a.Total != 1 || a.Pledges[0].RefundedAt == nil || a.Pledges[0].Shipping != nil {
		t.Errorf("over: %+v", a)
	}
	got, _ = list("?show=going_on")
	wants("going on", got, ids(waiting, unsigned))

	w.exec(t, `UPDATE users SET verified = false WHERE id = ?`, leena)
	got, _ = list("")
	wants("with an address that is not confirmed", got, ids(waiting, signedIn))
	if status := as(t, h, leena, "GET", "/users/me/pledges/fi/?show=mine", "", nil); status != http.StatusUnprocessableEntity && status != http.StatusBadRequest {
		t.Errorf("an unknown group: %d", status)
	}
}

func TestOwnPledges_TellWhereTheMoneyIs(t *testing.T) {
	w := setup(t)
	h := w.serve(t, plenty)
	leena := w.person(t, "leena@example.fi")
	apply := func(p pledges.View, kinds ...pledges.EventType) {
		t.Helper()
		for _, kind := range kinds {
			w.clock.advance(time.Hour)
			w.mustApply(t, event(p, kind), pledges.Applied)
		}
	}
	var made []pledges.View
	for range 4 {
		made = append(made, w.backs(t, leena, "leena@example.fi", nil))
	}
	settling, held, returned, failed := made[0], made[1], made[2], made[3]
	apply(settling, pledges.PaymentProcessing)
	apply(held, pledges.PaymentProcessing, pledges.PaymentSucceeded)
	apply(returned, pledges.PaymentSucceeded, pledges.PaymentRefunded)
	apply(failed, pledges.PaymentProcessing, pledges.PaymentFailed)

	var a api.OwnPledgesAnswer
	as(t, h, leena, "GET", "/users/me/pledges/fi/", "", &a)
	if len(a.Sums) != 1 || a.Sums[0].Held != 20_00 || a.Sums[0].OnItsWay != 20_00 || a.Sums[0].Returned != 20_00 ||
		a.Sums[0].Contested != 0 || a.Sums[0].Currency != "EUR" {
		t.Errorf("the sums are %+v", a.Sums)
	}
	// What is the creator's is not held by us.
	w.exec(t, `INSERT INTO campaign_endings (campaign_id, outcome, goes_to, ended_at, accepted, accepted_minor, currency)
		VALUES (?, 'reached', 'creator', now(), 1, 2000, 'EUR')`, w.campaign)
	var ended api.OwnPledgesAnswer
	as(t, h, leena, "GET", "/users/me/pledges/fi/", "", &ended)
	if len(ended.Sums) != 1 || ended.Sums[0].Held != 0 || ended.Sums[0].OnItsWay != 20_00 {
		t.Errorf("after the end the sums are %+v", ended.Sums)
	}
	marks := map[string]string{}
	for _, p := range a.Pledges {
		for _, moment := range []*time.Time{p.ChargedAt, p.PaidAt, p.RefundedAt, p.FailedAt} {
			if moment == nil {
				marks[p.PledgeID] += "-"
			} else {
				marks[p.PledgeID] += "x"
			}
		}
		if p.PledgeID == held.ID && p.PaidAt != nil && p.PaidAt.Sub(*p.ChargedAt) != time.Hour {
			t.Errorf("charged %s, confirmed %s", p.ChargedAt, p.PaidAt)
		}
	}
	for _, c := range []struct {
		name, id, want string // charged, confirmed, returned, refused
	}{{"settling", settling.ID, "x---"}, {"held", held.ID, "xx--"}, {"returned", returned.ID, "xxx-"}, {"failed", failed.ID, "x--x"}} {
		if marks[c.id] != c.want {
			t.Errorf("%s: %s, want %s", c.name, marks[c.id], c.want)
		}
	}
}

func TestChangePledge_IsForItsPersonAlone(t *testing.T) {
	w := setup(t)
	h := w.serve(t, plenty)
	leena, stranger := w.person(t, "leena@example.fi"), w.person(t, "muu@example.fi")
	own, unsigned := w.backs(t, leena, "leena@example.fi", nil), w.backs(t, 0, "leena@example.fi", nil)
	change := func(user int64, id, body string) int {
		t.Helper()
		return as(t, h, user, "PATCH", "/pledges/"+id+"/", body, nil)
	}
	for _, c := range []struct {
		name, id, body string
		user           int64
		want           int
	}{
		{"her own", own.ID, `{"name_shown": "initial"}`, leena, 200},
		{"the same again", own.ID, `{"name_shown": "initial"}`, leena, 200},
		{"nobody signed in", own.ID, `{"name_shown": "initial"}`, 0, 401},
		{"another, who knows the id", own.ID, `{"name_shown": "initial"}`, stranger, 403},
		{"unsigned and not paid", unsigned.ID, `{"name_shown": "initial"}`, leena, 403},
		{"no such pledge", strings.Repeat("0", 26), `{"name_shown": "initial"}`, leena, 403},
		{"no id at all", "x", `{"name_shown": "initial"}`, leena, 404},
		{"nothing", own.ID, `{}`, leena, 422},
		{"an unknown way to be seen", own.ID, `{"name_shown": "nickname"}`, leena, 422},
		{"another type", own.ID, `{"name_shown": 7}`, leena, 422},
		{"an unknown field", own.ID, `{"amount": 1}`, leena, 400},
		{"an address where nothing is sent", own.ID, `{"address": {"address_street": "A 1", "address_postcode": "00100", "address_city": "Hki"}}`, leena, 422},
	} {
		if got := change(c.user, c.id, c.body); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
	w.mustApply(t, event(unsigned, pledges.PaymentSucceeded), pledges.Applied)
	if got := change(leena, unsigned.ID, `{"name_shown": "anonymous"}`); got != http.StatusOK {
		t.Errorf("unsigned, paid, and the address is hers: %d", got)
	}
	var noted []string
	if err := w.db.Raw(`SELECT concat(entity, ' ', entity_id, ' ', before, ' ', after) FROM audit_log WHERE action = 'change_pledge' ORDER BY id`).Scan(&noted).Error; err != nil {
		t.Fatal(err)
	}
	want := fmt.Sprintf(`user %d {"name_shown": "full_name"} {"name_shown": "initial", "campaign_id": %d, "receipt_number": ""}`, leena, w.campaign)
	if len(noted) != 2 || noted[0] != want {
		t.Errorf("noted %q, want %q", noted, want)
	}
	for _, row := range noted {
		if strings.Contains(row, own.ID) || strings.Contains(row, unsigned.ID) {
			t.Errorf("the audit log has the id of a pledge, which is a permission: %s", row)
		}
	}
}

func TestChangePledge_AddressUntilItIsPacked(t *testing.T) {
	w := setup(t)
	h := w.serve(t, plenty)
	leena := w.person(t, "leena@example.fi")
	p := w.backs(t, leena, "leena@example.fi", w.byPost)
	w.mustApply(t, event(p, pledges.PaymentSucceeded), pledges.Applied)
	move := func(street string) (pledges.Own, error) {
		return w.ChangeOwn(t.Context(), leena, p.ID, "fi", pledges.OwnChange{Address: &pledges.Address{Street: street, Postcode: "00100", City: "Helsinki"}})
	}
	taken := func() {
		t.Helper()
		if err := dbx.InTx(t.Context(), w.db, func(tx *gorm.DB) error {
			return changes.Record(t.Context(), tx, "take_backers_table", "campaign", w.campaign, changes.User(w.creator), nil, struct{}{}, w.clock.now())
		}); err != nil {
			t.Fatal(err)
		}
	}
	state := func() pledges.Shipping {
		t.Helper()
		page, err := w.ListOwn(t.Context(), leena, "fi", "", 24, 0)
		if err != nil || len(page.List) != 1 || page.List[0].Shipping == nil {
			t.Fatalf("%+v, %v", page, err)
		}
		return *page.List[0].Shipping
	}

	taken() // during the campaign: a look, no packing
	own, err := move(" Rantatie 8 ")
	mayBegins := time.Date(2027, 4, 30, 21, 0, 0, 0, time.UTC) // midnight in Helsinki
	if s := own.Shipping; err != nil || s == nil || s.Street != "Rantatie 8" || s.Country != "FI" || s.State != pledges.AddressOpen || !s.At.Equal(mayBegins) {
		t.Fatalf("during the campaign: %+v, %v", own.Shipping, err)
	}
	if last, err := w.LastAddress(t.Context(), leena); err != nil || last.Street != "Rantatie 8" {
		t.Errorf("what is offered next time: %+v, %v", last, err)
	}
	for _, bad := range []string{`{"address_street": " ", "address_postcode": "00100", "address_city": "Hki"}`,
		`{"address_street": "A 1", "address_postcode": "1", "address_city": "Hki"}`, `{"address_street": "A 1"}`,
		`{"address_street": "A 1", "address_postcode": "1", "address_city": "Hki", "address_country": "ZZ"}`,
		`{"address_street": "` + strings.Repeat("a", 201) + `", "address_postcode": "00100", "address_city": "Hki"}`} {
		if status := as(t, h, leena, "PATCH", "/pledges/"+p.ID+"/", `{"address": `+bad+`}`, nil); status != http.StatusUnprocessableEntity {
			t.Errorf("%.60s: %d", bad, status)
		}
	}

	w.clock.set(mayBegins.Add(-time.Minute))
	if _, err := move("Savutie 3"); err != nil {
		t.Errorf("a minute before the month of delivery: %v", err)
	}
	w.clock.set(mayBegins)
	if _, err := move("Myöhä 1"); !errors.Is(err, pledges.ErrAddressLocked) {
		t.Errorf("in the month of delivery: %v", err)
	}
	if s := state(); s.State != pledges.DeliveryMonth || !s.At.Equal(mayBegins) || s.Street != "Savutie 3" {
		t.Errorf("in the month of delivery: %+v", s)
	}

	w.clock.set(time.Date(2026, 12, 5, 9, 0, 0, 0, time.UTC))
	taken()
	if _, err := move("Myöhä 1"); !errors.Is(err, pledges.ErrAddressLocked) {
		t.Errorf("once the creator has the addresses of the whole campaign: %v", err)
	}
	if s := state(); s.State != pledges.AddressPacked || !s.At.Equal(w.clock.now()) {
		t.Errorf("packed: %+v", s)
	}
	hidden := pledges.NoName
	if _, err := w.ChangeOwn(t.Context(), leena, p.ID, "fi", pledges.OwnChange{NameShown: &hidden}); err != nil {
		t.Errorf("the name after it: %v", err)
	}
	if n := w.number(t, `SELECT count(*) FROM audit_log WHERE action = 'change_pledge' AND concat(before, after) ~ 'Rantatie|Savutie|00100'`); n != 0 {
		t.Error("the audit log has addresses")
	}
}

// The number of statements does not grow with the pledges, and none reads a growing table whole.
func TestOwnPledges_CostTwoStatements(t *testing.T) {
	db := bulk.New(t)
	for _, statement := range []string{
		`INSERT INTO pledges (id, campaign_id, user_id, status, amount_minor, currency, quantity, lines, email, first_name, last_name, language,
			reserved_until, paid_at, receipt_number, created_at, updated_at)
		 SELECT lpad('u' || i, 26, '0'), 1 + i % 6000, CASE WHEN i % 2 = 0 THEN 1 + i % 5000 END, 'paid', 100, 'EUR', 1, '[]', (1 + i % 5000) || '@example.com',
			'A', 'B', 'fi', now(), now(), 'U' || i, now(), now() FROM generate_series(1, 12000) i`,
		`INSERT INTO pledge_transitions (pledge_id, from_status, to_status, cause, at) SELECT id, '', 'paid', 'x', now() FROM pledges`,
		`VACUUM ANALYZE`} {
		if err := db.Exec(statement).Error; err != nil {
			t.Fatal(err)
		}
	}
	s := pledges.New(pledges.Options{DB: db, Now: func() time.Time { return noon }, Zone: time.UTC})
	ctx, ran := dbx.CountStatements(t.Context())
	page, err := s.ListOwn(ctx, 8, "fi", "", 24, 0)
	if err != nil || len(page.List) == 0 {
		t.Fatalf("%d pledges, %v", len(page.List), err)
	}
	if ran.Count() != 2 {
		t.Errorf("%d statements", ran.Count())
	}
	bulk.MustNotReadWhole(t, db, ran.List())
}
