package claims

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"
	"unicode/utf8"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/idem"
	"talkoot.fi/kit/ids"
	"talkoot.fi/kit/money"
	"talkoot.fi/kit/outbox"
	"talkoot.fi/kit/typed"

	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/paymentsclient"
	"talkoot.fi/content/internal/pledging/pledges"
)

// KindRefund is the outbox's kind of the word that money of a pledge goes back.
const KindRefund = pledges.KindRefund

// maxAnswer bounds what is read of an answer, in bytes.
const maxAnswer = 64 << 10

// reason is why money goes back; constraint agreed_refunds_reason has the same.
type reason = paymentsclient.AgreedRefundReason

const (
	ofClaim   reason = paymentsclient.RefundClaim
	byCreator reason = paymentsclient.RefundByCreator
	byStaff   reason = paymentsclient.RefundRequested
)

// refund is a row of agreed_refunds.
type refund struct {
	ID, PledgeID string
	CampaignID   int64
	ClaimID      *string
	Reason       reason
	Minor        int64
	Currency     money.Currency
	UserID       *int64
	Note, Key    string
	IsAll        bool // it was asked for as all that was left, without a sum
}

// agree keeps that money of a pledge goes back, in the caller's transaction, which has the pledge locked, and has the payment service told.
func agree(ctx context.Context, tx *gorm.DB, r refund, now time.Time) error {
	r.ID = ids.New()
	err := tx.WithContext(ctx).Exec(`INSERT INTO agreed_refunds (id, pledge_id, campaign_id, claim_id, reason, amount_minor, currency, user_id, note, request_key, is_all, created_at)
		VALUES (@id, @pledge, @campaign, @claim, @reason, @minor, @currency, @user, @note, @key, @all, @now)`,
		map[string]any{"id": r.ID, "pledge": r.PledgeID, "campaign": r.CampaignID, "claim": r.ClaimID, "reason": string(r.Reason), "minor": r.Minor,
			"currency": string(r.Currency), "user": r.UserID, "note": r.Note, "key": r.Key, "all": r.IsAll, "now": now}).Error
	if err != nil {
		return fmt.Errorf("keep a refund that was agreed: %w", err)
	}
	word := paymentsclient.AgreedRefund{RefundID: r.ID, PledgeID: r.PledgeID, AmountMinor: r.Minor, Currency: string(r.Currency), Reason: r.Reason}
	further, err := pledges.FurtherCharges(ctx, tx, r.PledgeID)
	if err != nil {
		return err
	}
	if len(further) > 0 {
		word.FurtherIds = &further
	}
	payload, err := json.Marshal(word)
	if err == nil {
		_, err = outbox.Add(ctx, tx, outbox.Message{Kind: KindRefund, Stream: "pledge:" + r.PledgeID, Payload: payload, DedupeKey: KindRefund + ":" + r.ID})
	}
	if err != nil {
		return fmt.Errorf("tell of a refund that was agreed: %w", err)
	}
	return nil
}

// SendRefund makes the outbox's handler of KindRefund, which keeps what was begun, of what was agreed and of changes (package pledges). It may be
// repeated.
func SendRefund(db *gorm.DB, payments *paymentsclient.Client) outbox.Handler {
	return func(ctx context.Context, m outbox.Message) (err error) {
		var word paymentsclient.AgreedRefund
		if err := json.Unmarshal(m.Payload, &word); err != nil {
			return fmt.Errorf("decode message %d: %w", m.ID, err)
		}
		response, err := payments.RefundPledge(ctx, word)
		if err != nil {
			return fmt.Errorf("have refund %s begun: %w", word.RefundID, err)
		}
		defer func() { err = errors.Join(err, response.Body.Close()) }()
		var answer struct {
			BegunMinor *int64                         `json:"begun_minor"`
			Charges    []paymentsclient.BegunOfCharge `json:"charges"`
		}
		err = json.NewDecoder(io.LimitReader(response.Body, maxAnswer)).Decode(&answer)
		if response.StatusCode != http.StatusOK || err != nil || answer.BegunMinor == nil {
			return fmt.Errorf("have refund %s begun: the payment service answered %d (%w)", word.RefundID, response.StatusCode, err)
		}
		if word.Reason == paymentsclient.RefundChanged {
			return pledges.NoteBegun(ctx, db, word.RefundID, *answer.BegunMinor)
		}
		of := map[string]int64{}
		for _, c := range answer.Charges {
			of[c.SubjectID] = c.BegunMinor
		}
		raw, err := json.Marshal(of)
		if err == nil {
			err = db.WithContext(ctx).Exec(`UPDATE agreed_refunds SET begun_minor = ?, begun_of = ? WHERE id = ?`, *answer.BegunMinor, string(raw), word.RefundID).Error
		}
		if err != nil {
			return fmt.Errorf("keep what was begun of refund %s: %w", word.RefundID, err)
		}
		return nil
	}
}

