package subscriptions

import (
	"context"
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/money"

	"talkoot.fi/content/internal/pledging/pledges"
	"talkoot.fi/content/internal/pledging/supportlinks"
)

// receiptYears is how long bookkeeping keeps a voucher: six years from the end of the calendar year (as package pledges).
const receiptYears = 6

// theirs are the subscriptions s of a person @user: those begun signed in, and those begun with their confirmed @address (empty when
// it is not) without signing in. The indexes subscriptions_user and subscriptions_unsigned_by_address serve its parts.
const theirs = `s.id IN (
	SELECT id FROM subscriptions WHERE user_id = @user
	UNION ALL SELECT id FROM subscriptions WHERE user_id IS NULL AND @address <> '' AND lower(email) = lower(@address))`

// keepUntil is the last day of the names on the receipts of a subscription s.
const keepUntil = `(SELECT make_date(CAST(extract(year FROM max(paid_at) AT TIME ZONE @zone) AS int) + @years, 12, 31)
	FROM subscription_charges WHERE subscription_id = s.id)`

// ErrUndecided: a bank is disputing a payment of the person.
var ErrUndecided = errors.New("a payment is not decided")

// Kept is what would be left of a person's subscriptions.
type Kept struct {
	Receipts  int
	Until     *time.Time // the day on which the last of their names goes
	Running   []Running
	Undecided []Undecided
}

// Running is monthly support of a person that goes on, is paused or owed, or whose first month a bank has, in one currency.
type Running struct {
	Currency    money.Currency
	Supports    int
	AmountMinor int64 // a month
}

// Running says what support of a person goes on; address is the one that they have confirmed.
func (s *Service) Running(ctx context.Context, db *gorm.DB, userID int64, address string) (list []Running, err error) {
	err = db.WithContext(ctx).Raw(`
		SELECT s.currency, count(*) AS supports, sum(s.amount_minor)::bigint AS amount_minor FROM subscriptions s
		WHERE (s.status IN ('active', 'past_due', 'paused') OR s.is_processing) AND `+theirs+` GROUP BY s.currency ORDER BY s.currency`,
		s.erasing(userID, address)).Scan(&list).Error
	if err != nil {
		return nil, fmt.Errorf("read what user %d supports: %w", userID, err)
	}
	return list, nil
}

// Undecided is a subscription with a month that a bank still decides about.
type Undecided struct {
	CampaignID  int64
	Slug, Title string
}

// Contested are the payments of a person's months whose money banks have; address is the one that they have confirmed.
func (s *Service) Contested(ctx context.Context, userID int64, address string) (paymentIDs []string, err error) {
	err = s.db.WithContext(ctx).Raw(`SELECT payment_id FROM subscription_charges WHERE is_disputed
		AND subscription_id IN (SELECT s.id FROM subscriptions s WHERE `+theirs+`)`, s.erasing(userID, address)).Scan(&paymentIDs).Error
	if err != nil {
		return nil, fmt.Errorf("read which months of user %d banks have: %w", userID, err)
	}
	return paymentIDs, nil
}

// KeptOf says what erasing a person would leave of their subscriptions; address is the one that they have confirmed, decided are those of Contested
// that are decided.
func (s *Service) KeptOf(ctx context.Context, userID int64, address string, decided []string, language string) (k Kept, err error) {
	args := s.erasing(userID, address)
	args["decided"] = dbx.TextArray(decided)
	args["language"] = language
	db := s.db.WithContext(ctx)
	err = db.Raw(`
		SELECT coalesce(sum((SELECT count(*) FROM subscription_charges WHERE subscription_id = s.id)), 0)::int AS receipts, max(`+keepUntil+`) AS until
		FROM subscriptions s WHERE `+theirs, args).Row().Scan(&k.Receipts, &k.Until)
	if err == nil {
		err = db.Raw(`
			SELECT DISTINCT s.campaign_id, c.slug, v.preview ->> 'title' AS title
			FROM subscriptions s JOIN campaigns c ON c.id = s.campaign_id
			JOIN campaign_previews v ON v.campaign_id = c.id AND v.language = @language
			WHERE EXISTS (SELECT FROM subscription_charges WHERE subscription_id = s.id AND is_disputed AND payment_id <> ALL(@decided)) AND `+theirs+`
			ORDER BY s.campaign_id`, args).Scan(&k.Undecided).Error
	}
	if err == nil {
		k.Running, err = s.Running(ctx, db, userID, address)
	}
	if err != nil {
		return Kept{}, fmt.Errorf("read what is kept of user %d: %w", userID, err)
	}
	return k, nil
}

func (s *Service) erasing(userID int64, address string) map[string]any {
	return map[string]any{"user": userID, "address": address, "years": receiptYears, "zone": s.zone.String()}
}

// Erased is what Erase has emptied.
type Erased struct {
	IDs      []string
	Receipts int
}

// Merge makes the subscriptions that one person began signed in another one's, in the order of their locks: both are the
// same. It returns their ids, of which the payment service is to be told: package payers.
func Merge(ctx context.Context, tx *gorm.DB, from, to int64) (ids []string, err error) {
	err = tx.WithContext(ctx).Raw(`
		UPDATE subscriptions SET user_id = @to WHERE id IN (SELECT id FROM subscriptions WHERE user_id = @from ORDER BY id FOR UPDATE)
		RETURNING id`, map[string]any{"from": from, "to": to}).Scan(&ids).Error
	if err != nil {
		return nil, fmt.Errorf("move the subscriptions of user %d to user %d: %w", from, to, err)
	}
	return ids, nil
}

