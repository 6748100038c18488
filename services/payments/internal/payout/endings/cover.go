package endings

import (
	"context"
	"errors"
	"fmt"

	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"
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
	Owed            int64 // what refunds that have begun take from there
}

// fundsSQL lists what is left of the charges of some campaigns that no bank has, and where it is.
func fundsSQL(campaigns string) string {
	return `SELECT t.provider, t.currency, coalesce(-sum(e.amount_minor) FILTER (WHERE l.class = 'backer_funds'), 0) AS funds,
		coalesce(-sum(e.amount_minor) FILTER (WHERE l.class = 'owed_to_backers'), 0) AS owed,
		coalesce(max(split_part(l.name, ':', 3)) FILTER (WHERE t.kind = 'charge' AND l.class = 'provider_clearing'), '') AS place
	FROM payments p JOIN attempts a ON a.id = p.paid_attempt_id
	JOIN ledger_transactions t ON t.provider = a.provider AND t.charge_ref = a.charge_ref AND t.charge_ref <> ''
	JOIN ledger_entries e ON e.transaction_id = t.id JOIN ledger_accounts l ON l.id = e.account_id
	WHERE p.campaign_id IN (` + campaigns + `) AND p.subject_kind = 'pledge' GROUP BY t.provider, t.currency, t.charge_ref`
}

// coverSQL adds up what goes back of a campaign, by where it is; 0 where nothing is left.
func coverSQL() string {
	return `SELECT provider, place, currency, sum(greatest(funds, 0))::bigint AS minor, sum(owed)::bigint AS owed FROM (` + fundsSQL("?") + `) c
		GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`
}

// unbegunSQL adds up what runs that are covered have still to begin, of a place of the balance at a provider.
func unbegunSQL() string {
	return `SELECT coalesce(sum(funds), 0)::bigint FROM (` + fundsSQL(`SELECT campaign_id FROM refund_runs WHERE covered_at IS NOT NULL AND done_at IS NULL`) + `) c
		WHERE funds > 0 AND (provider, place, currency) = (@provider, @place, @currency)`
}

// Unbegun is what refunds of campaigns that are covered have still to take from a place of the balance at a provider, and nobody else may.
func Unbegun(ctx context.Context, db *gorm.DB, provider, place string, currency money.Currency) (minor int64, err error) {
	err = db.WithContext(ctx).Raw(unbegunSQL(), map[string]any{"provider": provider, "place": place, "currency": currency}).Scan(&minor).Error
	if err != nil {
		return 0, fmt.Errorf("add up what is to go back from %s: %w", provider, err)
	}
	return minor, nil
}

// promisedSQL adds up what is others' of a balance that all campaigns share: refunds that have begun, what runs that are covered have still to begin, and what is
// settled and still there.
func promisedSQL() string {
	return `SELECT coalesce((SELECT -sum(` + ledger.BalanceSQL + `) FROM ledger_accounts a
		WHERE a.class IN ('owed_to_backers', 'creator_payable', 'reserve') AND split_part(a.name, ':', 2) = @provider AND a.currency = @currency), 0)::bigint
	+ (` + unbegunSQL() + `)`
}

// isCovered reports whether there is enough at the providers for all that a run is to give back, and calls a person where there is not: refunds that were begun
// without would be paid with others' money, or lie with the provider. What is pending there counts, since it arrives by itself.
func (s *Service) isCovered(ctx context.Context, r run) (is bool, err error) {
	var list []back
	if err := s.db.WithContext(ctx).Raw(coverSQL(), r.CampaignID).Scan(&list).Error; err != nil {
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

// missing is how much a place lacks for what is to go back from it, besides what is promised to others from the same place already. A provider that does
// not say what is there is no reason to wait.
func (s *Service) missing(ctx context.Context, b back) (minor int64, there money.Amount, err error) {
	p := s.providers[b.Provider]
	if p == nil || b.Minor == 0 {
		return 0, there, nil
	}
	at, promised := b.Place, b.Owed
	if at == ledger.MainPlace { // all campaigns share it, and what they owe
		at = ""
		err = s.db.WithContext(ctx).Raw(promisedSQL(), map[string]any{"provider": b.Provider, "place": b.Place, "currency": b.Currency}).Scan(&promised).Error
		if err != nil {
			return 0, there, fmt.Errorf("add up what is promised from %s: %w", b.Provider, err)
		}
	}
	held, err := p.Balance(ctx, at)
	switch {
	case errors.Is(err, provider.ErrRefused), errors.Is(err, provider.ErrNotFound):
		return 0, there, nil
	case err != nil:
		return 0, there, err //nolint:wrapcheck // the provider's say all
	}
	return b.Minor + promised - held.All.Minor, held.All, nil
}

// begin reports whether a run may give back, once it is covered; else it looks again later, or at once when another run was covered meanwhile, maybe by the
// same money. A run is asked once: what it has begun it ends.
func (s *Service) begin(ctx context.Context, r run) (is bool, err error) {
	var before int
	if err := s.db.WithContext(ctx).Raw(coveredSQL).Scan(&before).Error; err != nil {
		return false, fmt.Errorf("count what is covered: %w", err)
	}
	isCovered, err := s.isCovered(ctx, r)
	if err != nil {
		return false, err
	}
	err = dbx.InTx(ctx, s.db, func(tx *gorm.DB) error {
		tx = tx.WithContext(ctx)
		is = false
		if !isCovered {
			return tx.Exec(`UPDATE refund_runs SET next_at = ? WHERE campaign_id = ? AND covered_at IS NULL`, s.now().Add(pause), r.CampaignID).Error
		}
		if err := tx.Exec(`SELECT pg_advisory_xact_lock(hashtextextended('refunds covered', 0))`).Error; err != nil {
			return err
		}
		var now int
		if err := tx.Raw(coveredSQL).Scan(&now).Error; err != nil {
			return err
		}
		if is = now == before; !is {
			return tx.Exec(`UPDATE refund_runs SET next_at = ? WHERE campaign_id = ? AND covered_at IS NULL`, s.now(), r.CampaignID).Error
		}
		return tx.Exec(`UPDATE refund_runs SET covered_at = ? WHERE campaign_id = ? AND covered_at IS NULL`, s.now(), r.CampaignID).Error
	})
	if err != nil {
		return false, fmt.Errorf("note whether the refunds of campaign %d are covered: %w", r.CampaignID, err)
	}
	return is, nil
}

// coveredSQL counts the runs that were covered, which are never fewer.
const coveredSQL = `SELECT count(*) FROM refund_runs WHERE covered_at IS NOT NULL`
