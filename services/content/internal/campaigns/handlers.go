package campaigns

import (
	"time"

	"gorm.io/gorm"
)

// Handlers answers the calls about campaigns, their lists, backers and likes.
type Handlers struct {
	db     *gorm.DB
	now    func() time.Time
	lists  *memo[list]
	totals *memo[count]
}

// NewHandlers makes the handlers. They keep public lists for a second in up to 16 MiB, and their counts for five.
func NewHandlers(db *gorm.DB, now func() time.Time) *Handlers {
	return &Handlers{db: db, now: now,
		lists:  newMemo(now, listLifetime, list.size),
		totals: newMemo(now, totalLifetime, func(count) int { return 16 })}
}
