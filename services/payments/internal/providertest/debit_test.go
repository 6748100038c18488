package providertest_test

import (
	"errors"
	"testing"
	"time"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/ids"
	"talkoot.fi/payments/internal/charging/payments"
	"talkoot.fi/payments/internal/contentclient"
	"talkoot.fi/payments/internal/provider"
)

var aMandate = payments.Registration{Kind: provider.KindMandate, Account: "bankacc_1"}

// mandate has the payer confirm one on the provider's page, or refuse it, and reads it as the page that they come back to does.
func (c cards) mandate(confirms bool) provider.Setup {
	c.t.Helper()
	_, setup, err := c.service.Register(c.t.Context(), c.subject, "", aMandate)
	if err != nil {
		c.t.Fatal(err)
	}
	if provider.AddressOf(setup.Next) == "" {
		c.t.Fatalf("the payer is to do %#v", setup.Next)
	}
	c.at.Confirm(setup.Ref, confirms)
	seen, err := c.service.Registered(c.t.Context(), c.subject, provider.KindMandate, setup.Ref)
	if err != nil {
		c.t.Fatal(err)
	}
	return seen
}

func (c cards) debit(mandate string) (payments.Payment, provider.Next, error) {
	p, try, err := c.service.Pay(c.t.Context(), c.subject, "", payments.Charge{Kind: provider.KindMandate, Instrument: mandate})
	return p, try.Next, err
}

// A debit is on its way for days, in which nothing else can be paid; then its bank pays it or does not.
func TestDebit_IsOnItsWay_ThenPaidOrNot(t *testing.T) {
	t.Parallel()
	for _, pays := range []bool{true, false} {
		c := newCards(t)
		card := c.register(good)
		m := c.mandate(true).Instrument
		p, next, err := c.debit(m.Ref)
		if err != nil || p.Status != payments.StatusProcessing || next != nil {
			t.Fatalf("is %s, next %v, %v", p.Status, next, err)
		}
		if _, _, err := c.pay(card); !errors.Is(err, payments.ErrNotPayable) {
			t.Errorf("a card meanwhile: %v", err)
		}
		if p, _, err = c.debit(m.Ref); err != nil || p.Status != payments.StatusProcessing {
			t.Errorf("once more: is %s, %v", p.Status, err)
		}
		c.deliver(1)
		if n := len(c.heard); n != 2 || c.heard[1].Type != contentclient.PaymentProcessing {
			t.Errorf("heard %+v", c.heard)
		}
		c.pass(5 * 24 * time.Hour)
		c.deliver(1) // the time to pay is over, and what is on its way stays
		c.want(payments.StatusProcessing, "", m.Ref+" CREATED")
		c.at.Debited("payin_1", pays)
		c.deliver(2)
		if pays {
			c.want(payments.StatusSucceeded, "", m.Ref+" SUCCEEDED")
		} else {
			c.want(payments.StatusFailed, "insufficient_funds", m.Ref+" FAILED")
		}
	}
}

func TestDebit_RefusedOnThePage_NothingIsDebited(t *testing.T) {
	t.Parallel()
	c := newCards(t)
	if m := c.mandate(false); m.State != provider.Ended || m.Instrument != nil || m.FailureCode != "authentication_failed" {
		t.Errorf("%+v", m)
	}
	if _, _, err := c.debit(c.register(good)); !errors.Is(err, apperr.New(apperr.NotFound)) {
		t.Errorf("a card in its place: %v", err)
	}
	theirs := c.mandate(true).Instrument.Ref
	c.subject = payments.Subject{Kind: "pledge", ID: ids.New()}
	c.register(good)
	if _, _, err := c.debit(theirs); !errors.Is(err, apperr.New(apperr.NotFound)) {
		t.Errorf("somebody else's: %v", err)
	}
	c.want(payments.StatusCreated, "")
}
