package accounts

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/outbox"

	"talkoot.fi/content/internal/api/internalapi"
)

// KindMail is the outbox's kind of the mail to a creator about their account; its payload is a Mail.
const KindMail = "mail.payee"

// Mail is the payload of KindMail.
type Mail struct {
	UserID int64 `json:"user_id"`
	// What has become of the account: ready, restricted or closed; missing of a campaign's that has none that is ready.
	State string   `json:"state"`
	Needs []string `json:"needs,omitempty"`
	// Provider of the account; Mangopay's in messages that do not say.
	Provider   string `json:"provider,omitempty"`
	CampaignID int64  `json:"campaign_id,omitempty"` // whose money waits, of missing
	// Bank is a bank account that payouts go to from now on, or do no more; State is then bank_added, bank_replaced or bank_removed.
	Bank *internalapi.PayeeBankChange `json:"bank,omitempty"`
	// Payout is a payout to the person's bank; State is then payout_arrived, payout_failed or payout_returned.
	Payout *internalapi.PayeePayout `json:"payout,omitempty"`
	// Tax reminds the person of what the law on reporting asks of them; State is then tax_missing or, the second time, tax_missing_still.
	Tax *internalapi.PayeeTaxReminder `json:"tax,omitempty"`
}

// InternalHandlers answers the payment service, in the words of the internal contract.
type InternalHandlers struct{ db *gorm.DB }

// NewInternalHandlers makes the handlers; the service token's check belongs before them.
func NewInternalHandlers(db *gorm.DB) *InternalHandlers { return &InternalHandlers{db} }

// PayeeEvent takes over how an account is; an event that is older than what is known changes nothing. The creator is told by mail when
// it can be paid to, and when it cannot any more.
func (h *InternalHandlers) PayeeEvent(ctx context.Context, r internalapi.PayeeEventRequestObject) (internalapi.PayeeEventResponseObject, error) {
	outcome := internalapi.EventOutcomeOutcomeIgnored
	err := dbx.InTx(ctx, h.db, func(tx *gorm.DB) error {
		outcome = internalapi.EventOutcomeOutcomeIgnored
		e := *r.Body
		var was string
		err := tx.WithContext(ctx).Raw(`SELECT state FROM payout_accounts WHERE provider = ? AND account_id = ? FOR UPDATE`, e.Provider, e.AccountID).Scan(&was).Error
		if err != nil {
			return fmt.Errorf("read an account: %w", err)
		}
		result := tx.WithContext(ctx).Exec(`
			INSERT INTO payout_accounts (user_id, provider, account_id, wallet_id, state, needs, sequence)
			SELECT id, @provider, @account, @wallet, @state, CAST(@needs AS text[]), @sequence FROM users WHERE id = @user AND erased_at IS NULL
			ON CONFLICT (provider, account_id, wallet_id) DO UPDATE SET user_id = excluded.user_id, state = excluded.state, needs = excluded.needs, sequence = excluded.sequence
			WHERE payout_accounts.sequence < excluded.sequence`, map[string]any{"user": e.UserID, "provider": e.Provider, "account": e.AccountID,
			"wallet": e.WalletID, "state": e.State, "needs": dbx.TextArray(e.Needs), "sequence": e.Sequence})
		if result.Error != nil {
			return fmt.Errorf("keep how an account is: %w", result.Error)
		}
		if result.RowsAffected == 0 {
			return nil
		}
		outcome = internalapi.EventOutcomeOutcomeApplied
		if e.Bank != nil {
			err := addMail(ctx, tx, e.EventID+":bank", Mail{UserID: e.UserID, State: "bank_" + string(e.Bank.Change), Provider: string(e.Provider), Bank: e.Bank})
			if err != nil {
				return err
			}
		}
		if e.Payout != nil {
			err := addMail(ctx, tx, e.EventID+":payout", Mail{UserID: e.UserID, State: "payout_" + string(e.Payout.Outcome), Provider: string(e.Provider), Payout: e.Payout})
			if err != nil {
				return err
			}
		}
		if e.TaxReminder != nil {
			state := stateTax
			if e.TaxReminder.Number > 1 {
				state = stateTaxStill
			}
			if err := addMail(ctx, tx, e.EventID+":tax", Mail{UserID: e.UserID, State: state, Provider: string(e.Provider), Tax: e.TaxReminder}); err != nil {
				return err
			}
		}
		state := string(e.State)
		if was == state || !slices.Contains([]string{"ready", "restricted", "closed"}, state) {
			return nil
		}
		return addMail(ctx, tx, e.EventID, Mail{UserID: e.UserID, State: state, Needs: e.Needs, Provider: string(e.Provider)})
	})
	return internalapi.PayeeEvent200JSONResponse{Outcome: outcome}, err
}

// The states of a mail about what the law asks for.
const (
	stateTax      = "tax_missing"
	stateTaxStill = "tax_missing_still"
)

func addMail(ctx context.Context, tx *gorm.DB, key string, m Mail) error {
	payload, err := json.Marshal(m)
	if err == nil {
		_, err = outbox.Add(ctx, tx, outbox.Message{Kind: KindMail, Payload: payload, DedupeKey: KindMail + ":" + key})
	}
	if err != nil {
		return fmt.Errorf("mail about an account: %w", err)
	}
	return nil
}
