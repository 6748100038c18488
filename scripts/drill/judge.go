//go:build unix

package main

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"talkoot.fi/scripts/browser"
	"talkoot.fi/scripts/harness"
)

// observation is what a backer was told about an accepted pledge. One goroutine at a time writes it.
type observation struct {
	id     string
	reward int
	minor  int64 // its sum
	atB    bool  // its campaign is paid through provider B

	taken    bool   // the provider said that the card was charged
	refused  bool   // the bank refused to debit the account
	lost     bool   // the response to a payment was lost, so the backer does not know its outcome
	released bool   // the platform accepted its release
	over     bool   // after that the platform said that its payment is closed
	refunded int64  // what an operator's command refunded, in minor units
	disputes bool   // the backer disputes the charge
	decision string // of the bank: won, lost; open is none yet
}

// noteResponse notes the provider's response to a card.
func (t *observation) noteResponse(status string, err error) {
	t.lost = t.lost || browser.IsTemporary(err)
	t.taken = t.taken || err == nil && status == "succeeded"
}

// ending is a pledge's final status, and what the provider has of its money.
type ending struct {
	status string
	money  harness.Money
}

// tally counts how the pledges of a drill ended.
type tally struct {
	accepted, paid, expired, returned, disputed, soldOut, gaveUp int
	chargedB                                                     int // by provider B
}

func (t *tally) count(status string) {
	t.accepted++
	switch status {
	case "paid":
		t.paid++
	case "expired", "failed":
		t.expired++
	case "refunded", "partly_refunded":
		t.returned++
	case "disputed":
		t.disputed++
	}
}

// fault compares a pledge's end with what its backer was told: nobody is charged without knowing it, more than once,
// or for a released pledge, and refunds have been made. It is nil when both agree.
func (t *observation) fault(e ending) error {
	wrong := func(why string) error {
		return fmt.Errorf("pledge %s is %q with %+v; told: %+v: %s", t.id, e.status, e.money, *t, why)
	}
	switch {
	case e.money.Charges == 0 && t.taken:
		return wrong("the card was charged, it was said")
	case e.money.Charges > 0 && !t.taken && !t.lost:
		return wrong("the card was charged, and nobody said so")
	case e.money.Charges > 0 && t.over:
		return wrong("nobody could pay it any more, it was said")
	}
	status, kept, disputed := "paid", t.minor-t.refunded, int64(0)
	switch {
	case e.money.Charges == 0 && t.refused:
		status, kept = "failed", 0
	case e.money.Charges == 0:
		status, kept = "expired", 0
	case t.released, t.refunded == t.minor:
		status, kept = "refunded", 0
	case t.decision == "lost", t.decision == "open":
		status, kept, disputed = "disputed", 0, t.minor
	case t.refunded > 0:
		status = "partly_refunded"
	}
	if e.status != status {
		return wrong("it should be " + status)
	}
	if e.money.Kept() != kept || e.money.Disputed != disputed {
		return wrong(fmt.Sprintf("%d of its money should be kept, and %d with the bank", kept, disputed))
	}
	return nil
}

// endings reads the present end of every pledge.
func (l *load) endings(ctx context.Context) (map[string]ending, error) {
	money, err := l.harness.MoneyOfPledges(ctx, l.began)
	if err != nil {
		return nil, err
	}
	rows, err := l.harness.Content.Query(ctx, `SELECT id, status FROM pledges WHERE id = ANY ($1)`, l.ids())
	if err != nil {
		return nil, fmt.Errorf("read how pledges stand: %w", err)
	}
	all := map[string]ending{}
	var id, status string
	if _, err := pgx.ForEachRow(rows, []any{&id, &status},
		func() error { all[id] = ending{status, money[id]}; return nil }); err != nil {
		return nil, fmt.Errorf("read how pledges stand: %w", err)
	}
	return all, nil
}

// known is nil when no pledge waits for money that a provider has. Meanwhile banks decide.
func (l *load) known(ctx context.Context) error {
	if err := l.banksB(ctx, true); err != nil {
		return err
	}
	all, err := l.endings(ctx)
	if err != nil {
		return err
	}
	for id, e := range all {
		waits := slices.Contains([]string{"created", "awaiting_payment", "processing", "expired"}, e.status)
		if waits && e.money.Charges > 0 || e.status != "disputed" && e.money.Disputed > 0 {
			return fmt.Errorf("pledge %s is %q with %+v", id, e.status, e.money)
		}
	}
	return nil
}

// judge counts how the pledges ended. Its error has every pledge whose end contradicts what its backer was told.
func (l *load) judge(ctx context.Context) (t tally, err error) {
	all, err := l.endings(ctx)
	if err != nil {
		return t, err
	}
	var faults []error
	for _, p := range l.pledges {
		t.count(all[p.id].status)
		if p.atB && all[p.id].money.Charges > 0 {
			t.chargedB++
		}
		faults = append(faults, p.fault(all[p.id]))
	}
	return t, errors.Join(faults...)
}
