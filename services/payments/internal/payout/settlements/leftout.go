package settlements

import (
	"context"
	"errors"
	"fmt"

	"talkoot.fi/payments/internal/moneyback/warnings"
)

// Worker is who proposes what no person has to think of: it approves nothing.
const Worker = "worker"

// leftOutSQL lists where pledges' charges are free that a run was made without: which a bank contested or a cardholder had reported, which had
// changed while the run was booked, or which lie in another of the campaign's wallets. Not while a run of the campaign is before its booking, which
// freezes them in, nor after a person has ended the last one.
const leftOutSQL = `SELECT DISTINCT p.campaign_id, a.provider, p.currency
	FROM (SELECT attempt_id FROM disputes
		UNION SELECT attempt_id FROM fraud_warnings WHERE status <> 'open' OR opened_at <= @held_since
		UNION SELECT a.id FROM settlement_lines l JOIN settlement_runs r ON r.id = l.run_id AND r.version = l.version
			JOIN attempts a ON a.provider = r.provider AND a.charge_ref = l.charge_ref WHERE l.left_at IS NOT NULL
		UNION SELECT paid_attempt_id FROM payments WHERE campaign_id IN (SELECT campaign_id FROM campaign_wallets WHERE ref <> '' GROUP BY 1 HAVING count(*) > 1)) c
	JOIN attempts a ON a.id = c.attempt_id JOIN payments p ON p.paid_attempt_id = a.id
	JOIN campaign_endings e ON e.campaign_id = p.campaign_id AND e.goes_to = 'creator'
	JOIN LATERAL (SELECT state, reason FROM settlement_runs WHERE campaign_id = p.campaign_id AND provider = a.provider ORDER BY number DESC LIMIT 1) last ON true
	WHERE p.subject_kind = 'pledge' AND NOT p.refused AND p.status <> 'refunded' AND a.charge_ref <> ''
		AND (last.state NOT IN ('counting', 'proposed', 'approved', 'void') OR last.state = 'void' AND last.reason = @nothing)
		AND NOT EXISTS (SELECT FROM fraud_warnings w WHERE w.attempt_id = a.id AND w.status = 'open' AND w.opened_at > @held_since)
		AND (SELECT coalesce(-sum(t.amount_minor) FILTER (WHERE l.class = 'backer_funds'), 0) > 0
				AND coalesce(sum(t.amount_minor) FILTER (WHERE l.class IN ('disputed_funds', 'dispute_hold')), 0) = 0
			FROM (SELECT n.account_id, n.amount_minor FROM ledger_transactions x JOIN ledger_entries n ON n.transaction_id = x.id
				WHERE x.provider = a.provider AND x.charge_ref = a.charge_ref) t JOIN ledger_accounts l ON l.id = t.account_id)
	ORDER BY 1, 2`

// ProposeLeftOut proposes a run for each campaign that has ended with its money its creator's, and of which something was left out of a run that is
// free by now; people approve it as any other. A campaign that cannot be proposed stops no other.
func (s *Service) ProposeLeftOut(ctx context.Context) error {
	var list []Run
	err := s.DB.WithContext(ctx).Raw(leftOutSQL, map[string]any{"held_since": s.Now().Add(-warnings.Holds), "nothing": NothingToSettle}).Scan(&list).Error
	if err != nil {
		return fmt.Errorf("look for what was left out of runs: %w", err)
	}
	var faults []error
	for _, r := range list {
		r.ProposedBy = Worker
		if _, _, err := s.propose(ctx, r, "what was left out of an earlier run is free"); err != nil {
			faults = append(faults, fmt.Errorf("propose what was left out of campaign %d: %w", r.CampaignID, err))
		}
	}
	return errors.Join(faults...)
}
