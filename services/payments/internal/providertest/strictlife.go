package providertest

import (
	"context"
	"fmt"
	"net/url"
	"strings"

	"talkoot.fi/kit/money"
	"talkoot.fi/payments/internal/provider"
)

// ReadHook reads a hook: type and object in the query, nothing else. Whoever sends it, the object is looked at.
func (s *Strict) ReadHook(d provider.Delivery) (provider.Hook, error) {
	kind, object := d.Query.Get("EventType"), d.Query.Get("RessourceId")
	if kind == "" || object == "" {
		return provider.Hook{}, provider.ErrHook
	}
	if strings.HasPrefix(kind, "CARD_") {
		return provider.Hook{Key: kind + ":" + object, Type: kind, About: provider.AboutInstrument, Object: object}, nil
	}
	h := provider.Hook{Key: kind + ":" + object, Type: kind, About: provider.AboutPayment, Object: object, Money: object}
	if kind == "PAYIN_REFUND_SUCCEEDED" || kind == "PAYIN_REFUND_FAILED" {
		h.About, h.Money = provider.AboutRefund, ""
	}
	return h, nil
}

// MoneyOf reads a refund.
func (s *Strict) MoneyOf(_ context.Context, _ provider.About, object string) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.refunds {
		if r.ID == object {
			return r.Payment, nil
		}
	}
	return "", provider.ErrNotFound
}

func (s *Strict) hook(kind, id string) {
	s.hooks = append(s.hooks, url.Values{"EventType": {kind}, "RessourceId": {id}})
}

func (s *Strict) line(l provider.Line) {
	l.Ref, l.Happened = fmt.Sprintf("line_%d", len(s.lines)+1), s.Now()
	if l.Fee.Currency == "" {
		l.Fee = money.New(0, l.Amount.Currency)
	}
	s.lines = append(s.lines, l)
}

// Pay is the backer's act.
func (s *Strict) Pay(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pay(s.find(id))
}

func (s *Strict) pay(p *Payment) {
	p.Status, p.Paid, p.Declined = "SUCCEEDED", s.Now(), provider.RemedyNone
	s.line(provider.Line{Kind: provider.LineCharge, Place: p.Wallet, Source: p.ID, Money: p.ID, Tag: p.Tag, Amount: p.Amount,
		Fee: money.New(Fee, p.Amount.Currency)})
	s.hook("PAYIN_NORMAL_SUCCEEDED", p.ID)
}

// Decline is the backer's bank's act; it is final for this payment.
func (s *Strict) Decline(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.find(id).Status = "FAILED"
	s.hook("PAYIN_NORMAL_FAILED", id)
}

// FailRefund has a refund come back.
func (s *Strict) FailRefund(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.refunds {
		if r.ID == id {
			now := s.Now()
			r.Status, r.Returned = "FAILED", &now
			s.line(provider.Line{Kind: provider.LineRefundFailed, Place: s.find(r.Payment).Wallet, Source: id, Money: r.Payment, Amount: r.Amount})
			s.hook("PAYIN_REFUND_FAILED", id)
		}
	}
}

// Settle takes the refunds that waited for the balance.
func (s *Strict) Settle() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.Short = false
	for _, r := range s.refunds {
		if !r.Taken {
			s.takeRefund(r)
		}
	}
}

// Hooks gives what the provider would deliver now, each once.
func (s *Strict) Hooks() []url.Values {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := s.hooks
	s.hooks = nil
	return out
}

// Payments counts what was made.
func (s *Strict) Payments() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.payments)
}

// Newest is the id of the payment that was made last; "" without any.
func (s *Strict) Newest() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.payments) == 0 {
		return ""
	}
	return s.payments[len(s.payments)-1].ID
}
