// Package withdrawal says until when a paid pledge can be taken back: by everybody until its campaign ends, and afterwards as long as the law
// (directive 2011/83/EU, articles 9 to 16) gives for what its reward is. It owns the table withdrawal_terms, which migrations alone fill.
//
// Right is the one rule: what pages, mails and the act itself say or do follows from it. Whether there is anything to take back, paid and not
// gone back, is the pledge's (package pledges).
package withdrawal

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/content/internal/zone"
)

// Kind is what a reward is; constraints rewards_kind and withdrawal_terms_kind have the same.
type Kind string

// The kinds. What is made to order is made to its backer's wishes, not merely after the campaign.
const (
	Goods       Kind = "goods" // also when they are picked up
	Service     Kind = "service"
	Digital     Kind = "digital"
	MadeToOrder Kind = "made_to_order"
	Gift        Kind = "gift" // support without a reward; no reward is one
)

// Starts is what the days of a term are counted from.
type Starts string

// What they can be counted from.
const (
	FromDelivery Starts = "delivery"
	FromContract Starts = "contract" // the end of the campaign: until then nobody is bound
)

// Facts are what Right decides by, as Columns and Joins read them.
type Facts struct {
	RewardKind      Kind // as it was bought
	TermDays        int  // of the term that held on the day of the pledge; 0: not after the campaign
	TermStarts      Starts
	TransitDays     int
	IsFunding       bool // the campaign has not ended
	FundingDeadline *time.Time
	EndedAt         *time.Time
	GoesTo          string     // whose the money is (campaigns.GoesTo); "" before the end, and of a campaign from before endings were kept
	SentOn          *time.Time // the day on which the reward was sent or handed over
}

// State is whether a pledge may be taken back.
type State string

// The states.
const (
	Open     State = "open"
	Counting State = "counting" // the last day is over, and it is not decided yet whose the money is
	Over     State = "over"
)

// Reason is why, of Open and Over.
type Reason string

// The reasons.
const (
	Campaign      Reason = "campaign"      // open until its last second
	NotSent       Reason = "not_sent"      // open, and no day is running yet
	Sent          Reason = "sent"          // open for some days after delivery
	Contract      Reason = "contract"      // open for some days after the campaign
	TermOver      Reason = "term_over"     // those days have passed
	OfMadeToOrder Reason = "made_to_order" // over with the campaign
	OfGift        Reason = "gift"          // over with the campaign
	GoesBack      Reason = "goes_back"     // over: everybody gets their money back
)

// Answer is what Right says.
type Answer struct {
	State  State
	Reason Reason
	// Until is, of Open, the last second of a term, through which it may, or the moment at which the campaign ends; nil while there is none.
	Until *time.Time
}

// Right is the rule.
func Right(f Facts, now time.Time, in *time.Location) Answer {
	switch {
	case f.IsFunding && (f.FundingDeadline == nil || now.Before(*f.FundingDeadline)):
		return Answer{Open, Campaign, f.FundingDeadline}
	case f.IsFunding && f.TermDays > 0:
		return Answer{State: Counting}
	case f.GoesTo == "backers":
		return Answer{Over, GoesBack, nil}
	case f.TermDays == 0 && f.RewardKind == Gift:
		return Answer{Over, OfGift, nil}
	case f.TermDays == 0:
		return Answer{Over, OfMadeToOrder, nil}
	case f.EndedAt == nil: // it ended before endings were kept, so long ago that staff are asked
		return Answer{Over, TermOver, nil}
	case f.TermStarts == FromDelivery && f.SentOn == nil:
		return Answer{Open, NotSent, nil}
	}
	from, reason := f.EndedAt.In(in), Contract
	if f.TermStarts == FromDelivery {
		from, reason = f.SentOn.AddDate(0, 0, f.TransitDays), Sent
	}
	until := end(from, f.TermDays, in)
	if !now.Before(until.Add(time.Second)) { // the second is over
		return Answer{Over, TermOver, nil}
	}
	return Answer{Open, reason, &until}
}

// end is the last second of a term of days, the day from which it is counted left out; one that would end when offices are closed ends on the next
// working day (regulation 1182/71, article 3; Finnish act 150/1930).
func end(from time.Time, days int, in *time.Location) time.Time {
	year, month, day := from.Date()
	last := time.Date(year, month, day+days, 23, 59, 59, 0, in)
	for !zone.IsWorkingDay(last) {
		last = last.AddDate(0, 0, 1)
	}
	return last
}

// Columns are the fields of Facts in a statement with Joins.
const Columns = `k.stage = 2 AS is_funding, k.funding_deadline, e.ended_at, coalesce(e.goes_to, '') AS goes_to, p.sent_on,
	w.kind AS reward_kind, w.days AS term_days, w.starts AS term_starts, w.transit_days`

// Joins add to pledges p and their campaigns k how these ended (e), and the terms (w) that held on the day of the pledge for what it was made for.
const Joins = `
	LEFT JOIN campaign_endings e ON e.campaign_id = p.campaign_id
	CROSS JOIN LATERAL (SELECT t.kind, t.days, t.starts, t.transit_days FROM withdrawal_terms t
		WHERE t.kind = CASE WHEN p.reward_id IS NULL THEN 'gift' ELSE coalesce(p.bought ->> 'kind', (SELECT kind FROM rewards WHERE id = p.reward_id)) END
		AND t.from_day <= CAST(p.created_at AT TIME ZONE '` + zone.Name + `' AS date) ORDER BY t.from_day DESC LIMIT 1) w`

// Read reads the facts of a pledge, with what the caller has locked. There is always one row of a pledge that there is.
func Read(ctx context.Context, tx *gorm.DB, pledgeID string) (f Facts, err error) {
	err = tx.WithContext(ctx).Raw(`SELECT `+Columns+` FROM pledges p JOIN campaigns k ON k.id = p.campaign_id`+Joins+` WHERE p.id = ?`, pledgeID).Scan(&f).Error
	if err != nil {
		return Facts{}, fmt.Errorf("read until when a pledge can be taken back: %w", err)
	}
	return f, nil
}

// TermOfNow joins to rewards r the term (w: days, starts) of a pledge that is made at the moment @at.
const TermOfNow = `CROSS JOIN LATERAL (SELECT t.days, t.starts FROM withdrawal_terms t WHERE t.kind = r.kind AND t.from_day <= ` + zone.Day + `
	ORDER BY t.from_day DESC LIMIT 1) w`
