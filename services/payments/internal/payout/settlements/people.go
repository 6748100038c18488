package settlements

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/ids"
	"talkoot.fi/kit/money"
	"talkoot.fi/kit/typed"
	"talkoot.fi/payments/internal/payout/payees"
)

// What people do to runs.

// Propose begins a run for each provider at which a campaign has money that no run has, or gives the one that has begun; each is frozen at
// once if its money is certain, and by the worker when it is. Errors: ErrNoEnding, ErrNoPerson.
func (s *Service) Propose(ctx context.Context, campaignID int64, actor, note string) (runs []Run, err error) {
	if strings.TrimSpace(actor) == "" || note == "" {
		return nil, ErrNoPerson
	}
	e, err := endingOf(ctx, s.DB, campaignID)
	if err != nil {
		return nil, err
	}
	var names []string
	err = s.DB.WithContext(ctx).Raw(`SELECT DISTINCT a.provider FROM payments p JOIN attempts a ON a.id = p.paid_attempt_id
		WHERE p.campaign_id = ? AND p.subject_kind = 'pledge' ORDER BY 1`, campaignID).Scan(&names).Error
	if err != nil {
		return nil, fmt.Errorf("look where the money of campaign %d is: %w", campaignID, err)
	}
	for _, name := range names {
		r, _, err := s.propose(ctx, Run{CampaignID: campaignID, Provider: name, Currency: money.Currency(e.Currency), ProposedBy: actor}, note)
		if err != nil {
			return runs, err
		}
		if r.ID != "" {
			runs = append(runs, r)
		}
	}
	return runs, nil
}

// propose begins a run, or gives the one that has begun, and freezes it if its money is certain; none without money that no run has. carried
// is what is too little and waits for the next month.
func (s *Service) propose(ctx context.Context, wanted Run, note string) (r Run, carried int64, err error) {
	r, carried, err = s.begin(ctx, wanted, note)
	if err != nil || r.State != Counting {
		return r, carried, err
	}
	r, err = s.tryFreeze(ctx, r.ID)
	return r, 0, err
}

