// Package audit compares what both services' databases and the provider say about money: amounts, accounts, fees,
// currencies and ages.
//
// It is read-only and knows the tables of both services, which no service may; that is why it lives with the scripts.
// It shares no code with them either: what each movement must post (rules.go) and which status a payment must have are
// restated here, so that an error in the services is not repeated. Each check has a name and lists faults; it passes
// if the list is empty. Each database is read in one snapshot; of a platform at rest the two snapshots show the same
// state.
//
// It is meant for a platform at rest, and strict: what the platform has to carry on by itself (a webhook, an event, a
// mail, a refund to be sent) is a finding while it is pending. What waits for others (a backer before the payment
// page, a bank) is one only after a deadline; ages.go has them.
package audit

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Sources are what is audited.
type Sources struct {
	ContentURL  string // of the content service's database
	PaymentsURL string // of the payment service's database
	// Content and Payments are pools on them, for who audits often: most of an audit's cost is reading the checks in a session
	// that has not seen them. Without one the audit has a session of its own.
	Content, Payments *pgxpool.Pool
	// Provider is the base address of the provider's API and Key its secret key; without an address its checks are left
	// out.
	Provider, Key string
	// Mangopay is how provider B is reached; without its address its checks are left out.
	Mangopay Mangopay
	// Transport carries the calls to the provider; nil is Go's own.
	Transport http.RoundTripper
	// Shared says that other systems take money through the same account at provider A. Their charges are counted, not
	// reported; a double charge of ours without our metadata cannot be told from them.
	Shared bool
	// Now is the clock that ages go by; nil is time.Now.
	Now func() time.Time
}

// Finding is one fault: the name of the check that found it, and what it found.
type Finding struct {
	Check  string
	Detail string
}

// Report is what an audit found, and how many checks, pledges and payments it covered.
type Report struct {
	Checks   int
	Pledges  int
	Payments int
	// Foreign counts the charges at the provider that are another system's.
	Foreign  int
	Findings []Finding
}

// Err is nil when nothing was found.
func (r Report) Err() error {
	if len(r.Findings) == 0 {
		return nil
	}
	lines := make([]string, 0, len(r.Findings))
	for _, f := range r.Findings {
		lines = append(lines, f.Check+": "+f.Detail)
	}
	return fmt.Errorf("the audit found %d faults:\n  %s", len(r.Findings), strings.Join(lines, "\n  "))
}

// Run runs all checks. Faults are in the report; an error means that the audit could not be made.
func Run(ctx context.Context, s Sources) (report Report, err error) {
	content, closeContent, err := open(ctx, s.ContentURL, s.Content)
	if err != nil {
		return report, fmt.Errorf("open the content database: %w", err)
	}
	defer func() { err = errors.Join(err, closeContent()) }()
	payments, closePayments, err := open(ctx, s.PaymentsURL, s.Payments)
	if err != nil {
		return report, fmt.Errorf("open the payments database: %w", err)
	}
	defer func() { err = errors.Join(err, closePayments()) }()
	return run(ctx, s, content, payments)
}

// open begins a read-only transaction in which all queries see the same snapshot of a database.
func open(ctx context.Context, url string, pool *pgxpool.Pool) (querier, func() error, error) {
	conn, end, err := connect(ctx, url, pool)
	if err != nil {
		return nil, nil, err
	}
	tx, err := conn.BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly})
	if err != nil {
		return nil, nil, errors.Join(err, end())
	}
	return tx, end, nil
}

// connect takes a session from the pool, or begins one. Its transaction ends with end.
func connect(ctx context.Context, url string, pool *pgxpool.Pool) (conn *pgx.Conn, end func() error, err error) {
	if pool != nil {
		pooled, err := pool.Acquire(ctx)
		if err != nil {
			return nil, nil, err
		}
		return pooled.Conn(), func() error {
			_, err := pooled.Exec(context.WithoutCancel(ctx), "ROLLBACK")
			pooled.Release()
			return err
		}, nil
	}
	if conn, err = pgx.Connect(ctx, url); err != nil {
		return nil, nil, err
	}
	return conn, func() error { return conn.Close(context.WithoutCancel(ctx)) }, nil
}

// querier is a snapshot of a database.
type querier interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
}

// query is a check of one database. Its rows are faults, one text each; its arguments are those of moments.
type query struct{ name, sql string }

// comparison is a check across sources, of what was read from them.
type comparison struct {
	name string
	find func(s *snapshot, found func(format string, args ...any))
}

// paymentsAlone are the checks of the payment service's database, contentAlone those of the content service's.
func paymentsAlone() []query {
	return slices.Concat(ledgerChecks, dayChecks, paymentChecks, refundChecks, disputeChecks, warningChecks, workChecks, peopleChecks, monthChecks, paymentTimes, chargeHoldChecks, payeeChecks,
		keptChecks, refundRunChecks, settlementChecks)
}

func contentAlone() []query {
	return slices.Concat(pledgeChecks, raiseChecks, subscriptionChecks, receiptChecks, toldChecks, orderTimes, campaignChecks, holdChecks, endingChecks, withdrawalChecks, claimChecks, addressChecks, reminderChecks,
		accountReminderChecks)
}

// betweenServices are the checks of the two databases together, withProvider those of the provider's lists too.
func betweenServices() []comparison {
	return slices.Concat(serviceChecks, supportChecks, ownerChecks, limitChecks, copyChecks, payeeComparisons, endingComparisons, claimComparisons)
}

func withProvider() []comparison {
	return slices.Concat(providerChecks, payerChecks, payeesAtAChecks, sentAtAChecks)
}

// run runs all checks on one snapshot of each database.
func run(ctx context.Context, s Sources, content, payments querier) (report Report, err error) {
	if s.Now == nil {
		s.Now = time.Now
	}
	now := s.Now()
	for _, c := range paymentsAlone() {
		if err := report.ask(ctx, payments, c, moments(now)); err != nil {
			return report, err
		}
	}
	for _, c := range contentAlone() {
		if err := report.ask(ctx, content, c, moments(now)); err != nil {
			return report, err
		}
	}
	snap, err := read(ctx, content, payments, now)
	if err != nil {
		return report, err
	}
	report.Pledges, report.Payments = len(snap.pledges), len(snap.payments)
	report.compare(snap, betweenServices())
	if s.Mangopay.URL != "" {
		if err := snap.readMangopay(ctx, s.Mangopay, s.Mangopay.Shared); err != nil {
			return report, fmt.Errorf("read Mangopay's records: %w", err)
		}
		report.compare(snap, mangopayChecks)
	}
	if s.Provider == "" {
		return report, nil
	}
	if err := snap.readProvider(ctx, s); err != nil {
		return report, err
	}
	report.compare(snap, withProvider())
	if s.Shared {
		report.Foreign = len(snap.foreign)
	} else {
		report.compare(snap, soleChecks)
	}
	return report, nil
}

func (r *Report) ask(ctx context.Context, db querier, c query, args pgx.NamedArgs) error {
	rows, err := db.Query(ctx, c.sql, args)
	if err != nil {
		return fmt.Errorf("%s: %w", c.name, err)
	}
	details, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return fmt.Errorf("%s: %w", c.name, err)
	}
	r.Checks++
	for _, d := range details {
		r.Findings = append(r.Findings, Finding{c.name, d})
	}
	return nil
}

func (r *Report) compare(s *snapshot, checks []comparison) {
	for _, c := range checks {
		r.Checks++
		c.find(s, func(format string, args ...any) {
			r.Findings = append(r.Findings, Finding{c.name, fmt.Sprintf(format, args...)})
		})
	}
}
