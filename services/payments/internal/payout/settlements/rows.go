package settlements

import (
	"context"
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/money"
	"talkoot.fi/payments/internal/charging/calendar"
	"talkoot.fi/payments/internal/contentclient"
)

// Run is a row of settlement_runs: the money of a campaign at a provider on its way to its creator.
type Run struct {
	ID         string
	CampaignID int64
	Provider   string
	Month      *time.Time // the first day of the month of support that it is of; nil of pledges
	Number     int
	State      State
	Reason     Reason
	Detail     string
	Version    int
	Hash       string
	PayeeID    int64
	PayeeRef   string
	Place      string
	ToPlace    string
	RatesFrom  *time.Time
	Currency   money.Currency
	Lines      int

	// GrossMinor + ReleasedMinor = FeeMinor + ReserveMinor + NetMinor: what was kept back earlier and is released now is sent with the rest.
	GrossMinor, FeeMinor, VatMinor, ReserveMinor, ReleasedMinor, NetMinor, OffsetMinor int64

	// BankKeptMinor is what banks have kept of payouts that they have sent back: it is paid out less that, by which a creator bears it who has
	// named an account that does not take their money.
	BankKeptMinor int64
	// PaidOutMinor is what has arrived of it, as far as is known: the rest of a payout that came back in parts is paid out by another.
	PaidOutMinor int64

	// ReversedMinor is what was taken back of its transfer.
	ReversedMinor int64

	ProposedBy           string
	NextAt, PaidAt       *time.Time
	CreatedAt, UpdatedAt time.Time
}

// subject is the kind of payments that it is of.
func (r Run) subject() contentclient.SubjectKind {
	if r.Month != nil {
		return contentclient.Subscription
	}
	return contentclient.Pledge
}

// until is the last day of its month; nil of pledges.
func (r Run) until() *time.Time {
	if r.Month == nil {
		return nil
	}
	last := lastDay(*r.Month)
	return &last
}

// lastDay is the last day of the month that begins on a day.
func lastDay(month time.Time) time.Time { return calendar.Add(calendar.Month(month, 1), -1) }

// Needed is how many people approve it.
func (r Run) Needed() int {
	if r.GrossMinor+r.ReleasedMinor > twoAbove {
		return 2
	}
	return 1
}

// ForCreator is what of it its creator gets.
func (r Run) ForCreator() int64 {
	return r.NetMinor - r.OffsetMinor - r.BankKeptMinor - r.ReversedMinor
}

// ToPayOut is what of it is to be paid out next, or is on its way.
func (r Run) ToPayOut() int64 { return r.ForCreator() - r.PaidOutMinor }

// BankKept is BankKeptMinor of a row of settlement_runs.
const BankKept = `(SELECT coalesce(sum(greatest(k.amount_minor - k.returned_minor, 0)), 0)::bigint FROM settlement_moves k
	WHERE k.run_id = settlement_runs.id AND k.state = 'returned')`

// Reversed is ReversedMinor of a row of settlement_runs.
const Reversed = `(SELECT coalesce(sum(v.amount_minor), 0)::bigint FROM transfer_reversals v WHERE v.run_id = settlement_runs.id AND v.state = 'done')`

const columns = BankKept + ` AS bank_kept_minor, ` + Reversed + ` AS reversed_minor, (SELECT coalesce(sum(k.amount_minor), 0)::bigint FROM settlement_moves k
	WHERE k.run_id = settlement_runs.id AND k.kind = 'payout' AND k.state = 'done') AS paid_out_minor, id, campaign_id, provider, month, number, state, reason, detail, version, hash, payee_id, payee_ref, place, to_place, rates_from, currency, lines,
	gross_minor, fee_minor, vat_minor, reserve_minor, released_minor, net_minor, offset_minor, proposed_by, next_at, paid_at, created_at, updated_at`

func read(ctx context.Context, db *gorm.DB, where string, args ...any) (list []Run, err error) {
	if err := db.WithContext(ctx).Raw(`SELECT `+columns+` FROM settlement_runs `+where, args...).Scan(&list).Error; err != nil {
		return nil, fmt.Errorf("read settlement runs: %w", err)
	}
	return list, nil
}

// lock reads a run that nobody else changes until the transaction ends. Error: ErrNoRun.
func lock(ctx context.Context, tx *gorm.DB, id string) (Run, error) {
	list, err := read(ctx, tx, `WHERE id = ? FOR UPDATE`, id)
	if err == nil && len(list) == 0 {
		err = fmt.Errorf("%s: %w", id, ErrNoRun)
	}
	if err != nil {
		return Run{}, err
	}
	return list[0], nil
}

