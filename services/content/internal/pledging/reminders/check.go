package reminders

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/outbox"

	"talkoot.fi/content/internal/paymentsclient"
)

const (
	// KindMail is the outbox's kind of a reminder; its payload is a Mail.
	KindMail = "mail.payable_again"
	// batch is how many campaigns one call asks about.
	batch = 500
	// maxAnswer bounds what is read of an answer, in bytes.
	maxAnswer = 64 << 10
)

// Mail is the payload of KindMail. The address is in the reminder's row alone.
type Mail struct {
	ReminderID int64 `json:"reminder_id"`
}

// openSQL is whether a campaign c takes money by its own rules.
const openSQL = `c.stage IN (2, 6) AND c.hold = '' AND (c.stage = 6 OR c.funding_deadline > @now)`

// overSQL is whether it will take none any more; one on hold may go on.
const overSQL = `(c.stage NOT IN (2, 6) OR c.hold = 'stopped' OR c.stage = 2 AND c.funding_deadline <= @now)`

type campaign struct {
	ID        int64
	Currency  string
	IsMonthly bool
}

// Check asks the payment service about all open campaigns, notes which of them cannot be paid, has who waits for one that can be paid again
// mailed, and forgets what campaigns that have ended had. Several workers may do it at once.
func Check(ctx context.Context, db *gorm.DB, payments *paymentsclient.Client, now time.Time) error {
	for _, table := range []string{"payment_reminders", "reminder_refusals", "unpayable_campaigns"} {
		err := db.WithContext(ctx).Exec(`DELETE FROM `+table+` r USING campaigns c WHERE c.id = r.campaign_id AND `+overSQL, map[string]any{"now": now}).Error
		if err != nil {
			return fmt.Errorf("forget the %s of campaigns that have ended: %w", table, err)
		}
	}
	for last := int64(0); ; {
		var list []campaign
		err := db.WithContext(ctx).Raw(`SELECT c.id, c.currency, c.stage = 6 AS is_monthly FROM campaigns c WHERE c.id > @last AND `+openSQL+`
			ORDER BY c.id LIMIT @batch`, map[string]any{"last": last, "now": now, "batch": batch}).Scan(&list).Error
		if err != nil {
			return fmt.Errorf("list open campaigns: %w", err)
		}
		if len(list) == 0 {
			return nil
		}
		payable, err := ask(ctx, payments, list)
		if err == nil {
			err = note(ctx, db, list, payable, now)
		}
		if err != nil || len(list) < batch {
			return err
		}
		last = list[len(list)-1].ID
	}
}

// ask gives those of campaigns that can be paid. Error: Unavailable when the payment service does not say.
func ask(ctx context.Context, payments *paymentsclient.Client, list []campaign) (payable map[int64]bool, err error) {
	defer func() {
		if err != nil {
			err = apperr.New(apperr.Unavailable).RetryAfter(2 * time.Second).Wrap(fmt.Errorf("ask which campaigns can be paid: %w", err))
		}
	}()
	var question paymentsclient.PayableQuestion
	for _, c := range list {
		question.Campaigns = append(question.Campaigns, struct {
			CampaignID int64  `json:"campaign_id"`
			Currency   string `json:"currency"`
			IsMonthly  bool   `json:"is_monthly"`
		}{c.ID, c.Currency, c.IsMonthly})
	}
	response, err := payments.PayableCampaigns(ctx, question)
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer))
	if err = errors.Join(err, response.Body.Close()); err != nil {
		return nil, err
	}
	var answer paymentsclient.PayableAnswer
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("the payment service answered %d", response.StatusCode)
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		return nil, fmt.Errorf("read the payment service's answer: %w", err)
	}
	if answer.CampaignIds == nil {
		return nil, errors.New("the payment service's answer names no list")
	}
	payable = map[int64]bool{}
	for _, id := range answer.CampaignIds {
		payable[id] = true
	}
	return payable, nil
}

// note keeps what was answered, and has who waits mailed.
func note(ctx context.Context, db *gorm.DB, list []campaign, payable map[int64]bool, now time.Time) error {
	var yes, no []int64
	for _, c := range list {
		if payable[c.ID] {
			yes = append(yes, c.ID)
		} else {
			no = append(no, c.ID)
		}
	}
	return dbx.InTx(ctx, db, func(tx *gorm.DB) error {
		tx = tx.WithContext(ctx)
		err := tx.Exec(`INSERT INTO unpayable_campaigns (campaign_id, since) SELECT id, @now FROM campaigns WHERE id IN @no ORDER BY id
			ON CONFLICT DO NOTHING`, map[string]any{"no": no, "now": now}).Error
		if err == nil {
			err = tx.Exec(`DELETE FROM unpayable_campaigns WHERE campaign_id IN ?`, yes).Error
		}
		var due []int64
		if err == nil {
			err = tx.Raw(`UPDATE payment_reminders SET due_at = @now WHERE campaign_id IN @yes AND due_at IS NULL RETURNING id`,
				map[string]any{"yes": yes, "now": now}).Scan(&due).Error
		}
		if err != nil {
			return fmt.Errorf("note which campaigns can be paid: %w", err)
		}
		messages := make([]outbox.Message, len(due))
		for i, id := range due {
			payload, err := json.Marshal(Mail{id})
			if err != nil {
				return fmt.Errorf("encode a reminder: %w", err)
			}
			messages[i] = outbox.Message{Kind: KindMail, Payload: payload, DedupeKey: fmt.Sprintf("%s:%d", KindMail, id)}
		}
		return outbox.AddAll(ctx, tx, messages)
	})
}
