package letters

import (
	"context"
	"fmt"

	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"
)

// Erase forgets by which address somebody got or refused letters, in the caller's transaction: of pledges and monthly
// support that are theirs, and of the address that they have confirmed. Other addresses of their pledges may be a stranger's, whose
// refusals hold. How many letters a post has sent stays.
func Erase(ctx context.Context, tx *gorm.DB, pledgeIDs, subscriptionIDs []string, address string) error {
	for _, statement := range []string{
		`UPDATE letters SET address_hash = sha256(convert_to(pledge_id, 'UTF8')) WHERE pledge_id = ANY(@pledges)`,
		`UPDATE letters SET address_hash = sha256(convert_to(subscription_id, 'UTF8')) WHERE subscription_id = ANY(@subscriptions)`,
		`DELETE FROM letter_refusals WHERE address_hash = sha256(convert_to(lower(@address), 'UTF8'))`,
	} {
		err := tx.WithContext(ctx).Exec(statement, map[string]any{"pledges": dbx.TextArray(pledgeIDs),
			"subscriptions": dbx.TextArray(subscriptionIDs), "address": address}).Error
		if err != nil {
			return fmt.Errorf("forget the addresses of letters: %w", err)
		}
	}
	return nil
}
