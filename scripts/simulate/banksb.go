package simulate

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"talkoot.fi/sandbox/mangopay"
)

// paidAtB are the pay-ins that took money; with debitsOnly those of direct debits.
func (sim *simulation) paidAtB(debitsOnly bool) (out []string) {
	for _, t := range sim.mangopay.Snapshot().Transactions {
		if t.Type == "PAYIN" && t.Nature == "REGULAR" && t.Status == "SUCCEEDED" && (!debitsOnly || t.PayIn.PaymentType == "DIRECT_DEBIT") {
			out = append(out, t.ID)
		}
	}
	return out
}

// openDisputeAtB is a bank that takes a pay-in back, of all or a part of it, or asks about it.
func (sim *simulation) openDisputeAtB(_ context.Context, o operation) {
	id, some := pick(sim.paidAtB(false), o.n[0])
	if !some {
		return
	}
	order := mangopay.DisputeOrder{PayIn: id, Type: []string{"CONTESTABLE", "CONTESTABLE", "NOT_CONTESTABLE", "RETRIEVAL"}[o.n[1]%4],
		Reason: []string{"FRAUD", "PRODUCT_UNACCEPTABLE", "DUPLICATE"}[o.n[2]%3]}
	if o.n[3]%3 == 0 {
		order.Amount = 100 * int64(1+o.n[3]%9)
	}
	sim.disputeAtB(order)
}

// returnDebit is a bank that returns a direct debit that had succeeded, at once or weeks later.
func (sim *simulation) returnDebit(_ context.Context, o operation) {
	id, some := pick(sim.paidAtB(true), o.n[0])
	if !some {
		return
	}
	if o.n[1]%2 == 0 {
		sim.clock.pass(time.Duration(5+o.n[1]%25) * 24 * time.Hour)
	}
	sim.disputeAtB(mangopay.DisputeOrder{PayIn: id, Type: "NOT_CONTESTABLE",
		Reason: []string{"LATE_FAILURE_INSUFFICIENT_FUNDS", "LATE_FAILURE_CONTACT_USER", "LATE_FAILURE_BANKACCOUNT_CLOSED"}[o.n[2]%3]})
}

func (sim *simulation) disputeAtB(order mangopay.DisputeOrder) {
	sim.clock.pass(bankStep)
	_, err := sim.mangopay.OpenDispute(order)
	sim.noteResult(order.Type+" "+order.Reason, err)
	if err == nil {
		sim.count("B", "dispute "+order.Type)
	}
}

func (sim *simulation) openDisputesAtB() (out []mangopay.Dispute) {
	for _, d := range sim.mangopay.Snapshot().Disputes {
		if d.Status != "CLOSED" {
			out = append(out, d)
		}
	}
	return out
}

func (sim *simulation) decideDisputeAtB(_ context.Context, o operation) {
	if d, some := pick(sim.openDisputesAtB(), o.n[0]); some {
		sim.decideAtB(d, o.n[1])
	}
}

func (sim *simulation) decideAtB(d mangopay.Dispute, n uint32) {
	sim.clock.pass(bankStep)
	result := []string{"WON", "LOST", "LOST", "VOID"}[n%4]
	err := sim.mangopay.DecideDispute(d.ID, result)
	sim.noteResult(result, err)
	if err == nil {
		sim.count("B", "dispute of type "+d.DisputeType+" "+result)
	}
}

// decideAllAtB has banks decide every dispute that is open at provider B.
func (sim *simulation) decideAllAtB() bool {
	open := sim.openDisputesAtB()
	for i, d := range open {
		sim.decideAtB(d, uint32(i+int(d.DisputedFunds.Amount/100))) // #nosec G115 -- small
	}
	return len(open) > 0
}

