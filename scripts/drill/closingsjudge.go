//go:build unix

package main

import (
	"context"
	"errors"
	"fmt"

	"talkoot.fi/scripts/harness"
)

// settledSums is what the platform says of a campaign's money, in minor units.
type settledSums struct {
	runs, lines, charges            int64 // lines that are booked, and how many charges they are of
	gross, fee, reserve, net, debts int64
	paidOut, payouts                int64
}

const settledSQL = `SELECT count(DISTINCT r.id), count(l.charge_ref), count(DISTINCT l.charge_ref), coalesce(sum(l.gross_minor), 0), coalesce(sum(l.fee_minor), 0),
		coalesce(sum(l.reserve_minor), 0), coalesce(sum(l.net_minor), 0), (SELECT coalesce(sum(offset_minor), 0) FROM settlement_runs WHERE campaign_id = $1),
		(SELECT coalesce(sum(m.amount_minor), 0) FROM settlement_moves m JOIN settlement_runs s ON s.id = m.run_id WHERE s.campaign_id = $1 AND m.kind = 'payout' AND m.state = 'done'),
		(SELECT count(*) FROM settlement_moves m JOIN settlement_runs s ON s.id = m.run_id WHERE s.campaign_id = $1 AND m.kind = 'payout' AND m.state = 'done')
	FROM settlement_runs r LEFT JOIN settlement_lines l ON l.run_id = r.id AND l.version = r.version AND l.booked_at IS NOT NULL
	WHERE r.campaign_id = $1 AND r.state <> 'void'`

// judgeClosings compares, campaign by campaign, what came in with what went out and what is kept, here and at the provider that has paid it.
func (l *load) judgeClosings(ctx context.Context, list []closing) error {
	money, err := l.harness.MoneyOfPledges(ctx, l.began)
	if err != nil {
		return err
	}
	var faults []error
	for _, c := range list {
		ids, err := l.pledgesOf(ctx, c.ID)
		if err != nil {
			return err
		}
		var in harness.Money
		for _, id := range ids {
			in.Charges, in.Charged, in.Returned = in.Charges+money[id].Charges, in.Charged+money[id].Charged, in.Returned+money[id].Returned
		}
		if len(ids) != c.pledges || in.Charges != c.pledges {
			faults = append(faults, fmt.Errorf("campaign %d: %d pledges and %d charges of %d", c.ID, len(ids), in.Charges, c.pledges))
		}
		if c.isReached {
			faults = append(faults, l.judgePaidOut(ctx, c, in))
			continue
		}
		if in.Charged != in.Returned {
			faults = append(faults, fmt.Errorf("campaign %d: %d of %d went back", c.ID, in.Returned, in.Charged))
		}
		faults = append(faults, l.judgeBack(ctx, c.ID, c.pledges))
	}
	return errors.Join(faults...)
}

// judgePaidOut wants each charge of a campaign settled once, and its creator paid once at the provider: all that came in, less fee and
// what is kept back.
func (l *load) judgePaidOut(ctx context.Context, c closing, in harness.Money) error {
	var s settledSums
	err := l.harness.Payments.QueryRow(ctx, settledSQL, c.ID).Scan(&s.runs, &s.lines, &s.charges, &s.gross, &s.fee, &s.reserve, &s.net, &s.debts, &s.paidOut, &s.payouts)
	if err != nil {
		return fmt.Errorf("read what campaign %d was paid: %w", c.ID, err)
	}
	paid := l.harness.PaidOutA
	if c.isAtB {
		paid = l.harness.PaidOutB
	}
	arrived, number, err := paid(ctx, c.payee)
	if err != nil {
		return err
	}
	wanted := settledSums{runs: 1, lines: int64(c.pledges), charges: int64(c.pledges), gross: in.Charged, fee: s.fee, reserve: s.reserve,
		net: in.Charged - s.fee - s.reserve, paidOut: in.Charged - s.fee - s.reserve, payouts: 1}
	switch {
	case s != wanted || in.Returned != 0:
		return fmt.Errorf("campaign %d: %+v came in; settled %+v, wanted %+v", c.ID, in, s, wanted)
	case s.fee*20 != in.Charged || s.reserve*20 != in.Charged:
		return fmt.Errorf("campaign %d: a fee of %d and %d kept back of %d, and not 5 %% each", c.ID, s.fee, s.reserve, in.Charged)
	case arrived != s.paidOut || number != 1:
		return fmt.Errorf("campaign %d: %d payouts of %d in all have arrived, and not one of %d", c.ID, number, arrived, s.paidOut)
	}
	return nil
}

func (l *load) pledgesOf(ctx context.Context, campaign int64) ([]string, error) {
	return queried[string](ctx, l.harness.Content, `SELECT id FROM pledges WHERE campaign_id = $1`, campaign)
}
