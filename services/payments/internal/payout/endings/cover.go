package endings

import (
	"context"
	"errors"
	"fmt"

	"talkoot.fi/kit/money"
	"talkoot.fi/payments/internal/book/ledger"
	"talkoot.fi/payments/internal/provider"
	"talkoot.fi/payments/internal/watching/anomalies"
)

// Provider is what is asked of a payment provider here.
type Provider interface {
	Name() string
	// Balance is what is in a place of our balance, whose only one is "".
	Balance(ctx context.Context, place string) (provider.Held, error)
}

// back is what of a campaign is to go back from one place of our balance.
type back struct {
	Provider, Place string
	Currency        money.Currency
	Minor           int64
}

// coverSQL adds up what is left of a campaign's charges that no bank has, by where it is.
const coverSQL = `SELECT provider, place, currency, sum(funds)::bigint AS minor FROM (
		SELECT t.provider, t.currency, coalesce(-sum(e.amount_minor) FILTER (WHERE l.class = 'backer_funds'), 0) AS funds,
			coalesce(max(split_part(l.name, ':', 3)) FILTER (WHERE t.kind = 'charge' AND l.class = 'provider_clearing'), '') AS place
		FROM payments p JOIN attempts a ON a.id = p.paid_attempt_id
		JOIN ledger_transactions t ON t.provider = a.provider AND t.charge_ref = a.charge_ref AND t.charge_ref <> ''
		JOIN ledger_entries e ON e.transaction_id = t.id JOIN ledger_accounts l ON l.id = e.account_id
		WHERE p.campaign_id = ? AND p.subject_kind = 'pledge' GROUP BY t.provider, t.currency, t.charge_ref) c
	WHERE funds > 0 GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`

// isCovered reports whether there is enough at the providers for all that a run is to give back, and calls a person where there is not: refunds that were begun
// without would be paid with others' money, or lie with the provider. What is pending there counts, since it arrives by itself.
func (s *Service) isCovered(ctx context.Context, r run) (is bool, err error) {
	var list []back
	if err := s.db.WithContext(ctx).Raw(coverSQL, r.CampaignID).Scan(&list).Error; err != nil {
		return false, fmt.Errorf("add up what goes back of campaign %d: %w", r.CampaignID, err)
	}
	is = true
	for _, b := range list {
		missing, there, err := s.missing(ctx, b)
		if err != nil {
			return false, err
		}
		reference := fmt.Sprintf("%d:%s", r.CampaignID, b.Place)
		if missing <= 0 {
			if err := anomalies.Mend(ctx, s.db, anomalies.RefundsUncovered, b.Provider, reference, "it is covered", s.now()); err != nil {
				return false, err
			}
			continue
		}
		is = false
		_, err = anomalies.Open(ctx, s.db, anomalies.Anomaly{Kind: anomalies.RefundsUncovered, Provider: b.Provider, Reference: reference, Detail: map[string]string{
			"campaign": fmt.Sprint(r.CampaignID), "place": b.Place, "to_give_back": money.New(b.Minor, b.Currency).String(), "there": there.String(),
			"missing": money.New(missing, b.Currency).String()}}, s.now())
		if err != nil {
			return false, err
		}
	}
	return is, nil
}

// missing is how much a place lacks for what is to go back from it, besides what is promised to other backers from the same place already. A provider that does
// not say what is there is no reason to wait.
func (s *Service) missing(ctx context.Context, b back) (minor int64, there money.Amount, err error) {
	p := s.providers[b.Provider]
	if p == nil {
		return 0, there, nil
	}
	at, promised := b.Place, money.Amount{}
	if at == ledger.MainPlace { // all campaigns share it
		at = ""
		if promised, err = ledger.Balance(ctx, s.db, string(ledger.Owed)+":"+b.Provider, b.Currency); err != nil {
			return 0, there, err //nolint:wrapcheck // it says all
		}
	}
	held, err := p.Balance(ctx, at)
	switch {
	case errors.Is(err, provider.ErrRefused), errors.Is(err, provider.ErrNotFound):
		return 0, there, nil
	case err != nil:
		return 0, there, err //nolint:wrapcheck // the provider's say all
	}
	return b.Minor - promised.Minor - held.All.Minor, held.All, nil
}

// begin reports whether a run may give back, once it is covered; else it looks again later. A run is asked once: what it has begun it ends.
func (s *Service) begin(ctx context.Context, r run) (bool, error) {
	is, err := s.isCovered(ctx, r)
	if err != nil {
		return false, err
	}
	query, at := `UPDATE refund_runs SET covered_at = ? WHERE campaign_id = ? AND covered_at IS NULL`, s.now()
	if !is {
		query, at = `UPDATE refund_runs SET next_at = ? WHERE campaign_id = ? AND covered_at IS NULL`, at.Add(pause)
	}
	if err := s.db.WithContext(ctx).Exec(query, at, r.CampaignID).Error; err != nil {
		return false, fmt.Errorf("note whether the refunds of campaign %d are covered: %w", r.CampaignID, err)
	}
	return is, nil
}
