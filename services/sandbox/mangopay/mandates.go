package mangopay

import (
	"net/http"
	"strings"
)

const (
	mandateSubmitted = "SUBMITTED"

	mandateLife = 3600            // seconds that a payer has to confirm one
	unusedLife  = 730 * 24 * 3600 // seconds after which an unused one ends
	mandateKind = "DIRECT_DEBIT"
	expired     = "EXPIRED"
)

// mandate lets us debit a bank account.
type mandate struct {
	ID            string  `json:"Id"`
	Tag           *string `json:"Tag"`
	CreationDate  int64   `json:"CreationDate"`
	BankAccountID string  `json:"BankAccountId"`
	UserID        string  `json:"UserId"`
	ReturnURL     string  `json:"ReturnURL"`
	RedirectURL   string  `json:"RedirectURL"`
	DocumentURL   string  `json:"DocumentURL"`
	Culture       string  `json:"Culture"`
	Scheme        *string `json:"Scheme"`
	Status        string  `json:"Status"`
	ExecutionType string  `json:"ExecutionType"`
	MandateType   string  `json:"MandateType"`
	BankReference *string `json:"BankReference"`
	ResultCode    *string `json:"ResultCode"`
	ResultMessage *string `json:"ResultMessage"`
}

func showMandate(m *mandate) (any, bool) { return m, true }

// usable tells whether a debit may be made by it.
func (m *mandate) usable() bool { return m.Status == mandateSubmitted || m.Status == active }

func makeMandate(c *call) (any, error) {
	in, err := decode[struct {
		Tag           *string `json:"Tag" rule:"max=255"`
		BankAccountID string  `json:"BankAccountId" rule:"required"`
		Culture       string  `json:"Culture" rule:"required,in=DE|EN|ES|FR|IT|NL|PL"`
		ReturnURL     string  `json:"ReturnURL" rule:"required,url,max=220"`
		ExecutionType *string `json:"ExecutionType" rule:"in=WEB"`
		MandateType   *string `json:"MandateType" rule:"in=DIRECT_DEBIT"`
	}](c)
	if err != nil {
		return nil, err
	}
	a, err := get(c.tx, accounts, "BankAccount", in.BankAccountID)
	if err != nil {
		return nil, err
	}
	if !a.Active {
		return nil, paramError("BankAccountId", "The bank account is not active.")
	}
	if a.IBAN[:2] == "DK" || a.IBAN[:2] == "SE" {
		return nil, paramError("BankAccountId", "Accounts in this country cannot be debited.")
	}
	m := &mandate{ID: c.newID("mdt"), Tag: in.Tag, CreationDate: c.now, BankAccountID: a.ID, UserID: a.UserID, Culture: in.Culture,
		Status: statusCreated, ExecutionType: "WEB", MandateType: mandateKind}
	m.ReturnURL = withID(in.ReturnURL, "MandateId", m.ID)
	if m.RedirectURL, err = c.newPage("mandate", pageMandate, m.ID); err != nil {
		return nil, err
	}
	m.DocumentURL = strings.Replace(m.RedirectURL, "/mandate?", "/mandate/document?", 1)
	return m, firstOf(mandates.Put(c.tx, m), c.schedule(mandateLife, actExpireMandate, m.ID), c.tell(m.ID, "MANDATE_CREATED"))
}

// confirmMandate is the payer at its page.
func (c *call) confirmMandate(m *mandate, confirm bool) error {
	if m.Status != statusCreated {
		return nil
	}
	if !confirm {
		return c.endMandate(m, "001805")
	}
	m.Status, m.Scheme, m.BankReference = mandateSubmitted, optional("SEPA"), optional("MANGOPAY-"+c.s.engine.IDs.Text(12))
	return firstOf(mandates.Put(c.tx, m), c.schedule(unusedLife, actExpireUnused, m.ID), c.tell(m.ID, "MANDATE_SUBMITTED"))
}

func (c *call) endMandate(m *mandate, code string) error {
	m.Status, m.ResultCode, m.ResultMessage = statusFailed, &code, optional(resultText(code))
	return firstOf(mandates.Put(c.tx, m), c.tell(m.ID, "MANDATE_FAILED"))
}

// expireMandate ends one that was not confirmed, or that was never used.
func (c *call) expireMandate(id, while string) error {
	m, err := mandates.Find(c.tx, id)
	if err != nil || m == nil || m.Status != while {
		return err
	}
	if while == statusCreated {
		return c.endMandate(m, "001807")
	}
	m.Status = expired
	return firstOf(mandates.Put(c.tx, m), c.tell(m.ID, "MANDATE_EXPIRED"))
}

// useMandate makes the mandate of a debit that succeeded active.
func (c *call) useMandate(t *transaction) error {
	m, err := get(c.tx, mandates, "Mandate", t.Debit.MandateID)
	if err != nil || m.Status != mandateSubmitted {
		return err
	}
	m.Status = active
	return firstOf(mandates.Put(c.tx, m), c.tell(m.ID, "MANDATE_ACTIVATED"))
}

func getMandate(c *call) (any, error) { return get(c.tx, mandates, "Mandate", c.ids["id"]) }

func cancelMandate(c *call) (any, error) {
	m, err := get(c.tx, mandates, "Mandate", c.ids["id"])
	if err := firstOf(err, c.unread()); err != nil {
		return nil, err
	}
	if !m.usable() {
		return nil, &apiError{status: http.StatusBadRequest, kind: "mandate_cannot_be_cancelled",
			message: "The mandate cannot be cancelled because of its status " + m.Status}
	}
	return m, c.endMandate(m, "001806")
}

func listMandates(c *call) (any, error) { return listed(c, mandates, "", showMandate) }

func accountMandates(c *call) (any, error) {
	a, err := c.account(c.ids["user"], c.ids["id"])
	if err != nil {
		return nil, err
	}
	return listed(c, mandates, "account="+a.ID, showMandate)
}

func mandateTransactions(c *call) (any, error) {
	m, err := get(c.tx, mandates, "Mandate", c.ids["id"])
	if err != nil {
		return nil, err
	}
	return listed(c, transactions, "mandate="+m.ID, c.youngTransaction)
}

func mandateRoutes() []route {
	return []route{
		{http.MethodPost, "mandates/directdebit/web", makeMandate},
		{http.MethodGet, "mandates", listMandates},
		{http.MethodGet, "mandates/{id}", getMandate},
		{http.MethodGet, "mandates/{id}/transactions", mandateTransactions},
		{http.MethodPut, "mandates/{id}/cancel", cancelMandate},
	}
}
