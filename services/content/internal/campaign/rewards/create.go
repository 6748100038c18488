package rewards

import (
	"context"
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/dbx"

	"talkoot.fi/content/internal/pledging/withdrawal"
)

// New is a reward to be made.
type New struct {
	CampaignID  int64
	AmountMinor int64           // whole major units
	Stock       int             // 0 is unlimited
	Active      bool            // visible
	Kind        withdrawal.Kind // goods unless it says another
	VATTenths   *int            // tenths of a per cent: 255 is 25.5 %; nil when not known
	Delivery    string
	Image       string // file name under /media or empty
	AddedCosts  AddedCosts
	Texts       map[string]Text // by language, at least one
}

// Text is a reward in one language.
type Text struct {
	Title, Description string
	ImageAlt           string // what the picture shows
	// Questions are asked in this order; ask_for_address asks for a postal address.
	Questions QuestionTexts
}

// record is a row of rewards, as far as it is given when a reward is made.
type record struct {
	ID, CampaignID, AmountMinor int64
	Stock, Active               int
	VATTenths                   *int
	Kind                        withdrawal.Kind `gorm:"default:goods"`
	Delivery, Image             string
	AddedCosts                  AddedCosts
	CreatedAt, UpdatedAt        time.Time
}

// TableName is GORM's.
func (record) TableName() string { return "rewards" }

// textRecord is a row of reward_texts.
type textRecord struct {
	RewardID           int64  `gorm:"primaryKey"`
	Language           string `gorm:"primaryKey"`
	Title, Description string
	ImageAlt           string
	CustomQuestions    QuestionTexts
}

// TableName is GORM's.
func (textRecord) TableName() string { return "reward_texts" }

// Faults are those of a reward that is shown from the beginning, by the rules of its changes.
func (n New) Faults() (faults []apperr.Field) {
	if n.Active && n.AmountMinor <= 0 {
		faults = append(faults, noPrice...)
	}
	if n.Active && !Texts(n.Texts).haveTitle() {
		faults = append(faults, noTitle...)
	}
	return faults
}

// Create makes a reward in the caller's transaction and returns its id. Errors: no texts; what the table refuses.
func Create(ctx context.Context, tx *gorm.DB, n New, now time.Time) (id int64, err error) {
	if len(n.Texts) == 0 {
		return 0, fmt.Errorf("create reward of campaign %d: %w", n.CampaignID, errors.New("no texts"))
	}
	tx = tx.WithContext(ctx)
	r := record{CampaignID: n.CampaignID, AmountMinor: n.AmountMinor, Stock: n.Stock, VATTenths: n.VATTenths, Kind: n.Kind,
		Delivery: n.Delivery, Image: n.Image, AddedCosts: n.AddedCosts, CreatedAt: now, UpdatedAt: now}
	if n.Active {
		r.Active = 1
	}
	if err := tx.Create(&r).Error; err != nil {
		return 0, fmt.Errorf("create reward of campaign %d: %w", n.CampaignID, err)
	}
	var texts []textRecord
	for language, t := range n.Texts {
		texts = append(texts, textRecord{r.ID, language, t.Title, t.Description, t.ImageAlt, t.Questions})
	}
	if err := dbx.CreateAll(tx, texts); err != nil {
		return 0, fmt.Errorf("create texts of reward %d: %w", r.ID, err)
	}
	return r.ID, nil
}
