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
	"talkoot.fi/payments/internal/charging/calendar"
	"talkoot.fi/payments/internal/charging/limits"
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

// prepare gives the payment of a subject that the content service wants paid and that may be paid now. The first time
// it keeps a copy of the order, so that afterwards the content service may be away: then order is empty. Errors:
// ConfigurationError, NotFound, ErrPaid, ErrNotPayable, TooManyRequests, SpendingLimitExceeded, CampaignOnHold, Unavailable.
func (s *Service) prepare(ctx context.Context, sub Subject, network string) (p Payment, order contentclient.Order, err error) {
	p, found, err := s.PaymentOf(ctx, sub)
	if err != nil {
		return p, order, err
	}
	if found {
		if p.payable(s.now()) == nil {
			err = s.mayTry(ctx, network, p.CampaignID)
		}
		if err == nil {
			err = s.weighAgain(ctx, p)
		}
		if err == nil && p.OnHold { // of what has not begun the content service has no order then
			err = apperr.New(apperr.CampaignOnHold)
		}
		// Whether a later month is wanted is known here, by its subscription.
		if err == nil && p.Subject.Period <= 1 {
			order, err = s.stillWanted(ctx, p)
		}
	} else {
		readAt := s.now()
		if order, err = s.fetchOrder(ctx, sub, orderTimeout); err == nil {
			err = wanted(order)
		}
		if err == nil {
			err = s.mayTry(ctx, network, order.CampaignID)
		}
		if err == nil {
			p, err = s.begin(ctx, sub, order, network, readAt)
		}
	}
	if err != nil {
		return p, order, err
	}
	return p, order, p.payable(s.now())
}

// wanted checks whether the content service wants an order paid. Errors: ErrPaid, ErrNotPayable.
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
// nobody shall pay it, and the payment is closed. It is not asked when our copy of the order already says no. Then, and
// when the content service does not answer, the order is empty and the copy counts. Errors: as wanted, NotFound.
func (s *Service) stillWanted(ctx context.Context, p Payment) (contentclient.Order, error) {
	if p.Status == StatusProcessing || p.payable(s.now()) != nil {
		return contentclient.Order{}, nil
	}
	order, err := s.fetchOrder(ctx, p.Subject, knownOrderTimeout)
	if errors.Is(err, apperr.New(apperr.Unavailable)) {
		s.log.WarnContext(ctx, "went by the copy of the order", "payment_id", p.ID, "error", err)
		return contentclient.Order{}, nil
	}
	if err != nil {
		return contentclient.Order{}, err
	}
	err = wanted(order)
	if errors.Is(err, ErrNotPayable) {
		if err := s.close(ctx, p.ID, SignalSetup); err != nil {
			return contentclient.Order{}, err
		}
	}
	return order, err
}

func (s *Service) fetchOrder(ctx context.Context, sub Subject, timeout time.Duration) (
	order contentclient.Order, err error) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	unavailable := func(err error) error {
		var call *url.Error
		if errors.As(err, &call) { // its text contains the subject's id, which belongs into no log
			err = call.Err
		}
		return apperr.New(apperr.Unavailable).RetryAfter(2 * time.Second).Wrap(fmt.Errorf("fetch the order of a %s: %w",
			sub.Kind, err))
	}
	response, err := s.content.Order(ctx, contentclient.SubjectKind(sub.Kind), sub.ID)
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

// LockSubject lets one of those who begin a subject's payment and who close it go before the other until the transaction
// ends.
func LockSubject(tx *gorm.DB, sub Subject) error {
	err := tx.Exec(`SELECT pg_advisory_xact_lock(hashtextextended(?, 0))`, sub.Kind+":"+sub.ID).Error
	if err != nil {
		return fmt.Errorf("lock a %s: %w", sub.Kind, err)
	}
	return nil
}

