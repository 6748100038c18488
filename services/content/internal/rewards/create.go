package rewards

import (
	"context"
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm"
)

// New is a reward to be made.
type New struct {
	CampaignID  int64
	AmountMinor int64 // whole major units
	Stock       int   // 0 is unlimited
	Active      bool  // visible
	VATTenths   *int  // tenths of a per cent: 255 is 25.5 %; nil when not known
	Delivery    string
	Image       string // file name under /media or empty
	AddedCosts  AddedCosts
	Texts       map[string]Text // by language, at least one
}

// Text is a reward in one language.
type Text struct {
	Title, Description string
	// Questions are asked in this order; ask_for_address asks for a postal address.
	Questions QuestionTexts
}

// Create makes a reward in the caller's transaction and returns its id. Errors: no texts; what the table refuses.
func Create(ctx context.Context, tx *gorm.DB, n New, now time.Time) (id int64, err error) {
	if len(n.Texts) == 0 {
		return 0, fmt.Errorf("create reward of campaign %d: %w", n.CampaignID, errors.New("no texts"))
	}
	active := 0
	if n.Active {
		active = 1
	}
	err = tx.WithContext(ctx).Raw(`
		INSERT INTO rewards (campaign_id, amount_minor, stock, active, vat_tenths, delivery, image, added_costs, created_at)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`,
		n.CampaignID, n.AmountMinor, n.Stock, active, n.VATTenths, n.Delivery, n.Image, n.AddedCosts, now).Scan(&id).Error
	if err != nil {
		return 0, fmt.Errorf("create reward of campaign %d: %w", n.CampaignID, err)
	}
	for language, t := range n.Texts {
		err := tx.WithContext(ctx).Exec(`
			INSERT INTO reward_texts (reward_id, language, title, description, custom_questions) VALUES (?, ?, ?, ?, ?)`,
			id, language, t.Title, t.Description, t.Questions).Error
		if err != nil {
			return 0, fmt.Errorf("create texts of reward %d in %s: %w", id, language, err)
		}
	}
	return id, nil
}
