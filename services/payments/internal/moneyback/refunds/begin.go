package refunds

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/ids"
	"talkoot.fi/kit/money"
	"talkoot.fi/payments/internal/book/ledger"
)

// Wish is what somebody wants given back.
type Wish struct {
	// AmountMinor is positive; 0 is all that is left.
	AmountMinor int64
	Reason      Reason
	Key         string // of the request; the same key gives the same refund. "" for none
	Actor, Note string // the person, "" for the service
	// PerMinute is how many such refunds the provider gets in a minute: it is sent when its turn has come. 0 is at once.
	PerMinute int
}

// Begin writes a refund and books its sum as owed to the backer, or gives the one that was begun for the same reason or
// key, with false. While a dispute has the charge, the sum is booked later. Errors: ErrNothingLeft, ErrExceeds, ErrKey.
func Begin(ctx context.Context, tx *gorm.DB, src Source, w Wish, now time.Time) (Refund, bool, error) {
	rows, err := OfAttempt(ctx, tx, src.AttemptID)
	if err != nil {
		return Refund{}, false, err
	}
	for _, r := range rows {
		switch {
		case w.Key != "" && r.RequestKey == w.Key:
			return r, false, sameRequest(ctx, tx, src, r, w)
		case !w.Reason.isWish() && r.Reason == w.Reason && r.Repeats == nil:
			return r, false, nil
		}
	}
	p, err := src.Position(ctx, tx, src.Provider, src.Amount.Currency)
	if err != nil {
		return Refund{}, false, err
	}
	left := max(spare(p, rows, src.Counts), 0)
	amount := w.AmountMinor
	if amount == 0 {
		amount = left
	}
	switch {
	case amount == 0:
		return Refund{}, false, ErrNothingLeft
	case amount < 0 || amount > left:
		return Refund{}, false, fmt.Errorf("refund %d of %d: %w", amount, left, ErrExceeds)
	}
	r := Refund{
		ID: ids.New(), PaymentID: src.PaymentID, AttemptID: src.AttemptID, Provider: src.Provider,
		Amount: money.New(amount, src.Amount.Currency),
		Reason: w.Reason, Status: Creating, RequestKey: w.Key, Owed: !src.Counts, Try: 1, CreatedAt: now,
	}
	if r.sendAt, err = turn(ctx, tx, r.Provider, w.PerMinute, now); err != nil {
		return Refund{}, false, err
	}
	if err := insert(ctx, tx, r, w.Actor, w.Note, now); err != nil {
		return Refund{}, false, err
	}
	_, err = bookFrom(ctx, tx, src, &r, p, rows, now)
	return r, true, err
}

// atOnce is how many refunds of whole campaigns are sent at once after a pause: a small campaign waits for nothing.
const atOnce = 20

// turn is when the next refund of those that share a provider's pace is sent. Whoever takes the next turn waits until this transaction has ended.
func turn(ctx context.Context, tx *gorm.DB, provider string, perMinute int, now time.Time) (at time.Time, err error) {
	if perMinute == 0 {
		return now, nil
	}
	gap := time.Minute / time.Duration(perMinute)
	err = tx.WithContext(ctx).Raw(`INSERT INTO refund_pace AS p (provider, next_at) VALUES (@provider, @earliest)
		ON CONFLICT (provider) DO UPDATE SET next_at = greatest(p.next_at + @gap * interval '1 microsecond', @earliest)
		RETURNING greatest(next_at, @now)`, map[string]any{"provider": provider, "earliest": now.Add(-(atOnce - 1) * gap), "gap": gap.Microseconds(),
		"now": now}).Scan(&at).Error
	if err != nil {
		return at, fmt.Errorf("take a turn among the refunds at %s: %w", provider, err)
	}
	return at, nil
}

// overdue is how late refunds of whole campaigns are given new turns: a worker that keeps up is never as late.
const overdue = time.Minute

// Respread gives the refunds of whole campaigns at a provider new turns when many are overdue, in their order: after a time without workers
// all of them would be sent at once, and payments be refused meanwhile. PerMinute is as of Wish; of 0 there are no turns.
func Respread(ctx context.Context, db *gorm.DB, provider string, perMinute int, now time.Time) error {
	if perMinute == 0 {
		return nil
	}
	err := db.WithContext(ctx).Exec(`
		WITH late AS MATERIALIZED (
			SELECT id, next_check_at FROM refunds WHERE next_check_at < @late AND provider = @provider AND status = 'creating'
				AND reason IN ('campaign_failed', 'campaign_canceled') FOR UPDATE SKIP LOCKED),
		turns AS (SELECT id, row_number() OVER (ORDER BY next_check_at, id) - 1 AS turn FROM late WHERE (SELECT count(*) FROM late) > @most),
		moved AS (UPDATE refunds r SET next_check_at = CAST(@now AS timestamptz) + turn * @gap * interval '1 microsecond' FROM turns t WHERE r.id = t.id RETURNING turn)
		UPDATE refund_pace SET next_at = greatest(next_at, CAST(@now AS timestamptz) + (SELECT max(turn) FROM moved) * @gap * interval '1 microsecond')
		WHERE provider = @provider AND EXISTS (SELECT FROM moved)`, map[string]any{"late": now.Add(-overdue), "now": now, "provider": provider, "most": atOnce,
		"gap": (time.Minute / time.Duration(perMinute)).Microseconds()}).Error
	if err != nil {
		return fmt.Errorf("give overdue refunds at %s new turns: %w", provider, err)
	}
	return nil
}

