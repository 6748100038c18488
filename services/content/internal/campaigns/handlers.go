package campaigns

import (
	"time"

	"gorm.io/gorm"
)

// Handlers answers the calls about campaigns, their lists, backers and likes.
type Handlers struct {
	db   *gorm.DB
	now  func() time.Time
	zone *time.Location
}

// NewHandlers makes the handlers; days are those of the zone.
func NewHandlers(db *gorm.DB, now func() time.Time, zone *time.Location) *Handlers {
	return &Handlers{db: db, now: now, zone: zone}
}
