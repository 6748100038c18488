package audit

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"talkoot.fi/sandbox/mangopay"
)

// mangopayWorld is the stand-in with a pay-in of 42 of which 12 went back, one of 30 that a bank keeps and that was made good, and one of 20
// that a bank took back as a debit.
type mangopayWorld struct {
	t                      *testing.T
	caller                 *mangopayCaller
	wallet                 string
	paid, refund           string
	lost, settled, lostOne string
	returned, returnedOne  string
	taken, takenBack       string // repudiations
}

func newMangopayWorld(t *testing.T) *mangopayWorld {
	t.Helper()
	at, err := mangopay.New(mangopay.Options{ClientID: "talkoot", APIKey: "key", PublicURL: "http://mangopay.test", InMemory: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = at.Close() })
	from := Mangopay{URL: "http://mangopay.test", ClientID: "talkoot", Key: "key", Transport: at.Transport()}
	w := &mangopayWorld{t: t, caller: &mangopayCaller{Mangopay: from, client: &http.Client{Transport: from.Transport}}}
	var token struct {
		Text string `json:"access_token"`
	}
	w.ok(w.caller.call(t.Context(), http.MethodPost, "/v2.01/oauth/token", "grant_type=client_credentials", &token))
	w.caller.token = token.Text
	owner := w.post("/sca/users/natural", map[string]any{"FirstName": "Maija", "LastName": "Meri", "Email": "maija@example.com", "UserCategory": "OWNER",
		"Birthday": 300000000, "Nationality": "FI", "CountryOfResidence": "FI", "TermsAndConditionsAccepted": true})
	w.ok(at.Enrol(owner, true))
	w.ok(at.SetKYC(owner, "REGULAR"))
	w.wallet = w.post("/wallets", map[string]any{"Owners": []string{owner}, "Currency": "EUR", "Description": "Campaign 7"})
	payer := w.post("/users/natural", map[string]any{"FirstName": "Aino", "LastName": "Aalto", "Email": "aino@example.com", "UserCategory": "PAYER"})
	eur := func(minor int) map[string]any { return map[string]any{"Currency": "EUR", "Amount": minor} }
	pay := func(minor int) string {
		id := w.post("/payins/card/web", map[string]any{"AuthorId": payer, "CreditedWalletId": w.wallet, "DebitedFunds": eur(minor), "Fees": eur(0),
			"ReturnURL": "https://talkoot.example/", "Culture": "FI", "CardType": "CB_VISA_MASTERCARD", "Tag": "payment=p"})
		_, err := at.PayOnPage(id, mangopay.CardInput{Number: "4970107111111119", Expiry: "1235", CVX: "123"})
		w.ok(err)
		return id
	}
	dispute := func(payIn, kind, reason string) (id, repudiation string) {
		id, err := at.OpenDispute(mangopay.DisputeOrder{PayIn: payIn, Type: kind, Reason: reason})
		w.ok(err)
		for _, d := range at.Snapshot().Disputes {
			if d.ID == id {
				repudiation = d.RepudiationID
			}
		}
		return id, repudiation
	}
	w.paid, w.lost, w.returned = pay(4200), pay(3000), pay(2000)
	w.refund = w.post("/payins/"+w.paid+"/refunds", map[string]any{"AuthorId": payer, "DebitedFunds": eur(1200), "Fees": eur(0), "Tag": "payment=p"})
	w.lostOne, w.taken = dispute(w.lost, "CONTESTABLE", "FRAUD")
	w.ok(at.DecideDispute(w.lostOne, "LOST"))
	w.settled = w.post("/repudiations/"+w.taken+"/settlementtransfer", map[string]any{"AuthorId": owner, "DebitedFunds": eur(3000), "Fees": eur(0)})
	w.returnedOne, w.takenBack = dispute(w.returned, "NOT_CONTESTABLE", "LATE_FAILURE_CONTACT_USER")
	return w
}

func (w *mangopayWorld) ok(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *mangopayWorld) post(path string, body any) string {
	w.t.Helper()
	raw, err := json.Marshal(body)
	w.ok(err)
	var made struct{ ID, Status, ResultCode string }
	w.ok(w.caller.call(w.t.Context(), http.MethodPost, w.caller.at(path), string(raw), &made))
	if made.Status == "FAILED" {
		w.t.Fatalf("%s: %+v", path, made)
	}
	return made.ID
}

// movement is one of the ledger's, by the places that it moved.
func (w *mangopayWorld) movement(kind, reference string, moved map[string]int64) movement {
	m := movement{provider: mangopayName, kind: kind, reference: reference, currency: "EUR", happened: time.Now()}
	for place, minor := range moved {
		m.legs = append(m.legs, leg{clearing, clearing + ":" + mangopayName + ":" + place, minor})
	}
	return m
}

