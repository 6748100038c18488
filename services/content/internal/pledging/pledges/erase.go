package pledges

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/money"

	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/pledging/closing"
	"talkoot.fi/content/internal/pledging/receiptlinks"
)

// receiptYears is how long bookkeeping keeps a voucher: six years from the end of the calendar year in which the
// accounting year ended (Finnish Accounting Act 1336/1997, chapter 2, section 10). The platform's is the calendar year.
const receiptYears = 6

// theirs are the pledges p of a person @user: those made signed in, and those that were made with their confirmed
// @address (empty when it is not) without signing in. The indexes pledges_user, pledges_unsigned_by_address,
// pledges_lapsed_by_address and pledges_lapsing serve its parts.
const theirs = `p.id IN (
	SELECT id FROM pledges WHERE user_id = @user
	UNION ALL SELECT id FROM pledges WHERE user_id IS NULL AND @address <> '' AND lower(email) = lower(@address) AND status NOT IN ('created', 'awaiting_payment', 'expired')
	UNION ALL SELECT id FROM pledges WHERE user_id IS NULL AND @address <> '' AND lower(email) = lower(@address) AND status = 'expired'
	UNION ALL SELECT id FROM pledges WHERE user_id IS NULL AND @address <> '' AND lower(email) = lower(@address) AND status IN ('created', 'awaiting_payment'))`

// undecided is whether a bank decides about money of a pledge p: its question may need the backer. Of what they took back, and of money that was
// not accepted, the pledge's status does not say it. @decided are the payments of which the payment service says that a bank keeps their money.
const undecided = `(p.status = 'processing' OR EXISTS (SELECT FROM pledge_raises WHERE pledge_id = p.id AND status = 'processing')
	OR CASE p.status WHEN 'disputed' THEN NOT coalesce((SELECT bool_and(payment_id = ANY(@decided)) FROM (` + lastSaid + `) said), false)
	WHEN 'withdrawn' THEN ` + contestedSQL + ` > 0 AND NOT coalesce((SELECT bool_and(payment_id = ANY(@decided)) FROM (` + lastSaid + `) said), false)
	ELSE EXISTS (SELECT FROM (` + lastSaid + `) said WHERE payment_id <> ALL(@decided) AND NOT EXISTS (
		SELECT FROM payment_events e WHERE e.pledge_id = p.id AND e.payment_id = said.payment_id AND e.type = 'payment.refunded'
		AND (e.body ->> 'amount_refunded_minor')::bigint >= (e.body ->> 'amount_minor')::bigint)) END)`

// Contested are the payments of a person's pledges of which a bank was last said to have the money; address is the one that they have confirmed.
func (s *Service) Contested(ctx context.Context, userID int64, address string) (paymentIDs []string, err error) {
	err = s.db.WithContext(ctx).Raw(`SELECT said.payment_id FROM pledges p CROSS JOIN LATERAL (`+lastSaid+`) said WHERE `+theirs,
		s.erasing(userID, address, nil)).Scan(&paymentIDs).Error
	if err != nil {
		return nil, fmt.Errorf("read which payments of user %d banks have: %w", userID, err)
	}
	return paymentIDs, nil
}

// lastMoved is when a pledge's money last moved, in the platform's time zone.
const lastMoved = `greatest(p.paid_at, (SELECT max(at) FROM pledge_transitions WHERE pledge_id = p.id
	AND to_status IN ('paid', 'partly_refunded', 'disputed', 'refunded'))) AT TIME ZONE @zone`

const keepUntil = `make_date(CAST(extract(year FROM ` + lastMoved + `) AS int) + @years, 12, 31)`

// ErrUndecided: a bank is still confirming or disputing a payment of the person.
var ErrUndecided = errors.New("a payment is not decided")

// Kept is what would be left of a person's pledges.
type Kept struct {
	Receipts int
	Until    *time.Time // the day on which the last of their names goes
	Ongoing  []Ongoing
	// Undecided are the pledges whose money a bank still decides about.
	Undecided []Undecided
}

// Ongoing is what a person has paid for campaigns that are not over, in one currency.
type Ongoing struct {
	Currency    money.Currency
	Pledges     int
	AmountMinor int64
}

// Undecided is a pledge whose money a bank still decides about.
type Undecided struct {
	CampaignID  int64
	Slug, Title string
}

