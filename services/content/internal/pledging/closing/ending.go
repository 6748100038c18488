package closing

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/outbox"

	"talkoot.fi/content/internal/paymentsclient"
)

// KindEnding is the outbox's kind of the word that a campaign has ended, and whose its money is.
const KindEnding = "campaign.ending"

// End tells, in the transaction that has written how a campaign ends (campaign_endings), the payment service about it.
func End(ctx context.Context, tx *gorm.DB, campaignID int64) error {
	payload, err := json.Marshal(ofCampaign{campaignID})
	if err == nil {
		_, err = outbox.Add(ctx, tx, outbox.Message{Kind: KindEnding, Stream: fmt.Sprintf("campaign:%d", campaignID), Payload: payload})
	}
	if err != nil {
		return fmt.Errorf("tell that campaign %d has ended: %w", campaignID, err)
	}
	return nil
}

// SendEnding makes the outbox's handler of KindEnding. It may be repeated.
func SendEnding(db *gorm.DB, payments *paymentsclient.Client) outbox.Handler {
	return func(ctx context.Context, m outbox.Message) (err error) {
		var of ofCampaign
		if err := json.Unmarshal(m.Payload, &of); err != nil {
			return fmt.Errorf("decode message %d: %w", m.ID, err)
		}
		var word struct {
			Outcome, GoesTo, Currency string
			EndedAt                   time.Time
			Accepted                  int
			AcceptedMinor             int64
		}
		found := db.WithContext(ctx).Raw(`SELECT outcome, goes_to, currency, ended_at, accepted, accepted_minor FROM campaign_endings
			WHERE campaign_id = ?`, of.CampaignID).Scan(&word)
		if found.Error != nil || found.RowsAffected == 0 {
			return found.Error
		}
		response, err := payments.EndCampaign(ctx, of.CampaignID, paymentsclient.CampaignEnding{
			Outcome: paymentsclient.CampaignEndingOutcome(word.Outcome), GoesTo: paymentsclient.CampaignEndingGoesTo(word.GoesTo),
			EndedAt: word.EndedAt, Accepted: word.Accepted, AcceptedMinor: word.AcceptedMinor, Currency: word.Currency})
		if err != nil {
			return fmt.Errorf("tell that campaign %d has ended: %w", of.CampaignID, err)
		}
		defer func() { err = errors.Join(err, response.Body.Close()) }()
		if response.StatusCode != http.StatusNoContent {
			return fmt.Errorf("tell that campaign %d has ended: the payment service answered %d", of.CampaignID, response.StatusCode)
		}
		return nil
	}
}

var errNoAnswer = errors.New("not what was asked")

// Standing asks the payment service what can still come of a campaign's payments.
func Standing(ctx context.Context, payments *paymentsclient.Client, campaignID int64) (found paymentsclient.CampaignStanding, err error) {
	response, err := payments.CampaignStanding(ctx, campaignID)
	if err != nil {
		return found, fmt.Errorf("ask how campaign %d stands: %w", campaignID, err)
	}
	defer func() { err = errors.Join(err, response.Body.Close()) }()
	if response.StatusCode != http.StatusOK {
		return found, fmt.Errorf("ask how campaign %d stands: the payment service answered %d", campaignID, response.StatusCode)
	}
	var answer struct {
		IsOpen       *bool `json:"is_open"`
		IsProcessing *bool `json:"is_processing"`
		IsUntold     *bool `json:"is_untold"`
	}
	err = json.NewDecoder(io.LimitReader(response.Body, maxAnswer)).Decode(&answer)
	if err != nil || answer.IsOpen == nil || answer.IsProcessing == nil || answer.IsUntold == nil { // another program answers at that address
		return found, fmt.Errorf("read how campaign %d stands: no answer of the payment service (%w)", campaignID, errors.Join(err, errNoAnswer))
	}
	return paymentsclient.CampaignStanding{IsOpen: *answer.IsOpen, IsProcessing: *answer.IsProcessing, IsUntold: *answer.IsUntold}, nil
}
