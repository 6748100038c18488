// Package pins keeps which account of a provider our money is in. With another account's key everything that we ask about would
// be unknown there, which looks as if it had ended; so no call is made with such a key.
package pins

import (
	"context"
	"fmt"

	"gorm.io/gorm"

	"talkoot.fi/payments/internal/provider"
)

// Pin keeps a provider's account the first time, and afterwards checks that it is the same. Error: provider.ErrOtherAccount.
func Pin(ctx context.Context, db *gorm.DB, name, account string) error {
	var kept string
	err := db.WithContext(ctx).Raw(`WITH new AS (
			INSERT INTO provider_accounts (provider, account) VALUES (@name, @account)
			ON CONFLICT (provider) DO NOTHING RETURNING account)
		SELECT account FROM new UNION ALL SELECT account FROM provider_accounts WHERE provider = @name LIMIT 1`,
		map[string]any{"name": name, "account": account}).Scan(&kept).Error
	switch {
	case err != nil:
		return fmt.Errorf("pin the account at %s: %w", name, err)
	case kept == "": // another process has pinned one just now
		return Pin(ctx, db, name, account)
	case kept != account:
		return fmt.Errorf("%s %s, our money is in %s: %w", name, account, kept, provider.ErrOtherAccount)
	}
	return nil
}
