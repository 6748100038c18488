package settlements

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/money"
	"talkoot.fi/payments/internal/charging/calendar"
)

// Monthly support is settled by calendar months of Finland: what was taken in one, by the day on which its money was taken.

// Carried is money of a campaign's months that is too little to be paid out alone.
type Carried struct {
	CampaignID int64
	Provider   string
	Amount     money.Amount
}

// ProposeMonth begins a run for each campaign, or for one, and provider that has months of support which were taken until the end of a month
// and are in no run; month is its first day. One that has begun is given as it is, also when it is of an earlier month: the next press
// proposes what comes after it. What is too little waits, and is carried. A campaign that cannot be proposed stops no other. Errors: ErrMonth,
// ErrNoPerson.
func (s *Service) ProposeMonth(ctx context.Context, month time.Time, campaignID int64, actor, note string) (runs []Run, carried []Carried, err error) {
	if strings.TrimSpace(actor) == "" || note == "" {
		return nil, nil, ErrNoPerson
	}
	if month.Day() != 1 || !lastDay(month).Before(calendar.DayOf(s.Now())) {
		return nil, nil, fmt.Errorf("%s: %w", month.Format("2006-01"), ErrMonth)
	}
	list, err := withMonths(ctx, s.DB, month, campaignID)
	if err != nil {
		return nil, nil, err
	}
	var faults []error
	for _, c := range list {
		r, minor, err := s.propose(ctx, Run{CampaignID: c.CampaignID, Provider: c.Provider, Month: &month, Currency: c.Currency, ProposedBy: actor}, note)
		switch {
		case err != nil:
			faults = append(faults, fmt.Errorf("propose the months of campaign %d at %s: %w", c.CampaignID, c.Provider, err))
		case r.ID != "":
			runs = append(runs, r)
		case minor > 0:
			carried = append(carried, Carried{c.CampaignID, c.Provider, money.New(minor, c.Currency)})
		}
	}
	return runs, carried, errors.Join(faults...)
}

// ProposeReleased begins a run for each campaign that has ended and has what was kept back and is released, or was restored, and is in no run. That of
// monthly support is sent with a month. Error: ErrNoPerson.
func (s *Service) ProposeReleased(ctx context.Context, actor, note string) (runs []Run, err error) {
	var ids []int64
	err = s.DB.WithContext(ctx).Raw(`SELECT r.campaign_id FROM settlement_reserves k JOIN settlement_runs r ON r.id = k.run_id
		WHERE k.released_minor > 0 AND k.sent_by IS NULL AND r.month IS NULL
		UNION SELECT b.campaign_id FROM (` + restoredSQL + `) b JOIN campaign_endings e ON e.campaign_id = b.campaign_id AND e.goes_to = 'creator'
		LEFT JOIN settlement_restored s USING (transaction_id) WHERE b.subject_kind = 'pledge' AND s.run_id IS NULL ORDER BY 1`).Scan(&ids).Error
	if err != nil {
		return nil, fmt.Errorf("look for what was released: %w", err)
	}
	var faults []error
	for _, id := range ids {
		list, err := s.Propose(ctx, id, actor, note)
		if errors.Is(err, ErrNoPerson) {
			return nil, err
		}
		runs, faults = append(runs, list...), append(faults, err)
	}
	return runs, errors.Join(faults...)
}

// withMonths lists the campaigns, or one, and providers that have paid months until the end of a month, or what was released of such. What was
// restored is of months that were paid.
func withMonths(ctx context.Context, db *gorm.DB, month time.Time, campaignID int64) (list []Run, err error) {
	err = db.WithContext(ctx).Raw(`SELECT p.campaign_id, a.provider, max(p.currency) AS currency FROM payments p JOIN attempts a ON a.id = p.paid_attempt_id
		WHERE p.subject_kind = 'subscription' AND NOT p.refused AND p.paid_on <= @until AND CAST(@campaign AS bigint) IN (0, p.campaign_id)
		GROUP BY 1, 2
		UNION SELECT r.campaign_id, r.provider, r.currency FROM settlement_reserves k JOIN settlement_runs r ON r.id = k.run_id
		WHERE k.released_minor > 0 AND k.sent_by IS NULL AND r.month IS NOT NULL AND CAST(@campaign AS bigint) IN (0, r.campaign_id) ORDER BY 1, 2`, map[string]any{"until": lastDay(month).Format(time.DateOnly), "campaign": campaignID}).Scan(&list).Error
	if err != nil {
		return nil, fmt.Errorf("look for months that are not settled: %w", err)
	}
	return list, nil
}

// isBehind reports whether another run of the same campaign is of the same month, or a later one: what has become certain since is the next
// month's.
func (r Run) isBehind(other Run) bool {
	return r.Month != nil && other.Month != nil && other.State != Void && !other.Month.Before(*r.Month)
}

// isTooLittle reports whether the money of a run waits for the next month. It does not when nobody's support goes on: then there may be none.
func isTooLittle(ctx context.Context, db *gorm.DB, r Run, minor int64) (is bool, err error) {
	rates, err := RatesOn(ctx, db, *r.until())
	if err != nil || minor >= rates.MinimumMinor {
		return false, err
	}
	err = db.WithContext(ctx).Raw(`SELECT EXISTS (SELECT FROM subscriptions WHERE campaign_id = ? AND provider = ? AND status IN `+goesOn+`)`,
		r.CampaignID, r.Provider).Scan(&is).Error
	if err != nil {
		return false, fmt.Errorf("ask whether support of campaign %d goes on: %w", r.CampaignID, err)
	}
	return is, nil
}

// goesOn are the statuses of support of which a month may come.
const goesOn = `('active', 'past_due', 'paused')`
