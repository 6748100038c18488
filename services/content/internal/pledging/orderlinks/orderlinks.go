// Package orderlinks mails people the links to what they support and have paid for without an account: each does one thing, as
// those in the mails that they have got do (packages supportlinks and receiptlinks). It owns no table.
//
// Invariant: neither the answer nor the work of asking tells whether an address has anything: only the worker that sends the
// mail looks.
package orderlinks

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/outbox"
	"talkoot.fi/kit/ratelimit"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/languages"
	"talkoot.fi/content/internal/person/profiles"
	"talkoot.fi/content/internal/request"
)

// KindMail is the outbox's kind of the mail with the links; its payload is a Mail.
const KindMail = "mail.order_links"

// Mail is the payload of KindMail: the address as it was typed, which may have nothing.
type Mail struct {
	Email    string `json:"email"`
	Language string `json:"language"`
}

// most is how many of each kind one mail lists, the latest first.
const most = 20

// Support is monthly support that was begun without an account, and goes on or has its first month at its bank; BegunOn is zero then.
type Support struct {
	ID, CampaignTitle     string
	AmountMinor, Sequence int64 // a month, and of the newest event
	Status                string
	BegunOn               time.Time
	NextChargeOn, DueOn   *time.Time
	IsEnding              bool
	IsAtBank              bool // its first month
}

// Paid is a pledge that was paid without an account; ReceiptNumber is empty while its bank confirms it.
type Paid struct{ ID, CampaignTitle, ReceiptNumber string }

// Of reads what an address supports and has paid for without an account, with titles in a language.
func Of(ctx context.Context, db *gorm.DB, email, language string) (supports []Support, paid []Paid, err error) {
	args := map[string]any{"email": email, "language": language, "most": most}
	err = db.WithContext(ctx).Raw(`
		SELECT s.id, v.preview ->> 'title' AS campaign_title, s.amount_minor, s.event_sequence AS sequence, s.status, s.begun_on,
		       s.next_charge_on, s.due_on, s.ends_on IS NOT NULL AS is_ending,
		       s.status = 'created' AS is_at_bank
		FROM subscriptions s JOIN campaign_previews v ON v.campaign_id = s.campaign_id AND v.language = @language
		WHERE s.user_id IS NULL AND lower(s.email) = lower(@email) AND (s.status IN ('active', 'past_due', 'paused') AND s.begun_on IS NOT NULL OR s.status = 'created' AND s.is_processing)
		ORDER BY s.created_at DESC, s.id LIMIT @most`, args).Scan(&supports).Error
	if err != nil {
		return nil, nil, fmt.Errorf("read what an address supports: %w", err)
	}
	err = db.WithContext(ctx).Raw(`
		SELECT p.id, v.preview ->> 'title' AS campaign_title, coalesce(p.receipt_number, '') AS receipt_number
		FROM pledges p JOIN campaign_previews v ON v.campaign_id = p.campaign_id AND v.language = @language
		WHERE p.user_id IS NULL AND lower(p.email) = lower(@email) AND (p.receipt_number IS NOT NULL OR p.status = 'processing')
		ORDER BY p.created_at DESC, p.id LIMIT @most`, args).Scan(&paid).Error
	if err != nil {
		return nil, nil, fmt.Errorf("read what an address has paid for: %w", err)
	}
	return supports, paid, nil
}

// Period is the month of a day, of support that began on another.
func (s Support) Period(day time.Time) int {
	return (day.Year()-s.BegunOn.Year())*12 + int(day.Month()) - int(s.BegunOn.Month()) + 1
}

// Handlers answers the call.
type Handlers struct {
	db      *gorm.DB
	mayMail func(ctx context.Context, email string) (bool, error)
}

// NewHandlers makes the handlers; Rules belong before them. mayMail counts the mails that anybody has sent to an address.
func NewHandlers(db *gorm.DB, mayMail func(ctx context.Context, email string) (bool, error)) *Handlers {
	return &Handlers{db, mayMail}
}

// Rules are the limits by address.
func Rules(calls ratelimit.Limit) ratelimit.Rules {
	return ratelimit.Rules{"POST /order-links": {{Name: "order_links", Limit: calls}}}
}

// AskOrderLinks queues the mail, whether the address has anything or not. After too many for one address it queues nothing, and
// does not say so.
func (h *Handlers) AskOrderLinks(ctx context.Context, r api.AskOrderLinksRequestObject) (api.AskOrderLinksResponseObject, error) {
	email := profiles.NormalEmail(r.Body.Email)
	if !profiles.IsEmail(email) {
		return nil, apperr.New(apperr.InvalidFields).WithField("email", apperr.RuleEmail)
	}
	may, err := h.mayMail(ctx, email)
	if err != nil {
		return nil, err
	}
	if may {
		payload, err := json.Marshal(Mail{Email: email, Language: languages.Of(request.Value(r.Body.Language))})
		if err != nil {
			return nil, fmt.Errorf("encode a mail with links: %w", err)
		}
		if _, err := outbox.Add(ctx, h.db, outbox.Message{Kind: KindMail, Payload: payload}); err != nil {
			return nil, err
		}
	}
	return api.AskOrderLinks202Response{}, nil
}
