//go:build unix

package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/jackc/pgx/v5"
)

// control lets a journey do what no user can: have a campaign's first day, or the day of a monthly charge, come at once, be
// staff of its own, so that no two journeys share an account's codes, and operate.
// It listens on a port of its own and moves rows, so that the services need no such call, and no clock but the real one.
type control struct {
	contentDB, paymentsDB string
	// operate runs one of the payment service's commands, as operators do on its host.
	operate func(ctx context.Context, args ...string) error
	server  *http.Server
	URL     string
}

// serveControl serves the control on a random port of loopback, until Close.
func serveControl(ctx context.Context, contentDB, paymentsDB string, operate func(context.Context, ...string) error) (*control, error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("listen for the journeys: %w", err)
	}
	c := &control{contentDB: contentDB, paymentsDB: paymentsDB, operate: operate, URL: "http://" + listener.Addr().String()}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /campaigns/{id}/first-day", c.moveFirstDay)
	mux.HandleFunc("POST /campaigns/{id}/approve", c.approve)
	mux.HandleFunc("POST /campaigns/{id}/last-day", c.moveLastDay)
	mux.HandleFunc("POST /subscriptions/{id}/next-month", c.moveToNextMonth)
	mux.HandleFunc("POST /people/{id}/staff", c.makeStaff)
	mux.HandleFunc("POST /providers/mangopay/off", c.flip("-off"))
	mux.HandleFunc("POST /providers/mangopay/on", c.flip("-on"))
	mux.HandleFunc("POST /campaigns/{id}/account-a", c.linkToA)
	mux.HandleFunc("DELETE /campaigns/{id}/account-a", c.unlinkFromA)
	mux.HandleFunc("POST /pledges/{id}/left", c.leave)
	mux.HandleFunc("POST /people/{id}/operator/{name}", c.appoint)
	mux.HandleFunc("POST /campaigns/{id}/account-b", c.linkToB)
	mux.HandleFunc("POST /campaigns/{id}/ended", c.end)
	mux.HandleFunc("POST /pledges/{id}/anomaly", c.plantAnomaly)
	c.server = &http.Server{Handler: mux, ReadHeaderTimeout: time.Second}
	go func() { _ = c.server.Serve(listener) }() // ends with Close
	return c, nil
}

func (c *control) Close() error { return c.server.Close() }

// moveFirstDay makes the first day of an approved campaign the day before yesterday, so that the worker opens it.
func (c *control) moveFirstDay(w http.ResponseWriter, r *http.Request) {
	answer(w, change(r, c.contentDB, `
		UPDATE campaigns SET first_day = ((now() - interval '2 days') AT TIME ZONE 'Europe/Helsinki')::date, funding_start = now() - interval '2 days' WHERE id = $1 AND stage = 1`,
		"no approved campaign has this id"))
}

// approve lets a draft open without a review, which has journeys of its own.
func (c *control) approve(w http.ResponseWriter, r *http.Request) {
	answer(w, change(r, c.contentDB, `UPDATE campaigns SET stage = 1, review = 'approved' WHERE id = $1 AND stage = 0`, "no draft has this id"))
}

// moveLastDay makes the last day of an open campaign the day before yesterday, and its goal what it has, so that the worker ends it well.
func (c *control) moveLastDay(w http.ResponseWriter, r *http.Request) {
	answer(w, change(r, c.contentDB, `
		UPDATE campaigns SET first_day = today - 9, last_day = today - 2, min_goal_minor = 1, target_goal_minor = 2,
			funding_start = CAST(today - 9 AS timestamp) AT TIME ZONE zone, funding_deadline = CAST(today - 1 AS timestamp) AT TIME ZONE zone - interval '1 microsecond'
		FROM (SELECT zone, CAST(now() AT TIME ZONE zone AS date) AS today FROM (VALUES ('Europe/Helsinki')) v (zone)) days WHERE id = $1 AND stage = 2`,
		"no open campaign has this id"))
}

// moveToNextMonth puts the days of a subscription back so far that its next month began yesterday, as if the time between
// had passed: the worker charges it. Its days are reckoned from the anchor, and PostgreSQL adds months as the service does.
func (c *control) moveToNextMonth(w http.ResponseWriter, r *http.Request) {
	answer(w, change(r, c.paymentsDB, `
		WITH moved AS (
			UPDATE subscriptions SET step_at = now(),
				anchor_day = (now() AT TIME ZONE 'Europe/Helsinki')::date - 1 - make_interval(months => next_period - 1)
			WHERE id = $1 AND status = 'active' AND ends_on IS NULL
				AND NOT EXISTS (SELECT FROM subscription_periods WHERE subscription_id = $1 AND status = 'open')
			RETURNING id, anchor_day
		), days AS (
			UPDATE subscription_periods p SET day = anchor_day + make_interval(months => period - 1) FROM moved WHERE subscription_id = id
			RETURNING payment_id, day
		), payments_moved AS (
			UPDATE payments SET period_day = day, paid_on = day FROM days WHERE id = payment_id
		)
		SELECT FROM moved`,
		"no subscription with this id waits for its next month"))
}

