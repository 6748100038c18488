package audit

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// SettlementNames are the checks of settlement runs.
func SettlementNames() (names []string) {
	for _, c := range settlementChecks {
		names = append(names, c.name)
	}
	return names
}

// SentAtANames are the checks of what runs have sent at provider A.
func SentAtANames() (names []string) {
	for _, c := range sentAtAChecks {
		names = append(names, c.name)
	}
	return names
}

// Querier is exported for tests, which run the checks inside a transaction that they roll back.
type Querier = querier

// RunOn runs all checks on two databases as the given transactions see them.
var RunOn = run

// FindsAnything tells whether the audit names anything in two databases of which one was spoilt. It stops at the first finding and
// leaves out the checks of the other database alone.
func FindsAnything(ctx context.Context, s Sources, content, payments querier, isContent bool) (bool, error) {
	var report Report
	db, checks := payments, paymentsAlone()
	if isContent {
		db, checks = content, contentAlone()
	}
	if err := report.askUntil(ctx, db, checks, s.Now()); err != nil || len(report.Findings) > 0 {
		return true, err
	}
	snap, err := read(ctx, content, payments, s.Now())
	if err != nil {
		return true, err
	}
	if err := snap.readProvider(ctx, s); err != nil {
		return true, err
	}
	report.compare(snap, slices.Concat(betweenServices(), withProvider(), soleChecks))
	return len(report.Findings) > 0, nil
}

// Named runs one check alone, with what it reads, and gives what it finds.
func Named(ctx context.Context, s Sources, content, payments querier, name string) ([]Finding, error) {
	var report Report
	for db, checks := range map[querier][]query{payments: paymentsAlone(), content: contentAlone()} {
		if at := slices.IndexFunc(checks, func(c query) bool { return c.name == name }); at >= 0 {
			err := report.ask(ctx, db, checks[at], moments(s.Now()))
			return report.Findings, err
		}
	}
	snap, err := read(ctx, content, payments, s.Now())
	if err != nil {
		return nil, err
	}
	is := func(c comparison) bool { return c.name == name }
	for _, of := range []struct {
		checks []comparison
		read   func() error
	}{
		{betweenServices(), func() error { return nil }},
		{mangopayChecks, func() error { return snap.readMangopay(ctx, s.Mangopay, s.Shared) }},
		{slices.Concat(withProvider(), soleChecks), func() error { return snap.readProvider(ctx, s) }},
	} {
		if at := slices.IndexFunc(of.checks, is); at >= 0 {
			if err := of.read(); err != nil {
				return nil, err
			}
			report.compare(snap, of.checks[at:at+1])
			return report.Findings, nil
		}
	}
	return nil, fmt.Errorf("no check is %q", name)
}

// MangopayNames are those of the checks with provider B.
func MangopayNames() (names []string) {
	for _, c := range mangopayChecks {
		names = append(names, c.name)
	}
	return names
}

func (r *Report) askUntil(ctx context.Context, db querier, checks []query, now time.Time) error {
	for _, c := range checks {
		if err := r.ask(ctx, db, c, moments(now)); err != nil || len(r.Findings) > 0 {
			return err
		}
	}
	return nil
}

// Names are those of all checks, in their order.
func Names() (names []string) {
	for _, c := range slices.Concat(paymentsAlone(), contentAlone()) {
		names = append(names, c.name)
	}
	for _, c := range slices.Concat(betweenServices(), withProvider(), soleChecks) {
		names = append(names, c.name)
	}
	return names
}
