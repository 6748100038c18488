package pledges

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/idem"
	"talkoot.fi/kit/ids"
	"talkoot.fi/kit/outbox"

	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/mail/mails"
	"talkoot.fi/content/internal/paymentsclient"
	"talkoot.fi/content/internal/pledging/receiptlinks"
	"talkoot.fi/content/internal/pledging/withdrawal"
)

// KindRefund is the outbox's kind of the word that money of a pledge goes back.
const KindRefund = "pledge.refund"

// Choice is what a backer wants their paid pledge to be: all of it, also what stays.
type Choice struct {
	RewardID      *int64
	RewardVersion *int64 // of the reward as the backer saw it; nil: not known
	Quantity      int
	Amount        json.Number       // the whole sum, major units
	AddedCost     *int              // nil: as it was bought, or none
	Address       *Address          // nil stays
	Answers       map[string]string // nil stay
	Number        int               // of changes that the backer knows of
	Key           string            // of the caller: the same one again changes nothing
	Hash          []byte            // of all of it
}

// ChoiceState is whether a backer may change reward, quantity and sum, or why not.
type ChoiceState string

// Whether a choice may be changed.
const (
	ChoiceOpen         ChoiceState = "open"
	ChoiceWaits        ChoiceState = "waits"         // a change to a higher sum waits for its money
	ChoiceSettling     ChoiceState = "settling"      // a bank still confirms its money, or that of a further charge
	ChoiceContested    ChoiceState = "contested"     // a bank decides about its money
	ChoicePartReturned ChoiceState = "part_returned" // a part of it went back for another reason
	ChoiceOnHold       ChoiceState = "on_hold"       // its campaign is
	ChoiceOver         ChoiceState = "over"          // its campaign takes no pledges any more
	ChoiceNone         ChoiceState = "none"          // nothing of it is paid, or it was taken back
)

// Errors of changing a choice.
var (
	ErrNotChangeable    = apperr.New(apperr.PledgeNotChangeable)
	ErrChangedElsewhere = apperr.New(apperr.PledgeChangedElsewhere)
)

// choiceOf decides whether a choice may be changed: what was paid, and nothing of which has gone back but by changes, until the last second of
// a campaign that takes pledges, and while no further charge is open; raised is the status of that, empty for none.
func choiceOf(status, raised Status, isOnHold bool, f withdrawal.Facts, now time.Time) ChoiceState {
	isOpen := f.IsFunding && (f.FundingDeadline == nil || now.Before(*f.FundingDeadline))
	switch {
	case status == Disputed:
		return ChoiceContested
	case status != Processing && status != Paid && status != PartlyRefunded:
		return ChoiceNone
	case raised == Processing:
		return ChoiceSettling
	case raised != "": // also after the last second: it is paid or given up
		return ChoiceWaits
	case !isOpen:
		return ChoiceOver
	case isOnHold:
		return ChoiceOnHold
	case status == Processing:
		return ChoiceSettling
	case status == PartlyRefunded:
		return ChoicePartReturned
	}
	return ChoiceOpen
}

// ChangeOwnChoice changes what a person's own pledge is for, and returns it. Errors: ErrUnknown, also for another's; those of choose.
func (s *Service) ChangeOwnChoice(ctx context.Context, userID int64, id, language string, wanted Choice) (Own, error) {
	id, err := ids.Parse(id)
	if err != nil {
		return Own{}, ErrUnknown
	}
	if _, err := s.own(ctx, userID, id, language); err != nil { // whose it is does not change meanwhile, but for a merge of one person's accounts
		return Own{}, err
	}
	if err := s.choose(ctx, id, "account", wanted); err != nil {
		return Own{}, err
	}
	return s.own(ctx, userID, id, language)
}

// ChangeOpenedChoice is ChangeOwnChoice for who has a link that opens the pledge. Errors: receiptlinks.ErrLink, those of choose.
func (s *Service) ChangeOpenedChoice(ctx context.Context, token, language string, wanted Choice) (Opened, error) {
	link, err := receiptlinks.Open(ctx, s.db, token, s.now())
	if err != nil {
		return Opened{}, err
	}
	if err := s.choose(ctx, link.PledgeID, "link", wanted); err != nil {
		return Opened{}, err
	}
	return s.opened(ctx, link, language)
}

