// Package accounts knows which accounts at the payment providers are whose, for paying out. It owns the tables
// payout_accounts: what the payment service, which makes the accounts, tells of them; and payout_reminders: whose money waits
// for an account.
//
// Invariant: a campaign's money goes to an account of its creator's own. Somebody else's account and one that does not
// exist are refused with the same error, so that nobody can find out which accounts exist.
package accounts

import (
	"context"
	"fmt"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/dbx"

	"talkoot.fi/content/internal/campaign/campaigns"
)

// Set says where a campaign's money is paid out, in one transaction. Errors: those of campaigns.ChangePaymentAccount;
// InvalidFields for an account that is not the person's, or is not wholly named.
func Set(ctx context.Context, db *gorm.DB, e campaigns.Edit, userID int64, wanted campaigns.PaymentAccount) error {
	return dbx.InTx(ctx, db, func(tx *gorm.DB) error {
		if err := campaigns.ChangePaymentAccount(ctx, tx, e, userID, wanted); err != nil {
			return err
		}
		return check(ctx, tx, userID, wanted)
	})
}

// check refuses accounts that are not the person's, or are closed. The field is the one that names the provider.
func check(ctx context.Context, tx *gorm.DB, userID int64, a campaigns.PaymentAccount) error {
	faults := apperr.New(apperr.InvalidFields)
	switch {
	case a.AccountID == "" && a.UserID == "" && a.WalletID == "":
		return faults.WithField("stripe_account_id", apperr.RuleRequired)
	case a.UserID == "" && a.WalletID != "":
		return faults.WithField("mangopay_user_id", apperr.RuleRequired)
	case a.UserID != "" && a.WalletID == "":
		return faults.WithField("mangopay_wallet_id", apperr.RuleRequired)
	}
	for _, one := range []struct{ provider, field, id, wallet string }{
		{"stripe", "stripe_account_id", a.AccountID, ""}, {"mangopay", "mangopay_wallet_id", a.UserID, a.WalletID}} {
		if one.id == "" {
			continue
		}
		var isOwn bool
		err := tx.WithContext(ctx).Raw(`SELECT EXISTS (SELECT FROM payout_accounts WHERE provider = ? AND account_id = ? AND wallet_id = ?
			AND user_id = ? AND state <> 'closed')`, one.provider, one.id, one.wallet, userID).Scan(&isOwn).Error
		if err != nil {
			return fmt.Errorf("look for a payout account of user %d: %w", userID, err)
		}
		if !isOwn {
			faults = faults.WithField(one.field, apperr.RuleUnknownAccount)
		}
	}
	return faults.OrNil()
}

// Merge makes a person's accounts at the providers those of another account of theirs, in the caller's transaction.
func Merge(ctx context.Context, tx *gorm.DB, from, to int64) error {
	if err := tx.WithContext(ctx).Exec(`UPDATE payout_accounts SET user_id = ? WHERE user_id = ?`, to, from).Error; err != nil {
		return fmt.Errorf("move payout accounts of user %d to user %d: %w", from, to, err)
	}
	return nil
}

// Erase forgets a person's accounts at the providers, in the caller's transaction.
func Erase(ctx context.Context, tx *gorm.DB, userID int64) error {
	if err := tx.WithContext(ctx).Exec(`DELETE FROM payout_accounts WHERE user_id = ?`, userID).Error; err != nil {
		return fmt.Errorf("forget payout accounts of user %d: %w", userID, err)
	}
	return nil
}