// begin writes the payment with its copy of the order and its first event. When another caller was quicker, it gives
// theirs. readAt is before the order was read. Errors: ErrNotPayable when the subject was closed meanwhile, SpendingLimitExceeded,
// Unavailable when its person was erased meanwhile.
func (s *Service) begin(ctx context.Context, sub Subject, order contentclient.Order, network string, readAt time.Time) (Payment, error) {
	currency, err := money.ParseCurrency(order.Currency)
	if err != nil {
		return Payment{}, fmt.Errorf("begin the payment of a %s: %w", sub.Kind, err)
	}
	now := s.now()
	fresh := Payment{
		ID: ids.New(), Subject: sub, Amount: money.New(order.AmountMinor, currency),
		Refunded: money.New(0, currency),
		Network:  network, CampaignID: order.CampaignID, Description: order.Description, Title: order.CampaignTitle,
		Language:   KnownLanguage(order.Language),
		ReturnPath: order.ReturnPath, PayableUntil: order.PayableUntil, ClosesAt: order.PayableUntil.Add(Grace),
		CreatedAt: now, UpdatedAt: now, BackerUserID: order.BackerUserID,
	}
	if err := s.routeFirst(ctx, &fresh); err != nil {
		return Payment{}, err
	}
	if _, err := s.provider(fresh.Provider); err != nil {
		return Payment{}, err
	}
	var p Payment
	began := false
	err = dbx.InTx(ctx, s.db, func(tx *gorm.DB) (err error) {
		if err := LockSubject(tx, sub); err != nil {
			return err
		}
		found := false
		began = false
		if p, found, err = readPayment(ctx, tx, ofSubject, sub.args()); err != nil || found {
			return err
		}
		isErased, err := LockBacker(ctx, tx, order.BackerUserID, readAt)
		if err == nil && isErased {
			err = errErased
		}
		if err != nil {
			return err
		}
		if err := allow(ctx, tx, fresh, now); err != nil {
			return err
		}
		c := change{svc: s, tx: tx, signal: SignalSetup, now: now, payment: fresh}
		if err := c.emit(ctx, contentclient.PaymentStarted, now, nil); err != nil {
			return err
		}
		if err := c.insert(ctx, order.PayeeUserID, order.PledgeID); err != nil {
			return err
		}
		if began, err = c.move(ctx, StatusCreated, nil); err != nil {
			return err
		}
		p = c.payment
		return nil
	})
	if err == nil && began {
		s.wakeEvents()
	}
	return p, err
}

// allow weighs a pledge that is to be paid now. Error: SpendingLimitExceeded.
func allow(ctx context.Context, tx *gorm.DB, p Payment, now time.Time) error {
	return limits.Allow(ctx, tx, limits.Act{UserID: p.BackerUserID, Currency: string(p.Amount.Currency), ID: p.Subject.ID, IsPledge: true, Pays: true,
		After: []limits.Share{{ID: p.Subject.ID, Day: calendar.DayOf(now), AmountMinor: p.Amount.Minor}}}, now)
}

// weighAgain weighs a pledge that was begun in an earlier calendar month than it would be paid in. Error: SpendingLimitExceeded.
func (s *Service) weighAgain(ctx context.Context, p Payment) error {
	now := s.now()
	if p.Subject.Period > 0 || p.payable(now) != nil || limits.SameMonth(calendar.DayOf(p.CreatedAt), calendar.DayOf(now)) {
		return nil
	}
	return dbx.InTx(ctx, s.db, func(tx *gorm.DB) error { return allow(ctx, tx, p, now) })
}

// insert writes the payment's row; furtherOf is the pledge of a further charge. Error: ErrNotPayable when its subject was closed meanwhile.
func (c *change) insert(ctx context.Context, payee *int64, furtherOf *string) error {
	p := c.payment
	result := c.tx.WithContext(ctx).Exec(`INSERT INTO payments (id, subject_kind, subject_id, period, period_day, provider, customer_ref, backer_user_id, status,
			amount_minor, currency, network, campaign_id, payee_user_id, description, title, language, return_path, payable_until, closes_at,
			next_check_at, event_sequence, created_at, updated_at, further_of)
		SELECT @id, @kind, @subject, @period, CAST(@day AS date), @provider, @customer, @backer, @status, @amount, @currency, @network, @campaign, @payee,
			@description, @title, @language, @path, @until, @closes, @check, @sequence, @now, @now, @further
		WHERE NOT EXISTS (SELECT FROM closed_subjects WHERE subject_kind = @kind AND subject_id = @subject)`, map[string]any{
		"id": p.ID, "kind": p.Subject.Kind, "subject": p.Subject.ID, "period": p.Subject.Period, "day": p.PeriodDay,
		"provider": p.Provider, "customer": p.Customer, "backer": p.BackerUserID, "status": StatusCreated, "amount": p.Amount.Minor,
		"currency": p.Amount.Currency, "network": p.Network, "campaign": p.CampaignID, "payee": payee,
		"description": p.Description, "title": p.Title, "language": p.Language, "path": p.ReturnPath,
		"until": p.PayableUntil, "closes": p.ClosesAt, "check": c.now.Add(firstCheck), "sequence": p.EventSequence,
		"now": c.now, "further": furtherOf,
	})
	switch {
	case result.Error != nil:
		return fmt.Errorf("begin the payment of a %s: %w", p.Subject.Kind, result.Error)
	case result.RowsAffected == 0:
		return ErrNotPayable
	}
	return nil
}

// KnownLanguage is a language of ours, Finnish for any other.
func KnownLanguage(language string) string {
	switch language {
	case apperr.English, apperr.Swedish:
		return language
	}
	return apperr.Finnish
}
