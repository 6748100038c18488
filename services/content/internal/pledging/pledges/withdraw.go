package pledges

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/ids"
	"talkoot.fi/kit/outbox"

	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/mail/mails"
	"talkoot.fi/content/internal/pledging/closing"
	"talkoot.fi/content/internal/pledging/receiptlinks"
	"talkoot.fi/content/internal/pledging/withdrawal"
)

// Withdrawal says whether a backer may take their pledge back.
type Withdrawal struct {
	State  WithdrawalState
	Reason withdrawal.Reason // of WithdrawalOpen and WithdrawalOver
	// At is, of WithdrawalOpen, the moment from which it may not be any more, nil while there is none; of WithdrawalDone, when it was.
	At *time.Time
	// Days are, of WithdrawalOpen while the reward is not sent, how many there will be after it was received.
	Days   int
	SentOn *time.Time // the day
}

// WithdrawalState is whether a pledge may be taken back, or why not.
type WithdrawalState string

// Whether a pledge may be taken back.
const (
	WithdrawalOpen      = WithdrawalState(withdrawal.Open)
	WithdrawalCounting  = WithdrawalState(withdrawal.Counting)
	WithdrawalOver      = WithdrawalState(withdrawal.Over)
	WithdrawalContested = WithdrawalState("contested") // a bank has all that is left of its money
	WithdrawalDone      = WithdrawalState("done")
	WithdrawalNone      = WithdrawalState("none") // nothing of it was paid, or all of it went back
)

// Errors of taking a pledge back.
var (
	ErrWithdrawalOver  = apperr.New(apperr.WithdrawalOver)
	ErrWithdrawalWaits = apperr.New(apperr.WithdrawalWaits) // its campaign is being counted
	ErrContested       = apperr.New(apperr.PledgeContested)
	ErrNotPaid         = apperr.New(apperr.PledgeNotPaid)
)

// How a pledge was taken back, as its history says; no actor is needed besides, because nobody else can.
const (
	causeWithdrawn       = "withdrawn"         // by the account that it belongs to
	causeWithdrawnByLink = "withdrawn_by_link" // by who has the link of a mail
)

// withdrawalOf decides whether a pledge may be taken back: what was paid of it, by the rule of package withdrawal, also while its campaign is
// on hold. Of a disputed one that needs something which no bank has: uncontestedMinor.
func withdrawalOf(status Status, uncontestedMinor int64, releasedAt *time.Time, f withdrawal.Facts, now time.Time, zone *time.Location) Withdrawal {
	w := Withdrawal{SentOn: f.SentOn}
	switch {
	case releasedAt != nil:
		w.State, w.At = WithdrawalDone, releasedAt
	case status == Withdrawn:
		w.State = WithdrawalDone
	case status == Disputed && uncontestedMinor == 0:
		w.State = WithdrawalContested
	case status == Processing, status == Paid, status == PartlyRefunded, status == Disputed:
		right := withdrawal.Right(f, now, zone)
		w.State, w.Reason, w.At = WithdrawalState(right.State), right.Reason, right.Until
		if right.Reason == withdrawal.NotSent {
			w.Days = f.TermDays
		}
	default:
		w.State = WithdrawalNone
	}
	return w
}

// WithdrawOwn takes a person's own pledge back. A repeat changes nothing. Errors: ErrUnknown, also for another's; ErrWithdrawalOver,
// ErrWithdrawalWaits, ErrContested, ErrNotPaid.
func (s *Service) WithdrawOwn(ctx context.Context, userID int64, id, language string) (Own, error) {
	id, err := ids.Parse(id)
	if err != nil {
		return Own{}, ErrUnknown
	}
	if _, err := s.own(ctx, userID, id, language); err != nil { // whose it is does not change meanwhile, but for a merge of one person's accounts
		return Own{}, err
	}
	if err := s.withdraw(ctx, id, causeWithdrawn); err != nil {
		return Own{}, err
	}
	return s.own(ctx, userID, id, language)
}