// Locked are a person's subscriptions, locked.
type Locked struct {
	ids  []string
	args map[string]any
}

// Lock locks a person's subscriptions for Erase, in the caller's transaction; campaigns are locked after them. Decided
// are those of Contested that are decided. Error: ErrUndecided.
func (s *Service) Lock(ctx context.Context, tx *gorm.DB, userID int64, address string, decided []string) (Locked, error) {
	args := s.erasing(userID, address)
	tx = tx.WithContext(ctx)
	var ids []string
	var disputed []bool
	err := tx.Raw(`SELECT s.id FROM subscriptions s WHERE `+theirs+` ORDER BY s.id FOR UPDATE`, args).Scan(&ids).Error
	args["ids"], args["now"], args["decided"] = dbx.TextArray(ids), s.now(), dbx.TextArray(decided)
	if err == nil {
		err = tx.Raw(`SELECT EXISTS (SELECT FROM subscription_charges WHERE is_disputed AND payment_id <> ALL(@decided) AND subscription_id = ANY(@ids))`, args).Scan(&disputed).Error
	}
	if err != nil {
		return Locked{}, fmt.Errorf("lock the subscriptions of user %d: %w", userID, err)
	}
	if disputed[0] {
		return Locked{}, ErrUndecided
	}
	return Locked{ids: ids, args: args}, nil
}

// Erase ends a person's subscriptions and takes their name and address off them, in the caller's transaction. Amounts, dates and
// receipt numbers stay, and the name on the receipts moves to kept_subscription_receipts. A second call changes nothing.
func (s *Service) Erase(ctx context.Context, tx *gorm.DB, held Locked) (e Erased, err error) {
	e.IDs = held.ids
	args := held.args
	tx = tx.WithContext(ctx)
	for _, id := range e.IDs {
		r, err := lock(ctx, tx, id)
		if err == nil && r.ClosedAt == nil && (r.Status.IsLive() || r.Status == Expired) {
			err = s.endLocked(ctx, tx, r, personErased)
		}
		if err != nil {
			return Erased{}, err
		}
	}
	kept := tx.Exec(`
		INSERT INTO kept_subscription_receipts (subscription_id, first_name, last_name, keep_until)
		SELECT s.id, s.first_name, s.last_name, `+keepUntil+`
		FROM subscriptions s WHERE s.id = ANY(@ids) AND EXISTS (SELECT FROM subscription_charges WHERE subscription_id = s.id)
		ON CONFLICT (subscription_id) DO NOTHING`, args)
	if kept.Error == nil {
		err = tx.Raw(`SELECT count(*) FROM subscription_charges WHERE subscription_id = ANY(@ids)`, args).Scan(&e.Receipts).Error
	}
	if err = errors.Join(kept.Error, err); err != nil {
		return Erased{}, fmt.Errorf("keep the receipts of user %d: %w", args["user"], err)
	}
	err = tx.Exec(`
		UPDATE subscriptions s SET user_id = NULL, email = '', first_name = '', last_name = '', anonymous = true, visitor = NULL,
		    updated_at = @now, erased_with = coalesce(s.erased_with, w.first)
		FROM (SELECT id, min(id) OVER (PARTITION BY campaign_id) AS first FROM subscriptions WHERE id = ANY(@ids)) w
		WHERE s.id = w.id`, args).Error
	if err != nil {
		return Erased{}, fmt.Errorf("erase the subscriptions of user %d: %w", args["user"], err)
	}
	return e, supportlinks.Erase(ctx, tx, e.IDs)
}

// keepLonger keeps the name on an erased supporter's receipts for the year in which their money has moved again.
func (s *Service) keepLonger(ctx context.Context, tx *gorm.DB, id string) error {
	err := tx.WithContext(ctx).Exec(`
		UPDATE kept_subscription_receipts SET keep_until = greatest(keep_until, make_date(@year, 12, 31)) WHERE subscription_id = @id`,
		map[string]any{"id": id, "year": s.now().In(s.zone).Year() + receiptYears}).Error
	if err != nil {
		return fmt.Errorf("keep a receipt for longer: %w", err)
	}
	return nil
}

// PruneReceipts deletes the names on erased people's receipts whose last day has passed.
func (s *Service) PruneReceipts(ctx context.Context) error {
	if _, err := dbx.Prune(ctx, s.db, `kept_subscription_receipts`, `keep_until < CAST(? AS date)`, s.now().In(s.zone).Format(time.DateOnly)); err != nil {
		return fmt.Errorf("prune receipts: %w", err)
	}
	return nil
}

// ReadKeptReceipt reads who is on the receipt of a month. Error: NotFound when nobody is kept for it.
func ReadKeptReceipt(ctx context.Context, db *gorm.DB, number string) (k pledges.KeptReceipt, err error) {
	found := db.WithContext(ctx).Raw(`
		SELECT k.first_name, k.last_name, k.keep_until
		FROM subscription_charges c JOIN kept_subscription_receipts k USING (subscription_id) WHERE c.receipt_number = ?`, number).Scan(&k)
	if found.Error != nil {
		return k, fmt.Errorf("read a kept receipt: %w", found.Error)
	}
	if found.RowsAffected == 0 {
		return k, ErrUnknown
	}
	return k, nil
}