// choose changes a pledge in one transaction, which holds the campaign's stage as the taking of money does: of a change and the campaign's end
// one is first, and the other sees it. A repeat with the same key, and a choice that is the pledge's already, change nothing. Errors:
// ErrNotChangeable, ErrContested, ErrChangedElsewhere, idem.ErrMismatch; those of readOffer and of stock; InvalidFields.
func (s *Service) choose(ctx context.Context, id, cause string, wanted Choice) error {
	isDone := false
	err := dbx.InTx(ctx, s.db, func(tx *gorm.DB) (err error) {
		isDone, err = s.chooseIn(ctx, tx, id, cause, wanted)
		return err
	})
	if err == nil && isDone {
		s.outboxAdded()
	}
	return err
}

func (s *Service) chooseIn(ctx context.Context, tx *gorm.DB, id, cause string, wanted Choice) (isDone bool, err error) {
	p, err := lock(ctx, tx, id)
	if err != nil {
		return false, err
	}
	isRepeat, err := isRepeatedChoice(ctx, tx, p.ID, wanted)
	if err != nil || isRepeat {
		return false, err
	}
	standing, err := campaigns.LockStage(ctx, tx, p.CampaignID)
	if err != nil {
		return false, err
	}
	facts, err := withdrawal.Read(ctx, tx, p.ID)
	if err != nil {
		return false, err
	}
	open, err := openRaise(ctx, tx, p.ID)
	if err != nil {
		return false, err
	}
	raised := Status("")
	if open != nil {
		raised = open.Status
	}
	switch choiceOf(p.Status, raised, standing.Hold != campaigns.NotHeld, facts, s.now()) {
	case ChoiceOpen:
	case ChoiceContested:
		return false, ErrContested
	case ChoiceWaits, ChoiceSettling, ChoicePartReturned, ChoiceOnHold, ChoiceOver, ChoiceNone:
		return false, ErrNotChangeable
	}
	was, err := readChoosing(ctx, tx, p.ID)
	if err != nil {
		return false, err
	}
	if was.Changes != wanted.Number {
		return false, ErrChangedElsewhere
	}
	if err := lockRewards(ctx, tx, p.RewardID, wanted.RewardID); err != nil {
		return false, err
	}
	next, err := s.chosenAnew(ctx, tx, p, was, wanted)
	if err != nil {
		return false, atTop(err)
	}
	if next.isAs(p, was) {
		return false, nil
	}
	if p.Amount.Minor < next.price.Amount.Minor {
		return false, s.begin(ctx, tx, p, was, next, cause, wanted)
	}
	return true, s.change(ctx, tx, p, was, next, cause, wanted)
}

// isRepeatedChoice looks for the change that a caller's key has made. Errors: idem.ErrMismatch for one of another choice;
// ErrChangedElsewhere for a further charge that came to nothing.
func isRepeatedChoice(ctx context.Context, tx *gorm.DB, id string, wanted Choice) (bool, error) {
	var made []struct {
		Hash   []byte
		Status Status // of a further charge
	}
	err := tx.WithContext(ctx).Raw(`SELECT request_hash AS hash, '' AS status FROM pledge_changes WHERE pledge_id = @id AND request_key = @key
		UNION ALL SELECT request_hash, status FROM pledge_raises WHERE pledge_id = @id AND request_key = @key`,
		map[string]any{"id": id, "key": wanted.Key}).Scan(&made).Error
	switch {
	case err != nil:
		return false, fmt.Errorf("look for an earlier change: %w", err)
	case len(made) == 0:
		return false, nil
	case !slices.Equal(made[0].Hash, wanted.Hash):
		return false, idem.ErrMismatch
	case len(made) == 1 && made[0].Status != "" && made[0].Status != Paid && !made[0].Status.HoldsStock():
		return false, ErrChangedElsewhere // it came to nothing: told as made, it would be believed
	}
	return true, nil
}

// change makes a pledge what it is to be, to no more than before, with everything that follows from it: stock, totals, the refund's message and
// the mail. Locks are taken in the order of move.
func (s *Service) change(ctx context.Context, tx *gorm.DB, p *row, was choosing, n next, cause string, wanted Choice) error {
	of := campaigns.Backing{ID: p.ID, Person: p.Person}
	held, err := moveReward(ctx, tx, p, n, of)
	if err != nil {
		return err
	}
	lessMinor := p.Amount.Minor - n.price.Amount.Minor
	p.uncounted.totals = p.uncounted.totals.Plus(campaigns.TotalsChange{ReachedMinor: -lessMinor})
	changeID := ids.New()
	further, err := FurtherCharges(ctx, tx, p.ID)
	if err != nil {
		return err
	}
	if lessMinor > 0 {
		word := paymentsclient.AgreedRefund{RefundID: changeID, PledgeID: p.ID, AmountMinor: lessMinor, Currency: string(p.Amount.Currency),
			Reason: paymentsclient.RefundChanged}
		if len(further) > 0 {
			word.FurtherIds = &further
		}
		if err := giveBack(ctx, tx, word); err != nil {
			return err
		}
	}
	err = s.write(ctx, tx, p, was, n, written{id: changeID, cause: cause, key: wanted.Key, hash: wanted.Hash, held: held, at: s.now(),
		chargedMinor: p.ChargedMinor, about: mails.Change{FromMinor: p.Amount.Minor, ToMinor: n.price.Amount.Minor, HasFurther: len(further) > 0}})
	if err != nil {
		return err
	}
	return s.count(ctx, tx, p)
}

