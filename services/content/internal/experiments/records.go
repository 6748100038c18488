package experiments

import (
	"time"

	"talkoot.fi/kit/money"

	"talkoot.fi/content/internal/writing/richtext"
)

// Record is the columns of an experiment that people change.
type Record struct {
	ID, Version            int64
	Slug                   string
	Stage                  int
	Language, Place, Image string
	Latitude, Longitude    *float64
	Open, Disabled         bool
	ShowIn                 map[string]bool `gorm:"serializer:json"`
	Links                  []Link          `gorm:"serializer:json"`
	Currency               string
	GoalMinor              money.Decimal
	RaisedMinor            money.Decimal // the crowd's part as the team states it, while no campaign is linked
	StateMinor             money.Decimal
	OrganizationsMinor     money.Decimal
	Organizations          []Organization `gorm:"serializer:json"`
	CrowdCampaignID        *int64
}

// TableName is GORM's.
func (Record) TableName() string { return "experiments" }

// newRecord is a row of experiments as it is made.
type newRecord struct {
	Record
	CreatedAt, UpdatedAt time.Time
}

// textRecord is a row of experiment_texts.
type textRecord struct {
	ExperimentID            int64  `gorm:"primaryKey"`
	Language                string `gorm:"primaryKey"`
	Title, ShortDescription string
	ImageAlt                string
	Story                   richtext.Doc `gorm:"serializer:json"`
	StoryHTML               string       // rendered from Story
}

// TableName is GORM's.
func (textRecord) TableName() string { return "experiment_texts" }

// customRecord is a row of experiment_custom_texts.
type customRecord struct {
	ExperimentID  int64  `gorm:"primaryKey"`
	Language      string `gorm:"primaryKey"`
	Key           string `gorm:"primaryKey"`
	Value, Format string
	HTML          string
}

// TableName is GORM's.
func (customRecord) TableName() string { return "experiment_custom_texts" }

// memberRecord is a row of experiment_team.
type memberRecord struct {
	ExperimentID, UserID int64
	Position             int // 0 is the owner
}

// TableName is GORM's.
func (memberRecord) TableName() string { return "experiment_team" }

// tagRecord is a row of experiment_tags.
type tagRecord struct{ ExperimentID, TagID int64 }

// TableName is GORM's.
func (tagRecord) TableName() string { return "experiment_tags" }

// stageRecord is a row of experiment_stages.
type stageRecord struct {
	ExperimentID int64 `gorm:"primaryKey"`
	Stage        int   `gorm:"primaryKey"`
	Since        time.Time
}

// TableName is GORM's.
func (stageRecord) TableName() string { return "experiment_stages" }
