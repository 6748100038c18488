package claims

import (
	"context"
	"errors"
	"fmt"
	"time"
	"unicode/utf8"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/idem"
	"talkoot.fi/kit/ids"
	"talkoot.fi/kit/money"
	"talkoot.fi/kit/typed"

	"talkoot.fi/content/internal/mail/mails"
	"talkoot.fi/content/internal/pledging/pledges"
)

// Errors of claims.
var (
	ErrUnknown     = apperr.New(apperr.NotFound)
	ErrNotPossible = apperr.New(apperr.ClaimNotPossible)
	// ErrMoved refuses an act on a claim that is somewhere else than its caller has seen.
	ErrMoved = apperr.New(apperr.ClaimMoved)
	// ErrNoSum refuses money that is not there to be given back.
	ErrNoSum = apperr.New(apperr.RefundNotPossible)
	// ErrOwnMoney keeps staff from giving money back to themselves.
	ErrOwnMoney = apperr.New(apperr.Forbidden)
)

const (
	// mostText is the longest text of a message, in characters; mostMessages how many times each side may write about a claim, or change an
	// offer, which is mailed as well.
	mostText, mostMessages = 2000, 100
	// mostClaims is how many claims a pledge may have: one that was withdrawn can be made again.
	mostClaims = 10
)

// Service is what the rules need.
type Service struct {
	db   *gorm.DB
	now  func() time.Time
	zone *time.Location
}

// New makes the service. Days end in the time zone.
func New(db *gorm.DB, now func() time.Time, zone *time.Location) *Service {
	return &Service{db, func() time.Time { return now().UTC().Truncate(time.Microsecond) }, zone}
}

// pledge is what a claim needs to know of its pledge.
type pledge struct {
	ID                                      string
	CampaignID                              int64
	Status                                  pledges.Status
	AmountMinor, RefundedMinor, AgreedMinor int64
	UncontestedMinor                        int64 // of a disputed one: what of it no bank has
	// Of RefundedMinor and AgreedMinor, what is of charges that banks have: what is agreed of those waits for them, and comes from no other.
	ContestedBackMinor, ContestedAgreedMinor int64
	Currency                                 money.Currency
	HasReward                                bool
	Delivery                                 string
	EndedAt                                  *time.Time
	GoesTo                                   string
}

// leftMinor is what has not gone back, as far as is known here; what is agreed is told back only later. While banks have some of a pledge, it is
// the rest. Of one of which they have everything it is all: what is agreed of that before waits for them.
func (p pledge) leftMinor() int64 {
	left := p.AmountMinor - max(p.RefundedMinor, p.AgreedMinor)
	if p.UncontestedMinor > 0 {
		left = p.UncontestedMinor - max(p.AgreedMinor-p.ContestedAgreedMinor-(p.RefundedMinor-p.ContestedBackMinor), 0)
	}
	return left
}

// isContested reports whether banks have all that is left of a pledge: nothing new is asked or given of it while they decide.
func (p pledge) isContested() bool { return p.Status == pledges.Disputed && p.UncontestedMinor == 0 }

const pledgeSQL = `SELECT p.id, p.campaign_id, p.status, p.amount_minor, p.amount_refunded_minor AS refunded_minor, p.uncontested_minor, p.currency,
		coalesce((SELECT sum(coalesce(begun_minor, amount_minor)) FROM agreed_refunds WHERE pledge_id = p.id), 0) AS agreed_minor,
		coalesce((SELECT sum(b.value::bigint) FROM agreed_refunds a CROSS JOIN jsonb_each_text(a.begun_of) b
			WHERE a.pledge_id = p.id AND b.key IN (SELECT subject_id FROM (` + pledges.ContestedSQL + `) c)), 0) AS contested_agreed_minor,
		coalesce((SELECT sum(c.back_minor) FROM (` + pledges.ContestedSQL + `) c), 0) AS contested_back_minor,
		p.reward_id IS NOT NULL AS has_reward, coalesce(p.bought ->> 'delivery', '') AS delivery, e.ended_at, coalesce(e.goes_to, '') AS goes_to
	FROM pledges p LEFT JOIN campaign_endings e ON e.campaign_id = p.campaign_id WHERE p.id = ?`

