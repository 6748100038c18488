package settlements

import (
	"context"
	"fmt"
	"slices"
	"time"

	"talkoot.fi/payments/internal/charging/calendar"
)

// Stage is how far the money of a campaign is on its way to its creator, as they see it.
type Stage string

// The stages; the contract has the same.
const (
	StageChecking Stage = "checking"  // it is counted, or people of ours look at it
	StageNeedsYou Stage = "needs_you" // it goes on when its creator has done something about their account or bank account
	StageLeaving  Stage = "leaving"   // approved, and not at their bank yet
	StagePaying   Stage = "paying"    // on its way to their bank
	StageArrived  Stage = "arrived"
	StageSetOff   Stage = "set_off" // all of it has paid what they owed
	StageCarried  Stage = "carried" // months of support, too little to be paid out alone: it waits for the next month
)

// Payout is the money of a campaign at a provider on its way to its creator. The sums are in minor units, and 0 until people of ours have
// counted them: Collected + Released = Fee + Reserve + SetOff + BankKept + Reversed + Net, and VAT is in Fee.
type Payout struct {
	RunID      string
	CampaignID int64
	Month      *time.Time // the first day of the month of support that it is of, nil of pledges; of carried money the last that is over
	Stage      Stage      `gorm:"-"`
	Currency   string     // of ISO 4217

	Collected, Fee, VAT, Reserve, SetOff, Net int64

	BankKept int64  // what banks have kept of payouts that they have sent back
	Reversed int64  // what was taken back from their account at the provider
	Released int64  // what was kept back earlier, and is sent with it
	Kept     []Kept `gorm:"-"` // what of Reserve becomes payable when

	Carried, Minimum int64 // of StageCarried: how much waits, and from how much on it is paid out

	// When the campaign, or the month, ended, its money was counted, enough people approved it, it was sent, and it arrived, as far as that is so now.
	EndedAt                               time.Time
	CountedAt, ApprovedAt, SentAt, PaidAt *time.Time
	BankCountry, BankLastFour             string // of the bank account that it was last sent to; "" before
	State                                 State
	Reason                                Reason
	Detail                                string
	HasOther                              bool // their bank account in use is another than that
}

// ownLimit bounds what a creator sees; the newest are shown.
const ownLimit = 100

// Of lists the payouts of a person's campaigns, the newest first: also of a campaign whose money is its creator's and nobody has counted yet.
func (s *Service) Of(ctx context.Context, userID int64) ([]Payout, error) {
	list, err := s.payouts(ctx, userID, "")
	if err != nil {
		return nil, err
	}
	waiting, err := s.uncounted(ctx, userID)
	return append(waiting, list...), err
}

// payouts reads those that somebody has begun, and of ended campaigns also those that nobody has; or one, by its run.
func (s *Service) payouts(ctx context.Context, userID int64, runID string) (list []Payout, err error) {
	err = s.DB.WithContext(ctx).Raw(`
		WITH theirs AS MATERIALIZED (SELECT id, provider, ref FROM payees WHERE user_id = @user AND ref <> ''),
		campaigns AS MATERIALIZED (
			SELECT c.campaign_id, c.provider FROM theirs t JOIN campaign_accounts c ON c.provider = t.provider AND c.account_ref = t.ref),
		runs AS (
			SELECT settlement_runs.*, `+BankKept+` AS bank_kept, `+Reversed+` AS reversed FROM theirs t JOIN settlement_runs ON settlement_runs.provider = t.provider
				AND settlement_runs.payee_ref = t.ref
			UNION ALL SELECT r.*, 0, 0 FROM campaigns c JOIN settlement_runs r ON r.campaign_id = c.campaign_id AND r.provider = c.provider AND r.payee_ref = '')
		SELECT r.id AS run_id, r.campaign_id, r.month, r.currency, r.state, r.reason, r.detail, r.gross_minor AS collected, r.fee_minor AS fee, r.vat_minor AS vat,
			r.reserve_minor AS reserve, r.offset_minor AS set_off, r.net_minor - r.offset_minor - r.bank_kept - r.reversed AS net, r.bank_kept, r.reversed,
			r.released_minor AS released,
			coalesce(e.ended_at, (r.month + interval '1 month') AT TIME ZONE 'Europe/Helsinki') AS ended_at,
			CASE WHEN r.state <> 'counting' THEN steps.counted_at END AS counted_at,
			CASE WHEN r.state NOT IN ('counting', 'proposed') THEN steps.approved_at END AS approved_at,
			CASE WHEN r.state IN ('sent', 'paying', 'paid') THEN steps.sent_at END AS sent_at,
			CASE WHEN r.state = 'paid' THEN r.paid_at END AS paid_at,
			coalesce(b.country, '') AS bank_country, coalesce(b.last_four, '') AS bank_last_four,
			EXISTS (SELECT FROM payee_banks o JOIN theirs t ON t.id = o.payee_id
				WHERE t.provider = r.provider AND t.ref = r.payee_ref AND o.state = 'active' AND o.ref <> m.destination) AS has_other
		FROM runs r
		LEFT JOIN campaign_endings e ON e.campaign_id = r.ended_campaign_id
		CROSS JOIN LATERAL (SELECT max(at) FILTER (WHERE event = 'frozen') AS counted_at, max(at) FILTER (WHERE event = 'agreed') AS approved_at,
			max(at) FILTER (WHERE event = 'arrived') AS sent_at FROM settlement_steps WHERE run_id = r.id) steps
		LEFT JOIN LATERAL (SELECT destination FROM settlement_moves m WHERE m.run_id = r.id AND m.kind = 'payout' ORDER BY m.try DESC LIMIT 1) m ON true
		LEFT JOIN payee_banks b ON b.ref = m.destination AND b.payee_id IN (SELECT id FROM theirs)
		WHERE r.state <> 'void' AND CAST(@run AS text) IN ('', r.id)
		UNION ALL
		SELECT '', e.campaign_id, NULL, e.currency, 'counting', '', '', 0, 0, 0, 0, 0, 0, 0, 0, 0, e.ended_at, NULL, NULL, NULL, NULL, '', '', false
		FROM (SELECT DISTINCT campaign_id FROM campaigns) c JOIN campaign_endings e ON e.campaign_id = c.campaign_id
		WHERE CAST(@run AS text) = '' AND e.goes_to = 'creator' AND e.accepted_minor > 0
			AND NOT EXISTS (SELECT FROM settlement_runs r WHERE r.campaign_id = e.campaign_id AND r.state <> 'void')
		ORDER BY ended_at DESC, campaign_id DESC, state, collected DESC LIMIT @limit`, map[string]any{"user": userID, "run": runID, "limit": ownLimit}).Scan(&list).Error
	if err != nil {
		return nil, fmt.Errorf("read a creator's payouts: %w", err)
	}
	ids := make([]string, len(list))
	for i, p := range list {
		list[i].Stage, ids[i] = p.stage(), p.RunID
	}
	kept, err := keptOf(ctx, s.DB, `WHERE k.run_id IN ? ORDER BY k.due_on`, append(ids, ""))
	if err != nil {
		return nil, err
	}
	for i := range list {
		for _, k := range kept {
			if k.RunID == list[i].RunID {
				list[i].Kept = append(list[i].Kept, k)
			}
		}
	}
	return list, nil
}