// books are a snapshot that agrees with the stand-in.
func (w *mangopayWorld) books(ctx context.Context) *snapshot {
	w.t.Helper()
	s := &snapshot{now: time.Now(), booked: map[string]bool{}, disputes: map[string]dispute{}, byMoney: map[string]attempt{w.lost: {}, w.returned: {}}}
	s.movements = []movement{
		w.movement("charge", w.paid, map[string]int64{w.wallet: 4200}), w.movement("charge", w.lost, map[string]int64{w.wallet: 3000}),
		w.movement("charge", w.returned, map[string]int64{w.wallet: 2000}), w.movement("refund", w.refund, map[string]int64{w.wallet: -1200}),
		w.movement("dispute_opened", w.taken, map[string]int64{placeRepudiation: -3000}), w.movement("dispute_lost", "d:1", nil),
		w.movement("place_move", w.settled, map[string]int64{w.wallet: -3000, placeRepudiation: 3000}),
		w.movement("debit_returned", w.takenBack, map[string]int64{placeRepudiation: -2000}),
	}
	for _, m := range s.movements {
		s.booked[m.kind+" "+m.reference] = true
	}
	s.disputes[w.lostOne] = dispute{w.lostOne, w.lost, "lost", "fraud", "EUR", 3000, 3000, 0, mangopayName, s.now}
	s.disputes[w.returnedOne] = dispute{w.returnedOne, w.returned, "returned", "late_failure_contact_user", "EUR", 2000, 2000, 0, mangopayName, s.now}
	w.ok(s.readMangopay(ctx, w.caller.Mangopay, false))
	return s
}

// Healthy books are silent, and each difference from what is on record at Mangopay is named by the check that it is for.
func TestMangopay_EachDifferenceIsNamed(t *testing.T) {
	t.Parallel()
	w := newMangopayWorld(t)
	healthy := w.books(t.Context())
	transactions, wallets, theirDisputes := mangopayChecks[0].name, mangopayChecks[1].name, mangopayChecks[2].name
	long := func(s *snapshot) time.Time { return s.now.AddDate(0, -14, 0) }
	for name, c := range map[string]struct {
		spoil func(s *snapshot)
		names []string
	}{
		"nothing": {func(*snapshot) {}, nil},
		"a charge is not booked": {func(s *snapshot) { s.movements = s.movements[1:]; s.now = s.now.Add(48 * time.Hour) },
			[]string{transactions, wallets}},
		"a charge is of another sum": {func(s *snapshot) { s.movements[0].legs = []leg{{clearing, s.movements[0].legs[0].account, 4199}} },
			[]string{transactions, wallets}},
		"a refund is booked as a charge": {func(s *snapshot) { s.movements[3].kind = "charge" }, []string{transactions}},
		"a dispute took from the campaign's wallet": {func(s *snapshot) {
			s.movements[4].legs = []leg{{clearing, clearing + ":mangopay:" + w.wallet, -3000}}
		}, []string{transactions, wallets}},
		"a move has one side only": {func(s *snapshot) {
			s.movements[6] = w.movement("place_move", w.settled, map[string]int64{w.wallet: -3000})
		},
			[]string{transactions, wallets}},
		"a charge is in the ledger alone": {func(s *snapshot) {
			s.movements = append(s.movements, w.movement("charge", "payin_m_x", map[string]int64{w.wallet: 100}))
		}, []string{transactions, wallets}},
		"a charge that they keep no longer": {func(s *snapshot) {
			old := w.movement("charge", "payin_m_x", map[string]int64{"another": 100})
			old.happened = long(s)
			s.movements = append(s.movements, old)
		}, nil},
		"a dispute is not known": {func(s *snapshot) { delete(s.disputes, w.lostOne) }, []string{theirDisputes}},
		"a returned debit is taken for a loss": {func(s *snapshot) {
			d := s.disputes[w.returnedOne]
			d.Status = "lost"
			s.disputes[w.returnedOne] = d
		}, []string{theirDisputes}},
		"a dispute is ours alone":                          {func(s *snapshot) { s.disputes["x"] = dispute{Ref: "x", Provider: mangopayName, Opened: s.now} }, []string{theirDisputes}},
		"a dispute of the other provider":                  {func(s *snapshot) { s.disputes["x"] = dispute{Ref: "x", Provider: providerName, Opened: s.now} }, nil},
		"a movement of the other provider in a like place": {func(s *snapshot) { s.movements[0].provider = providerName; s.now = s.now.Add(48 * time.Hour) }, []string{transactions, wallets}},
	} {
		s := *healthy
		s.movements, s.disputes = slices.Clone(healthy.movements), maps.Clone(healthy.disputes)
		c.spoil(&s)
		var report Report
		report.compare(&s, mangopayChecks[:3]) // the others are planted in a world whose services have written the books
		names := map[string]bool{}
		for _, f := range report.Findings {
			names[f.Check] = true
		}
		if got := slices.Sorted(maps.Keys(names)); !slices.Equal(got, slices.Sorted(slices.Values(c.names))) {
			t.Errorf("%s: named by %q, want %q: %s", name, got, c.names, strings.Join(strings.Fields(fmt.Sprint(report.Findings)), " "))
		}
	}
}

