package payees

import (
	"context"
	"fmt"

	"gorm.io/gorm"

	"talkoot.fi/payments/internal/contentclient"
	"talkoot.fi/payments/internal/events"
)

// TellPayout tells a creator in the caller's transaction what has become of a payout to a bank account of theirs, by its id at the provider;
// nobody when they have erased themselves.
func (s *Service) TellPayout(ctx context.Context, tx *gorm.DB, name, bank string, out contentclient.PayeePayout) error {
	list, err := readBanks(ctx, tx, `JOIN payees p ON p.id = b.payee_id WHERE p.provider = ? AND b.ref = ?`, name, bank)
	if err != nil || len(list) == 0 {
		return err
	}
	owners, err := read(ctx, tx, `WHERE id = ? AND user_id IS NOT NULL FOR UPDATE`, list[0].PayeeID)
	if err != nil || len(owners) == 0 {
		return err
	}
	out.Country, out.LastFour = list[0].Country, list[0].LastFour
	return tellMore(ctx, tx, owners[0], func(e *contentclient.PayeeEvent) { e.Payout = &out })
}

// TellTaxReminder reminds a creator in the caller's transaction of their tax data; false when they have no account to be paid to.
func (s *Service) TellTaxReminder(ctx context.Context, tx *gorm.DB, userID int64, reminder contentclient.PayeeTaxReminder) (told bool, err error) {
	list, err := read(ctx, tx, `WHERE user_id = ? AND ref <> '' AND state <> 'closed' ORDER BY id LIMIT 1 FOR UPDATE`, userID)
	if err != nil || len(list) == 0 {
		return false, err
	}
	return true, tellMore(ctx, tx, list[0], func(e *contentclient.PayeeEvent) { e.TaxReminder = &reminder })
}

// tellMore tells the content service something about an account besides how it is; its row is locked.
func tellMore(ctx context.Context, tx *gorm.DB, p Payee, more func(*contentclient.PayeeEvent)) error {
	p.EventSequence++
	e := p.event()
	more(&e)
	if err := events.AddPayee(ctx, tx, p.ID, e); err != nil {
		return err
	}
	if err := tx.WithContext(ctx).Exec(`UPDATE payees SET event_sequence = ? WHERE id = ?`, p.EventSequence, p.ID).Error; err != nil {
		return fmt.Errorf("number an event of a creator's account: %w", err)
	}
	return nil
}
