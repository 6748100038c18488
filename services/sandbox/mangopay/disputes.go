package mangopay

import (
	"cmp"
	"net/http"
	"slices"
	"strings"
)

const (
	contestable    = "CONTESTABLE"
	notContestable = "NOT_CONTESTABLE"
	retrieval      = "RETRIEVAL"

	disputeAwaits    = "PENDING_CLIENT_ACTION"
	disputeReopened  = "REOPENED_PENDING_CLIENT_ACTION"
	disputeSubmitted = "SUBMITTED"
	disputeAtBank    = "PENDING_BANK_ACTION"
	disputeClosed    = "CLOSED"

	disputeLost = "LOST"
	disputeWon  = "WON"
	disputeVoid = "VOID"

	contestTime = 14 * 24 * 3600 // seconds in which we can contest
)

type disputeReason struct {
	DisputeReasonType    string  `json:"DisputeReasonType"`
	DisputeReasonMessage *string `json:"DisputeReasonMessage"`
}

type disputePublic struct {
	ID                       string        `json:"Id"`
	Tag                      *string       `json:"Tag"`
	CreationDate             int64         `json:"CreationDate"`
	InitialTransactionID     string        `json:"InitialTransactionId"`
	InitialTransactionType   string        `json:"InitialTransactionType"`
	InitialTransactionNature string        `json:"InitialTransactionNature"`
	DisputeType              string        `json:"DisputeType"`
	ContestDeadlineDate      *int64        `json:"ContestDeadlineDate"`
	DisputedFunds            Money         `json:"DisputedFunds"`
	ContestedFunds           *Money        `json:"ContestedFunds"`
	Status                   string        `json:"Status"`
	StatusMessage            *string       `json:"StatusMessage"`
	DisputeReason            disputeReason `json:"DisputeReason"`
	ResultCode               *string       `json:"ResultCode"`
	ResultMessage            *string       `json:"ResultMessage"`
	ClosedDate               *int64        `json:"ClosedDate"`
	RepudiationID            *string       `json:"RepudiationId"`
}

// dispute is a bank that takes a pay-in back, or asks about it.
type dispute struct {
	disputePublic
	Wallet, User string // of the pay-in: where its money went, and whose it was
}

func showDispute(d *dispute) (any, bool) { return d.disputePublic, true }

// repudiationPart is the debit of the client's wallet for what a bank took back.
type repudiationPart struct {
	DisputeID                string `json:"DisputeId"`
	InitialTransactionID     string `json:"InitialTransactionId"`
	InitialTransactionType   string `json:"InitialTransactionType"`
	InitialTransactionNature string `json:"InitialTransactionNature"`
}

// settlementPart is a transfer that makes a repudiation good.
type settlementPart struct {
	RepudiationID string `json:"RepudiationId"`
}

// DisputeOrder is a bank's.
type DisputeOrder struct {
	PayIn  string `json:"pay_in"`
	Type   string `json:"type"`   // CONTESTABLE (also empty), NOT_CONTESTABLE or RETRIEVAL
	Amount int64  `json:"amount"` // 0: all of it
	Reason string `json:"reason"` // empty: FRAUD
}