// KeptOf says what erasing a person would leave of their pledges; address is the one that they have confirmed, decided are those of Contested that
// are decided.
func (s *Service) KeptOf(ctx context.Context, userID int64, address string, decided []string, language string) (k Kept, err error) {
	args := s.erasing(userID, address, decided)
	args["language"] = language
	db := s.db.WithContext(ctx)
	err = db.Raw(`SELECT count(*) AS receipts, max(`+keepUntil+`) AS until FROM pledges p WHERE p.receipt_number IS NOT NULL AND `+theirs,
		args).Row().Scan(&k.Receipts, &k.Until)
	if err == nil {
		err = db.Raw(`
			SELECT p.currency, count(*) AS pledges, CAST(sum(p.amount_minor - p.amount_refunded_minor) AS bigint) AS amount_minor
			FROM pledges p JOIN campaigns c ON c.id = p.campaign_id
			WHERE p.status IN ('paid', 'partly_refunded') AND c.stage IN @open AND `+theirs+`
			GROUP BY p.currency ORDER BY p.currency`, args).Scan(&k.Ongoing).Error
	}
	if err == nil {
		err = db.Raw(`
			SELECT DISTINCT p.campaign_id, c.slug, v.preview ->> 'title' AS title
			FROM pledges p JOIN campaigns c ON c.id = p.campaign_id
			JOIN campaign_previews v ON v.campaign_id = c.id AND v.language = @language
			WHERE `+undecided+` AND `+theirs+` ORDER BY p.campaign_id`, args).Scan(&k.Undecided).Error
	}
	if err != nil {
		return Kept{}, fmt.Errorf("read what is kept of user %d: %w", userID, err)
	}
	return k, nil
}

func (s *Service) erasing(userID int64, address string, decided []string) map[string]any {
	return map[string]any{"user": userID, "address": address, "decided": dbx.TextArray(decided), "years": receiptYears, "zone": s.zone.String(),
		"open": []campaigns.Stage{campaigns.StageFunding, campaigns.StageRecurring, campaigns.StageSucceeded, campaigns.StageNotReached}}
}

// Locked are a person's pledges that Lock has locked.
type Locked struct {
	userID int64
	rows   []heldRow
}

type heldRow struct {
	ID          string
	RewardID    int64 // 0 for none
	Status      Status
	IsUndecided bool
}

// Lock locks a person's pledges in the caller's transaction, as its first locks: before campaigns, which come before the
// rewards that Erase gives back (see move). Address is the one that they have confirmed, if any; decided are those of
// Contested that are decided. Error: ErrUndecided.
func (s *Service) Lock(ctx context.Context, tx *gorm.DB, userID int64, address string, decided []string) (h Locked, err error) {
	h.userID = userID
	err = tx.WithContext(ctx).Raw(`
		SELECT p.id, coalesce(p.reward_id, 0) AS reward_id, p.status, `+undecided+` AS is_undecided
		FROM pledges p WHERE `+theirs+` ORDER BY p.id FOR UPDATE`, s.erasing(userID, address, decided)).Scan(&h.rows).Error
	if err != nil {
		return Locked{}, fmt.Errorf("lock the pledges of user %d: %w", userID, err)
	}
	for _, r := range h.rows {
		if r.IsUndecided {
			return Locked{}, ErrUndecided
		}
	}
	return h, nil
}

// Merge makes the pledges that one person made signed in another one's, in the order of their locks. The person's
// address is locked already. It returns the pledges' ids, whose people the caller counts anew (campaigns.RecountPeople).
func Merge(ctx context.Context, tx *gorm.DB, from, to int64) (ids []string, err error) {
	err = tx.WithContext(ctx).Raw(`
		UPDATE pledges SET user_id = @to WHERE id IN (SELECT id FROM pledges WHERE user_id = @from ORDER BY id FOR UPDATE) RETURNING id`,
		map[string]any{"from": from, "to": to}).Scan(&ids).Error
	if err != nil {
		return nil, fmt.Errorf("move the pledges of user %d to user %d: %w", from, to, err)
	}
	return ids, nil
}

// Erased is what Erase has emptied.
type Erased struct {
	IDs      []string
	Receipts int
}

