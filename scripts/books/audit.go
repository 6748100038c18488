// Package books audits the platform: it asks both services' databases and the provider whether they tell the same story about money.
//
// It is read-only and knows the tables of both services, which no service may; that is why it lives with the scripts.
// Each check is one question whose only good answer is an empty list. It is meant for a platform at rest: while
// payments are on their way, some answers are merely early.
package books

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
)

// Sources are what is audited.
type Sources struct {
	ContentURL  string // of the content service's database
	PaymentsURL string // of the payment service's database
	// Provider is the base address of the provider's API and Key its secret key; without them its checks are left out.
	Provider, Key string
}

// Finding is one row that should not be there.
type Finding struct {
	Check  string
	Detail string
}

// Report is what an audit found, and what it looked at.
type Report struct {
	Checks   int
	Pledges  int
	Payments int
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

// Run makes all checks. An error means that it could not look, not that it found something.
func Run(ctx context.Context, s Sources) (report Report, err error) {
	content, err := pgx.Connect(ctx, s.ContentURL)
	if err != nil {
		return report, fmt.Errorf("connect to the content database: %w", err)
	}
	defer func() { err = errors.Join(err, content.Close(context.WithoutCancel(ctx))) }()
	payments, err := pgx.Connect(ctx, s.PaymentsURL)
	if err != nil {
		return report, fmt.Errorf("connect to the payments database: %w", err)
	}
	defer func() { err = errors.Join(err, payments.Close(context.WithoutCancel(ctx))) }()

	for _, part := range []struct {
		db     *pgx.Conn
		checks []check
	}{{content, contentChecks}, {payments, paymentChecks}} {
		for _, c := range part.checks {
			if err := report.ask(ctx, part.db, c); err != nil {
				return report, err
			}
		}
	}
	if err := report.compareServices(ctx, content, payments); err != nil {
		return report, err
	}
	if s.Provider == "" {
		return report, nil
	}
	return report, report.compareProvider(ctx, payments, s)
}

// check is a query that lists faults, one text each.
type check struct{ name, sql string }

func (r *Report) ask(ctx context.Context, db *pgx.Conn, c check) error {
	rows, err := db.Query(ctx, c.sql)
	if err != nil {
		return fmt.Errorf("%s: %w", c.name, err)
	}
	details, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return fmt.Errorf("%s: %w", c.name, err)
	}
	r.Checks++
	for _, d := range details {
		r.add(c.name, "%s", d)
	}
	return nil
}

func (r *Report) add(check, format string, args ...any) {
	r.Findings = append(r.Findings, Finding{check, fmt.Sprintf(format, args...)})
}