// locked does something to a run that nobody else changes meanwhile.
func (s *Service) locked(ctx context.Context, id string, do func(tx *gorm.DB, r *Run) error) error {
	return dbx.InTx(ctx, s.DB, func(tx *gorm.DB) error {
		r, err := lock(ctx, tx, id)
		if err != nil {
			return err
		}
		return do(tx, &r)
	})
}

// Act is what is done to a run: by a person, or by the worker.
type Act struct {
	Event       Event
	Reason      Reason
	Detail      string
	Next        *time.Time // when the worker goes on; nil when it waits for a person
	Actor, Note string
}

// waits is the event of a run that stays where it is for another reason than before, resumed that of one which a person has go on.
const (
	waits   Event = "waits"
	resumed Event = "resumed"
)

// do takes a run a step on and writes it with its history. Error: ErrNotThen.
func (s *Service) do(ctx context.Context, tx *gorm.DB, r *Run, a Act) error {
	from, to := r.State, r.State
	if a.Event != waits && a.Event != resumed {
		var can bool
		if to, can = Next(from, a.Event); !can {
			return fmt.Errorf("%s of run %s, which is %s: %w", a.Event, r.ID, from, ErrNotThen)
		}
	}
	now := s.Now()
	isSame := a.Event == waits && r.Reason == a.Reason && r.Detail == a.Detail
	r.State, r.Reason, r.Detail, r.NextAt, r.UpdatedAt = to, a.Reason, a.Detail, a.Next, now
	if to == Paid && a.Event != waits {
		r.PaidAt = &now
	}
	err := tx.WithContext(ctx).Exec(`UPDATE settlement_runs SET state = @state, reason = @reason, detail = @detail, version = @version, hash = @hash,
			payee_id = @payee, payee_ref = @ref, place = @place, to_place = @to, rates_from = @rates, lines = @lines, gross_minor = @gross, fee_minor = @fee,
			vat_minor = @vat, reserve_minor = @reserve, released_minor = @released, net_minor = @net, offset_minor = @offset, next_at = @next, paid_at = @paid, updated_at = @now
		WHERE id = @id`, map[string]any{"state": r.State, "reason": r.Reason, "detail": r.Detail, "version": r.Version, "hash": r.Hash, "payee": r.PayeeID,
		"ref": r.PayeeRef, "place": r.Place, "to": r.ToPlace, "rates": r.RatesFrom, "lines": r.Lines, "gross": r.GrossMinor, "fee": r.FeeMinor,
		"vat": r.VatMinor, "reserve": r.ReserveMinor, "released": r.ReleasedMinor, "net": r.NetMinor, "offset": r.OffsetMinor, "next": r.NextAt, "paid": r.PaidAt, "now": now, "id": r.ID}).Error
	if err == nil && to == Void {
		err = errors.Join(leaveReleased(ctx, tx, *r), leaveRestored(ctx, tx, *r))
	}
	if err == nil && !isSame {
		err = tx.WithContext(ctx).Exec(`INSERT INTO settlement_steps (run_id, event, from_state, to_state, reason, actor, note, at)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?)`, r.ID, a.Event, from, to, a.Reason, a.Actor, a.Note, now).Error
	}
	if err != nil {
		return fmt.Errorf("write %s of run %s: %w", a.Event, r.ID, err)
	}
	return nil
}

// stop is an error by which a step says why a run waits.
type stop struct {
	reason Reason
	detail string
	after  time.Duration // until it is looked at again; 0 for never, until a person has it go on
}

func (s stop) Error() string { return string(s.reason) + " " + s.detail }

// in is when a run is looked at again.
func (s *Service) in(d time.Duration) *time.Time {
	if d == 0 {
		return nil
	}
	at := s.Now().Add(d)
	return &at
}

// stopped keeps why a run waits, when err says that; any other error is given back.
func (s *Service) stopped(ctx context.Context, tx *gorm.DB, r *Run, err error) error {
	var why stop
	if !errors.As(err, &why) {
		return err
	}
	return s.do(ctx, tx, r, Act{Event: waits, Reason: why.reason, Detail: why.detail, Next: s.in(why.after)})
}

// Line is a charge of a run.
type Line struct {
	ChargeRef, PaymentID                                   string
	GrossMinor, FeeMinor, VatMinor, ReserveMinor, NetMinor int64
	BookedAt, LeftAt                                       *time.Time
}

// LinesOf lists the charges of a run as they are frozen now.
func LinesOf(ctx context.Context, db *gorm.DB, r Run) (list []Line, err error) {
	err = db.WithContext(ctx).Raw(`SELECT charge_ref, payment_id, gross_minor, fee_minor, vat_minor, reserve_minor, net_minor, booked_at, left_at
		FROM settlement_lines WHERE run_id = ? AND version = ? ORDER BY charge_ref`, r.ID, r.Version).Scan(&list).Error
	if err != nil {
		return nil, fmt.Errorf("read the lines of run %s: %w", r.ID, err)
	}
	return list, nil
}