// readPledge reads a pledge. Error: ErrUnknown.
func readPledge(ctx context.Context, db *gorm.DB, id string) (p pledge, err error) {
	found := db.WithContext(ctx).Raw(pledgeSQL, id).Scan(&p)
	if found.Error != nil {
		return p, fmt.Errorf("read a pledge for its claim: %w", found.Error)
	}
	if found.RowsAffected == 0 {
		return p, ErrUnknown
	}
	return p, nil
}

// lockPledge is readPledge of one that nobody else changes until the transaction ends: what was agreed about it is all there.
func lockPledge(ctx context.Context, tx *gorm.DB, id string) (pledge, error) {
	if err := tx.WithContext(ctx).Exec(`SELECT FROM pledges WHERE id = ? FOR NO KEY UPDATE`, id).Error; err != nil {
		return pledge{}, fmt.Errorf("lock a pledge for its claim: %w", err)
	}
	return readPledge(ctx, tx, id)
}

// ownSQL is whether pledge p is the person's @user.
const ownSQL = `EXISTS (SELECT FROM users u WHERE u.id = @user AND ` + mails.OwnPledge + `)`

// notOwn keeps staff from deciding about their own money: it gives refusal of a pledge that is somebody's own.
func notOwn(ctx context.Context, db *gorm.DB, pledgeID string, userID int64, refusal error) error {
	var own bool
	err := db.WithContext(ctx).Raw(`SELECT EXISTS (SELECT FROM pledges p WHERE p.id = @id AND `+ownSQL+`)`, map[string]any{"id": pledgeID, "user": userID}).Scan(&own).Error
	switch {
	case err != nil:
		return fmt.Errorf("read whose the pledge of a claim is: %w", err)
	case own:
		return refusal
	}
	return nil
}

// row is a claim.
type row struct {
	ID, Reference, PledgeID string
	CampaignID              int64
	Kind                    Kind
	State                   State
	Version                 int64
	WaitsFrom               time.Time
	DueAt                   *time.Time
	OfferMinor              *int64
	OfferDay                *time.Time
	Tracking                string
	Decisions               int
	CreatedAt               time.Time
}

const columns = `id, reference, pledge_id, campaign_id, kind, state, version, waits_from, due_at, offer_minor, offer_day, tracking, decisions, created_at`

func read(ctx context.Context, db *gorm.DB, where string, args ...any) (c row, found bool, err error) {
	got := db.WithContext(ctx).Raw(`SELECT `+columns+` FROM claims `+where, args...).Scan(&c)
	if got.Error != nil {
		return c, false, fmt.Errorf("read a claim: %w", got.Error)
	}
	return c, got.RowsAffected > 0, nil
}

// By is who acts.
type By struct {
	Role   Role
	UserID int64 // of the team and of staff
}

// Wish is an act with all that it needs.
type Wish struct {
	Act
	Key      string // a repeat has the same
	Version  int64  // that its caller has seen
	Kind     Kind   // of Make
	Text     string
	Minor    int64     // of OfferPart; of Decide, 0 for nothing
	Day      time.Time // of OfferResend
	Tracking string
}

// check looks at what the reader typed. Errors: InvalidFields.
func (w Wish) check(now time.Time, zone *time.Location) error {
	var faults *apperr.Error
	fault := func(path, rule string, params ...apperr.Params) {
		if faults == nil {
			faults = apperr.New(apperr.InvalidFields)
		}
		faults = faults.WithField(path, rule, params...)
	}
	needsText := w.Act == Make || w.Act == Message || w.Act == Decline || w.Act == Contest || w.Act == Object || w.Act == Decide
	if needsText && w.Text == "" {
		fault("text", apperr.RuleRequired)
	}
	if utf8.RuneCountInString(w.Text) > mostText {
		fault("text", apperr.RuleMaxLength, apperr.Params{"max": mostText})
	}
	if w.Act == Make && w.Kind == "" {
		fault("kind", apperr.RuleRequired)
	}
	if w.Act == OfferPart && w.Minor <= 0 {
		fault("amount", apperr.RuleRequired)
	}
	if w.Act == OfferResend {
		first := endOfDay(now, 0, zone)
		day := time.Date(w.Day.Year(), w.Day.Month(), w.Day.Day(), 0, 0, 0, 0, zone)
		if w.Day.IsZero() || day.Before(first) || day.After(first.AddDate(0, 0, mostDays)) {
			fault("day", apperr.RuleOneOf)
		}
	}
	if faults == nil {
		return nil
	}
	return faults
}