// openDispute takes a pay-in back from the client: its wallet for credit falls, below zero when need be.
func (c *call) openDispute(in DisputeOrder) (*dispute, error) {
	t, err := get(c.tx, transactions, "PayIn", in.PayIn)
	if err != nil {
		return nil, err
	}
	in.Type, in.Amount = cmp.Or(in.Type, contestable), cmp.Or(in.Amount, t.DebitedFunds.Amount)
	refunded := false
	err = each(c.tx, transactions, "refund_of="+t.ID, func(r *transaction) bool {
		refunded = refunded || r.Status == statusSucceeded
		return true
	})
	switch {
	case err != nil:
		return nil, err
	case t.Type != typePayIn || t.Status != statusSucceeded:
		return nil, paramError("pay_in", "It has not succeeded.")
	case refunded || t.Secret.Disputed:
		return nil, paramError("pay_in", "It is refunded or disputed.")
	case !slices.Contains([]string{contestable, notContestable, retrieval}, in.Type):
		return nil, paramError("type", "It is not CONTESTABLE, NOT_CONTESTABLE or RETRIEVAL.")
	case in.Amount < 1 || in.Amount > t.DebitedFunds.Amount:
		return nil, paramError("amount", "It is not of the pay-in.")
	}
	d := &dispute{disputePublic: disputePublic{
		ID: c.newID("dispute"), CreationDate: c.now, InitialTransactionID: t.ID, InitialTransactionType: t.Type, InitialTransactionNature: t.Nature,
		DisputeType: in.Type, DisputedFunds: Money{t.DebitedFunds.Currency, in.Amount}, Status: disputeAwaits,
		DisputeReason: disputeReason{cmp.Or(in.Reason, "FRAUD"), nil},
	}, Wallet: *t.CreditedWalletID, User: t.AuthorID}
	t.Secret.Disputed = in.Type != retrieval
	if err := transactions.Put(c.tx, t); err != nil {
		return nil, err
	}
	if in.Type != retrieval {
		if err := c.repudiate(d, t); err != nil {
			return nil, err
		}
	}
	told := []string{"DISPUTE_CREATED", "DISPUTE_ACTION_REQUIRED"}
	if in.Type == notContestable {
		d.close(c.now, disputeLost)
		told[1] = "DISPUTE_CLOSED"
	} else {
		deadline := c.now + contestTime
		d.ContestDeadlineDate = &deadline
		if err := c.schedule(contestTime, actEndContest, d.ID); err != nil {
			return nil, err
		}
	}
	return d, firstOf(disputes.Put(c.tx, d), c.tell(d.ID, told...))
}

func (c *call) repudiate(d *dispute, of *transaction) error {
	credit, err := c.clientWallet(fundsCredit, d.DisputedFunds.Currency)
	if err != nil {
		return err
	}
	t := &transaction{txCommon: txCommon{AuthorID: of.AuthorID, DebitedFunds: d.DisputedFunds, Fees: Money{Currency: d.DisputedFunds.Currency},
		Type: typePayOut, Nature: natureRepudiation, DebitedWalletID: &credit},
		Repudiation: &repudiationPart{d.ID, of.ID, of.Type, of.Nature}}
	if err := c.begin("repudiation", t); err != nil {
		return err
	}
	d.RepudiationID = &t.ID
	return c.settle(t, codeOK)
}

func (d *dispute) close(at int64, result string) {
	d.Status, d.ClosedDate, d.ResultCode, d.ResultMessage = disputeClosed, &at, &result, optional("Dispute "+strings.ToLower(result))
}

// decideDispute is the bank's answer. One that we won gives the money back.
func (c *call) decideDispute(d *dispute, result string) error {
	if d.Status == disputeClosed {
		return paramError("dispute", "It is closed.")
	}
	d.close(c.now, result)
	if result != disputeLost && d.RepudiationID != nil {
		of, err := c.transaction("Repudiation", *d.RepudiationID, "", natureRepudiation)
		if err != nil {
			return err
		}
		t := &transaction{txCommon: txCommon{AuthorID: of.AuthorID, DebitedFunds: of.DebitedFunds, Fees: of.Fees, Type: typePayIn,
			Nature: natureRefund, CreditedWalletID: of.DebitedWalletID},
			Refund: &refundPart{of.ID, of.Type, of.Nature, refundReason{nil, "OTHER"}, nil}}
		if err := firstOf(c.begin("refund", t), c.settle(t, codeOK)); err != nil {
			return err
		}
		in, err := get(c.tx, transactions, "PayIn", d.InitialTransactionID)
		if err != nil {
			return err
		}
		in.Secret.Disputed = false
		if err := transactions.Put(c.tx, in); err != nil {
			return err
		}
	}
	return firstOf(disputes.Put(c.tx, d), c.tell(d.ID, "DISPUTE_CLOSED"))
}

// endContest gives in for us when the time to contest is over.
func (c *call) endContest(id string) error {
	d, err := disputes.Find(c.tx, id)
	if err != nil || d == nil || d.Status != disputeAwaits && d.Status != disputeReopened || c.now < *d.ContestDeadlineDate {
		return err
	}
	return c.decideDispute(d, disputeLost)
}