// sameRequest checks that a wish with the key of a refund is the one that began it: of the same sum, or of all that was left. Error: ErrKey.
func sameRequest(ctx context.Context, tx *gorm.DB, src Source, r Refund, w Wish) error {
	isSame := r.Amount.Minor == w.AmountMinor
	if w.AmountMinor == 0 {
		left, err := Left(ctx, tx, src)
		if err != nil {
			return err
		}
		isSame = left == 0
	}
	if !isSame {
		return fmt.Errorf("refund %s: %w", r.ID, ErrKey)
	}
	return nil
}

// insert writes a row that is due at once. Index refunds_automatic stands behind Begin's look.
func insert(ctx context.Context, tx *gorm.DB, r Refund, actor, note string, now time.Time) error {
	err := tx.WithContext(ctx).Exec(`INSERT INTO refunds (id, payment_id, attempt_id, provider, amount_minor, currency, reason, status, repeats,
			request_key, owed, bookings, failure_code, made_twice, actor, note, next_check_at, created_at, updated_at)
		VALUES (@id, @payment, @attempt, @provider, @amount, @currency, @reason, @status, @repeats, @key, @owed, @bookings, @code, @twice, @actor, @note,
			@now, @now, @now)`, map[string]any{
		"id": r.ID, "payment": r.PaymentID, "attempt": r.AttemptID, "provider": r.Provider, "amount": r.Amount.Minor,
		"currency": r.Amount.Currency,
		"reason":   r.Reason, "status": r.Status, "repeats": r.Repeats, "key": r.RequestKey, "owed": r.Owed,
		"bookings": r.Bookings, "code": r.FailureCode, "twice": r.MadeTwice, "actor": actor, "note": note, "now": now,
	}).Error
	if err != nil {
		return fmt.Errorf("begin a refund of payment %s: %w", r.PaymentID, err)
	}
	return nil
}

// Left is how much of a charge can still be refunded, in minor units: the campaign's money (disputed money too, because
// the dispute may be won), what was settled of it, and what is already owed, less every refund that has not ended. A charge that is not its
// payment's success has no campaign's money.
func Left(ctx context.Context, tx *gorm.DB, src Source) (int64, error) {
	p, err := src.Position(ctx, tx, src.Provider, src.Amount.Currency)
	if err != nil {
		return 0, err
	}
	rows, err := OfAttempt(ctx, tx, src.AttemptID)
	if err != nil {
		return 0, err
	}
	return max(spare(p, rows, src.Counts), 0), nil
}

// spare is a position's refundable money less the open refunds; negative when these want more than there is.
func spare(p ledger.Position, rows []Refund, counts bool) int64 {
	left := p.Owed + p.Disputed
	if counts {
		left += p.Funds + p.Settled()
	}
	for _, r := range rows {
		if r.Owed || r.waits() || r.Status == Failed {
			left -= r.Amount.Minor
		}
	}
	return left
}

// unclaimed is what is owed of a charge without a refund that would pay it: a dispute has returned it.
func unclaimed(ctx context.Context, tx *gorm.DB, src Source, p ledger.Position) (int64, error) {
	rows, err := OfAttempt(ctx, tx, src.AttemptID)
	return unclaimedOf(p, rows), err
}

func unclaimedOf(p ledger.Position, rows []Refund) int64 {
	for _, r := range rows {
		if r.Owed {
			p.Owed -= r.Amount.Minor
		}
	}
	return max(p.Owed, 0)
}

// Book books a waiting refund's sum as owed, when what is left of its charge holds it, and it is not booked yet, and reports whether it is
// booked. Each booking has a reference of its own, because a dispute may withdraw it.
func Book(ctx context.Context, tx *gorm.DB, src Source, r *Refund, now time.Time) (bool, error) {
	if r.Owed {
		return true, nil
	}
	p, err := src.Position(ctx, tx, src.Provider, r.Amount.Currency)
	if err != nil {
		return false, err
	}
	rows, err := OfAttempt(ctx, tx, src.AttemptID)
	if err != nil {
		return false, err
	}
	return bookFrom(ctx, tx, src, r, p, rows, now)
}

// bookFrom is Book of a refund whose charge and refunds were just read.
func bookFrom(ctx context.Context, tx *gorm.DB, src Source, r *Refund, p ledger.Position, rows []Refund, now time.Time) (bool, error) {
	free := unclaimedOf(p, rows)
	if free+p.Funds+p.Settled()+p.Held < r.Amount.Minor {
		return false, nil
	}
	return true, book(ctx, tx, src, r, free, now)
}

// book books the part of a refund's sum that is not owed yet.
func book(ctx context.Context, tx *gorm.DB, src Source, r *Refund, free int64, now time.Time) error {
	if missing := r.Amount.Minor - free; missing > 0 {
		if err := promise(ctx, tx, src, r, missing, "", now); err != nil {
			return err
		}
	}
	r.Owed = true
	var next *time.Time
	if r.waits() {
		next = &now
		if r.sendAt.After(now) {
			next = &r.sendAt
		}
	}
	return save(ctx, tx, *r, next, now)
}

// promise posts a sum as owed to the backer, from the charge's money or as our loss.
func promise(ctx context.Context, tx *gorm.DB, src Source, r *Refund, minor int64, of ledger.Class,
	now time.Time) error {
	r.Bookings++
	_, err := ledger.Post(ctx, tx, ledger.Movement{
		Kind: ledger.RefundBegun, Provider: src.Provider, Reference: bookingRef(*r), Of: &src.Money,
		Amount: money.New(minor, r.Amount.Currency), To: of, Happened: now, Booked: now,
	})
	return err
}

func bookingRef(r Refund) string { return fmt.Sprintf("%s:%d", r.ID, r.Bookings) }