// callB calls provider B as a person does who has the platform's key, and not the platform.
func (sim *simulation) callB(ctx context.Context, path string, body map[string]any) (id string, err error) {
	raw, err := json.Marshal(body)
	if err != nil {
		return "", fmt.Errorf("encode a call: %w", err)
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://mangopay.example/v2.01/talkoot"+path, bytes.NewReader(raw))
	if err != nil {
		return "", fmt.Errorf("make a call: %w", err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.SetBasicAuth("talkoot", mangopayKey)
	answer, err := sim.mangopay.Transport().RoundTrip(r)
	if err != nil {
		return "", fmt.Errorf("call provider B: %w", err)
	}
	defer answer.Body.Close()
	var made struct{ ID, Status, ResultCode string }
	err = json.NewDecoder(answer.Body).Decode(&made)
	if err == nil && (answer.StatusCode != http.StatusOK || made.Status == "FAILED") {
		err = fmt.Errorf("refused: %d %s", answer.StatusCode, made.ResultCode)
	}
	return made.ID, err
}

func euros(minor int64) map[string]any { return map[string]any{"Currency": "EUR", "Amount": minor} }

// refundAtB gives money of a pay-in back in the dashboard, all of it or a part.
func (sim *simulation) refundAtB(ctx context.Context, o operation) {
	id, some := pick(sim.paidAtB(false), o.n[0])
	for _, t := range sim.mangopay.Snapshot().Transactions {
		if !some || t.ID != id {
			continue
		}
		amount := t.DebitedFunds.Amount
		if o.n[1]%2 == 0 {
			amount = min(amount, 100*int64(1+o.n[2]%30))
		}
		_, err := sim.callB(ctx, "/payins/"+id+"/refunds", map[string]any{"AuthorId": t.AuthorID, "DebitedFunds": euros(amount), "Fees": euros(0)})
		sim.noteResult("refunded", err)
		if err == nil {
			sim.count("B", "refund in the dashboard")
		}
	}
}

// taggedPayIn makes a pay-in with our tag that none of our calls asked for: of a payment that exists, or of none.
func (sim *simulation) taggedPayIn(ctx context.Context, o operation) {
	one, some := pick(sim.paidAtB(false), o.n[2])
	for _, t := range sim.mangopay.Snapshot().Transactions {
		if !some || t.ID != one {
			continue
		}
		payment, is := sim.anyPayment(ctx, o.n[0])
		if o.n[1]%3 == 0 || !is {
			payment = fmt.Sprintf("0payment%02dfrmanther%07d", o.n[0]%100, sim.step)
		}
		tag := url.Values{"payment": {payment}, "attempt": {"by hand"}}.Encode()
		id, err := sim.callB(ctx, "/payins/card/web", map[string]any{"AuthorId": t.AuthorID, "CreditedWalletId": t.CreditedWalletID,
			"DebitedFunds": euros(100 * int64(1+o.n[3]%50)), "Fees": euros(0), "ReturnURL": site, "Culture": "FI", "CardType": "CB_VISA_MASTERCARD", "Tag": tag})
		if err == nil {
			_, err = sim.mangopay.PayOnPage(id, mangopay.CardInput{Number: cardsOfB[0], Expiry: "1235", CVX: "123"})
		}
		sim.noteResult("made", err)
		if err == nil {
			sim.count("B", "pay-in with our tag")
		}
	}
}

// forgeHook calls the address of provider B's hooks, which nobody signs: about an object that is there, or one that is not.
func (sim *simulation) forgeHook(ctx context.Context, o operation) {
	snapshot := sim.mangopay.Snapshot()
	var ids []string
	for _, t := range snapshot.Transactions {
		ids = append(ids, t.ID)
	}
	for _, d := range snapshot.Disputes {
		ids = append(ids, d.ID)
	}
	for _, u := range snapshot.Users {
		ids = append(ids, u.ID)
	}
	object, some := pick(ids, o.n[0])
	if !some || o.n[1]%3 == 0 {
		object = fmt.Sprintf("payin_m_forged%d", o.n[0]%10)
	}
	kind := []string{"PAYIN_NORMAL_SUCCEEDED", "PAYIN_NORMAL_FAILED", "PAYIN_REFUND_SUCCEEDED", "PAYIN_REFUND_FAILED", "DISPUTE_CREATED", "DISPUTE_CLOSED",
		"USER_KYC_LIGHT", "USER_KYC_REGULAR", "USER_ACCOUNT_CLOSED", "MANDATE_FAILED", "NONSENSE"}[o.n[2]%11]
	sim.note("%s", kind)
	sim.ask(ctx, sim.payments, http.MethodGet, fmt.Sprintf("/api/webhooks/mangopay?EventType=%s&RessourceId=%s&Date=%d", kind, object,
		sim.clock.peek().Unix()), nil, nil)
	sim.count("webhooks", "forged")
}
