package campaigns

import (
	"context"
	"fmt"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"

	"talkoot.fi/content/internal/pledging/closing"
	"talkoot.fi/content/internal/writing/changes"
)

// PaymentAccount is where a campaign's money is paid out: Stripe's account, Mangopay's user and wallet, or both.
type PaymentAccount struct{ AccountID, UserID, WalletID string }

// ChangePaymentAccount says where a campaign's money is paid out, in the caller's transaction. Only its creator may,
// the first of its team; that the account is the creator's own is the caller's to check. Errors: ErrUnknown; Forbidden;
// ChangedMeanwhile.
func ChangePaymentAccount(ctx context.Context, tx *gorm.DB, e Edit, userID int64, wanted PaymentAccount) error {
	r, c, err := lock(ctx, tx, e.CampaignID, changes.ForNoKeyUpdate)
	if err != nil {
		return err
	}
	var current struct {
		PaymentAccount
		CreatorID int64
	}
	err = tx.WithContext(ctx).Raw(`
		SELECT c.payment_account_id AS account_id, c.payment_user_id AS user_id, c.payment_wallet_id AS wallet_id, m.user_id AS creator_id
		FROM campaigns c JOIN campaign_team m ON m.campaign_id = c.id AND m.position = 0 WHERE c.id = ?`, r.ID).Scan(&current).Error
	if err != nil {
		return fmt.Errorf("read the payment account of campaign %d: %w", r.ID, err)
	}
	if current.CreatorID != userID {
		return apperr.New(apperr.Forbidden)
	}
	if err := c.Expect(ctx, tx, e.Known); err != nil {
		return err
	}
	changes.Set(c, "payment_account_id", "payment_account_id", &current.AccountID, &wanted.AccountID)
	changes.Set(c, "payment_user_id", "payment_user_id", &current.UserID, &wanted.UserID)
	changes.Set(c, "payment_wallet_id", "payment_wallet_id", &current.WalletID, &wanted.WalletID)
	if !c.Any() {
		return nil
	}
	if err := c.Save(ctx, tx, "set_payment_account", e.By, e.Now); err != nil {
		return err
	}
	return tellAccounts(ctx, tx, r.ID)
}

// tellAccounts has the payment service told by which accounts a campaign is paid, which have changed.
func tellAccounts(ctx context.Context, tx *gorm.DB, campaignID int64) error {
	err := tx.WithContext(ctx).Exec(`UPDATE campaigns SET payment_accounts_number = payment_accounts_number + 1 WHERE id = ?`, campaignID).Error
	if err != nil {
		return fmt.Errorf("count the accounts of campaign %d: %w", campaignID, err)
	}
	return closing.Accounts(ctx, tx, campaignID)
}