// NewRefund is what a creator or staff give back without a claim.
type NewRefund struct {
	CampaignID    int64
	ReceiptNumber string
	Minor         int64 // 0 is all that is left
	Note          string
	Key           string
	UserID        int64
	IsStaff       bool // not of the campaign's team
}

// Given is what goes back.
type Given struct {
	Minor    int64
	Currency money.Currency
	Backer   string
}

// GiveBack gives a backer their money back, all or a part. A repeat with the same key changes nothing. Errors: ErrNoSum; ErrOwnMoney;
// idem.ErrMismatch; pledges.ErrContested; InvalidFields.
func (s *Service) GiveBack(ctx context.Context, n NewRefund) (given Given, err error) {
	n.Note, n.ReceiptNumber = typed.Plain(n.Note), typed.Line(n.ReceiptNumber)
	switch {
	case n.Note == "":
		return given, apperr.New(apperr.InvalidFields).WithField("reason", apperr.RuleRequired)
	case utf8.RuneCountInString(n.Note) > 500:
		return given, apperr.New(apperr.InvalidFields).WithField("reason", apperr.RuleMaxLength, apperr.Params{"max": 500})
	}
	now := s.now()
	err = dbx.InTx(ctx, s.db, func(tx *gorm.DB) error {
		given = Given{}
		var of struct{ ID, Backer string }
		err := tx.WithContext(ctx).Raw(`SELECT id, trim(first_name || ' ' || last_name) AS backer FROM pledges
			WHERE receipt_number = upper(?) AND campaign_id = ?`, n.ReceiptNumber, n.CampaignID).Scan(&of).Error
		if err != nil {
			return fmt.Errorf("find the pledge of a receipt: %w", err)
		}
		if of.ID == "" {
			return ErrNoSum
		}
		p, err := lockPledge(ctx, tx, of.ID)
		if err != nil {
			return err
		}
		if n.IsStaff {
			if err := notOwn(ctx, tx, p.ID, n.UserID, ErrOwnMoney); err != nil {
				return err
			}
		}
		given = Given{Currency: p.Currency, Backer: of.Backer}
		var before struct {
			PledgeID, Note string
			AmountMinor    int64
			IsAll          bool
		}
		found := tx.WithContext(ctx).Raw(`SELECT pledge_id, note, amount_minor, is_all FROM agreed_refunds WHERE campaign_id = ? AND request_key = ?`,
			n.CampaignID, n.Key).Scan(&before)
		switch {
		case found.Error != nil:
			return fmt.Errorf("look for an earlier refund: %w", found.Error)
		case found.RowsAffected > 0 && (before.PledgeID != p.ID || before.Note != n.Note || before.IsAll != (n.Minor == 0) || n.Minor != 0 && n.Minor != before.AmountMinor):
			return idem.ErrMismatch
		case found.RowsAffected > 0:
			given.Minor = before.AmountMinor
			return nil
		case p.isContested():
			return pledges.ErrContested
		}
		given.Minor = n.Minor
		if n.Minor == 0 {
			given.Minor = p.leftMinor()
		}
		if !p.Status.HasMoney() || p.GoesTo != string(campaigns.ToCreator) || given.Minor <= 0 || given.Minor > p.leftMinor() {
			return ErrNoSum
		}
		why := byCreator
		if n.IsStaff {
			why = byStaff
		}
		return agree(ctx, tx, refund{PledgeID: p.ID, CampaignID: p.CampaignID, Reason: why, Minor: given.Minor, Currency: p.Currency, UserID: &n.UserID,
			Note: n.Note, Key: n.Key, IsAll: n.Minor == 0}, now)
	})
	return given, err
}
