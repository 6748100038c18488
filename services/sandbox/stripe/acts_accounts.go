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

func (s *Sandbox) accountControls() map[string]func(AccountChange) error {
	return map[string]func(AccountChange) error{
		"complete": func(in AccountChange) error { return s.OnboardAccount(in.Account) },
		"require":  s.RequireOfAccount, "restrict": s.RestrictAccount, "clear": s.ClearAccount, "reject": s.RejectAccount,
		"deauthorize": s.DeauthorizeAccount,
	}
}
