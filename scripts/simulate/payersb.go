package simulate

import (
	"context"
	"fmt"
	"net/http"

	"talkoot.fi/sandbox/mangopay"
)

// Cards of provider B: one that pays, one whose bank asks, one whose bank asks above a sum. A repeated one is drawn more often.
var cardsOfB = []string{"4970107111111119", "4970107111111119", "4970105181818183", "4970104100876588"}

// ibans are accounts that can be debited.
var ibans = []string{"FI2112345600000785", "DE89370400440532013000", "NL91ABNA0417164300"}

// orderAtB is a pay-in by a card that a browser is about to ask for.
type orderAtB struct {
	pledge pledge
	body   map[string]any
}

// pickAtB chooses a pledge of a campaign that provider B takes money for.
func (sim *simulation) pickAtB(n uint32) (pledge, bool) {
	var list []pledge
	for _, p := range sim.pledges {
		if p.campaign > 0 {
			list = append(list, p)
		}
	}
	return pick(list, n)
}

// askB makes one of provider B's calls for a pledge.
func (sim *simulation) askB(ctx context.Context, p pledge, call, key string, body map[string]any, into any) bool {
	body["pledgeId"] = p.id
	status := 0
	sim.asBacker(ctx, p, func(ctx context.Context) {
		status = sim.askWith(ctx, sim.payments, http.MethodPost, "/api/pledges/mangopay/"+call, key, body, into)
	})
	return status == http.StatusOK
}

// beginCard begins the registration of a card for a pledge, and gives the order of a pay-in without its card.
func (sim *simulation) beginCard(ctx context.Context, p pledge) (registration string, body map[string]any, ok bool) {
	var begun struct {
		CardRegistration struct {
			ID string `json:"Id"`
		} `json:"cardRegistration"`
		AuthorID         string `json:"authorId"`
		CreditedWalletID string `json:"creditedWalletId"`
	}
	if !sim.askB(ctx, p, "card-registration-data", "", map[string]any{}, &begun) {
		return "", nil, false
	}
	return begun.CardRegistration.ID, map[string]any{"amount": p.amountMinor, "authorId": begun.AuthorID, "creditedWalletId": begun.CreditedWalletID,
		"secureModeReturnURL": site + "/fi/payment-return/?pledge=" + p.id,
		"browserInfo": map[string]any{"AcceptHeader": "text/html", "JavaEnabled": false, "Language": "fi", "ColorDepth": 24, "ScreenHeight": 800,
			"ScreenWidth": 1280, "TimeZoneOffset": -120, "UserAgent": "Mozilla/5.0", "JavascriptEnabled": true}}, true
}

// registerCard registers a card for a pledge; now and then it is one that its bank refuses, or that is typed wrong.
func (sim *simulation) registerCard(ctx context.Context, o operation) {
	p, some := sim.pickAtB(o.n[0])
	if !some {
		return
	}
	registration, body, ok := sim.beginCard(ctx, p)
	if !ok {
		return
	}
	sim.count("B", "registration begun")
	card := mangopay.CardInput{Number: cardsOfB[o.n[1]%4], Expiry: "1235", CVX: "123"}
	switch o.n[2] % 8 {
	case 0:
		card.CVX = "999" // its bank refuses every payment
	case 1:
		card.CVX = "902" // refused by its code
	case 2:
		card.Number = "4970107111111118"
	}
	answer, err := sim.mangopay.Tokenise(registration, card)
	if err != nil {
		sim.note("%v", err)
		return
	}
	var done struct{ CardID, ResultCode string }
	for range 1 + o.n[3]%2 { // a browser that lost the answer hands it in again
		sim.askB(ctx, p, "finish-card-registration", "", map[string]any{"registrationId": registration, "registrationData": answer,
			"keep": o.n[1]/4%3 > 0}, &done)
	}
	sim.note("%s", done.ResultCode)
	if done.CardID == "" {
		sim.count("B", "registration refused")
		return
	}
	sim.count("B", "card registered")
	body["cardId"] = done.CardID
	sim.ordersB = append(sim.ordersB, orderAtB{p, body})
}