// The rule of each movement at Mangopay names the place that it moves.
func TestReplay_EachMovementMovesItsPlace(t *testing.T) {
	t.Parallel()
	w := &mangopayWorld{t: t, wallet: "w1"}
	of := func(m movement, charge string, amount int64, rest ...leg) movement {
		m.charge, m.amount, m.campaign, m.to = charge, amount, 7, funds
		m.legs = append(m.legs, rest...)
		return m
	}
	put := func(class string, minor int64) leg {
		return leg{class, movement{provider: mangopayName, campaign: 7}.account(class), minor}
	}
	books := func() []movement {
		opened := of(w.movement("dispute_opened", "r1", map[string]int64{placeRepudiation: -100}), "c1", 100, put(hold, 100), put(funds, 100), put(disputed, -100))
		opened.id = 2
		first := int64(2)
		lost := of(w.movement("dispute_lost", "d1:1", nil), "c1", 100, put(disputed, 100), put(hold, -100))
		lost.id, lost.reverses = 3, &first
		charge := of(w.movement("charge", "c1", map[string]int64{"w1": 100}), "c1", 100, put(funds, -100))
		charge.id = 1
		move := of(w.movement("place_move", "s1", map[string]int64{"w1": -100, placeRepudiation: 100}), "c1", 100)
		move.id = 4
		second := of(w.movement("charge", "c2", map[string]int64{"w1": 50}), "c2", 50, put(funds, -50))
		second.id = 5
		back := of(w.movement("debit_returned", "r2", map[string]int64{placeRepudiation: -50}), "c2", 50, put(funds, 50))
		back.id = 6
		return []movement{charge, opened, lost, move, second, back}
	}
	at := func(place string) string { return clearing + ":" + mangopayName + ":" + place }
	for name, c := range map[string]struct {
		spoil func(list []movement)
		wrong bool
	}{
		"healthy":                        {func([]movement) {}, false},
		"a dispute of the wallet":        {func(l []movement) { l[1].legs[0].account = at("w1") }, true},
		"a returned debit of the wallet": {func(l []movement) { l[5].legs[0].account = at("w1") }, true},
		"a move from another wallet": {func(l []movement) {
			l[3].legs = []leg{{clearing, at("w2"), -100}, {clearing, at(placeRepudiation), 100}}
		}, true},
		"a move to another place": {func(l []movement) { l[3].legs = []leg{{clearing, at("w1"), -100}, {clearing, at(placeFees), 100}} }, true},
		"a move of less":          {func(l []movement) { l[3].legs = []leg{{clearing, at("w1"), -90}, {clearing, at(placeRepudiation), 90}} }, true},
	} {
		s := &snapshot{movements: books()}
		c.spoil(s.movements)
		var told []string
		replay(s, func(format string, args ...any) { told = append(told, fmt.Sprintf(format, args...)) })
		if (len(told) > 0) != c.wrong {
			t.Errorf("%s: %q", name, told)
		}
	}
}

// What a bank took back, or will give back, is not kept: a second pay-in is no finding then.
func TestTakenOnce_WhatABankTookBackIsNotKept(t *testing.T) {
	t.Parallel()
	lost := mangopayDispute{ID: "d", InitialTransactionID: "second", DisputeType: "NOT_CONTESTABLE", RepudiationID: "r"}
	lost.DisputedFunds.Amount = 3500
	unproved := lost
	unproved.RepudiationID = ""
	for name, c := range map[string]struct {
		disputes []mangopayDispute
		refunded int64 // without a tag, in their own pages
		found    int
	}{"kept": {nil, 0, 1}, "taken back": {[]mangopayDispute{lost}, 0, 0}, "asked about alone": {[]mangopayDispute{unproved}, 0, 1},
		"given back": {nil, 3500, 0}, "a part is given back": {nil, 3000, 1}} {
		s := &snapshot{payments: map[string]payment{"p": {ID: "p", Amount: 5700}}, mangopay: &mangopayState{}}
		s.mangopay.areTagsWhole, s.mangopay.disputes = true, c.disputes
		for ref, minor := range map[string]int64{"first": 5700, "second": 3500} {
			s.mangopay.lines = append(s.mangopay.lines, walletLine{ref: ref, kinds: []string{"charge"}, minor: minor, tag: url.Values{"payment": {"p"}}})
		}
		s.mangopay.lines = append(s.mangopay.lines, walletLine{ref: "back", kinds: []string{"refund"}, minor: -c.refunded, of: "second"})
		found := 0
		takenOnce(s, func(string, ...any) { found++ })
		if found != c.found {
			t.Errorf("%s: %d findings, want %d", name, found, c.found)
		}
	}
}
