package campaigns

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/outbox"

	"talkoot.fi/content/internal/mail/letters"
	"talkoot.fi/content/internal/pledging/closing"
	"talkoot.fi/content/internal/writing/changes"
	"talkoot.fi/content/internal/writing/richtext"
)

// HoldKind says that a campaign takes no money, whatever its stage.
type HoldKind string

// The holds of a campaign.
const (
	NotHeld HoldKind = ""
	OnHold  HoldKind = "on_hold" // while it is looked into
	Stopped HoldKind = "stopped" // closed by staff, for a reason of theirs
)

// HoldReason is why, as the contract names it.
type HoldReason string

// CreatorBlocked is the reason of a hold that comes with a block; the others are for staff to choose. Only the team and staff are told it.
const CreatorBlocked HoldReason = "creator_blocked"

// HoldWords are what is said of a hold.
type HoldWords struct {
	Reason   HoldReason
	Sentence string // for everybody, in the campaign's language; may be empty
	TellsOn  Day    // by when we tell how it goes on
	PaysOut  bool   // of a stopped one: what is its creator's is paid out all the same
}

// KindHoldTold is the outbox's kind of the word that all who have money in a campaign are mailed about its hold.
const KindHoldTold = "campaign.hold_told"

// HoldTold is the payload of KindHoldTold.
type HoldTold struct {
	CampaignID int64 `json:"campaign_id"`
	Number     int   `json:"number"` // of campaign_holds
}

// Errors of holding.
var (
	// ErrOnHold refuses money for a campaign that is on hold.
	ErrOnHold = apperr.New(apperr.CampaignOnHold)
	// ErrCreatorBlocked keeps a campaign on hold while its creator is blocked.
	ErrCreatorBlocked = apperr.New(apperr.CreatorBlocked)
)

// canBeHeld reports whether a campaign can be on hold: a draft takes nothing, and closed is the end, but for money of it that is still on its way to its
// creator. What staff have stopped stays so.
func canBeHeld(ctx context.Context, tx *gorm.DB, r Record) (bool, error) {
	if r.Stage != StageClosed || r.Hold == Stopped {
		return r.Stage != StageDraft && r.Hold != Stopped, nil
	}
	return hasCreators(ctx, tx, r)
}

// hasCreators reports whether money of a closed campaign is its creator's.
func hasCreators(ctx context.Context, tx *gorm.DB, r Record) (has bool, err error) {
	err = tx.WithContext(ctx).Raw(`SELECT `+paysCreator+` FROM campaigns c WHERE c.id = ?`, r.ID).Scan(&has).Error
	if err != nil {
		return false, fmt.Errorf("ask whose the money of campaign %d is: %w", r.ID, err)
	}
	return has, nil
}

// paysCreator is whether money of a closed campaign c is its creator's: it had reached its goal before, or it was support.
const paysCreator = `(EXISTS (SELECT FROM campaign_endings e WHERE e.campaign_id = c.id AND e.goes_to = 'creator')
	OR EXISTS (SELECT FROM subscription_charges s WHERE s.campaign_id = c.id))`

// PutOnHold puts a campaign on hold in the caller's transaction, or changes what is said of its hold. It waits for all holders of the
// stage, so no money is accepted after it that did not see it; the payment service is told, and so is everybody who has money in it.
// Errors: ErrUnknown; ChangedMeanwhile; campaign_not_open for a draft, and for a closed one of which nothing is its creator's.
func PutOnHold(ctx context.Context, tx *gorm.DB, e Edit, w HoldWords) error {
	r, c, err := e.begin(ctx, tx, changes.ForUpdate)
	if err != nil {
		return err
	}
	can, err := canBeHeld(ctx, tx, r)
	if err != nil {
		return err
	}
	if !can {
		return apperr.New(apperr.CampaignNotOpen).Wrap(fmt.Errorf("campaign %d of stage %d cannot be on hold", e.CampaignID, r.Stage))
	}
	return e.setHold(ctx, tx, r, c, OnHold, w, "hold")
}

// Lift lets a campaign go on. One that is not on hold stays as it is. Errors: ErrUnknown; ChangedMeanwhile; ErrCreatorBlocked.
func Lift(ctx context.Context, tx *gorm.DB, e Edit) error {
	r, c, err := e.begin(ctx, tx, changes.ForUpdate)
	if err != nil || r.Hold != OnHold {
		return err
	}
	if isBlocked, err := creatorBlocked(ctx, tx, e.CampaignID); err != nil || isBlocked {
		if err == nil {
			err = ErrCreatorBlocked
		}
		return err
	}
	return e.setHold(ctx, tx, r, c, NotHeld, HoldWords{}, "lift_hold")
}

