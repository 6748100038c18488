package providertest

import (
	"context"
	"time"

	"talkoot.fi/payments/internal/provider"
)

// Declines is that of a payment which takes one card: others tell of none.
func (s *Strict) Declines(_ context.Context, payment string) (out []provider.Decline, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if p := s.find(payment); p != nil && p.Status == "FAILED" && p.Card != "" {
		out = append(out, provider.Decline{Ref: s.snapshot(p).LastDecline, Card: "print_" + p.Card})
	}
	return out, nil
}

// Refunds of a payment.
func (s *Strict) Refunds(_ context.Context, payment string) (out []provider.Refund, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.refunds {
		if r.Payment == payment {
			out = append(out, refundOf(r))
		}
	}
	return out, nil
}

// Disputes there are none.
func (s *Strict) Disputes(context.Context, string) ([]provider.Dispute, error) { return nil, nil }

// EachDispute there is none.
func (s *Strict) EachDispute(context.Context, time.Time, func(provider.Dispute) error) error {
	return nil
}

// EachPayment lists payments.
func (s *Strict) EachPayment(_ context.Context, since time.Time, fn func(provider.Snapshot) error) error {
	s.mu.Lock()
	var list []provider.Snapshot
	for _, p := range s.payments {
		if !p.Created.Before(since) {
			list = append(list, s.snapshot(p))
		}
	}
	s.mu.Unlock()
	return each(list, fn)
}

// EachRefund lists refunds.
func (s *Strict) EachRefund(_ context.Context, since time.Time, fn func(provider.Refund) error) error {
	s.mu.Lock()
	var list []provider.Refund
	for _, r := range s.refunds {
		if !r.Happened.Before(since) {
			list = append(list, refundOf(r))
		}
	}
	s.mu.Unlock()
	return each(list, fn)
}

// EachLine lists what moved the balance.
func (s *Strict) EachLine(_ context.Context, from, to time.Time, fn func(provider.Line) error) error {
	s.mu.Lock()
	var list []provider.Line
	for _, l := range s.lines {
		if !l.Happened.Before(from) && l.Happened.Before(to) {
			list = append(list, l)
		}
	}
	s.mu.Unlock()
	return each(list, fn)
}

func each[T any](list []T, fn func(T) error) error {
	for _, one := range list {
		if err := fn(one); err != nil {
			return err
		}
	}
	return nil
}
