package closing

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"gorm.io/gorm"

	"talkoot.fi/kit/outbox"

	"talkoot.fi/content/internal/paymentsclient"
)

// KindAccounts is the outbox's kind of the word by which accounts a campaign is paid.
const KindAccounts = "campaign.accounts"

// ofCampaign is the payload of words that are read as they are when they leave.
type ofCampaign struct {
	CampaignID int64 `json:"campaign_id"`
}

// Accounts tells, in the transaction that has changed them and counted that (campaigns.payment_accounts_number), by which accounts a
// campaign is paid. What is sent is as it is when it leaves.
func Accounts(ctx context.Context, tx *gorm.DB, campaignID int64) error {
	payload, err := json.Marshal(ofCampaign{campaignID})
	if err == nil {
		_, err = outbox.Add(ctx, tx, outbox.Message{Kind: KindAccounts, Stream: fmt.Sprintf("campaign:%d", campaignID), Payload: payload})
	}
	if err != nil {
		return fmt.Errorf("tell by which accounts campaign %d is paid: %w", campaignID, err)
	}
	return nil
}

// SendAccounts makes the outbox's handler of KindAccounts. It may be repeated.
func SendAccounts(db *gorm.DB, payments *paymentsclient.Client) outbox.Handler {
	return func(ctx context.Context, m outbox.Message) (err error) {
		var of ofCampaign
		if err := json.Unmarshal(m.Payload, &of); err != nil {
			return fmt.Errorf("decode message %d: %w", m.ID, err)
		}
		var word struct {
			Number                   int
			StripeAccount, MangoUser string
		}
		found := db.WithContext(ctx).Raw(`SELECT payment_accounts_number AS number, payment_account_id AS stripe_account, payment_user_id AS mango_user
			FROM campaigns WHERE id = ?`, of.CampaignID).Scan(&word)
		if found.Error != nil || found.RowsAffected == 0 { // a draft that is gone
			return found.Error
		}
		response, err := payments.SetCampaignAccounts(ctx, of.CampaignID, paymentsclient.CampaignAccounts{Number: word.Number,
			StripeAccountID: word.StripeAccount, MangopayUserID: word.MangoUser})
		if err != nil {
			return fmt.Errorf("tell by which accounts campaign %d is paid: %w", of.CampaignID, err)
		}
		defer func() { err = errors.Join(err, response.Body.Close()) }()
		if response.StatusCode != http.StatusNoContent {
			return fmt.Errorf("tell by which accounts campaign %d is paid: the payment service answered %d", of.CampaignID, response.StatusCode)
		}
		return nil
	}
}