// payRegistered pays with a card that was registered, now or long ago; now and then the browser asks twice.
func (sim *simulation) payRegistered(ctx context.Context, o operation) {
	if order, some := pick(sim.ordersB, o.n[0]); some {
		key := ""
		if o.n[1]%2 == 0 {
			key = fmt.Sprintf("pay-in-of-a-browser-%d", o.n[2])
		}
		for range 1 + o.n[3]%4/3 {
			sim.payInAtB(ctx, order, key)
		}
	}
}

func (sim *simulation) payInAtB(ctx context.Context, order orderAtB, key string) {
	var answer struct {
		PayIn struct {
			ID                 string `json:"Id"`
			Status, ResultCode string
			SecureModeNeeded   bool
		} `json:"payin"`
	}
	if !sim.askB(ctx, order.pledge, "payin", key, order.body, &answer) {
		return
	}
	sim.note("%s %s", answer.PayIn.Status, answer.PayIn.ResultCode)
	sim.count("B", "pay-in by card "+answer.PayIn.Status)
	if answer.PayIn.SecureModeNeeded {
		sim.asked = append(sim.asked, answer.PayIn.ID)
	}
}

// payByCard registers a card and pays with it at once.
func (sim *simulation) payByCard(ctx context.Context, o operation) {
	before := len(sim.ordersB)
	sim.registerCard(ctx, o)
	if len(sim.ordersB) > before {
		sim.payInAtB(ctx, sim.ordersB[len(sim.ordersB)-1], "")
	}
}

// pledgeAndPay pledges at a campaign of provider B and goes on to pay it.
func (sim *simulation) pledgeAndPay(ctx context.Context, o operation) {
	before := len(sim.pledges)
	form := o
	form.n[0] = 1 + o.n[0]%2 // of the campaigns
	if sim.create(ctx, form, 1); len(sim.pledges) == before {
		return
	}
	how := o.n[0] / 2 % 8
	switch o.n[0] = newest; {
	case how < 2:
		sim.payByDebit(ctx, o)
	case how == 2 && sim.pledges[before].isMembers:
		sim.payByKept(ctx, o)
	case how == 3:
		sim.openPage(ctx, o)
	default:
		sim.payByCard(ctx, o)
	}
}

// payByKept pays a member's pledge with a card that they have kept.
func (sim *simulation) payByKept(ctx context.Context, o operation) {
	var list []pledge
	for _, p := range sim.pledges {
		if p.campaign > 0 && p.isMembers {
			list = append(list, p)
		}
	}
	p, some := pick(list, o.n[0])
	if !some {
		return
	}
	var methods struct {
		SavedCards []struct {
			CardID string `json:"card_id"`
		} `json:"saved_cards"`
	}
	sim.asBacker(ctx, p, func(ctx context.Context) {
		sim.ask(ctx, sim.payments, http.MethodGet, fmt.Sprintf("/api/campaigns/%d/methods", sim.campaigns[p.campaign].ID), nil, &methods)
	})
	card, some := pick(methods.SavedCards, o.n[1])
	if !some {
		return
	}
	if o.n[2]%8 == 0 {
		sim.asBacker(ctx, p, func(ctx context.Context) {
			sim.ask(ctx, sim.payments, http.MethodDelete, "/api/users/me/cards/"+card.CardID, nil, nil)
		})
		sim.count("B", "kept card forgotten")
		return
	}
	if _, body, ok := sim.beginCard(ctx, p); ok {
		body["cardId"] = card.CardID
		sim.count("B", "kept card used")
		sim.payInAtB(ctx, orderAtB{p, body}, "")
	}
}

