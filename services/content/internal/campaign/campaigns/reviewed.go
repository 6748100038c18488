package campaigns

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"

	"talkoot.fi/content/internal/writing/changes"
)

// tellAfter is how long a campaign has been back in the queue when staff are mailed: a title is typed letter by letter,
// and some are put back at once.
const tellAfter = 10 * time.Minute

// Seen is what somebody has read of a campaign: the digests of its parts, by their names.
type Seen map[string]string

// partsSQL compares what staff have read with what is there now; %s narrows it.
const partsSQL = `
	SELECT coalesce(b.key, n.key) AS part, CAST(b.value AS text) AS before, CAST(n.value AS text) AS now,
	       coalesce(md5(CAST(n.value AS text)), '') AS digest
	FROM (SELECT key, value FROM reviewed_parts, jsonb_each(parts) WHERE campaign_id = @id) b
	FULL JOIN (SELECT key, value FROM jsonb_each(campaign_parts(@id))) n ON n.key = b.key
	%s ORDER BY part`

// ReadParts is what staff have read of a campaign and what is there now, part by part; of one that was never reviewed all
// parts are new.
func ReadParts(ctx context.Context, db *gorm.DB, campaignID int64, stage Stage) ([]PartChange, error) {
	return readParts(ctx, db, campaignID, stage, "")
}

func readParts(ctx context.Context, db *gorm.DB, campaignID int64, stage Stage, which string) ([]PartChange, error) {
	var rows []struct {
		Part, Digest string
		Before, Now  *string
	}
	err := db.WithContext(ctx).Raw(fmt.Sprintf(partsSQL, which), map[string]any{"id": campaignID}).Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("compare campaign %d with what was reviewed: %w", campaignID, err)
	}
	list := make([]PartChange, len(rows))
	for i, r := range rows {
		list[i] = PartChange{Part: r.Part, Digest: r.Digest}
		if r.Before != nil {
			list[i].Before = json.RawMessage(*r.Before)
		}
		if r.Now != nil {
			list[i].Now = json.RawMessage(*r.Now)
		}
		list[i].Kind = list[i].kindIn(stage)
	}
	return list, nil
}

// RememberParts keeps a campaign as it is now as what staff begin to read, unless they have read it before, in the
// caller's transaction.
func RememberParts(ctx context.Context, tx *gorm.DB, campaignID int64, now time.Time) error {
	err := tx.WithContext(ctx).Exec(`
		INSERT INTO reviewed_parts (campaign_id, at, version, parts)
		SELECT id, ?, version, campaign_parts(id) FROM campaigns WHERE id = ? ON CONFLICT DO NOTHING`, now, campaignID).Error
	if err != nil {
		return fmt.Errorf("keep what is reviewed of campaign %d: %w", campaignID, err)
	}
	return nil
}

// RefuseUnseen refuses to approve what its reader has not seen: a part that would bring an approved campaign back into
// the queue and is another one than theirs. The caller has locked the campaign. Errors: InvalidFields for a part that
// they do not name; ReviewedMeanwhile with the parts that have changed.
func RefuseUnseen(ctx context.Context, tx *gorm.DB, campaignID int64, seen Seen) error {
	list, err := ReadParts(ctx, tx, campaignID, StagePreparing)
	if err != nil {
		return err
	}
	unnamed, changed := apperr.New(apperr.InvalidFields), apperr.New(apperr.ReviewedMeanwhile)
	for _, p := range list {
		part, _ := partNamed(p.Part)
		digest, named := seen[p.Part]
		switch {
		case part.Approved != PartBack && part.Approved != PartFixed && !p.Serious():
		case !named:
			unnamed = unnamed.WithField("seen."+p.Part, apperr.RuleRequired)
		case digest != p.Digest:
			changed = changed.WithField(p.Part, apperr.RuleChangedMeanwhile)
		}
	}
	if err := unnamed.OrNil(); err != nil {
		return err
	}
	return changed.OrNil()
}

