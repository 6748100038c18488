package payments

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/ids"
	"talkoot.fi/kit/money"
	"talkoot.fi/payments/internal/contentclient"
)

const (
	orderTimeout = 5 * time.Second
	// knownOrderTimeout is for an order that we have a copy of.
	knownOrderTimeout = 2 * time.Second
	maxOrderBody      = 64 << 10
	// firstCheck is when the sweeper first asks the provider about a payment that nobody told us about.
	firstCheck = time.Minute
)

// ensure gives the payment of a subject that the content service wants paid, and its order when that was fetched. The
// first time it keeps a copy, so that afterwards the content service may be away. Errors: NotFound, ErrPaid,
// ErrNotPayable, Unavailable.
func (s *Service) ensure(ctx context.Context, sub Subject) (Payment, *contentclient.Order, error) {
	p, found, err := s.PaymentOf(ctx, sub)
	if err != nil {
		return p, nil, err
	}
	if found {
		order, err := s.stillWanted(ctx, p)
		return p, order, err
	}
	order, err := s.fetchOrder(ctx, sub, orderTimeout)
	if err == nil {
		err = wanted(order)
	}
	if err == nil {
		err = s.begin(ctx, sub, order)
	}
	if err != nil {
		return Payment{}, nil, err
	}
	p, found, err = s.PaymentOf(ctx, sub)
	if err == nil && !found {
		err = fmt.Errorf("payment of a %s is not there after it was begun", sub.Kind)
	}
	return p, &order, err
}

// wanted says whether the content service wants an order paid. Errors: ErrPaid, ErrNotPayable.
func wanted(order contentclient.Order) error {
	switch order.State {
	case contentclient.Payable:
		return nil
	case contentclient.Paid:
		return ErrPaid
	case contentclient.Closed:
	}
	return ErrNotPayable
}

// stillWanted asks again about a payment that the backer could begin to pay: the subject may have been given up. Then
// nobody shall pay it, and the payment is closed. What our own copy rules out is not asked about. Without an answer the
// copy counts, and there is no order. Errors: as wanted, NotFound.
func (s *Service) stillWanted(ctx context.Context, p Payment) (*contentclient.Order, error) {
	if p.Status == StatusProcessing || p.payable(s.clock()) != nil {
		return nil, nil
	}
	order, err := s.fetchOrder(ctx, p.Subject, knownOrderTimeout)
	if errors.Is(err, apperr.New(apperr.Unavailable)) {
		s.Log.WarnContext(ctx, "went by the copy of the order", "payment_id", p.ID, "error", err)
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	err = wanted(order)
	if errors.Is(err, ErrNotPayable) {
		if err := s.close(ctx, p.ID, SignalSetup); err != nil {
			return nil, err
		}
	}
	return &order, err
}

func (s *Service) fetchOrder(ctx context.Context, sub Subject, timeout time.Duration) (order contentclient.Order, err error) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	unavailable := func(err error) error {
		var call *url.Error
		if errors.As(err, &call) { // its text has the address, and that the subject's id, which is a permission
			err = call.Err
		}
		return apperr.New(apperr.Unavailable).RetryAfter(2 * time.Second).Wrap(fmt.Errorf("fetch the order of a %s: %w", sub.Kind, err))
	}
	response, err := s.Content.Order(ctx, contentclient.SubjectKind(sub.Kind), sub.ID)
	if err != nil {
		return order, unavailable(err)
	}
	defer func() { err = errors.Join(err, response.Body.Close()) }()
	body, err := io.ReadAll(io.LimitReader(response.Body, maxOrderBody))
	if err != nil {
		return order, unavailable(err)
	}
	switch response.StatusCode {
	case http.StatusOK:
	case http.StatusNotFound:
		return order, apperr.New(apperr.NotFound)
	default:
		return order, unavailable(fmt.Errorf("content answered %d", response.StatusCode))
	}
	if err := json.Unmarshal(body, &order); err != nil {
		return order, unavailable(fmt.Errorf("decode: %w", err))
	}
	if string(order.SubjectKind) != sub.Kind || order.SubjectID != sub.ID || order.AmountMinor <= 0 {
		return order, unavailable(errors.New("the answer is no order of this subject"))
	}
	return order, nil
}

