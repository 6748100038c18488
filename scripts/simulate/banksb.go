package simulate

import (
	"context"
	"fmt"
	"net/http"
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
