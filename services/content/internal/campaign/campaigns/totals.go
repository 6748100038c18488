package campaigns

import (
	"context"
	"fmt"

	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"
)

// TotalsChange is what an event adds to a campaign's totals; negative numbers subtract. Money is in minor units.
type TotalsChange struct {
	ReachedMinor, SettlingMinor int64
	Backers, Likes              int
	Subscriptions               int   // monthly supporters
	SubscriptionsMinor          int64 // what they give a month
}

// Minus is the change from b to a.
func (a TotalsChange) Minus(b TotalsChange) TotalsChange {
	return TotalsChange{a.ReachedMinor - b.ReachedMinor, a.SettlingMinor - b.SettlingMinor, a.Backers - b.Backers, a.Likes - b.Likes,
		a.Subscriptions - b.Subscriptions, a.SubscriptionsMinor - b.SubscriptionsMinor}
}

// Plus is both changes in one.
func (a TotalsChange) Plus(b TotalsChange) TotalsChange { return a.Minus(TotalsChange{}.Minus(b)) }

// Backing is a pledge or monthly support, and whose it is (person_of in SQL). A zero one is of nobody else.
type Backing struct{ ID, Person string }

// PersonOf is the SQL of whose a pledge or monthly support is: people are counted by it. The indexes pledges_of_person and
// subscriptions_of_person have it.
func PersonOf(table string) string {
	return fmt.Sprintf("person_of(%[1]s.user_id, %[1]s.email, %[1]s.erased_with, %[1]s.id)", table)
}

// AddToTotals changes a campaign's totals, and the same numbers in the read model, in the caller's transaction. A backer or
// supporter is a person: one who has given to the campaign otherwise than by what is of them already, and is not added again. It
// returns the number of the backer that it adds, 0 for none; numbers are given in order and never twice. It locks the campaign's
// totals, so callers do it last in their transaction. An empty change writes nothing. Error: ErrUnknown.
func AddToTotals(ctx context.Context, tx *gorm.DB, campaignID int64, of Backing, change TotalsChange) (backerNumber int, err error) {
	if change == (TotalsChange{}) {
		return 0, nil
	}
	var number *int
	err = tx.WithContext(ctx).Raw(`SELECT add_to_totals(@id, @person, @one, @reached, @settling, @backers, @supporters, @monthly, @likes)`,
		map[string]any{"id": campaignID, "person": of.Person, "one": of.ID, "reached": change.ReachedMinor, "settling": change.SettlingMinor,
			"backers": change.Backers, "likes": change.Likes, "supporters": change.Subscriptions, "monthly": change.SubscriptionsMinor}).Scan(&number).Error
	if err != nil {
		return 0, fmt.Errorf("add to totals of campaign %d: %w", campaignID, err)
	}
	if number == nil {
		return 0, ErrUnknown
	}
	return *number, refreshNumbers(ctx, tx, campaignID)
}

// RecountPeople counts the backers and supporters of those campaigns to which somebody has given these pledges and monthly supports,
// in the caller's transaction: after an act that changes whose they are. It locks rewards and totals, so it comes after all that
// locks pledges, subscriptions and campaigns.
func RecountPeople(ctx context.Context, tx *gorm.DB, given []string) error {
	var campaigns []int64
	err := tx.WithContext(ctx).Raw(`
		SELECT campaign_id FROM pledges WHERE id = ANY(@ids) UNION SELECT campaign_id FROM subscriptions WHERE id = ANY(@ids) ORDER BY 1`,
		map[string]any{"ids": dbx.TextArray(given)}).Scan(&campaigns).Error
	if err != nil {
		return fmt.Errorf("list what people have given to: %w", err)
	}
	for _, id := range campaigns {
		if err := tx.WithContext(ctx).Exec(`SELECT recount_people(?)`, id).Error; err != nil {
			return fmt.Errorf("count the people of campaign %d: %w", id, err)
		}
		if err := refreshNumbers(ctx, tx, id); err != nil {
			return err
		}
	}
	return nil
}

// refreshNumbers writes a campaign's totals where lists read them. What the creator hides is 0 there, also for the order of lists.
// It is a statement of its own, so that it sees what the transactions that the totals' lock waited for have written there.
func refreshNumbers(ctx context.Context, tx *gorm.DB, campaignID int64) error {
	err := tx.WithContext(ctx).Exec(`
		WITH n AS (
			SELECT `+reachedSQL+` AS reached, `+popularitySQL+` AS popularity, `+numbersJSON+` AS numbers,
			       CASE WHEN c.stage = 6 THEN `+monthlyJSON+` END AS monthly
			FROM campaigns c JOIN campaign_totals t ON t.campaign_id = c.id WHERE c.id = @id),
		listed AS (
			UPDATE campaign_listings l SET funding_reached_minor = n.reached, popularity = n.popularity FROM n
			WHERE l.campaign_id = @id AND (l.funding_reached_minor, l.popularity) <> (n.reached, n.popularity))
		UPDATE campaign_previews v SET preview = CAST(CAST(v.preview AS jsonb) || n.numbers
		    || CASE WHEN n.monthly IS NULL THEN '{}' ELSE jsonb_build_object('subscriptions', coalesce(CAST(v.preview -> 'subscriptions' AS jsonb), '{}') || n.monthly) END AS json)
		FROM n WHERE v.campaign_id = @id`,
		map[string]any{"id": campaignID}).Error
	if err != nil {
		return fmt.Errorf("refresh numbers of campaign %d: %w", campaignID, err)
	}
	return nil
}