// payByDebit adds an account, has a mandate confirmed or not, and debits it; or debits by a mandate that is there.
func (sim *simulation) payByDebit(ctx context.Context, o operation) {
	p, some := sim.pickAtB(o.n[0])
	if !some {
		return
	}
	if o.n[1]%4 > 0 && !sim.allowDebit(ctx, p, o) {
		return
	}
	var answer struct {
		PayIn struct{ Status, ResultCode string } `json:"payin"`
	}
	if sim.askB(ctx, p, "payin-direct-debit", "", map[string]any{}, &answer) {
		sim.note("%s %s", answer.PayIn.Status, answer.PayIn.ResultCode)
		sim.count("B", "debit "+answer.PayIn.Status)
	}
}

func (sim *simulation) allowDebit(ctx context.Context, p pledge, o operation) bool {
	var added struct {
		BankAccount struct {
			ID string `json:"Id"`
		} `json:"bankAccount"`
	}
	if !sim.askB(ctx, p, "create-bank-account", "", map[string]any{"OwnerName": "Aino Aalto", "IBAN": ibans[o.n[2]%3],
		"OwnerAddress": map[string]any{"AddressLine1": "Katu 1", "City": "Oulu", "PostalCode": "90100", "Country": "FI"}}, &added) {
		return false
	}
	var made struct {
		Mandate struct {
			ID     string `json:"Id"`
			Status string
		} `json:"mandate"`
	}
	if !sim.askB(ctx, p, "create-mandate", "", map[string]any{"bankAccountId": added.BankAccount.ID, "language": "fi",
		"returnURL": site + "/fi/payment-return/?pledge=" + p.id}, &made) {
		return false
	}
	if made.Mandate.Status == "CREATED" && o.n[3]%8 > 0 {
		confirms := o.n[3]%8 > 1
		sim.noteResult("confirmed", sim.mangopay.ConfirmMandate(made.Mandate.ID, confirms))
		sim.count("B", fmt.Sprintf("mandate confirmed %v", confirms))
	}
	return true
}

// answerChallengeAtB answers a bank that asks, perhaps long after it began.
func (sim *simulation) answerChallengeAtB(_ context.Context, o operation) {
	if id, some := pick(sim.asked, o.n[0]); some {
		pass := o.n[1]%4 != 0
		sim.noteResult(fmt.Sprint(pass), sim.mangopay.AnswerChallenge(id, pass))
		sim.count("B", fmt.Sprintf("challenge answered %v", pass))
	}
}

// payPageAtB pays a hosted page of provider B.
func (sim *simulation) payPageAtB(_ context.Context, o operation) {
	var open []string
	for _, t := range sim.mangopay.Snapshot().Transactions {
		if t.Status == "CREATED" && t.PayIn.ExecutionType == "WEB" {
			open = append(open, t.ID)
		}
	}
	if id, some := pick(open, o.n[0]); some {
		card := mangopay.CardInput{Number: cardsOfB[o.n[1]%4], Expiry: "1235", CVX: "123"}
		if o.n[2]%5 == 0 {
			card.CVX = "999"
		}
		asked, err := sim.mangopay.PayOnPage(id, card)
		sim.noteResult("paid", err)
		if err == nil {
			sim.count("B", "page paid")
		}
		if asked {
			sim.asked = append(sim.asked, id)
		}
	}
}

// endPayIn ends a debit that its bank has in hand, with its success or not, before its time; or has the next card refused.
func (sim *simulation) endPayIn(_ context.Context, o operation) {
	var open []string
	for _, t := range sim.mangopay.Snapshot().Transactions {
		if t.Status == "CREATED" && t.PayIn.PaymentType == "DIRECT_DEBIT" {
			open = append(open, t.ID)
		}
	}
	id, some := pick(open, o.n[0])
	if o.n[1]%4 == 0 {
		code := []string{"101101", "101102", "101111", "008005", "001013", "009103", "101410"}[o.n[2]%7]
		sim.mangopay.ForceCode(code)
		sim.note("the next card: %s", code)
		sim.count("faults", "provider B answers FAILED")
		return
	}
	if !some {
		return
	}
	code := []string{"000000", "000000", "001830"}[o.n[2]%3]
	sim.noteResult(code, sim.mangopay.SettlePayIn(id, code))
	sim.count("B", "bank of a debit said "+code)
}
