package seed

import (
	"context"
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm"
)

// ErrDemo refuses to run a real platform on a database with demo content.
var ErrDemo = errors.New("the database holds the demo content, with an admin whose password everybody knows: " +
	"point DATABASE_URL at an empty database and make your own with `content admin`, or set SANDBOX=1 if no real money moves here")

// mark records that the database holds demo content.
func mark(ctx context.Context, db *gorm.DB, now time.Time) error {
	err := db.WithContext(ctx).Exec(`INSERT INTO demo_content (filled_at) VALUES (?) ON CONFLICT DO NOTHING`, now).Error
	if err != nil {
		return fmt.Errorf("mark the demo content: %w", err)
	}
	return nil
}

// Refuse returns ErrDemo if the database holds demo content, or ever did.
func Refuse(ctx context.Context, db *gorm.DB) error {
	var isThere bool
	if err := db.WithContext(ctx).Raw(`SELECT EXISTS (SELECT FROM demo_content)`).Scan(&isThere).Error; err != nil {
		return fmt.Errorf("look for demo content: %w", err)
	}
	if isThere {
		return ErrDemo
	}
	return nil
}