// reachedSQL is the money that lists sort by; hidden money is 0, or the order would reveal it.
const reachedSQL = `CASE WHEN c.hide_funding_amount THEN 0 ELSE t.funding_reached_minor END`

// popularitySQL is the popularity that lists sort by; hidden backers are not counted, or the order would reveal their
// number.
const popularitySQL = `t.likes + CASE WHEN c.hide_member_count THEN 0 ELSE t.backers + t.subscriptions END`

// monthlyJSON is the part of a preview of monthly support that subscriptions change.
const monthlyJSON = `jsonb_build_object('subscriptions_amount_total', trim_scale(t.subscriptions_amount_minor::numeric / 100),
	'subscriptions_subscribers_count', t.subscriptions)`

// numbersJSON is the part of a preview that payments and likes change; c is the campaign, t its totals. Amounts are in
// the major unit, as the contract has them: trim_scale keeps 18420 from becoming 18420.00.
const numbersJSON = `jsonb_build_object(
	'funding_reached', CASE WHEN c.hide_funding_amount THEN 0 ELSE trim_scale(t.funding_reached_minor::numeric / 100) END,
	'funding_settling', CASE WHEN c.hide_funding_amount THEN 0 ELSE trim_scale(t.funding_settling_minor::numeric / 100) END,
	'number_of_backers', CASE WHEN c.hide_member_count THEN 0 ELSE t.backers END,
	'likes', t.likes)`

// Drift is a stored total that differs from the sum of its sources.
type Drift struct {
	CampaignID     int64
	Total          string
	Kept, Computed int64
}

// countsBacker is the condition of a pledge whose backer counts, written as in the partial index pledges_backers.
const countsBacker = `status IN ('paid', 'partly_refunded', 'disputed')`

// Recompute computes every campaign's totals from pledges, subscriptions and likes and lists those that differ from the
// stored ones, in campaign_totals or in listings. The list must be empty. What one adds is defined in packages pledges and
// subscriptions (contribution); here it is defined a second time on purpose, in SQL and from the rows alone, so that each checks the
// other.
func Recompute(ctx context.Context, db *gorm.DB) ([]Drift, error) {
	var drifts []Drift
	err := db.WithContext(ctx).Raw(`
		WITH computed AS (
			SELECT c.id,
			       coalesce(p.reached, 0) AS reached, coalesce(p.settling, 0) AS settling, coalesce(p.backers, 0) AS backers,
			       coalesce(p.last_number, 0) AS last_number, coalesce(l.likes, 0) AS likes,
			       coalesce(m.supporters, 0) AS supporters, coalesce(m.monthly, 0) AS monthly, c.hide_funding_amount
			FROM campaigns c
			LEFT JOIN (
				SELECT campaign_id,
				       sum(CASE status WHEN 'disputed' THEN uncontested_minor ELSE amount_minor - amount_refunded_minor END) FILTER (WHERE ` + countsBacker + `) AS reached,
				       sum(CASE status WHEN 'processing' THEN amount_minor ELSE 0 END
				           + coalesce((SELECT sum(r.amount_minor) FROM pledge_raises r WHERE r.pledge_id = pledges.id AND r.status = 'processing'), 0)) AS settling,
				       count(DISTINCT coalesce(user_id::text, nullif(lower(email), ''), erased_with, id)) FILTER (WHERE ` + countsBacker + `) AS backers,
				       max(backer_number) AS last_number
				FROM pledges GROUP BY campaign_id) p ON p.campaign_id = c.id
			LEFT JOIN (
				SELECT campaign_id, count(DISTINCT coalesce(user_id::text, nullif(lower(email), ''), erased_with, id)) AS supporters, sum(amount_minor) AS monthly
				FROM subscriptions WHERE status = 'active' GROUP BY campaign_id) m ON m.campaign_id = c.id
			LEFT JOIN (SELECT campaign_id, count(*) AS likes FROM campaign_likes WHERE counted GROUP BY campaign_id) l ON l.campaign_id = c.id)
		SELECT x.id AS campaign_id, v.total, v.kept::bigint AS kept, v.computed::bigint AS computed
		FROM computed x
		JOIN campaign_totals t ON t.campaign_id = x.id
		LEFT JOIN (
			SELECT campaign_id, min(funding_reached_minor) AS least, max(funding_reached_minor) AS most
			FROM campaign_listings GROUP BY campaign_id) w ON w.campaign_id = x.id
		CROSS JOIN LATERAL (SELECT CASE WHEN x.hide_funding_amount THEN 0 ELSE x.reached END AS shown) y
		CROSS JOIN LATERAL (VALUES
			('funding_reached_minor', t.funding_reached_minor, x.reached),
			('funding_settling_minor', t.funding_settling_minor, x.settling),
			('backers', t.backers, x.backers),
			('last_backer_number', t.last_backer_number, x.last_number),
			('likes', t.likes, x.likes),
			('subscriptions', t.subscriptions, x.supporters),
			('subscriptions_amount_minor', t.subscriptions_amount_minor, x.monthly),
			('listed_funding_reached_minor', CASE WHEN w.least = y.shown THEN w.most ELSE w.least END, y.shown)
		) AS v (total, kept, computed)
		WHERE v.kept IS DISTINCT FROM v.computed
		ORDER BY 1, 2`).Scan(&drifts).Error
	if err != nil {
		return nil, fmt.Errorf("recompute totals: %w", err)
	}
	return drifts, nil
}
