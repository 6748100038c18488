package reminders

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/ratelimit"
	"talkoot.fi/kit/session"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/languages"
	"talkoot.fi/content/internal/mail/addresslinks"
	"talkoot.fi/content/internal/paymentsclient"
	"talkoot.fi/content/internal/person/profiles"
	"talkoot.fi/content/internal/request"
)

// most is for how many campaigns one address waits.
const most = 5

// Handlers answers the public calls.
type Handlers struct {
	db       *gorm.DB
	payments *paymentsclient.Client
	links    addresslinks.Kind
	now      func() time.Time
}

// NewHandlers makes the handlers; Rules belong before them.
func NewHandlers(db *gorm.DB, payments *paymentsclient.Client, links addresslinks.Kind, now func() time.Time) *Handlers {
	return &Handlers{db, payments, links, func() time.Time { return now().UTC() }}
}

// Rules are the limits by address.
func Rules(calls ratelimit.Limit) ratelimit.Rules {
	return ratelimit.Rules{"POST /campaigns/:campaign_id/payment_reminders": {{Name: "payment_reminders", Limit: calls}},
		"POST /payment-reminders/:token/refuse": {{Name: "refused_reminders", Limit: calls}}}
}

// AskPaymentReminder keeps an address until its campaign can be paid. Errors: NotFound for a campaign that strangers do not see;
// CampaignNotOpen; InvalidFields; Unavailable while it is not known whether the campaign can be paid.
func (h *Handlers) AskPaymentReminder(ctx context.Context, r api.AskPaymentReminderRequestObject) (api.AskPaymentReminderResponseObject, error) {
	to, err := h.receiver(ctx, r.Body)
	if err != nil {
		return nil, err
	}
	isPayable, err := h.isPayable(ctx, r.CampaignID)
	if err == nil && !isPayable {
		err = keep(ctx, h.db, r.CampaignID, to, h.now())
	}
	if err != nil {
		return nil, err
	}
	return api.AskPaymentReminder202JSONResponse{IsPayable: isPayable}, nil
}

// receiver is who is to be mailed.
type receiver struct {
	Email, Language string
	IsTheirs        bool // whoever asks has shown that the address is theirs
}

func (h *Handlers) receiver(ctx context.Context, body *api.PaymentReminderRequest) (to receiver, err error) {
	who, err := session.Require(ctx)
	isSignedIn := err == nil
	if isSignedIn {
		err = h.db.WithContext(ctx).Raw(`SELECT email, language, verified AS is_theirs FROM users WHERE id = ?`, who.UserID).Scan(&to).Error
		if err != nil {
			return to, fmt.Errorf("read the address of user %d: %w", who.UserID, err)
		}
	}
	if typed := profiles.NormalEmail(request.Value(body.Email)); typed != "" || !isSignedIn {
		if !profiles.IsEmail(typed) {
			return to, apperr.New(apperr.InvalidFields).WithField("email", apperr.RuleEmail)
		}
		to = receiver{typed, languages.Of(request.Value(body.Language)), to.IsTheirs && typed == profiles.NormalEmail(to.Email)}
	}
	return to, nil
}

// isPayable is what is known of a campaign, and asked when it is not known to be unpayable: the page that asks may be older than the
// campaign's return.
func (h *Handlers) isPayable(ctx context.Context, campaignID int64) (bool, error) {
	var rows []struct {
		Campaign                      campaign `gorm:"embedded"`
		IsOpen, IsPublic, IsUnpayable bool
	}
	err := h.db.WithContext(ctx).Raw(`SELECT c.id, c.currency, c.stage = 6 AS is_monthly, c.stage <> 0 AS is_public, `+openSQL+` AS is_open,
		EXISTS (SELECT FROM unpayable_campaigns u WHERE u.campaign_id = c.id) AS is_unpayable FROM campaigns c WHERE c.id = @id`,
		map[string]any{"id": campaignID, "now": h.now()}).Scan(&rows).Error
	switch {
	case err != nil:
		return false, fmt.Errorf("read whether campaign %d is open: %w", campaignID, err)
	case len(rows) == 0 || !rows[0].IsPublic:
		return false, apperr.New(apperr.NotFound)
	case !rows[0].IsOpen:
		return false, apperr.New(apperr.CampaignNotOpen)
	case rows[0].IsUnpayable:
		return false, nil
	}
	payable, err := ask(ctx, h.payments, []campaign{rows[0].Campaign})
	return payable[campaignID], err
}