func submitDispute(c *call) (any, error) {
	d, err := get(c.tx, disputes, "Dispute", c.ids["id"])
	if err != nil {
		return nil, err
	}
	in, err := decode[struct {
		ContestedFunds *Money `json:"ContestedFunds"`
	}](c)
	if err != nil {
		return nil, err
	}
	if d.Status != disputeAwaits && d.Status != disputeReopened {
		return nil, paramError("Status", "The dispute is "+d.Status+".")
	}
	if (in.ContestedFunds == nil) == (d.DisputeType == contestable) && d.Status != disputeReopened { // the official clients resubmit without it
		return nil, paramError("ContestedFunds", "The sum that is contested is required, and of a retrieval there is none.")
	}
	if m := in.ContestedFunds; m != nil && (d.DisputeType == retrieval || m.Amount < 1 || m.Amount > d.DisputedFunds.Amount || m.Currency != d.DisputedFunds.Currency) {
		return nil, paramError("ContestedFunds", "The sum is not of the dispute.")
	}
	d.Status = disputeSubmitted
	if in.ContestedFunds != nil {
		d.ContestedFunds = in.ContestedFunds
	}
	return d.disputePublic, firstOf(disputes.Put(c.tx, d), c.tell(d.ID, "DISPUTE_SUBMITTED"), c.schedule(bankDelay, actSendToBank, d.ID))
}

// bankDelay is how long Mangopay looks at what was submitted, in seconds.
const bankDelay = 24 * 3600

func (c *call) sendToBank(id string) error {
	d, err := disputes.Find(c.tx, id)
	if err != nil || d == nil || d.Status != disputeSubmitted {
		return err
	}
	d.Status = disputeAtBank
	return firstOf(disputes.Put(c.tx, d), c.tell(d.ID, "DISPUTE_SENT_TO_BANK"))
}

func closeDispute(c *call) (any, error) {
	d, err := get(c.tx, disputes, "Dispute", c.ids["id"])
	if err := firstOf(err, c.unread()); err != nil {
		return nil, err
	}
	if d.Status != disputeAwaits && d.Status != disputeReopened {
		return nil, paramError("Status", "The dispute is "+d.Status+".")
	}
	result := disputeLost
	if d.DisputeType == retrieval {
		result = disputeVoid
	}
	err = c.decideDispute(d, result)
	return d.disputePublic, err
}

func tagDispute(c *call) (any, error) {
	d, err := get(c.tx, disputes, "Dispute", c.ids["id"])
	if err != nil {
		return nil, err
	}
	in, err := decode[struct {
		Tag *string `json:"Tag" rule:"max=255"`
	}](c)
	if err != nil {
		return nil, err
	}
	d.Tag = in.Tag
	return d.disputePublic, disputes.Put(c.tx, d)
}

func getDispute(c *call) (any, error) {
	d, err := get(c.tx, disputes, "Dispute", c.ids["id"])
	if err != nil {
		return nil, err
	}
	return d.disputePublic, nil
}

func listDisputes(c *call) (any, error) { return listed(c, disputes, "", showDispute) }

// disputesOf lists the disputes of something that there says is there.
func disputesOf(index string, there func(*call, string) error) func(*call) (any, error) {
	return func(c *call) (any, error) {
		if err := there(c, c.ids["id"]); err != nil {
			return nil, err
		}
		return listed(c, disputes, index+c.ids["id"], showDispute)
	}
}

func disputeTransactions(c *call) (any, error) {
	d, err := get(c.tx, disputes, "Dispute", c.ids["id"])
	if err != nil {
		return nil, err
	}
	return listed(c, transactions, "dispute="+d.ID, c.youngTransaction)
}

func disputeRoutes() []route {
	return []route{
		{http.MethodGet, "disputes", listDisputes},
		{http.MethodGet, "disputes/pendingsettlement", pendingSettlement},
		{http.MethodGet, "disputes/{id}", getDispute},
		{http.MethodPut, "disputes/{id}", tagDispute},
		{http.MethodGet, "disputes/{id}/transactions", disputeTransactions},
		{http.MethodPut, "disputes/{id}/submit", submitDispute},
		{http.MethodPut, "disputes/{id}/close", closeDispute},
		{http.MethodGet, "repudiations/{id}", getRepudiation},
		{http.MethodPost, "repudiations/{id}/settlementtransfer", settleRepudiation},
		{http.MethodGet, "settlements/{id}", getSettlement},
	}
}
