package campaigns

import (
	"time"

	"gorm.io/gorm"
)

// Handlers answers the calls about campaigns, their lists, backers and likes.
type Handlers struct {
	db  *gorm.DB
	now func() time.Time
}

// NewHandlers makes the handlers.
func NewHandlers(db *gorm.DB, now func() time.Time) *Handlers {
	return &Handlers{db: db, now: now}
}
