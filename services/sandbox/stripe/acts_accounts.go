package stripe

import (
	"cmp"
)

// AccountChange is what somebody else does about a connected account.
type AccountChange struct {
	Account string `json:"account"`
	// Reason of a rejection (fraud), or of a restriction that is not about what is missing (under_review).
	Reason string `json:"reason"`
	// Fields that Stripe asks for, by a time in so many seconds; 0 is at once.
	Fields          []string `json:"fields"`
	DeadlineSeconds int64    `json:"deadline_seconds"`
	// Code is what was wrong with what was handed in: verification_document_not_readable.
	Code string `json:"code"`
}

func (s *Sandbox) changeAccount(id string, change func(c *call, a *storedAccount) error) error {
	_, err := act(s, func(c *call) (struct{}, error) {
		a, err := c.connected(id)
		if err != nil {
			return struct{}{}, err
		}
		return struct{}{}, c.changeAccount(a, func() error { return change(c, a) })
	})
	return err
}

// OnboardAccount is a creator having filled in everything on their page. Error: *Refusal.
func (s *Sandbox) OnboardAccount(id string) error {
	return s.changeAccount(id, func(c *call, a *storedAccount) error {
		a.submit(c, defaultIBAN)
		return nil
	})
}

// RequireOfAccount is Stripe asking for something: by a deadline, or at once, which restricts the account. Error: *Refusal.
func (s *Sandbox) RequireOfAccount(in AccountChange) error {
	if len(in.Fields) == 0 {
		in.Fields = []string{document}
	}
	return s.changeAccount(in.Account, func(c *call, a *storedAccount) error {
		deadline := int64(0)
		if in.DeadlineSeconds > 0 {
			deadline = c.now + in.DeadlineSeconds
		}
		a.require(in.Fields, deadline)
		if in.Code != "" {
			a.Requirements.Errors = []requirementError{{in.Code, "It does not do.", in.Fields[0]}}
		}
		if deadline == 0 {
			a.Requirements.PastDue = in.Fields
			a.disable("requirements.past_due")
		}
		return nil
	})
}

// RestrictAccount is Stripe stopping an account for a reason of its own. Error: *Refusal.
func (s *Sandbox) RestrictAccount(in AccountChange) error {
	return s.changeAccount(in.Account, func(_ *call, a *storedAccount) error {
		a.disable(cmp.Or(in.Reason, "under_review"))
		return nil
	})
}

// ClearAccount is Stripe having what it asked for. Error: *Refusal.
func (s *Sandbox) ClearAccount(in AccountChange) error {
	return s.changeAccount(in.Account, func(_ *call, a *storedAccount) error {
		a.enable()
		return nil
	})
}

// RejectAccount is Stripe, or a person of ours, rejecting an account. Error: *Refusal.
func (s *Sandbox) RejectAccount(in AccountChange) error {
	return s.changeAccount(in.Account, func(_ *call, a *storedAccount) error {
		a.disable("rejected." + cmp.Or(in.Reason, "fraud"))
		return nil
	})
}

// DeauthorizeAccount is a creator disconnecting their account from us: we have no access to it any more. Error: *Refusal.
func (s *Sandbox) DeauthorizeAccount(in AccountChange) error {
	_, err := act(s, func(c *call) (struct{}, error) {
		a, err := c.connected(in.Account)
		if err != nil {
			return struct{}{}, err
		}
		a.Gone = true
		if err := accounts.Put(c.tx, a); err != nil {
			return struct{}{}, err
		}
		application := struct {
			ID     string `json:"id"`
			Object string `json:"object"`
			Name   string `json:"name"`
		}{"ca_SandboxTalkoot", "application", "Talkoot"}
		return struct{}{}, c.emitOf(a.ID, "account.application.deauthorized", application, nil)
	})
	return err
}

// CurrencyOfAccount is a creator's account being in another currency. Error: *Refusal.
func (s *Sandbox) CurrencyOfAccount(id, currency string) error {
	return s.changeAccount(id, func(_ *call, a *storedAccount) error {
		a.DefaultCurrency = currency
		return nil
	})
}