// makeStaff gives an account all rights, which its sessions have as if they had begun with a second step.
func (c *control) makeStaff(w http.ResponseWriter, r *http.Request) {
	answer(w, change(r, c.contentDB, `
		WITH shown AS (UPDATE sessions SET second_step_at = now() WHERE user_id = $1)
		UPDATE users SET scope = '{view,edit,admin}', verified = true WHERE id = $1`,
		"nobody has this id"))
}

// flip switches provider B off or on by the operator's command.
func (c *control) flip(how string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		answer(w, c.operate(r.Context(), "switch", "-provider", "mangopay", how, "-note", "a journey"))
	}
}

// linkToA has a campaign be paid by provider A as well; no creator can make an account there yet.
func (c *control) linkToA(w http.ResponseWriter, r *http.Request) {
	answer(w, change(r, c.paymentsDB, `
		UPDATE campaign_accounts SET account_ref = 'acct_journey' WHERE campaign_id = $1 AND provider = 'stripe' AND account_ref = ''`,
		"it is paid by no other, or by this one, too"))
}

func (c *control) unlinkFromA(w http.ResponseWriter, r *http.Request) {
	answer(w, change(r, c.paymentsDB, `
		UPDATE campaign_accounts SET account_ref = '' WHERE campaign_id = $1 AND provider = 'stripe' AND account_ref = 'acct_journey'`,
		"it is not"))
}

// leave puts back by three minutes that a pledge's backer left, and that the provider of its payment was switched off.
func (c *control) leave(w http.ResponseWriter, r *http.Request) {
	answer(w, change(r, c.paymentsDB, `
		WITH left_payment AS (
			UPDATE payments SET updated_at = now() - interval '3 minutes'
			WHERE subject_kind = 'pledge' AND subject_id = $1 AND status = 'created' RETURNING provider
		)
		INSERT INTO provider_switches (provider, is_on, reason, actor, at)
		SELECT provider, false, 'a journey', 'a journey', now() - interval '3 minutes' FROM left_payment`,
		"no payment of a pledge with this id waits"))
}

// appoint has an account act at the operators' desk, by the operator's command.
func (c *control) appoint(w http.ResponseWriter, r *http.Request) {
	answer(w, c.operate(r.Context(), "operator", "-user", r.PathValue("id"), "-name", r.PathValue("name"), "-on", "-note", "a journey"))
}

// linkToB has a campaign be paid by provider B, with the account of the one creator who has one there.
func (c *control) linkToB(w http.ResponseWriter, r *http.Request) {
	answer(w, change(r, c.paymentsDB, `
		INSERT INTO campaign_accounts (campaign_id, provider, account_ref, number)
		SELECT $1, provider, account_ref, 1 FROM campaign_accounts WHERE provider = 'mangopay' AND account_ref <> '' LIMIT 1`,
		"no campaign is paid by provider B"))
}

// end says that a campaign has ended well, as the content service says it an hour after the last second.
func (c *control) end(w http.ResponseWriter, r *http.Request) {
	answer(w, change(r, c.paymentsDB, `
		INSERT INTO campaign_endings (campaign_id, outcome, goes_to, ended_at, accepted, accepted_minor, currency, told_at)
		VALUES ($1, 'reached', 'creator', now(), 1000, 100000000, 'EUR', now())`,
		"it has ended before"))
}

// plantAnomaly has a pledge's payment look as if it did not end.
func (c *control) plantAnomaly(w http.ResponseWriter, r *http.Request) {
	answer(w, change(r, c.paymentsDB, `
		INSERT INTO anomalies (kind, reference, provider, payment_id, detail, found_at, seen_at)
		SELECT 'payment_stuck', id, provider, id, '{"why": "a journey"}', now(), now() FROM payments WHERE subject_kind = 'pledge' AND subject_id = $1`,
		"no payment of a pledge with this id is there"))
}

// change runs a statement about the id in the address, and expects that it finds one row.
func change(r *http.Request, database, statement, otherwise string) (err error) {
	db, err := pgx.Connect(r.Context(), database)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close(context.WithoutCancel(r.Context()))) }()
	done, err := db.Exec(r.Context(), statement, r.PathValue("id"))
	if err == nil && done.RowsAffected() != 1 {
		err = errors.New(otherwise)
	}
	return err
}

func answer(w http.ResponseWriter, err error) {
	if err != nil {
		http.Error(w, err.Error(), http.StatusConflict)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}
