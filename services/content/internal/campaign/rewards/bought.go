package rewards

import (
	"context"
	"database/sql/driver"
	"encoding/json"
	"fmt"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/pledging/withdrawal"
)

// Bought is what a backer was promised, in the language they read, as it is kept in pledges.bought.
type Bought struct {
	AmountMinor int64         `json:"amount_minor"` // of one
	VATTenths   int           `json:"vat_tenths"`   // tenths of a per cent, 0 when not known
	Language    string        `json:"language"`
	Title       string        `json:"title"`
	Description string        `json:"description"`
	Delivery    string        `json:"delivery"`  // YYYY-MM, YYYY-MM/YYYY-MM or empty
	Questions   QuestionTexts `json:"questions"` // as asked; answers name them by Keyed
	// Kind decides until when it can be taken back; empty for what was bought before rewards had one.
	Kind withdrawal.Kind `json:"kind,omitempty"`
	// AddedCost is the chosen addition's description, empty for none.
	AddedCost string `json:"added_cost"`
	// NeedsAddress says that it is sent to a postal address.
	NeedsAddress bool `json:"needs_address"`
}

// Value writes the JSON column.
func (b Bought) Value() (driver.Value, error) {
	text, err := json.Marshal(b)
	return string(text), err
}

// Scan reads the JSON column.
func (b *Bought) Scan(value any) error {
	switch v := value.(type) {
	case string:
		return json.Unmarshal([]byte(v), b)
	case []byte:
		return json.Unmarshal(v, b)
	}
	return fmt.Errorf("read what is bought of %T", value)
}

// Sold is one version of a reward that people have paid for.
type Sold struct {
	AmountMinor                            int64
	VATTenths                              int
	Language, Title, Description, Delivery string
	Backers                                int
	FirstAt, LastAt                        time.Time
}

// mostSold bounds the list of sold versions.
const mostSold = 50

// listSold lists what people have paid for, each version and language apart, the latest first. The index pledges_reward
// leads to the pledges.
func listSold(ctx context.Context, tx *gorm.DB, rewardID int64) (list []Sold, err error) {
	err = tx.WithContext(ctx).Raw(`
		SELECT b.amount_minor, b.vat_tenths, b.language, b.title, b.description, b.delivery, count(DISTINCT `+campaigns.PersonOf("p")+`) AS backers,
		       min(p.paid_at) AS first_at, max(p.paid_at) AS last_at
		FROM pledges p CROSS JOIN LATERAL jsonb_to_record(p.bought)
		     AS b (amount_minor bigint, vat_tenths int, language text, title text, description text, delivery text)
		WHERE p.reward_id = ? AND p.status IN ('paid', 'partly_refunded', 'disputed')
		GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY last_at DESC, first_at DESC LIMIT ?`, rewardID, mostSold).Scan(&list).Error
	if err != nil {
		return nil, fmt.Errorf("list what was bought of reward %d: %w", rewardID, err)
	}
	return list, nil
}

// holders counts the pledges that hold a reward or have paid for it, and who supports for it monthly or has chosen to.
func holders(ctx context.Context, tx *gorm.DB, rewardID int64) (n int, err error) {
	err = tx.WithContext(ctx).Raw(`
		SELECT (SELECT count(*) FROM pledges WHERE reward_id = @id AND status NOT IN ('failed', 'expired', 'refunded', 'withdrawn'))
		     + (SELECT count(*) FROM subscriptions WHERE reward_id = @id AND status <> 'expired')
		     + (SELECT count(*) FROM subscriptions WHERE next_reward_id = @id AND status NOT IN ('canceled', 'expired'))`,
		map[string]any{"id": rewardID}).Scan(&n).Error
	if err != nil {
		return 0, fmt.Errorf("count who holds reward %d: %w", rewardID, err)
	}
	return n, nil
}