// Act takes a step of the claim that there is about a pledge, or makes one. A repeat with the same key changes nothing. It gives the
// claim's id. Errors: ErrUnknown; ErrMoved; ErrNotPossible; ErrNoSum; idem.ErrMismatch; pledges.ErrContested; InvalidFields.
func (s *Service) Act(ctx context.Context, pledgeID, claimID string, by By, w Wish) (id string, err error) {
	now := s.now()
	w.Text, w.Tracking = typed.Plain(w.Text), typed.Line(w.Tracking)
	if err := s.overdue(ctx, pledgeID, now); err != nil {
		return "", err
	}
	err = dbx.InTx(ctx, s.db, func(tx *gorm.DB) error {
		p, err := lockPledge(ctx, tx, pledgeID)
		if err != nil {
			return err
		}
		done, err := repeats(ctx, tx, pledgeID, w)
		if err != nil || done != "" { // whatever has become of its day since
			id = done
			return err
		}
		if err := w.check(now, s.zone); err != nil {
			return err
		}
		if by.Role == Staff {
			if err := notOwn(ctx, tx, pledgeID, by.UserID, ErrUnknown); err != nil {
				return err
			}
		}
		if w.Act == Make {
			id, err = s.make(ctx, tx, p, by, w, now)
			return err
		}
		c, found, err := read(ctx, tx, `WHERE pledge_id = ? AND (? = '' OR id = ?) ORDER BY created_at DESC, id DESC LIMIT 1 FOR UPDATE`, pledgeID, claimID, claimID)
		if err == nil && !found {
			err = ErrUnknown
		}
		if err != nil {
			return err
		}
		if w.Version != c.Version && w.Act != Message {
			return ErrMoved
		}
		id = c.ID
		return s.move(ctx, tx, p, c, by, w, now)
	})
	return id, err
}

// overdue has the clock take a pledge's claim on whose time is over, when no worker has come by yet: what somebody's silence has given is not theirs to
// take back who come first after that.
func (s *Service) overdue(ctx context.Context, pledgeID string, now time.Time) error {
	c, found, err := read(ctx, s.db, `WHERE pledge_id = ? AND due_at <= ? AND `+onClock, pledgeID, now)
	if err != nil || !found {
		return err
	}
	_, err = s.sweepOne(ctx, pledgeID, c.ID, now)
	return err
}

// repeats gives the claim on which the act of a key was taken before, "" for none. Error: idem.ErrMismatch for another act.
func repeats(ctx context.Context, tx *gorm.DB, pledgeID string, w Wish) (claimID string, err error) {
	var before struct {
		ClaimID, Text, Tracking string
		Act                     Act
		Kind                    Kind
		AmountMinor             int64
		Day                     *time.Time
	}
	found := tx.WithContext(ctx).Raw(`SELECT m.claim_id, m.act, m.text, m.tracking, c.kind, coalesce(m.amount_minor, 0) AS amount_minor, m.day FROM claims c JOIN claim_messages m ON m.claim_id = c.id
		WHERE c.pledge_id = ? AND m.request_key = ? LIMIT 1`, pledgeID, w.Key).Scan(&before)
	switch {
	case found.Error != nil:
		return "", fmt.Errorf("look for an earlier act on a claim: %w", found.Error)
	case found.RowsAffected == 0 || w.Key == "":
		return "", nil
	case before.Act != w.Act || before.Text != w.Text || before.Tracking != w.Tracking, w.Act == Make && before.Kind != w.Kind,
		(w.Act == OfferPart || w.Act == Decide) && before.AmountMinor != w.Minor,
		w.Act == OfferResend && (before.Day == nil || before.Day.Format(time.DateOnly) != w.Day.Format(time.DateOnly)):
		return "", idem.ErrMismatch
	}
	return before.ClaimID, nil
}

