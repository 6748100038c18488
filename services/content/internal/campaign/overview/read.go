package overview

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/campaign/review"
	"talkoot.fi/content/internal/campaign/rewards"
	"talkoot.fi/content/internal/campaign/variations"
)

// facts is everything that the overview is made of.
type facts struct {
	campaign
	now              time.Time
	zone             *time.Location
	money            []moneyRow
	payers           int // visitors who paid; read for enoughVisitors only
	settling         []settlingRow
	posts            []postRow
	rewards          []rewards.Reward
	monthly          *monthly // nil for a campaign of pledges
	experiment       *variations.Experiment
	notes, checklist int  // open notes of the last review, missing items of the checklist
	mayAsk           bool // no review is under way, so the team can ask for one
	hasAccount       bool
}

// campaign is the result row of campaignSQL.
type campaign struct {
	ID                             int64
	Slug, Title, Picture, Currency string
	LegalCreator                   string
	Stage, OpensAs                 campaigns.Stage
	Hold                           campaigns.HoldKind
	Goals                          json.RawMessage // SubscriptionGoal of the contract; of monthly support
	FirstDay, LastDay              *time.Time
	MinGoal, TargetGoal            int64 // minor units, as all money here
	Reached, Settling              int64
	Backers, Visitors              int
	Languages                      []string // that have a title
}

const campaignSQL = `
	SELECT c.id, c.slug, coalesce(v.preview ->> 'title', '') AS title, c.picture, c.currency, c.legal_creator, c.stage, c.hold, c.opens_as, c.first_day, c.last_day,
	       c.min_goal_minor AS min_goal, c.target_goal_minor AS target_goal, t.funding_reached_minor AS reached,
	       t.funding_settling_minor AS settling, t.backers,
	       (SELECT coalesce(sum(visitors), 0) FROM campaign_visit_counts WHERE campaign_id = c.id)::int AS visitors,
	       ARRAY(SELECT language FROM campaign_texts WHERE campaign_id = c.id AND title <> '' ORDER BY language) AS languages,
	       v.preview #> '{subscriptions,subscriptions_goals}' AS goals
	FROM campaigns c
	JOIN campaign_totals t ON t.campaign_id = c.id
	JOIN campaign_previews v ON v.campaign_id = c.id AND v.language = @language
	WHERE c.id = @campaign`

// moneyRow is confirmed money by day, by source, or by whether it is for a reward: each set adds up to the totals.
type moneyRow struct {
	Kind    string // day, source, reward
	Day     *time.Time
	Source  *string
	Plain   *bool // for no reward
	Backers int
	Minor   int64
}

// moneySQL adds up the pledges of one campaign along the index pledges_backers, all three sets in one reading. It
// groups them by quarters of an hour first, because converting each pledge's time to a day would cost more than all the
// rest; every time zone's days begin at a quarter. A disputed pledge counts as a backer without money. A person is a backer of
// the day and the source of their first pledge, so that both add up to the campaign's backers; with and without a reward
// they are one each.
var moneySQL = `
	SELECT (ARRAY['day', 'source', 'reward'])[CASE grouping(day, source, plain) WHEN 3 THEN 1 WHEN 5 THEN 2 ELSE 3 END] AS kind,
	       day, source, plain, (CASE grouping(plain) WHEN 0 THEN sum(with_it) ELSE sum(backers) END)::int AS backers, sum(minor)::bigint AS minor
	FROM (
		SELECT CAST(quarter AT TIME ZONE @zone AS date) AS day, source, plain, backers, with_it, minor
		FROM (
			SELECT date_bin('15 minutes', paid_at, 'epoch') AS quarter, source, plain, count(*) FILTER (WHERE nth = 1) AS backers,
			       count(*) FILTER (WHERE nth_with_it = 1) AS with_it, sum(minor)::bigint AS minor
			FROM (
				SELECT p.paid_at, p.source, p.reward_id IS NULL AS plain,
				       row_number() OVER (PARTITION BY ` + campaigns.PersonOf("p") + ` ORDER BY p.paid_at, p.id) AS nth,
				       row_number() OVER (PARTITION BY ` + campaigns.PersonOf("p") + `, p.reward_id IS NULL ORDER BY p.paid_at, p.id) AS nth_with_it,
				       CASE WHEN p.status = 'disputed' THEN p.uncontested_minor ELSE p.amount_minor - p.amount_refunded_minor END AS minor
				FROM pledges p WHERE p.campaign_id = @campaign AND p.status IN ('paid', 'partly_refunded', 'disputed')) f
			GROUP BY 1, 2, 3) q) p
	GROUP BY GROUPING SETS ((day), (source), (plain))
	ORDER BY kind, day, minor DESC, source`

