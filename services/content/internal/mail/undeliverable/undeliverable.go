// Package undeliverable knows the addresses whose mail does not arrive: the mail server has refused one for good, and has taken none since.
// It owns the table undeliverable_addresses, which has hashes alone, for a while. Whose address it is reads it on their profile, and a creator how many
// letters of a post went to such addresses; mail is sent to them all the same, since a mailbox may be there again.
package undeliverable

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"
)

// keptFor is how long a refusal is kept; mail that is refused after that is noted anew.
const keptFor = 90 * 24 * time.Hour

const hashed = `sha256(convert_to(lower(@address), 'UTF8'))`

// RefusedAtSQL is when the mail server of the user u refused a mail, null if it takes them.
const RefusedAtSQL = `(SELECT refused_at FROM undeliverable_addresses WHERE address_hash = sha256(convert_to(lower(u.email), 'UTF8')))`

// Note keeps that an address was refused for good. The first refusal counts until a mail is taken.
func Note(ctx context.Context, db *gorm.DB, address string, now time.Time) error {
	err := db.WithContext(ctx).Exec(`INSERT INTO undeliverable_addresses (address_hash, refused_at) VALUES (`+hashed+`, @now)
		ON CONFLICT DO NOTHING`, map[string]any{"address": address, "now": now}).Error
	if err != nil {
		return fmt.Errorf("note that an address is refused: %w", err)
	}
	return nil
}

// Clear forgets that an address was refused: a mail was taken, or its person is erased.
func Clear(ctx context.Context, db *gorm.DB, address string) error {
	err := db.WithContext(ctx).Exec(`DELETE FROM undeliverable_addresses WHERE address_hash = `+hashed, map[string]any{"address": address}).Error
	if err != nil {
		return fmt.Errorf("forget that an address was refused: %w", err)
	}
	return nil
}

// Prune forgets old refusals.
func Prune(ctx context.Context, db *gorm.DB, now time.Time) error {
	if _, err := dbx.Prune(ctx, db, `undeliverable_addresses`, `refused_at < ?`, now.Add(-keptFor)); err != nil {
		return fmt.Errorf("prune refused addresses: %w", err)
	}
	return nil
}