// acceptSQL takes the parts that are as their reader saw them over into what staff have read; the others stay as they were.
const acceptSQL = `
	UPDATE reviewed_parts r SET parts = coalesce((
		SELECT jsonb_object_agg(key, value) FROM (
			SELECT coalesce(b.key, n.key) AS key, CASE WHEN CAST(@seen AS jsonb) ->> coalesce(b.key, n.key) = coalesce(md5(CAST(n.value AS text)), '')
			    THEN n.value ELSE b.value END AS value
			FROM jsonb_each(r.parts) b FULL JOIN (SELECT key, value FROM jsonb_each(campaign_parts(@id))) n ON n.key = b.key) list
		WHERE value IS NOT NULL), '{}')
	WHERE campaign_id = @id`

// AcceptParts counts what somebody has seen of a campaign as read by staff, in the caller's transaction. A part that has
// changed since stays unread.
func AcceptParts(ctx context.Context, tx *gorm.DB, campaignID int64, seen Seen) error {
	encoded, err := json.Marshal(seen)
	if err == nil {
		err = tx.WithContext(ctx).Exec(acceptSQL, map[string]any{"id": campaignID, "seen": string(encoded)}).Error
	}
	if err != nil {
		return fmt.Errorf("keep what was read of campaign %d: %w", campaignID, err)
	}
	return nil
}

// DecidedParts notes when staff decided about a campaign as a whole, in the caller's transaction. SettleParts then lists what
// they had not seen.
func DecidedParts(ctx context.Context, tx *gorm.DB, campaignID int64, now time.Time) error {
	err := tx.WithContext(ctx).Exec(`
		UPDATE reviewed_parts r SET at = ?, version = c.version, changed_at = NULL, tell_at = NULL FROM campaigns c WHERE r.campaign_id = ? AND c.id = r.campaign_id`,
		now, campaignID).Error
	if err != nil {
		return fmt.Errorf("note when campaign %d was decided about: %w", campaignID, err)
	}
	return nil
}

// SettleParts compares a campaign with what staff have read after something of it has changed, in the caller's
// transaction: what they have not seen is listed for them. It does not lock the campaign, so it is for changes that
// cannot bring it back into the queue, such as those of rewards.
func SettleParts(ctx context.Context, tx *gorm.DB, campaignID int64, now time.Time) error {
	_, _, err := settleParts(ctx, tx, campaignID, now)
	return err
}

// settled is how a campaign's review stands after SettleParts.
type settled struct {
	Stage  Stage
	Review ReviewState
}

func settleParts(ctx context.Context, tx *gorm.DB, campaignID int64, now time.Time) (s settled, serious bool, err error) {
	tx = tx.WithContext(ctx)
	lock := tx.Exec(`SELECT FROM reviewed_parts WHERE campaign_id = ? FOR NO KEY UPDATE`, campaignID)
	if lock.Error != nil || lock.RowsAffected == 0 {
		return s, false, lock.Error
	}
	// Read after the lock: a decision may have been waited for.
	if err := tx.Raw(`SELECT stage, review FROM campaigns WHERE id = ?`, campaignID).Scan(&s).Error; err != nil {
		return s, false, fmt.Errorf("read the review of campaign %d: %w", campaignID, err)
	}
	if s.Stage == StageDraft {
		return s, false, nil
	}
	list, err := readParts(ctx, tx, campaignID, s.Stage, "WHERE b.value IS DISTINCT FROM n.value")
	if err != nil {
		return s, false, err
	}
	err = tx.Exec(`
		UPDATE reviewed_parts SET changed_at = CASE WHEN @any THEN coalesce(changed_at, @now) END
		WHERE campaign_id = @id AND (changed_at IS NOT NULL) <> @any`,
		map[string]any{"id": campaignID, "any": len(list) > 0, "now": now}).Error
	if err != nil {
		return s, false, fmt.Errorf("list the changes of campaign %d: %w", campaignID, err)
	}
	return s, slices.ContainsFunc(list, PartChange.Serious), nil
}