// Stop closes a campaign and says why to everybody; what is its creator's of the money that it has taken waits. Errors: ErrUnknown;
// ChangedMeanwhile; campaign_not_open when it cannot be closed.
func Stop(ctx context.Context, tx *gorm.DB, e Edit, w HoldWords) error {
	_, _, err := e.begin(ctx, tx, changes.ForUpdate)
	if err == nil {
		err = MoveStage(ctx, tx, e.CampaignID, StageClosed, e.By, e.Now)
	}
	if err != nil {
		return err
	}
	r, c, err := lock(ctx, tx, e.CampaignID, changes.ForUpdate)
	if err != nil {
		return err
	}
	return e.setHold(ctx, tx, r, c, Stopped, w, "stop")
}

// PayOutStopped has what is its creator's of a stopped campaign be paid out, or wait again; its words stay. Errors: ErrUnknown;
// ChangedMeanwhile; campaign_not_open for one that is not stopped or of which nothing is its creator's; ErrCreatorBlocked.
func PayOutStopped(ctx context.Context, tx *gorm.DB, e Edit, paysOut bool) error {
	r, c, err := e.begin(ctx, tx, changes.ForUpdate)
	if err != nil {
		return err
	}
	has, err := hasCreators(ctx, tx, r)
	if err == nil && (r.Hold != Stopped || !has) {
		err = apperr.New(apperr.CampaignNotOpen).Wrap(fmt.Errorf("campaign %d, %q, has nothing to pay out", r.ID, r.Hold))
	}
	if err != nil {
		return err
	}
	if paysOut {
		if isBlocked, err := creatorBlocked(ctx, tx, e.CampaignID); err != nil || isBlocked {
			if err == nil {
				err = ErrCreatorBlocked
			}
			return err
		}
	}
	return e.payOut(ctx, tx, r, c, paysOut)
}

func (e Edit) payOut(ctx context.Context, tx *gorm.DB, r Record, c *changes.Change, paysOut bool) error {
	w, _, err := wordsOf(ctx, tx, r)
	if err != nil {
		return err
	}
	w.PaysOut = paysOut
	action := "hold_payout"
	if paysOut {
		action = "pay_out"
	}
	return e.setHold(ctx, tx, r, c, Stopped, w, action)
}

// StopHeld has what closes while it is on hold be stopped, with the words that were said. Others stay as they are.
func StopHeld(ctx context.Context, tx *gorm.DB, e Edit) error {
	r, c, err := lock(ctx, tx, e.CampaignID, changes.ForUpdate)
	if err != nil || r.Hold != OnHold {
		return err
	}
	w, _, err := wordsOf(ctx, tx, r)
	if err != nil {
		return err
	}
	return e.setHold(ctx, tx, r, c, Stopped, w, "stop")
}

// setHold writes a hold, its words, and who is to be told. Words that are the same already change nothing.
func (e Edit) setHold(ctx context.Context, tx *gorm.DB, r Record, c *changes.Change, to HoldKind, w HoldWords, action string) error {
	w.Sentence = richtext.Plain(w.Sentence)
	before, began, err := wordsOf(ctx, tx, r)
	if err != nil {
		return err
	}
	from, paidOut, kind, since := r.Hold, before.PaysOut, string(to), e.Now
	switch {
	case to == NotHeld:
		kind, w.Reason = "lifted", before.Reason
	case from == to:
		since = began
	}
	changes.Set(c, "hold", "hold", &r.Hold, &to)
	changes.Set(c, "hold_reason", "", &before.Reason, &w.Reason)
	changes.Set(c, "hold_sentence", "", &before.Sentence, &w.Sentence)
	changes.Set(c, "hold_tells_on", "", &before.TellsOn, &w.TellsOn)
	changes.Set(c, "hold_pays_out", "", &before.PaysOut, &w.PaysOut)
	if !c.Any() {
		return nil
	}
	number := r.HoldNumber + 1
	c.Column("hold_number", number)
	err = tx.WithContext(ctx).Exec(`
		INSERT INTO campaign_holds (campaign_id, number, kind, reason, sentence, tells_on, pays_out, since, at)
		VALUES (@campaign, @number, @kind, @reason, @sentence, @tells, @pays_out, @since, @now)`,
		map[string]any{"campaign": r.ID, "number": number, "kind": kind, "reason": w.Reason, "sentence": w.Sentence, "tells": w.TellsOn,
			"pays_out": w.PaysOut, "since": since, "now": e.Now}).Error
	if err != nil {
		return fmt.Errorf("write the hold of campaign %d: %w", r.ID, err)
	}
	if err := e.save(ctx, tx, c, action); err != nil {
		return err
	}
	if from == to && paidOut == w.PaysOut { // other words
		return nil
	}
	if err := closing.Hold(ctx, tx, r.ID, closing.HoldWord{Number: number, IsOnHold: to != NotHeld, PaysOut: w.PaysOut}); err != nil {
		return err
	}
	if to == NotHeld {
		if err := letters.GoOn(ctx, tx, r.ID); err != nil {
			return err
		}
	}
	payload, err := json.Marshal(HoldTold{r.ID, number})
	if err == nil {
		_, err = outbox.Add(ctx, tx, outbox.Message{Kind: KindHoldTold, Payload: payload})
	}
	if err != nil {
		return fmt.Errorf("have the hold of campaign %d told: %w", r.ID, err)
	}
	return nil
}

