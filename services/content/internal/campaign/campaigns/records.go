package campaigns

import (
	"time"

	"talkoot.fi/content/internal/writing/richtext"
)

// newRecord is a row of campaigns as it is made: what people change later, and what they do not.
type newRecord struct {
	Record
	FundingStart, FundingDeadline *time.Time
	CreatedAt, UpdatedAt          time.Time
}

// totalsRecord is a row of campaign_totals as it begins: everything else is zero.
type totalsRecord struct{ CampaignID int64 }

// TableName is GORM's.
func (totalsRecord) TableName() string { return "campaign_totals" }

// categoryRecord is a row of campaign_categories.
type categoryRecord struct{ CampaignID, CategoryID int64 }

// TableName is GORM's.
func (categoryRecord) TableName() string { return "campaign_categories" }

// tagRecord is a row of campaign_tags.
type tagRecord struct{ CampaignID, TagID int64 }

// TableName is GORM's.
func (tagRecord) TableName() string { return "campaign_tags" }

// memberRecord is a row of campaign_team.
type memberRecord struct {
	CampaignID, UserID int64
	Position           int // 0 is the creator
}

// TableName is GORM's.
func (memberRecord) TableName() string { return "campaign_team" }

// textRecord is a row of campaign_texts.
type textRecord struct {
	CampaignID                                     int64  `gorm:"primaryKey"`
	Language                                       string `gorm:"primaryKey"`
	Title, Tagline, ShortDescription, AboutCreator string
	ProjectPicAlt                                  string
	Story                                          richtext.Doc `gorm:"serializer:json"`
	StoryHTML, StoryText                           string       // rendered from Story
	UpdatedAt                                      time.Time    `gorm:"autoUpdateTime:false"` // by the caller's clock
}

// TableName is GORM's.
func (textRecord) TableName() string { return "campaign_texts" }

// goalRecord is a row of subscription_goals.
type goalRecord struct {
	ID, CampaignID int64
	Target         int // subscriptions
}

// TableName is GORM's.
func (goalRecord) TableName() string { return "subscription_goals" }

// goalTextRecord is a row of subscription_goal_texts.
type goalTextRecord struct {
	GoalID             int64  `gorm:"primaryKey"`
	Language           string `gorm:"primaryKey"`
	Title, Description string
}

// TableName is GORM's.
func (goalTextRecord) TableName() string { return "subscription_goal_texts" }