// BankOfAccount is a creator giving another bank account on their page. Error: *Refusal.
func (s *Sandbox) BankOfAccount(id, iban string) error {
	return s.changeAccount(id, func(c *call, a *storedAccount) error {
		before := a.ExternalAccounts.Data
		isSame := a.IBAN == iban
		a.setBank(c, iban)
		if isSame {
			return nil
		}
		for _, one := range before {
			if err := c.emitOf(a.ID, "account.external_account.deleted", one, nil); err != nil {
				return err
			}
		}
		return c.emitOf(a.ID, "account.external_account.created", a.ExternalAccounts.Data[0], nil)
	})
}

// DisableBank is Stripe paying out to an account's bank account no more, until there is another. Error: *Refusal.
func (s *Sandbox) DisableBank(in AccountChange) error {
	return s.changeAccount(in.Account, func(_ *call, a *storedAccount) error {
		for i := range a.ExternalAccounts.Data {
			a.ExternalAccounts.Data[i].Status = "errored"
		}
		return nil
	})
}

// CloseBorder is Stripe sending no money to an account's country any more. Error: *Refusal.
func (s *Sandbox) CloseBorder(in AccountChange) error {
	return s.changeAccount(in.Account, func(_ *call, a *storedAccount) error {
		a.IsAbroad = true
		return nil
	})
}

// DelayAccount has what is transferred to an account from now on be available so many seconds later. Error: *Refusal.
func (s *Sandbox) DelayAccount(in AccountChange) error {
	return s.changeAccount(in.Account, func(_ *call, a *storedAccount) error {
		a.Delay = in.DeadlineSeconds
		return nil
	})
}

// AccountLine is something that moves a connected account's balance besides what we send there.
type AccountLine struct {
	Account string `json:"account"`
	Amount  int64  `json:"amount"` // minor units, added; negative takes, also below zero
}

// MoveAccount is Stripe adding to a connected account's balance, or taking from it. Error: *Refusal.
func (s *Sandbox) MoveAccount(in AccountLine) error {
	_, err := act(s, func(c *call) (struct{}, error) {
		if _, err := c.connected(in.Account); err != nil {
			return struct{}{}, err
		}
		_, err := c.addTransaction(balanceTransaction{Account: in.Account, Type: "adjustment", ReportingCategory: "other_adjustment", Amount: in.Amount,
			Currency: "eur", Description: optional("Line added by hand"), AvailableOn: c.now, FeeDetails: []feeDetail{}})
		return struct{}{}, err
	})
	return err
}

// ReversalOrder is how much a person takes back of a transfer; 0 is all that is left.
type ReversalOrder struct {
	Transfer string `json:"transfer"`
	Amount   int64  `json:"amount"`
}

// ReverseTransfer is a person of ours taking a transfer back in Stripe's own pages. Error: *Refusal.
func (s *Sandbox) ReverseTransfer(in ReversalOrder) error {
	_, err := act(s, func(c *call) (struct{}, error) {
		o, err := transfers.get(c.tx, in.Transfer, "transfer")
		if err != nil {
			return struct{}{}, err
		}
		return struct{}{}, c.reverse(o, &transferReversal{Amount: cmp.Or(in.Amount, o.Amount-o.AmountReversed), Metadata: map[string]string{}})
	})
	return err
}

// AccountBalance is what a connected account has in euros: what can be paid out, and what cannot yet.
func (s *Sandbox) AccountBalance(id string) (available, pending int64) {
	s.mustRead(func(c *call) error {
		can, cannot, err := c.balanceNow(id)
		available, pending = can["eur"], cannot["eur"]
		return err
	})
	return available, pending
}

func (s *Sandbox) accountControls() map[string]func(AccountChange) error {
	return map[string]func(AccountChange) error{
		"complete": func(in AccountChange) error { return s.OnboardAccount(in.Account) },
		"require":  s.RequireOfAccount, "restrict": s.RestrictAccount, "clear": s.ClearAccount, "reject": s.RejectAccount,
		"deauthorize": s.DeauthorizeAccount, "disable_bank": s.DisableBank, "close_border": s.CloseBorder, "delay": s.DelayAccount,
	}
}