// lockSubject lets one of begin and CloseSubject go before the other until the transaction ends.
func lockSubject(tx *gorm.DB, sub Subject) error {
	err := tx.Exec(`SELECT pg_advisory_xact_lock(hashtextextended(?, 0))`, sub.Kind+":"+sub.ID).Error
	if err != nil {
		return fmt.Errorf("lock a %s: %w", sub.Kind, err)
	}
	return nil
}

// begin writes the payment with its copy of the order and its first event. A second caller at the same time changes
// nothing. Error: ErrNotPayable when the subject was closed meanwhile.
func (s *Service) begin(ctx context.Context, sub Subject, order contentclient.Order) error {
	currency, err := money.ParseCurrency(order.Currency)
	if err != nil {
		return fmt.Errorf("begin the payment of a %s: %w", sub.Kind, err)
	}
	began := false
	err = dbx.InTx(ctx, s.DB, func(tx *gorm.DB) error {
		began = false
		if err := lockSubject(tx, sub); err != nil {
			return err
		}
		closed := false
		err := tx.Raw(`SELECT EXISTS (SELECT FROM closed_subjects WHERE subject_kind = ? AND subject_id = ?)`, sub.Kind, sub.ID).Scan(&closed).Error
		if err != nil {
			return fmt.Errorf("look whether a %s is closed: %w", sub.Kind, err)
		}
		if closed {
			return ErrNotPayable
		}
		c := change{svc: s, tx: tx, signal: SignalSetup, now: s.clock()}
		c.payment = Payment{
			ID: ids.New(), Subject: sub, Provider: s.Default, Status: StatusCreated, Amount: money.New(order.AmountMinor, currency), Language: knownLanguage(order.Language),
		}
		if began, err = insertPayment(tx, c.payment, order, c.now); err != nil || !began {
			return err
		}
		if err := c.record(ctx, "", StatusCreated, nil); err != nil {
			return err
		}
		if err := c.emit(ctx, contentclient.PaymentStarted, c.now, nil); err != nil {
			return err
		}
		return c.save(ctx)
	})
	if err == nil && began {
		s.NudgeEvents()
	}
	return err
}

func insertPayment(tx *gorm.DB, p Payment, order contentclient.Order, now time.Time) (bool, error) {
	result := tx.Exec(`INSERT INTO payments (id, subject_kind, subject_id, period, provider, status, amount_minor, currency, campaign_id, payee_user_id,
			description, title, language, return_path, payable_until, closes_at, next_check_at, created_at, updated_at)
		VALUES (@id, @kind, @subject, @period, @provider, @status, @amount, @currency, @campaign, @payee, @description, @title, @language, @path,
			@until, @closes, @check, @now, @now)
		ON CONFLICT (subject_kind, subject_id, period) DO NOTHING`, map[string]any{
		"id": p.ID, "kind": p.Subject.Kind, "subject": p.Subject.ID, "period": p.Subject.Period, "provider": p.Provider, "status": p.Status,
		"amount": p.Amount.Minor, "currency": p.Amount.Currency, "campaign": order.CampaignID, "payee": order.PayeeUserID,
		"description": order.Description, "title": order.CampaignTitle, "language": p.Language, "path": order.ReturnPath,
		"until": order.PayableUntil, "closes": order.PayableUntil.Add(Grace), "check": now.Add(firstCheck), "now": now,
	})
	if result.Error != nil {
		return false, fmt.Errorf("begin the payment of a %s: %w", p.Subject.Kind, result.Error)
	}
	return result.RowsAffected > 0, nil
}

func knownLanguage(language string) string {
	switch language {
	case apperr.English, apperr.Swedish:
		return language
	}
	return apperr.Finnish
}