// wordsOf is what was said last of the hold of a campaign, and since when it is; empty of one that is not held.
func wordsOf(ctx context.Context, tx *gorm.DB, r Record) (w HoldWords, since time.Time, err error) {
	var row struct {
		HoldWords `gorm:"embedded"`
		Since     time.Time
	}
	if r.Hold == NotHeld {
		return w, since, nil
	}
	err = tx.WithContext(ctx).Raw(`SELECT reason, sentence, tells_on, pays_out, since FROM campaign_holds
		WHERE campaign_id = ? AND number = ?`, r.ID, r.HoldNumber).Scan(&row).Error
	if err != nil {
		return w, since, fmt.Errorf("read the hold of campaign %d: %w", r.ID, err)
	}
	return row.HoldWords, row.Since, nil
}

// ErrUnconfirmed refuses what needs a creator who has confirmed their address and is not blocked.
var ErrUnconfirmed = apperr.New(apperr.AddressUnconfirmed)

// ErrNoCreator refuses what needs somebody who answers for a campaign, while its creator has erased their account.
var ErrNoCreator = apperr.New(apperr.CreatorGone)

// RequireCreator refuses to take a campaign further whose creator cannot be reached at an address of theirs: one that is not confirmed may
// be anybody's, also that of somebody who was blocked. Errors: ErrUnconfirmed; ErrNoCreator.
func RequireCreator(ctx context.Context, tx *gorm.DB, campaignID int64) error {
	if isOrphan, err := creatorGone(ctx, tx, campaignID); err != nil || isOrphan {
		if err == nil {
			err = ErrNoCreator
		}
		return err
	}
	var found []int64
	err := tx.WithContext(ctx).Raw(`SELECT u.id FROM campaign_team m JOIN users u ON u.id = m.user_id
		WHERE m.campaign_id = ? AND m.position = 0 AND u.verified AND u.blocked_at IS NULL`, campaignID).Scan(&found).Error
	if err != nil {
		return fmt.Errorf("look up the creator of campaign %d: %w", campaignID, err)
	}
	if len(found) == 0 {
		return ErrUnconfirmed
	}
	return nil
}

// heldSQL is the contract's CampaignHold of the campaign c as JSON, null of one that goes on; the gap (%s) takes its reason.
const heldSQL = `(SELECT CAST(json_strip_nulls(json_build_object('kind', h.kind, 'since', to_char(h.since AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
	'reason', %s, 'sentence', nullif(h.sentence, ''), 'tells_on', h.tells_on)) AS text)
	FROM campaign_holds h WHERE c.hold <> '' AND h.campaign_id = c.id AND h.number = c.hold_number)`

var (
	// HeldForAllSQL is what everybody is told of the hold of the campaign c, as JSON text.
	HeldForAllSQL = fmt.Sprintf(heldSQL, `CASE h.reason WHEN 'creator_blocked' THEN 'looked_into' ELSE h.reason END`)
	// HeldForTeamSQL is what its team and staff are told.
	HeldForTeamSQL = fmt.Sprintf(heldSQL, `h.reason`)
)
