//go:build unix

package main

import (
	"context"
	"fmt"

	"talkoot.fi/scripts/browser"
	"talkoot.fi/scripts/dataset"
	"talkoot.fi/scripts/harness"
)

// onePays has one person pledge to a campaign and pay by card: by that one where provider A takes it.
func (l *load) onePays(ctx context.Context, campaign dataset.Added, number int64, card browser.Card) (*backer, error) {
	b := &backer{load: l, number: number, campaign: campaign}
	b.Visitor = &browser.Visitor{Site: l.harness.Site, Address: addressOf(number)}
	p, err := b.pledge(ctx, int(number%2))
	if err != nil {
		return b, err
	}
	b.made = p.id
	if b.isAtB() {
		return b, b.payB(ctx, p)
	}
	return b, b.payWith(ctx, p, card)
}

// end has the last days of campaigns be over, which have reached their goals or have missed them.
func (l *load) end(ctx context.Context, isReached bool, campaigns ...int64) error {
	goal := map[bool]int64{true: 1, false: 100_000_000}[isReached]
	if !isReached { // the provider's fees are not given back, and nothing goes back that is not covered
		if err := l.harness.TopUp(ctx, 10_000_00); err != nil {
			return err
		}
	}
	_, err := l.harness.Content.Exec(ctx, `UPDATE campaigns SET first_day = today - 9, last_day = today - 2, min_goal_minor = CAST($2 AS bigint), target_goal_minor = 2 * CAST($2 AS bigint),
			funding_start = CAST(today - 9 AS timestamp) AT TIME ZONE zone, funding_deadline = CAST(today - 1 AS timestamp) AT TIME ZONE zone - interval '1 microsecond'
		FROM (SELECT zone, CAST(now() AT TIME ZONE zone AS date) AS today FROM (VALUES ('Europe/Helsinki')) v (zone)) days WHERE id = ANY ($1)`, campaigns, goal)
	if err != nil {
		return fmt.Errorf("have the last day of campaigns be over: %w", err)
	}
	return nil
}

// allPaid is nil when every pledge that was made is paid.
func (l *load) allPaid(ctx context.Context) error {
	paid, err := harness.Number(ctx, l.harness.Content, `SELECT count(*) FROM pledges WHERE id = ANY ($1) AND status = 'paid'`, l.ids())
	if err == nil && paid != int64(len(l.ids())) {
		err = fmt.Errorf("%d of %d pledges are paid", paid, len(l.ids()))
	}
	return err
}