// written is what a change writes beside what the pledge is then.
type written struct {
	id, cause, key string
	hash           []byte
	at             time.Time
	held           bool  // its stock
	chargedMinor   int64 // all that was paid for it
	about          mails.Change
}

// write writes what a pledge is now, the row that says so, and the mail.
func (s *Service) write(ctx context.Context, tx *gorm.DB, p *row, was choosing, n next, w written) error {
	lines, err1 := json.Marshal(n.price.Lines)
	details, err2 := json.Marshal(n.meta)
	before, err3 := json.Marshal(was.Was)
	if err := errors.Join(err1, err2, err3); err != nil {
		return fmt.Errorf("encode a change of a pledge: %w", err)
	}
	var bought *string
	if n.bought != nil {
		bought = new(string(n.bought))
	}
	err := tx.WithContext(ctx).Exec(`WITH changed AS (
			UPDATE pledges SET reward_id = @reward, quantity = @quantity, amount_minor = @amount, charged_minor = @charged, lines = @lines, vat_minor = @vat,
			    bought = CAST(@bought AS jsonb), details = @details, stock_held = @held, updated_at = @now WHERE id = @id RETURNING id)
		INSERT INTO pledge_changes (id, pledge_id, number, at, cause, before, from_minor, to_minor, request_key, request_hash)
		SELECT @change, id, @number, @now, @cause, @before, @from, @amount, @key, @hash FROM changed`,
		map[string]any{"id": p.ID, "reward": n.rewardID, "quantity": n.quantity, "amount": n.price.Amount.Minor, "charged": w.chargedMinor,
			"lines": string(lines), "vat": n.price.VATMinor, "bought": bought, "details": string(details), "held": w.held, "now": w.at, "change": w.id,
			"number": was.Changes + 1, "cause": w.cause, "before": string(before), "from": p.Amount.Minor, "key": w.key, "hash": w.hash}).Error
	if err != nil {
		return fmt.Errorf("change a pledge: %w", err)
	}
	w.about.At, w.about.After = w.at, mailLines(n.price.Lines)
	if err := json.Unmarshal(was.Was.Lines, &w.about.Before); err != nil {
		return fmt.Errorf("decode lines of a pledge: %w", err)
	}
	return addMail(ctx, tx, mails.KindChanged, mails.PledgeMail{PledgeID: p.ID, Change: &w.about}, w.id)
}

func mailLines(lines []Line) []mails.Line {
	list := make([]mails.Line, len(lines))
	for i, line := range lines {
		list[i] = mails.Line(line)
	}
	return list
}

// giveBack has the payment service told that money of a pledge goes back, in the caller's transaction, once for its id. What is told of one pledge
// is told in order: a change, then its taking back.
func giveBack(ctx context.Context, tx *gorm.DB, word paymentsclient.AgreedRefund) error {
	payload, err := json.Marshal(word)
	if err == nil {
		_, err = outbox.Add(ctx, tx, outbox.Message{Kind: KindRefund, Stream: "pledge:" + word.PledgeID, Payload: payload, DedupeKey: KindRefund + ":" + word.RefundID})
	}
	if err != nil {
		return fmt.Errorf("tell of money that goes back: %w", err)
	}
	return nil
}

// NoteBegun keeps what the payment service has begun to give back of the difference of a change.
func NoteBegun(ctx context.Context, db *gorm.DB, changeID string, minor int64) error {
	if err := db.WithContext(ctx).Exec(`UPDATE pledge_changes SET begun_minor = ? WHERE id = ?`, minor, changeID).Error; err != nil {
		return fmt.Errorf("keep what was begun of change %s: %w", changeID, err)
	}
	return nil
}

// atTop names faults of a choice as its own fields, which are those of a pledge's meta.
func atTop(err error) error {
	var faults *apperr.Error
	if !errors.As(err, &faults) || len(faults.Fields) == 0 {
		return err
	}
	renamed := apperr.New(faults.Status)
	for _, f := range faults.Fields {
		renamed = renamed.WithField(strings.TrimPrefix(f.Path, "pledge_meta."), f.Rule, f.Params)
	}
	return renamed
}