// settle is SettleParts of a campaign that the transaction has locked. One that is approved and whose title, goal, rule, days
// or legal creator is another one now is back in the queue; when that is undone it is approved as before. What the platform
// itself does, without a person, moves nothing.
func (e Edit) settle(ctx context.Context, tx *gorm.DB) error {
	s, serious, err := settleParts(ctx, tx, e.CampaignID, e.Now)
	if err != nil || s.Stage != StagePreparing || e.By.UserID == nil {
		return err
	}
	switch {
	case serious && s.Review == ReviewApproved:
		at := e.Now.Add(tellAfter)
		return e.requeue(ctx, tx, ReviewApproved, ReviewRequested, "back_to_queue", "changed", &at)
	case !serious && s.Review == ReviewRequested:
		return e.requeue(ctx, tx, ReviewRequested, ReviewApproved, "undo_changes", "undone", nil)
	}
	return nil
}

// requeue moves the review of an approved campaign without a new version, which is that of the change that caused it.
func (e Edit) requeue(ctx context.Context, tx *gorm.DB, from, to ReviewState, action, event string, tellAt *time.Time) error {
	params := map[string]any{"id": e.CampaignID, "to": to, "event": event, "user": e.By.UserID, "now": e.Now, "tell": tellAt}
	for _, statement := range []string{
		`UPDATE campaigns SET review = @to WHERE id = @id`,
		`UPDATE reviewed_parts SET tell_at = @tell WHERE campaign_id = @id`,
		`INSERT INTO review_events (campaign_id, event, round, user_id, at)
		 SELECT @id, @event, coalesce(max(round), 0) + CASE @event WHEN 'changed' THEN 1 ELSE 0 END, @user, @now
		 FROM review_events WHERE campaign_id = @id`,
	} {
		if err := tx.WithContext(ctx).Exec(statement, params).Error; err != nil {
			return fmt.Errorf("%s of campaign %d: %w", action, e.CampaignID, err)
		}
	}
	return changes.Record(ctx, tx, action, "campaign", e.CampaignID, e.By, map[string]any{"review": from},
		map[string]any{"review": to}, e.Now)
}

// TakeToTell reports whether staff are to be told now that a campaign is back in the queue, in the caller's transaction; once.
func TakeToTell(ctx context.Context, tx *gorm.DB, campaignID int64, now time.Time) (bool, error) {
	taken := tx.WithContext(ctx).Exec(`UPDATE reviewed_parts SET tell_at = NULL WHERE campaign_id = ? AND tell_at <= ?`, campaignID, now)
	if taken.Error != nil {
		return false, fmt.Errorf("take campaign %d to tell of it: %w", campaignID, taken.Error)
	}
	return taken.RowsAffected == 1, nil
}

// forgetCreator makes what staff have read of a campaign's creator what it is now, because the creator has left, without a name.
func (e Edit) forgetCreator(ctx context.Context, tx *gorm.DB) error {
	err := tx.WithContext(ctx).Exec(`
		UPDATE reviewed_parts SET parts = parts || '{"creator": {}}' || (SELECT jsonb_object_agg(key, value) FROM jsonb_each(campaign_parts(campaign_id))
			WHERE key IN ('creator_pic', 'legal_creator', 'contact', 'link', 'about_creator'))
		WHERE campaign_id = ?`, e.CampaignID).Error
	if err != nil {
		return fmt.Errorf("forget who was reviewed with campaign %d: %w", e.CampaignID, err)
	}
	return nil
}

// ForgetReviewed takes what may name a person who erases their account out of what staff have read of the campaigns in whose teams they were
// then, after those that they are in have let them go (Leave). What is there now stays unread where it was.
func ForgetReviewed(ctx context.Context, tx *gorm.DB, userID int64) error {
	err := tx.WithContext(ctx).Exec(`
		UPDATE reviewed_parts r SET parts = parts - ARRAY(
			SELECT b.key FROM jsonb_each(r.parts) b LEFT JOIN jsonb_each(campaign_parts(r.campaign_id)) n ON n.key = b.key
			WHERE b.key IN ('creator', 'creator_pic', 'legal_creator', 'contact', 'link', 'about_creator') AND b.value IS DISTINCT FROM n.value)
		WHERE campaign_id IN (SELECT campaign_id FROM reviewed_parts WHERE parts -> 'team' @> to_jsonb(CAST(? AS bigint)) ORDER BY campaign_id FOR UPDATE)`,
		userID).Error
	if err != nil {
		return fmt.Errorf("forget what was reviewed of user %d: %w", userID, err)
	}
	return nil
}
