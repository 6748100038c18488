package claims

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"
)

// row is a claim.
type row struct {
	ID, Reference, PledgeID string
	CampaignID              int64
	Kind                    Kind
	State                   State
	Version                 int64
	WaitsFrom               time.Time
	DueAt                   *time.Time
	OfferMinor              *int64
	OfferDay                *time.Time
	Tracking                string
	Decisions               int
	CreatedAt               time.Time
}

// save writes how a claim stands.
func (c row) save(ctx context.Context, tx *gorm.DB, now time.Time) error {
	err := tx.WithContext(ctx).Exec(`
		UPDATE claims SET state = @state, version = @version, waits_from = @from, due_at = @due, offer_minor = @minor,
			offer_day = CAST(@day AS date), tracking = @tracking, decisions = @decisions, updated_at = @now
		WHERE id = @id`,
		map[string]any{"id": c.ID, "state": c.State, "version": c.Version, "from": c.WaitsFrom, "due": c.DueAt,
			"minor": c.OfferMinor, "day": c.OfferDay, "tracking": c.Tracking, "decisions": c.Decisions, "now": now}).Error
	if err != nil {
		return fmt.Errorf("move a claim to %s: %w", c.State, err)
	}
	return nil
}

// dayOf is the day that an act names.
func (c row) dayOf(act Act) *time.Time {
	if act == OfferResend {
		return c.OfferDay
	}
	return nil
}

const columns = `id, reference, pledge_id, campaign_id, kind, state, version, waits_from, due_at, offer_minor, offer_day, tracking, decisions, created_at`

func read(ctx context.Context, db *gorm.DB, where string, args ...any) (c row, found bool, err error) {
	got := db.WithContext(ctx).Raw(`SELECT `+columns+` FROM claims `+where, args...).Scan(&c)
	if got.Error != nil {
		return c, false, fmt.Errorf("read a claim: %w", got.Error)
	}
	return c, got.RowsAffected > 0, nil
}

// nullable is nil for zero.
func nullable(n int64) *int64 {
	if n == 0 {
		return nil
	}
	return &n
}