// make makes a claim, unless there is one that is open, or that staff have decided, whatever came of the objection.
func (s *Service) make(ctx context.Context, tx *gorm.DB, p pledge, by By, w Wish, now time.Time) (string, error) {
	if p.isContested() {
		return "", pledges.ErrContested
	}
	var before struct{ All, InTheWay int }
	err := tx.WithContext(ctx).Raw(`SELECT count(*) AS all, count(*) FILTER (WHERE state NOT IN ('agreed', 'closed') OR decisions > 0) AS in_the_way
		FROM claims WHERE pledge_id = ?`, p.ID).Scan(&before).Error
	if err != nil {
		return "", fmt.Errorf("count claims: %w", err)
	}
	isPossible := false
	for _, kind := range possible(p, now, s.zone).Kinds {
		isPossible = isPossible || kind == w.Kind
	}
	if !isPossible || before.InTheWay > 0 || before.All >= mostClaims || by.Role != Backer {
		return "", ErrNotPossible
	}
	c := row{ID: ids.New(), PledgeID: p.ID, CampaignID: p.CampaignID, Kind: w.Kind}
	err = tx.WithContext(ctx).Exec(`INSERT INTO claims (id, reference, pledge_id, campaign_id, kind, state, version, waits_from, due_at, created_at, updated_at)
		VALUES (@id, 'H-' || @year || '-' || to_char(nextval('claim_references'), 'FM999999000000'), @pledge, @campaign, @kind, 'open', 0, @now, @now, @now, @now)`,
		map[string]any{"id": c.ID, "year": fmt.Sprint(now.In(s.zone).Year()), "pledge": p.ID, "campaign": p.CampaignID, "kind": w.Kind, "now": now}).Error
	if err != nil {
		return "", fmt.Errorf("make a claim: %w", err)
	}
	return c.ID, s.move(ctx, tx, p, c, by, w, now)
}

// move takes a locked claim of a locked pledge one step, with all that belongs to it: clock, history, money, mails. It is the only place
// that changes a state. Errors: ErrMoved; ErrNoSum.
func (s *Service) move(ctx context.Context, tx *gorm.DB, p pledge, c row, by By, w Wish, now time.Time) error {
	from := c.State
	to, allowed := next(from, w.Act, by.Role)
	isLate := w.Act == Object && (c.Decisions > 1 || c.DueAt == nil || !now.Before(*c.DueAt))
	if !allowed || isLate {
		return ErrMoved
	}
	said, err := s.change(p, &c, w)
	if err != nil {
		return err
	}
	c.State = to
	if w.Act != Message {
		c.Version++
		c.WaitsFrom, c.DueAt = now, dueIn(to, c, now, s.zone)
	}
	if w.Act == Message || w.Act == OfferPart || w.Act == OfferResend {
		if err := mayWrite(ctx, tx, c.ID, by.Role); err != nil {
			return err
		}
	}
	err = tx.WithContext(ctx).Exec(`UPDATE claims SET state = @state, version = @version, waits_from = @from, due_at = @due, offer_minor = @minor,
			offer_day = CAST(@day AS date), tracking = @tracking, decisions = @decisions, updated_at = @now WHERE id = @id`,
		map[string]any{"id": c.ID, "state": to, "version": c.Version, "from": c.WaitsFrom, "due": c.DueAt, "minor": c.OfferMinor, "day": c.OfferDay,
			"tracking": c.Tracking, "decisions": c.Decisions, "now": now}).Error
	if err != nil {
		return fmt.Errorf("move a claim to %s: %w", to, err)
	}
	var messageID int64
	err = tx.WithContext(ctx).Raw(`INSERT INTO claim_messages (claim_id, at, role, user_id, act, from_state, to_state, text, amount_minor, day, tracking, request_key)
		VALUES (@claim, @now, @role, @user, @act, @from, @to, @text, @minor, CAST(@day AS date), @tracking, @key) RETURNING id`,
		map[string]any{"claim": c.ID, "now": now, "role": by.Role, "user": nullable(by.UserID), "act": w.Act, "from": from, "to": to, "text": w.Text,
			"minor": nullable(said.minor), "day": c.dayOf(w.Act), "tracking": w.Tracking, "key": w.Key}).Scan(&messageID).Error
	if err != nil {
		return fmt.Errorf("keep what was done about a claim: %w", err)
	}
	if said.isRefund {
		err := agree(ctx, tx, refund{PledgeID: p.ID, CampaignID: p.CampaignID, ClaimID: &c.ID, Reason: ofClaim, Minor: said.minor, Currency: p.Currency,
			UserID: nullable(by.UserID)}, now)
		if err != nil {
			return err
		}
	}
	return tellAll(ctx, tx, c, messageID, from, w.Act, by.Role)
}

// said is what an act comes to.
type said struct {
	minor    int64 // offered, or going back
	isRefund bool
}

