package rewards

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"

	"talkoot.fi/content/internal/pledging/withdrawal"
)

// Reward is a reward as a reader of a language sees it.
type Reward struct {
	ID int64
	// OfferVersion changes whenever something that a backer buys does (price, VAT, added costs, delivery, texts and
	// questions of any language), and only then.
	OfferVersion                  int64
	AmountMinor                   int64
	Stock, StockReserved, Backers int
	Active                        int
	VATTenths                     *int
	Kind                          withdrawal.Kind
	// TermDays are for how long a pledge that is made now can be taken back after the campaign, from what TermStarts says.
	TermDays                     int
	TermStarts                   withdrawal.Starts
	Delivery, Title, Description string
	Image, ImageAlt              string
	AddedCosts                   AddedCosts
	CustomQuestions              QuestionTexts
	// HidesCounts is true when the campaign hides its money or its backers: counts by reward would reveal both.
	HidesCounts bool
}

// TextsSQL reads the texts of reward r of campaign c for a reader of @language: those of the reader's language, the
// campaign's own, any that has a title. A language that has no questions asks those of the next one, so that everybody
// is asked.
const TextsSQL = `
	SELECT x.language, x.title, x.description, x.image_alt, coalesce((
		SELECT q.custom_questions FROM reward_texts q WHERE q.reward_id = r.id AND q.custom_questions <> '[]'
		ORDER BY q.language = @language DESC, q.language = c.language DESC, q.language LIMIT 1), '[]') AS custom_questions
	FROM reward_texts x WHERE x.reward_id = r.id AND x.title <> ''
	ORDER BY x.language = @language DESC, x.language = c.language DESC, x.language LIMIT 1`

// List is a campaign's rewards by amount, then id, in one statement along the index rewards_campaign. An editor of the
// campaign sees hidden ones and those without a title too, and all counts; others see no counts that the campaign
// hides. A level of monthly support has no stock (ErrNoStock), whatever was written while its campaign was to be a one-off.
func List(ctx context.Context, db *gorm.DB, campaignID int64, language string, editor bool, now time.Time) ([]Reward, error) {
	list, err := dbx.Select[Reward](ctx, db, `
		SELECT r.id, r.offer_version, r.amount_minor, CASE WHEN c.opens_as = 6 THEN 0 ELSE r.stock END AS stock,
		       CASE WHEN c.opens_as = 6 THEN 0 ELSE r.stock_reserved END AS stock_reserved, r.backers, r.active, r.vat_tenths, r.kind, w.days AS term_days, w.starts AS term_starts, r.delivery, r.image, r.added_costs,
		       coalesce(x.title, '') AS title, coalesce(x.description, '') AS description, coalesce(x.image_alt, '') AS image_alt,
		       coalesce(x.custom_questions, '[]') AS custom_questions, c.hide_funding_amount OR c.hide_member_count AS hides_counts
		FROM rewards r
		JOIN campaigns c ON c.id = r.campaign_id
		LEFT JOIN LATERAL (`+TextsSQL+`) x ON true
		`+withdrawal.TermOfNow+`
		WHERE r.campaign_id = @campaign AND (r.active = 1 AND x.title IS NOT NULL OR @editor AND r.deleted_at IS NULL)
		ORDER BY r.amount_minor, r.id`,
		pgx.NamedArgs{"campaign": campaignID, "language": language, "editor": editor, "at": now})
	if err != nil {
		return nil, fmt.Errorf("list rewards of campaign %d: %w", campaignID, err)
	}
	for i := range list {
		if list[i].HidesCounts && !editor {
			list[i].hideCounts()
		}
	}
	return list, nil
}

// hideCounts removes how many have chosen the reward; how much of limited stock is left stays visible.
func (r *Reward) hideCounts() {
	r.Backers = 0
	if r.Stock == 0 {
		return
	}
	if left := r.Stock - r.StockReserved; left > 0 {
		r.Stock, r.StockReserved = left, 0
	} else {
		r.Stock, r.StockReserved = 1, 1 // a stock of 0 would mean unlimited
	}
}
