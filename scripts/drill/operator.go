//go:build unix

package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"talkoot.fi/scripts/browser"
	"talkoot.fi/scripts/harness"
)

// refundRequest is a refund that a backer asks the operator for.
type refundRequest struct {
	pledge  *observation
	payment string
	minor   int64 // how much
	fails   bool  // the backer's bank will return the refund, once
}

// operate serves refund requests with the operators' commands until there are no more.
func (l *load) operate(ctx context.Context) {
	for e := range l.refundRequests {
		args := []string{"-payment", e.payment, "-key", "drill " + e.pledge.id, "-note", "a drill's backer asks for it"}
		if e.minor < e.pledge.minor {
			args = append(args, "-amount", fmt.Sprintf("%d.%02d", e.minor/100, e.minor%100))
		} else {
			args = append(args, "-all")
		}
		refund, err := l.twice(ctx, "refund", args...)
		if err != nil {
			l.noteEnd(ctx, errors.Join(errWrong, err))
			continue
		}
		e.pledge.refunded = e.minor
		if e.fails {
			l.mu.Lock()
			l.failing = append(l.failing, refund)
			l.mu.Unlock()
		}
	}
}

// twice runs an operator's command, with retries, and then again, as an operator does who did not see its output. It
// returns the refund's id, which must be the same both times.
func (l *load) twice(ctx context.Context, command string, args ...string) (refund string, err error) {
	for range 2 {
		var said string
		err := browser.Retry(ctx, patience, func(ctx context.Context) (err error) {
			said, err = l.harness.Operate(ctx, command, args...)
			return err
		})
		if err != nil {
			return "", err
		}
		words := strings.Fields(said) // refund ID …
		if len(words) < 2 || refund != "" && words[1] != refund {
			return "", fmt.Errorf("payments %s %q is answered %q, for refund %q", command, args, said, refund)
		}
		refund = words[1]
	}
	return refund, nil
}

// failRefunds has banks return refunds, and the operator repeat each once its anomaly is reported.
func (l *load) failRefunds(ctx context.Context) error {
	refs, err := texts(ctx, l.harness, `SELECT provider_ref FROM refunds WHERE id = ANY ($1) AND status = 'succeeded'`, l.failing)
	if err != nil {
		return err
	}
	if len(refs) != len(l.failing) {
		return fmt.Errorf("%d refunds of %d have succeeded", len(refs), len(l.failing))
	}
	for _, ref := range refs {
		if err := l.harness.FailRefund(ctx, ref); err != nil {
			return err
		}
	}
	err = until(ctx, func(ctx context.Context) error {
		called, err := texts(ctx, l.harness, `SELECT reference FROM anomalies WHERE kind = 'refund_failed' AND resolved_at IS NULL AND reference = ANY ($1)`, l.failing)
		if err == nil && len(called) < len(l.failing) {
			err = fmt.Errorf("%d of %d refunds that failed have an anomaly", len(called), len(l.failing))
		}
		return err
	})
	for _, refund := range l.failing {
		if err != nil {
			return err
		}
		_, err = l.twice(ctx, "refund", "-repeat", refund, "-note", "the bank takes it now")
	}
	return err
}

// decideDisputes waits until the expected disputes are known, and has the banks decide most of them.
func (l *load) decideDisputes(ctx context.Context) error {
	for _, p := range l.pledges {
		if !p.disputes || !p.taken {
			continue
		}
		var dispute []string
		err := until(ctx, func(ctx context.Context) (err error) {
			dispute, err = texts(ctx, l.harness, `SELECT d.provider_ref FROM disputes d JOIN payments p ON p.id = d.payment_id WHERE p.subject_id = ANY ($1)`, []string{p.id})
			if err == nil && len(dispute) != 1 {
				err = fmt.Errorf("pledge %s has %d disputes", p.id, len(dispute))
			}
			return err
		})
		if err != nil {
			return err
		}
		p.decision = []string{"won", "lost", "open"}[l.draw(3)]
		if p.decision == "open" {
			continue
		}
		decide, said := l.harness.Decide, p.decision
		if strings.HasPrefix(dispute[0], "dispute_m_") {
			decide, said = l.harness.DecideB, strings.ToUpper(p.decision)
		}
		if err := decide(ctx, dispute[0], said); err != nil {
			return err
		}
	}
	return nil
}

// until repeats ask until it returns nil, for at most restLimit.
func until(ctx context.Context, ask func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, restLimit)
	defer cancel()
	for {
		err := ask(ctx)
		if err == nil {
			return nil
		}
		if pause(ctx, 100*time.Millisecond) != nil {
			return err
		}
	}
}

// texts queries one column of texts from the payments database; $1 is ids.
func texts(ctx context.Context, r *harness.Harness, sql string, ids []string) ([]string, error) {
	return queried[string](ctx, r.Payments, sql, ids)
}

// queried is one column of a query.
func queried[T any](ctx context.Context, db *pgxpool.Pool, sql string, args ...any) ([]T, error) {
	rows, err := db.Query(ctx, sql, args...)
	if err != nil {
		return nil, fmt.Errorf("look into a database: %w", err)
	}
	return pgx.CollectRows(rows, pgx.RowTo[T])
}