// IsBooked reports whether its sums stay as they are, so that there is a statement of it.
func (p Payout) IsBooked() bool {
	return slices.Contains([]State{Booked, Sending, Sent, Paying, Paid}, p.State)
}

// uncounted are the months of support of a person's campaigns that are over and that nobody has counted yet.
func (s *Service) uncounted(ctx context.Context, userID int64) (list []Payout, err error) {
	today := calendar.DayOf(s.Now())
	first := calendar.Add(today, 1-today.Day())
	month := calendar.Month(first, -1)
	rates, err := RatesOn(ctx, s.DB, lastDay(month))
	if err != nil {
		return nil, err
	}
	var sums []struct {
		CampaignID int64
		Currency   string
		Minor      int64
		GoesOn     bool
	}
	err = s.DB.WithContext(ctx).Raw(`
		SELECT p.campaign_id, p.currency, sum(p.amount_minor - p.amount_refunded_minor)::bigint AS minor,
			EXISTS (SELECT FROM subscriptions s WHERE s.campaign_id = p.campaign_id AND s.provider = a.provider AND s.status IN `+goesOn+`) AS goes_on
		FROM payees t JOIN campaign_accounts c ON c.provider = t.provider AND c.account_ref = t.ref
		JOIN payments p ON p.campaign_id = c.campaign_id AND p.subject_kind = 'subscription' AND p.paid_attempt_id IS NOT NULL AND p.paid_on < @first
		JOIN attempts a ON a.id = p.paid_attempt_id AND a.provider = c.provider
		WHERE t.user_id = @user AND t.ref <> '' AND NOT p.refused AND p.status IN ('succeeded', 'partly_refunded')
			AND NOT EXISTS (SELECT FROM settlement_lines l JOIN settlement_runs r ON r.id = l.run_id AND r.version = l.version AND r.state <> 'void'
				WHERE l.charge_ref = a.charge_ref AND l.left_at IS NULL)
			AND NOT EXISTS (SELECT FROM settlement_runs r WHERE r.campaign_id = c.campaign_id AND r.provider = c.provider AND r.state = 'counting')
		GROUP BY p.campaign_id, p.currency, a.provider ORDER BY p.campaign_id DESC, a.provider LIMIT @limit`,
		map[string]any{"user": userID, "first": first.Format(time.DateOnly), "limit": ownLimit}).Scan(&sums).Error
	if err != nil {
		return nil, fmt.Errorf("read a creator's months: %w", err)
	}
	for _, sum := range sums {
		p := Payout{CampaignID: sum.CampaignID, Month: &month, Currency: sum.Currency, EndedAt: calendar.Start(first), Stage: StageChecking}
		if sum.Minor < rates.MinimumMinor && sum.GoesOn {
			p.Stage, p.Carried, p.Minimum = StageCarried, sum.Minor, rates.MinimumMinor
		}
		list = append(list, p)
	}
	return list, nil
}

// theirNeeds are the details of Need that a creator can do something about.
var theirNeeds = []string{"bank_account", "consents", "identity"} //nolint:gochecknoglobals // a constant that Go cannot have

// stage is how far a run is, by its state and by why it does not go on. Who has given another bank account after a payout that failed has done
// their part: a person of ours has it go on.
func (p Payout) stage() Stage {
	isTheirs := p.Reason == NoAccount || p.Reason == TaxData || p.Reason == AccountNotReady && p.Detail != "missing" ||
		p.Reason == Need && slices.Contains(theirNeeds, p.Detail) || (p.Reason == PayoutFailed || p.Reason == PayoutReturned) && !p.HasOther
	switch {
	case p.State == Paid && p.Reason == PaidDebts:
		return StageSetOff
	case p.State == Paid && p.Reason == TakenBack:
		return StageChecking // it is sent once more
	case p.State == Paid:
		return StageArrived
	case isTheirs:
		return StageNeedsYou
	case p.State == Paying:
		return StagePaying
	case p.State == Booked || p.State == Sending || p.State == Sent:
		return StageLeaving
	default:
		return StageChecking
	}
}