// WithdrawOpened is WithdrawOwn for who has a link that opens the pledge. Errors: receiptlinks.ErrLink, and those of WithdrawOwn.
func (s *Service) WithdrawOpened(ctx context.Context, token, language string) (Opened, error) {
	link, err := receiptlinks.Open(ctx, s.db, token, s.now())
	if err != nil {
		return Opened{}, err
	}
	if err := s.withdraw(ctx, link.PledgeID, causeWithdrawnByLink); err != nil {
		return Opened{}, err
	}
	return s.opened(ctx, link, language)
}

// withdraw tells the payment service of all charges of a pledge, also of those that a bank has: what it returns of them is the backer's, whenever
// that is. It decides in one transaction with the campaign's stage, which campaigns.MoveStage waits for: of a taking back and an end at the
// same moment one is first, and the other sees it. What the payment service has to do is in the outbox with it.
func (s *Service) withdraw(ctx context.Context, id, cause string) error {
	isDone := false
	err := dbx.InTx(ctx, s.db, func(tx *gorm.DB) error {
		isDone = false
		p, err := lock(ctx, tx, id)
		if err != nil {
			return err
		}
		if _, err := campaigns.LockStage(ctx, tx, p.CampaignID); err != nil {
			return err
		}
		facts, err := withdrawal.Read(ctx, tx, p.ID)
		if err != nil {
			return err
		}
		switch withdrawalOf(p.Status, p.UncontestedMinor, p.ReleasedAt, facts, s.now(), s.zone).State {
		case WithdrawalOpen:
		case WithdrawalCounting:
			return ErrWithdrawalWaits
		case WithdrawalDone:
			return nil
		case WithdrawalOver:
			return ErrWithdrawalOver
		case WithdrawalContested:
			return ErrContested
		case WithdrawalNone:
			return ErrNotPaid
		}
		leftMinor, contestedMinor := p.Amount.Minor-p.AmountRefundedMinor, int64(0)
		if p.Status == Disputed {
			leftMinor, contestedMinor = p.UncontestedMinor, leftMinor-p.UncontestedMinor
		}
		about := mails.PledgeMail{PledgeID: p.ID, Withdrawal: &mails.Withdrawal{At: s.now(), Minor: leftMinor, ContestedMinor: contestedMinor,
			IsProcessing: p.Status == Processing, IsAfter: !facts.IsFunding, IsSent: facts.SentOn != nil}}
		if err := s.advance(ctx, tx, p, step{to: Withdrawn, cause: cause, released: true}); err != nil {
			return err
		}
		if err := closing.Add(ctx, tx, closing.Pledge, p.ID, closing.Withdrawn); err != nil {
			return err
		}
		if err := s.takeBackRaises(ctx, tx, p); err != nil {
			return err
		}
		isDone = true
		if !facts.IsFunding { // its creator counts on it
			if err := mails.AddTeam(ctx, tx, mails.KindWithdrawnAfter, mails.CampaignMail{CampaignID: p.CampaignID, PledgeID: p.ID,
				GoesBack: &mails.GoesBack{Minor: leftMinor, ContestedMinor: contestedMinor}}); err != nil {
				return err
			}
		}
		if err := addMail(ctx, tx, mails.KindWithdrawal, about, p.ID); err != nil {
			return err
		}
		return s.count(ctx, tx, p)
	})
	if err != nil {
		return err
	}
	if isDone {
		s.outboxAdded()
	}
	return nil
}

// addMail puts a mail about a pledge into the outbox, once for a key.
func addMail(ctx context.Context, tx *gorm.DB, kind string, about mails.PledgeMail, key string) error {
	payload, err := json.Marshal(about)
	if err == nil {
		_, err = outbox.Add(ctx, tx, outbox.Message{Kind: kind, Payload: payload, DedupeKey: kind + ":" + key})
	}
	if err != nil {
		return fmt.Errorf("put %s into the outbox: %w", kind, err)
	}
	return nil
}