// change puts an act's offer into the claim, and says what goes back by it.
func (s *Service) change(p pledge, c *row, w Wish) (said, error) {
	left := p.leftMinor()
	switch {
	case w.Act == OfferPart:
		if w.Minor >= left { // all is Refund
			return said{}, ErrNoSum
		}
		c.OfferMinor, c.OfferDay, c.Tracking = &w.Minor, nil, ""
		return said{minor: w.Minor}, nil
	case w.Act == OfferResend:
		c.OfferMinor, c.OfferDay, c.Tracking = nil, &w.Day, w.Tracking
	case w.Act == Refund, w.Act == Silence && c.State == Promised:
		return backOf(left, left)
	case (w.Act == Accept || w.Act == Silence) && c.State == PartOffered:
		return backOf(min(*c.OfferMinor, left), left)
	case w.Act == Decide:
		c.Decisions++
		if w.Minor > left {
			return said{}, ErrNoSum
		}
		return said{w.Minor, w.Minor > 0}, nil
	case w.Act == Overtaken, w.Act == Decline, w.Act == Refuse, w.Act == Contest:
		c.OfferMinor, c.OfferDay, c.Tracking = nil, nil, ""
	}
	return said{}, nil
}

func backOf(minor, left int64) (said, error) {
	if left <= 0 {
		return said{}, ErrNoSum
	}
	return said{minor, true}, nil
}

// dayOf is the day that an act names.
func (c row) dayOf(act Act) *time.Time {
	if act == OfferResend {
		return c.OfferDay
	}
	return nil
}

// mayWrite refuses what a side could do for ever. Each has a bound of its own, so that nobody silences the other. Error: TooManyRequests.
func mayWrite(ctx context.Context, tx *gorm.DB, claimID string, role Role) error {
	var n int
	if err := tx.WithContext(ctx).Raw(`SELECT count(*) FROM claim_messages WHERE claim_id = ? AND role = ?`, claimID, role).Scan(&n).Error; err != nil {
		return fmt.Errorf("count what was written about a claim: %w", err)
	}
	if n >= mostMessages {
		return apperr.New(apperr.TooManyRequests)
	}
	return nil
}

// nullable is nil for zero.
func nullable(n int64) *int64 {
	if n == 0 {
		return nil
	}
	return &n
}

const batch = 50

// onClock is whether a claim is in a state that ends with its day; staff have no clock that decides for them.
const onClock = `state NOT IN ('agreed', 'decided', 'closed', 'with_staff')`

// Sweep takes claims on whose time is over, and closes those whose pledge went back another way; one batch. It gives how many it moved.
// Any number of workers may run it at once.
func (s *Service) Sweep(ctx context.Context) (moved int, err error) {
	var due []struct {
		ID, PledgeID string
	}
	now := s.now()
	err = s.db.WithContext(ctx).Raw(`SELECT c.id, c.pledge_id FROM claims c JOIN pledges p ON p.id = c.pledge_id
		WHERE c.state NOT IN ('agreed', 'decided', 'closed') AND (c.state <> 'with_staff' AND c.due_at <= @now OR p.status IN ('refunded', 'withdrawn'))
		ORDER BY c.due_at LIMIT @batch`, map[string]any{"now": now, "batch": batch}).Scan(&due).Error
	if err != nil {
		return 0, fmt.Errorf("look for claims whose time is over: %w", err)
	}
	var faults []error
	for _, d := range due {
		did, err := s.sweepOne(ctx, d.PledgeID, d.ID, now)
		if err != nil {
			faults = append(faults, fmt.Errorf("claim %s: %w", d.ID, err))
		} else if did {
			moved++
		}
	}
	return moved, errors.Join(faults...)
}

func (s *Service) sweepOne(ctx context.Context, pledgeID, id string, now time.Time) (did bool, err error) {
	err = dbx.InTx(ctx, s.db, func(tx *gorm.DB) error {
		did = false
		p, err := lockPledge(ctx, tx, pledgeID)
		if err != nil {
			return err
		}
		c, found, err := read(ctx, tx, `WHERE id = ? FOR UPDATE`, id)
		if err != nil || !found || c.State.IsOver() {
			return err
		}
		w := Wish{Act: Silence}
		switch isBack := p.Status == pledges.Refunded || p.Status == pledges.Withdrawn; {
		case isBack, p.leftMinor() <= 0 && c.State != WithStaff:
			w.Act = Overtaken
		case c.State == WithStaff || c.DueAt == nil || now.Before(*c.DueAt): // somebody was quicker
			return nil
		}
		did = true
		return s.move(ctx, tx, p, c, By{Role: Clock}, w, now)
	})
	return did && err == nil, err
}
