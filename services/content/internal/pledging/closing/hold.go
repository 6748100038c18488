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

// KindHold is the outbox's kind of the word that a campaign is on hold, or not any more.
const KindHold = "campaign.hold"

// held is the payload of KindHold.
type held struct {
	CampaignID int64 `json:"campaign_id"`
	paymentsclient.CampaignHold
}

// HoldWord is what is told of a campaign.
type HoldWord struct {
	Number   int  // grows by one with each word about a campaign
	IsOnHold bool // nothing is charged for it, and its creator is not paid
	PaysOut  bool // on hold as it is, its creator is paid
}

// Hold tells, in the transaction that puts a campaign on hold or lets it go on and has its row locked. Words about one campaign arrive in
// their order.
func Hold(ctx context.Context, tx *gorm.DB, campaignID int64, w HoldWord) error {
	word := paymentsclient.CampaignHold{Number: w.Number, IsOnHold: w.IsOnHold}
	if w.PaysOut {
		word.PaysOut = &w.PaysOut
	}
	payload, err := json.Marshal(held{campaignID, word})
	if err == nil {
		_, err = outbox.Add(ctx, tx, outbox.Message{Kind: KindHold, Stream: fmt.Sprintf("campaign:%d", campaignID), Payload: payload})
	}
	if err != nil {
		return fmt.Errorf("tell that campaign %d is on hold: %w", campaignID, err)
	}
	return nil
}

// HandleHold sends one message of KindHold. It may be repeated.
func (s *Sender) HandleHold(ctx context.Context, m outbox.Message) (err error) {
	var word held
	if err := json.Unmarshal(m.Payload, &word); err != nil {
		return fmt.Errorf("decode message %d: %w", m.ID, err)
	}
	response, err := s.payments.HoldCampaign(ctx, word.CampaignID, word.CampaignHold)
	if err != nil {
		return fmt.Errorf("tell that campaign %d is on hold: %w", word.CampaignID, err)
	}
	defer func() { err = errors.Join(err, response.Body.Close()) }()
	if response.StatusCode != http.StatusNoContent {
		return fmt.Errorf("tell that campaign %d is on hold: the payment service answered %d", word.CampaignID, response.StatusCode)
	}
	return nil
}