// begin writes a run, if there is money that none has.
func (s *Service) begin(ctx context.Context, wanted Run, note string) (r Run, carried int64, err error) {
	err = dbx.InTx(ctx, s.DB, func(tx *gorm.DB) error {
		r, carried = Run{}, 0
		begun := wanted
		err := tx.WithContext(ctx).Exec(`SELECT pg_advisory_xact_lock(hashtextextended(?, 0))`, fmt.Sprintf("settle:%d:%s", begun.CampaignID, begun.Provider)).Error
		if err != nil {
			return fmt.Errorf("wait for others who settle campaign %d: %w", begun.CampaignID, err)
		}
		list, err := read(ctx, tx, `WHERE campaign_id = ? AND provider = ? ORDER BY number DESC`, begun.CampaignID, begun.Provider)
		if err != nil {
			return err
		}
		begun.Number = 1
		if len(list) > 0 {
			begun.Number = list[0].Number + 1
			if st := list[0].State; st == Counting || st == Proposed || st == Approved {
				r = list[0]
				return nil
			}
		}
		if slices.ContainsFunc(list, begun.isBehind) {
			return nil
		}
		charges, err := s.moneyOf(ctx, tx, begun)
		if err != nil {
			return err
		}
		back, err := released(ctx, tx, begun)
		if err != nil {
			return err
		}
		again, err := restored(ctx, tx, begun)
		if err != nil {
			return err
		}
		whole := sumReleased(back, again)
		for _, one := range charges {
			whole += one.Funds
		}
		isLittle := false
		if begun.Month != nil && whole > 0 {
			isLittle, err = isTooLittle(ctx, tx, begun, whole)
		}
		if whole == 0 || isLittle || err != nil {
			carried = whole
			return err
		}
		now := s.Now()
		r = begun
		r.ID = ids.New()
		err = tx.WithContext(ctx).Exec(`INSERT INTO settlement_runs (id, campaign_id, provider, month, number, state, currency, proposed_by, next_at, created_at, updated_at)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, r.ID, r.CampaignID, r.Provider, r.Month, r.Number, Counting, r.Currency, r.ProposedBy, now, now, now).Error
		if err != nil {
			return fmt.Errorf("begin a run of campaign %d: %w", r.CampaignID, err)
		}
		r.State = ""
		return s.do(ctx, tx, &r, Act{Event: Begun, Next: &now, Actor: r.ProposedBy, Note: note})
	})
	return r, carried, err
}

// tryFreeze freezes a run that counts, or says why it cannot be.
func (s *Service) tryFreeze(ctx context.Context, id string) (r Run, err error) {
	list, err := read(ctx, s.DB, `WHERE id = ?`, id)
	if err != nil || len(list) == 0 {
		return r, err
	}
	certain := s.ready(ctx, list[0])
	err = s.locked(ctx, id, func(tx *gorm.DB, now *Run) error {
		defer func() { r = *now }()
		if now.State != Counting {
			return nil
		}
		if certain != nil {
			return s.stopped(ctx, tx, now, certain)
		}
		err := s.freeze(ctx, tx, now)
		if why := (stop{}); now.Month != nil && errors.As(err, &why) && why.reason == NothingToSettle { // else it would keep the months after it waiting
			return s.do(ctx, tx, now, Act{Event: Voided, Reason: NothingToSettle})
		}
		return s.stopped(ctx, tx, now, err)
	})
	return r, err
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

// Approve has a person approve what a run is now: hash is how they saw it, or its beginning of at least 12 signs. Errors: ErrNoRun,
// ErrNotThen, ErrChanged, ErrOwnProposal, ErrOwnMoney, ErrNoPerson, ErrNoOperator. One that waits because who approved it answers for money no
// more (ApprovalMissing) is approved as it was. One of which nothing is left is void then.
func (s *Service) Approve(ctx context.Context, id, hash, actor, note string) (r Run, err error) {
	if strings.TrimSpace(actor) == "" || note == "" {
		return r, ErrNoPerson
	}
	list, err := read(ctx, s.DB, `WHERE id = ?`, id)
	if err != nil {
		return r, err
	}
	if len(list) == 0 {
		return r, fmt.Errorf("%s: %w", id, ErrNoRun)
	}
	name, unknown := operator(ctx, s.DB, actor)
	if unknown == nil {
		actor = name
	}
	certain := s.ready(ctx, list[0])
	hasChanged := false
	err = s.locked(ctx, id, func(tx *gorm.DB, now *Run) error {
		defer func() { r = *now }()
		hasChanged = false
		isAgain := now.Reason == ApprovalMissing
		switch {
		case now.State != Proposed && !isAgain:
			return fmt.Errorf("approve run %s, which is %s: %w", id, now.State, ErrNotThen)
		case len(hash) < 12 || !strings.HasPrefix(now.Hash, hash):
			return fmt.Errorf("approve run %s: %w", id, ErrChanged)
		case typed.Same(actor, now.ProposedBy):
			return fmt.Errorf("approve run %s: %w", id, ErrOwnProposal)
		case unknown != nil:
			return fmt.Errorf("approve run %s: %w", id, unknown)
		case certain != nil && !isAgain:
			return certain
		}
		var err error
		if hasChanged, err = s.changedSince(ctx, tx, now, isAgain); err != nil || hasChanged {
			return err // what it is now is kept
		}
		if err := notTheirs(ctx, tx, now.Provider, now.PayeeID, actor); err != nil {
			return fmt.Errorf("approve run %s: %w", id, err)
		}
		list, err := approvers(ctx, tx, *now)
		if err != nil {
			return err
		}
		if !slices.ContainsFunc(list, func(other string) bool { return typed.Same(actor, other) }) {
			err = tx.WithContext(ctx).Exec(`INSERT INTO settlement_approvals (run_id, hash, proposed_by, actor, note, at) VALUES (?, ?, ?, ?, ?, ?)
				ON CONFLICT DO NOTHING`, id, now.Hash, now.ProposedBy, actor, note, s.Now()).Error
			if err != nil {
				return fmt.Errorf("approve run %s: %w", id, err)
			}
			if list, err = approvers(ctx, tx, *now); err != nil { // who answers for money no more is not among them
				return err
			}
		}
		if len(list) < now.Needed() {
			return nil
		}
		at := s.Now()
		if isAgain {
			return s.do(ctx, tx, now, Act{Event: resumed, Next: &at, Actor: actor, Note: note})
		}
		return s.do(ctx, tx, now, Act{Event: Agreed, Next: &at, Actor: actor, Note: note})
	})
	var why stop
	if errors.As(err, &why) {
		return r, fmt.Errorf("approve run %s: it waits, %w", id, err)
	}
	if err == nil && hasChanged {
		err = fmt.Errorf("approve run %s: %w", id, ErrChanged)
	}
	return r, err
}

// changedSince reports whether a run is not what people saw who approve it, and writes what it is now. One of which nothing is left is over; one that is
// approved once more is only looked at for another bank account.
func (s *Service) changedSince(ctx context.Context, tx *gorm.DB, r *Run, isAgain bool) (bool, error) {
	if isAgain {
		to, err := s.unseen(ctx, tx, *r)
		if err != nil || to == "" {
			return false, err
		}
		return true, s.do(ctx, tx, r, Act{Event: waits, Reason: BankChanged, Detail: to})
	}
	was := r.Hash
	err := s.freeze(ctx, tx, r)
	if why := (stop{}); errors.As(err, &why) && why.reason == NothingToSettle { // all of it has gone back, or banks have it
		return true, s.do(ctx, tx, r, Act{Event: Voided, Reason: NothingToSettle})
	}
	return r.Hash != was, err
}

// IsTheirs reports whether a name is an operator's to whom the money of a creator is paid, by the number that the book has of them: who decides
// about it is somebody else.
func IsTheirs(ctx context.Context, db *gorm.DB, provider string, payee int64, name string) (is bool, err error) {
	err = db.WithContext(ctx).Raw(`SELECT EXISTS (SELECT FROM operators o WHERE lower(btrim(o.name)) = lower(btrim(@name)) AND (o.user_id = @payee
		OR EXISTS (SELECT FROM payees p JOIN settlement_runs r ON r.provider = p.provider AND r.payee_ref = p.ref
			WHERE p.user_id = o.user_id AND p.ref <> '' AND r.provider = @provider AND r.payee_id = @payee)))`,
		map[string]any{"name": name, "provider": provider, "payee": payee}).Scan(&is).Error
	if err != nil {
		return false, fmt.Errorf("ask whether creator %d is an operator: %w", payee, err)
	}
	return is, nil
}

// notTheirs keeps a person from deciding about their own money. Error: ErrOwnMoney.
func notTheirs(ctx context.Context, db *gorm.DB, provider string, payee int64, name string) error {
	isTheirs, err := IsTheirs(ctx, db, provider, payee, name)
	if err == nil && isTheirs {
		err = ErrOwnMoney
	}
	return err
}

// Counts is true of a row a of settlement_approvals while its person answers for money, as trigger settlement_approvals_operator asks when it is
// written: else somebody else approves.
const Counts = `EXISTS (SELECT FROM operators o WHERE lower(btrim(o.name)) = lower(btrim(a.actor)) AND o.is_operator
	AND o.number = (SELECT max(number) FROM operators WHERE user_id = o.user_id))`

// operator is the name under which a person answers for money now, however it was typed. Error: ErrNoOperator.
func operator(ctx context.Context, db *gorm.DB, actor string) (string, error) {
	var names []string
	err := db.WithContext(ctx).Raw(`SELECT DISTINCT name FROM operators o WHERE o.is_operator AND o.number = (SELECT max(number) FROM operators WHERE user_id = o.user_id)`).
		Scan(&names).Error
	if err != nil {
		return "", fmt.Errorf("read who answers for money: %w", err)
	}
	for _, name := range names {
		if typed.Same(name, actor) {
			return name, nil
		}
	}
	return "", fmt.Errorf("%s %w", actor, ErrNoOperator)
}

// approvers are who has approved what a run is now.
func approvers(ctx context.Context, db *gorm.DB, r Run) (list []string, err error) {
	err = db.WithContext(ctx).Raw(`SELECT a.actor FROM settlement_approvals a WHERE a.run_id = ? AND a.hash = ? AND `+Counts+` ORDER BY a.at`, r.ID, r.Hash).Scan(&list).Error
	if err != nil {
		return nil, fmt.Errorf("read who has approved run %s: %w", r.ID, err)
	}
	return list, nil
}

// stillApproved stops a run that fewer people have approved than it needs, of those who answer for money now.
func stillApproved(ctx context.Context, db *gorm.DB, r Run) error {
	list, err := approvers(ctx, db, r)
	if err == nil && len(list) < r.Needed() {
		err = stop{ApprovalMissing, fmt.Sprintf("%d of %d", len(list), r.Needed()), again}
	}
	return err
}

// Cancel ends a run of which nothing was booked. Errors: ErrNoRun, ErrNotThen, ErrNoPerson.
func (s *Service) Cancel(ctx context.Context, id, actor, note string) error {
	if strings.TrimSpace(actor) == "" || note == "" {
		return ErrNoPerson
	}
	return s.locked(ctx, id, func(tx *gorm.DB, r *Run) error {
		hasBooked, err := hasBooked(ctx, tx, *r)
		if err == nil && hasBooked {
			err = fmt.Errorf("end run %s, of which something is booked: %w", id, ErrNotThen)
		}
		if err != nil {
			return err
		}
		return s.do(ctx, tx, r, Act{Event: Voided, Actor: actor, Note: note})
	})
}

// Resume has the worker look at a run at once, also at one that waits for a person. Errors: ErrNoRun, ErrNotThen, ErrNoPerson, ErrOwnMoney; ErrChanged when
// it waits for a look at its bank account, which is another one again.
func (s *Service) Resume(ctx context.Context, id, actor, note string) error {
	if strings.TrimSpace(actor) == "" || note == "" {
		return ErrNoPerson
	}
	hasChanged := false
	err := s.locked(ctx, id, func(tx *gorm.DB, r *Run) error {
		hasChanged = false
		if r.State == Proposed || r.State == Paid || r.State == Void {
			return fmt.Errorf("run %s is %s: %w", id, r.State, ErrNotThen)
		}
		err := notTheirs(ctx, tx, r.Provider, r.PayeeID, actor) // who has their account may have changed where the money goes, too
		if err != nil {
			return fmt.Errorf("resume run %s: %w", id, err)
		}
		to := ""
		if r.Reason == BankChanged {
			to, err = s.unseen(ctx, tx, *r)
		}
		if err != nil {
			return err
		}
		if hasChanged = to != ""; hasChanged {
			return s.do(ctx, tx, r, Act{Event: waits, Reason: BankChanged, Detail: to})
		}
		now := s.Now()
		return s.do(ctx, tx, r, Act{Event: resumed, Next: &now, Actor: actor, Note: note})
	})
	if err == nil && hasChanged {
		err = fmt.Errorf("resume run %s: %w", id, ErrChanged)
	}
	return err
}

// unseen names the bank account of a run that waits for people, when it has come after they were last told what it waits for; "" for none.
func (s *Service) unseen(ctx context.Context, tx *gorm.DB, r Run) (label string, err error) {
	to, err := s.Bank(ctx, tx, r.Provider, r.PayeeRef)
	if err != nil || to.IsFirst() || to.ActiveAt == nil || !to.ActiveAt.After(r.UpdatedAt) {
		return "", err
	}
	return to.Label(), nil
}

// List gives the runs of a campaign, or with 0 all that are not over, the oldest first.
func (s *Service) List(ctx context.Context, campaignID int64) ([]Run, error) {
	if campaignID != 0 {
		return read(ctx, s.DB, `WHERE campaign_id = ? ORDER BY provider, number`, campaignID)
	}
	return read(ctx, s.DB, `WHERE state NOT IN ('paid', 'void') ORDER BY created_at, id`)
}

// Step is a row of a run's history.
type Step struct {
	Event       Event
	FromState   State
	ToState     State
	Reason      Reason
	Actor, Note string
	At          time.Time
}

// Move is what was asked of the provider for a run.
type Move struct {
	RunID, Kind        string
	Try                int
	Provider, PayeeRef string
	FromPlace          string
	Destination        string
	AmountMinor        int64
	FeeMinor           int64
	Currency           string
	State, Ref, Code   string
	At                 time.Time
	BurnedAt, EndedAt  *time.Time
	ReturnedRef        string
	ReturnedMinor      int64 // what came back of a payout
}

// Shown is a run with all that belongs to it.
type Shown struct {
	Run
	Charges   []Line
	Moves     []Move
	Reversals []Reversal // what was taken back of its transfer, or was to be
	Steps     []Step
	Kept      []Kept      // what it has kept back, and until when
	Approvals []string    // who has approved what it is now
	Bank      payees.Bank // to which it would be paid out now; none without one
}

// Show reads a run with all that belongs to it. Error: ErrNoRun.
func (s *Service) Show(ctx context.Context, id string) (out Shown, err error) {
	list, err := read(ctx, s.DB, `WHERE id = ?`, id)
	if err == nil && len(list) == 0 {
		err = fmt.Errorf("%s: %w", id, ErrNoRun)
	}
	if err != nil {
		return out, err
	}
	out.Run = list[0]
	if out.Charges, err = LinesOf(ctx, s.DB, out.Run); err != nil {
		return out, err
	}
	if out.Moves, err = movesOf(ctx, s.DB, `WHERE run_id = ? ORDER BY at, kind DESC, try`, id); err != nil {
		return out, err
	}
	if out.Reversals, err = ReversalsOf(ctx, s.DB, id); err != nil {
		return out, err
	}
	if out.Kept, err = keptOf(ctx, s.DB, `WHERE k.run_id = ? ORDER BY k.due_on`, id); err != nil {
		return out, err
	}
	err = s.DB.WithContext(ctx).Raw(`SELECT event, from_state, to_state, reason, actor, note, at FROM settlement_steps WHERE run_id = ? ORDER BY id`, id).
		Scan(&out.Steps).Error
	if err != nil {
		return out, fmt.Errorf("read the history of run %s: %w", id, err)
	}
	if out.Approvals, err = approvers(ctx, s.DB, out.Run); err != nil {
		return out, err
	}
	out.Bank, err = s.Bank(ctx, s.DB, out.Provider, out.PayeeRef)
	return out, err
}