// keep keeps an address, unless its person wants no reminder of this campaign or it waits for many already. Who is known to ask for
// themselves takes an earlier refusal back.
func keep(ctx context.Context, db *gorm.DB, campaignID int64, to receiver, now time.Time) error {
	args := map[string]any{"campaign": campaignID, "email": to.Email, "language": to.Language, "now": now, "most": most}
	err := dbx.InTx(ctx, db, func(tx *gorm.DB) (err error) {
		tx = tx.WithContext(ctx)
		if to.IsTheirs {
			err = tx.Exec(`DELETE FROM reminder_refusals WHERE campaign_id = @campaign AND address_hash = `+hashed, args).Error
		}
		return errors.Join(err, tx.Exec(`
			INSERT INTO payment_reminders (campaign_id, email, language, created_at) SELECT @campaign, @email, @language, @now
			WHERE NOT EXISTS (SELECT FROM reminder_refusals WHERE campaign_id = @campaign AND address_hash = `+hashed+`)
			AND (SELECT count(*) FROM payment_reminders WHERE lower(email) = lower(@email)) < @most
			ON CONFLICT (campaign_id, lower(email)) DO NOTHING`, args).Error)
	})
	if err != nil {
		return fmt.Errorf("keep a reminder of campaign %d: %w", campaignID, err)
	}
	return nil
}

const hashed = `sha256(convert_to(lower(@email), 'UTF8'))`

// OpenReminderPage leads a browser that opened the address for mail programs to the page with the button. It changes nothing, since mail
// servers open links to scan them.
func (h *Handlers) OpenReminderPage(ctx context.Context, r api.OpenReminderPageRequestObject) (api.OpenReminderPageResponseObject, error) {
	page := languages.Prefix(languages.OfQuery(ctx, nil)) + "reminders/#token=" + url.QueryEscape(r.Token)
	return api.OpenReminderPage303Response{Headers: api.OpenReminderPage303ResponseHeaders{Location: &page}}, nil
}

// RefusePaymentReminders ends the reminders of a campaign to the address of a link. Error: NotFound for no link of ours.
func (h *Handlers) RefusePaymentReminders(ctx context.Context, r api.RefusePaymentRemindersRequestObject) (
	api.RefusePaymentRemindersResponseObject, error) {
	campaignID, addressHash, ok := h.links.Read(r.Token)
	if !ok {
		return nil, apperr.New(apperr.NotFound)
	}
	args := map[string]any{"campaign": campaignID, "hash": addressHash, "now": h.now()}
	err := dbx.InTx(ctx, h.db, func(tx *gorm.DB) error {
		tx = tx.WithContext(ctx)
		return errors.Join(
			tx.Exec(`DELETE FROM payment_reminders WHERE campaign_id = @campaign AND sha256(convert_to(lower(email), 'UTF8')) = @hash`, args).Error,
			tx.Exec(`INSERT INTO reminder_refusals (campaign_id, address_hash, created_at)
				SELECT c.id, @hash, @now FROM campaigns c WHERE c.id = @campaign AND NOT `+overSQL+` ON CONFLICT DO NOTHING`, args).Error)
	})
	if err != nil {
		return nil, fmt.Errorf("refuse reminders of campaign %d: %w", campaignID, err)
	}
	return api.RefusePaymentReminders204Response{}, nil
}