// payersSQL counts the visitors who paid, of those who are counted as visitors: else their share would be too large.
const payersSQL = `
	SELECT count(*)::int AS n FROM (
		SELECT visitor FROM pledges WHERE campaign_id = @campaign AND status IN ('paid', 'partly_refunded', 'disputed') AND visitor IS NOT NULL
		UNION
		SELECT visitor FROM subscriptions WHERE campaign_id = @campaign AND status NOT IN ('created', 'expired') AND visitor IS NOT NULL) p
	WHERE EXISTS (SELECT FROM campaign_visits v WHERE v.campaign_id = @campaign AND v.visitor = p.visitor)`

// settlingRow is the payments of one method and day that banks still have to confirm: of pledges, and of changes to a higher sum.
type settlingRow struct {
	Method  string
	Day     time.Time
	Pledges int
	Minor   int64
}

// settlingSQL reads along the indexes pledges_settling and pledge_raises_one_open. A method's own number, of a card or an account, is left out.
const settlingSQL = `
	SELECT btrim(regexp_replace(payment_method, '[·*0-9].*', '')) AS method, CAST(created_at AT TIME ZONE @zone AS date) AS day,
	       count(*)::int AS pledges, sum(amount_minor)::bigint AS minor
	FROM (
		SELECT payment_method, created_at, amount_minor FROM pledges WHERE campaign_id = @campaign AND status = 'processing'
		UNION ALL
		SELECT r.payment_method, r.created_at, r.amount_minor FROM pledge_raises r JOIN pledges p ON p.id = r.pledge_id
		WHERE r.status = 'processing' AND p.campaign_id = @campaign) s
	GROUP BY 1, 2 ORDER BY 2, 1`

// postRow is a published post.
type postRow struct {
	ID          int64
	Title       string
	PublishedAt time.Time
}

// mostPosts is how many posts, the latest ones, the overview marks on its days.
const mostPosts = 100

const postsSQL = `
	SELECT p.id, x.title, p.published_at
	FROM (SELECT id, language, published_at FROM posts WHERE campaign_id = @campaign AND status = 'published' ORDER BY published_at DESC, id DESC LIMIT @most) p
	JOIN LATERAL (SELECT title FROM post_texts x WHERE x.post_id = p.id
		ORDER BY x.title = '', x.language = @language DESC, x.language = p.language DESC, x.language LIMIT 1) x ON true
	ORDER BY p.published_at, p.id`

// read reads the facts, in a few statements whatever the number of pledges. The caller has checked who may see them.
// Error: campaigns.ErrUnknown.
func read(ctx context.Context, db *gorm.DB, campaignID int64, language string, now time.Time, zone *time.Location) (
	f facts, err error) {
	f = facts{now: now, zone: zone}
	params := pgx.NamedArgs{"campaign": campaignID, "language": language, "zone": zone.String(), "most": mostPosts}
	found, err := dbx.Select[campaign](ctx, db, campaignSQL, params)
	if err == nil && len(found) == 0 {
		return f, campaigns.ErrUnknown
	}
	if err == nil {
		f.campaign = found[0]
		f.money, err = dbx.Select[moneyRow](ctx, db, moneySQL, params)
	}
	if err == nil && f.Visitors >= enoughVisitors {
		var payers []struct{ N int }
		if payers, err = dbx.Select[struct{ N int }](ctx, db, payersSQL, params); err == nil {
			f.payers = payers[0].N
		}
	}
	if err == nil {
		f.settling, err = dbx.Select[settlingRow](ctx, db, settlingSQL, params)
	}
	if err == nil && f.isMonthly() {
		f.monthly, err = readMonthly(ctx, db, f)
	}
	if err == nil {
		f.posts, err = dbx.Select[postRow](ctx, db, postsSQL, params)
	}
	if err != nil {
		return f, fmt.Errorf("read overview of campaign %d: %w", campaignID, err)
	}
	if f.rewards, err = rewards.List(ctx, db, campaignID, language, true, now); err != nil {
		return f, err
	}
	if f.experiment, err = variations.Read(ctx, db, campaignID); err != nil {
		return f, err
	}
	work, err := review.Work(ctx, db, []int64{campaignID}, now, zone)
	if err != nil {
		return f, fmt.Errorf("read what waits in campaign %d: %w", campaignID, err)
	}
	w := work[campaignID]
	f.hasAccount, f.checklist = w.PaymentAccount, w.Of-w.Done
	f.mayAsk = w.Review == api.CampaignWorkReviewNone || w.Review == api.CampaignWorkReviewChangesRequested
	if w.Notes != nil && w.NotesMended != nil {
		f.notes = *w.Notes - *w.NotesMended
	}
	return f, nil
}