// Erase takes a person's name, addresses and answers off the pledges that Lock has locked, in the caller's transaction, which
// locks no campaign after it. Unpaid pledges are released; of paid ones the amounts, dates and receipt numbers stay, and the
// names on the receipts move to kept_receipts. A second call changes nothing. The caller counts people anew
// (campaigns.RecountPeople).
func (s *Service) Erase(ctx context.Context, tx *gorm.DB, h Locked) (e Erased, err error) {
	tx = tx.WithContext(ctx)
	// By rewards, so that two who erase their accounts at once do not wait for each other.
	slices.SortFunc(h.rows, func(a, b heldRow) int { return cmp.Or(cmp.Compare(a.RewardID, b.RewardID), cmp.Compare(a.ID, b.ID)) })
	for _, r := range h.rows {
		if err := s.giveUp(ctx, tx, r.ID, r.Status); err != nil {
			return Erased{}, err
		}
		e.IDs = append(e.IDs, r.ID)
	}
	args := s.erasing(h.userID, "", nil)
	args["ids"], args["now"] = dbx.TextArray(e.IDs), s.now()
	kept := tx.Exec(`
		INSERT INTO kept_receipts (pledge_id, first_name, last_name, address, keep_until)
		SELECT p.id, p.first_name, p.last_name, jsonb_strip_nulls(jsonb_build_object('street', p.details ->> 'address_street',
		           'postcode', p.details ->> 'address_postcode', 'city', p.details ->> 'address_city',
		           'country', p.details ->> 'address_country')), `+keepUntil+`
		FROM pledges p WHERE p.id = ANY(@ids) AND p.receipt_number IS NOT NULL
		ON CONFLICT (pledge_id) DO NOTHING`, args)
	if kept.Error != nil {
		return Erased{}, fmt.Errorf("keep the receipts of user %d: %w", h.userID, kept.Error)
	}
	e.Receipts = int(kept.RowsAffected)
	if err := receiptlinks.Erase(ctx, tx, e.IDs); err != nil {
		return Erased{}, err
	}
	err = tx.Exec(`
		UPDATE pledges p SET user_id = NULL, email = '', first_name = '', last_name = '', details = '{}', anonymous = true,
		    last_name_initial = false, visitor = NULL, updated_at = @now, erased_with = coalesce(p.erased_with, w.first)
		FROM (SELECT id, min(id) OVER (PARTITION BY campaign_id) AS first FROM pledges WHERE id = ANY(@ids)) w
		WHERE p.id = w.id`, args).Error
	if err != nil {
		return Erased{}, fmt.Errorf("erase the pledges of user %d: %w", h.userID, err)
	}
	return e, nil
}

// giveUp releases a pledge that is not paid: money that still comes for it goes back.
func (s *Service) giveUp(ctx context.Context, tx *gorm.DB, id string, status Status) error {
	if !status.Waiting() && status != Failed && status != Expired {
		return s.giveUpRaises(ctx, tx, id)
	}
	p, err := lock(ctx, tx, id)
	switch {
	case err != nil:
		return err
	case !status.Waiting():
		if p.ReleasedAt != nil {
			return nil
		}
		return s.noteReleased(ctx, tx, p)
	}
	if err := s.move(ctx, tx, p, step{to: Expired, cause: released.cause, released: true}); err != nil {
		return err
	}
	return closing.Add(ctx, tx, closing.Pledge, id, released.reason)
}

// giveUpRaises releases what changes of a pledge wait for, and empties them.
func (s *Service) giveUpRaises(ctx context.Context, tx *gorm.DB, pledgeID string) error {
	list, err := readRaises(ctx, tx, `pledge_id = ? AND status IN ('created', 'awaiting_payment', 'failed', 'expired') AND released_at IS NULL`, pledgeID)
	if err != nil || len(list) == 0 {
		return err
	}
	p, err := lock(ctx, tx, pledgeID)
	if err != nil {
		return err
	}
	for i := range list {
		if err := s.giveUpRaise(ctx, tx, p, &list[i], released); err != nil {
			return err
		}
	}
	return nil
}

// keepLonger keeps an erased backer's receipt for the year in which its money has moved again.
func (s *Service) keepLonger(ctx context.Context, tx *gorm.DB, pledgeID string) error {
	err := tx.WithContext(ctx).Exec(`
		UPDATE kept_receipts SET keep_until = greatest(keep_until, make_date(@year, 12, 31)) WHERE pledge_id = @id`,
		map[string]any{"id": pledgeID, "year": s.now().In(s.zone).Year() + receiptYears}).Error
	if err != nil {
		return fmt.Errorf("keep a receipt for longer: %w", err)
	}
	return nil
}

// PruneReceipts deletes the names on erased people's receipts whose last day has passed.
func (s *Service) PruneReceipts(ctx context.Context) error {
	if _, err := dbx.Prune(ctx, s.db, `kept_receipts`, `keep_until < CAST(? AS date)`, s.now().In(s.zone).Format(time.DateOnly)); err != nil {
		return fmt.Errorf("prune receipts: %w", err)
	}
	return nil
}

// KeptReceipt is who is on the receipt of an erased person, for an authority's question.
type KeptReceipt struct {
	FirstName, LastName, Address string
	KeepUntil                    time.Time
}

// ReadKeptReceipt reads who is on a receipt of a pledge. Error: NotFound when nobody is kept for it.
func ReadKeptReceipt(ctx context.Context, db *gorm.DB, number string) (k KeptReceipt, err error) {
	found := db.WithContext(ctx).Raw(`
		SELECT k.first_name, k.last_name, concat_ws(', ', k.address ->> 'street', concat_ws(' ', k.address ->> 'postcode', k.address ->> 'city'),
		           k.address ->> 'country') AS address, k.keep_until
		FROM kept_receipts k JOIN pledges p ON p.id = k.pledge_id WHERE p.receipt_number = ?`, number).Scan(&k)
	if found.Error != nil {
		return k, fmt.Errorf("read a kept receipt: %w", found.Error)
	}
	if found.RowsAffected == 0 {
		return k, apperr.New(apperr.NotFound)
	}
	return k, nil
}
