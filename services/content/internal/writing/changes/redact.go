package changes

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"
)

// keptOfPeople are the fields of changes of a person whose values tell nobody who they are. All others are redacted, so
// that a new field is until somebody decides otherwise.
const keptOfPeople = `'{language, mail.letters, show_backed, settings.verified, scope, blocked, name_shown, campaign_id,
	receipt_number, receipts, address, account}'`

// The fields of a campaign, as regular expressions: naming are those in which creators say who they are, a text with its
// language before it; told are those in which others may name them.
const (
	naming = `(^|[.])(contact_email|legal_creator|creator_pic|external_link_1|about_creator|payment_(account|user|wallet)_id)$`
	told   = naming + `|^(invitations|reason)$`
)

// redactSQL empties values in rows of audit_log: what was changed, by whom and when stays. It is the one way in which
// rows of the log change after they were written (but see writing.go).
const redactSQL = `
	UPDATE audit_log a SET before = redacted.before, after = redacted.after
	FROM (
		SELECT r.id, (SELECT coalesce(jsonb_object_agg(key, CASE WHEN %[1]s THEN 'null' ELSE value END), '{}') FROM jsonb_each(r.before)) AS before,
		       (SELECT coalesce(jsonb_object_agg(key, CASE WHEN %[1]s THEN 'null' ELSE value END), '{}') FROM jsonb_each(r.after)) AS after
		FROM audit_log r WHERE %[2]s AND jsonb_typeof(r.before) = 'object' AND jsonb_typeof(r.after) = 'object') redacted
	WHERE a.id = redacted.id AND (a.before, a.after) IS DISTINCT FROM (redacted.before, redacted.after)`

// Person is who is erased.
type Person struct {
	ID int64
	// Names are the texts that tell who they are, such as their address; none is empty.
	Names []string
	// Campaigns are those whose team they were in, or were invited to.
	Campaigns []int64
	// NamesOf are the texts that tell who other accounts of theirs are, which are not erased.
	NamesOf func(ctx context.Context, tx *gorm.DB, ids []int64) ([]string, error)
}

// RedactPerson empties the personal values in the log of a person who is erased, in the caller's transaction: those in
// changes of the person, and where a campaign says who its creator is. Whoever made the change, the creator's fields are
// emptied in campaigns that the person has begun or been the creator of; elsewhere those that they have changed themself,
// or that have their name. Of a campaign that went on in another account of theirs, which is not erased, it is as elsewhere, but
// for the names of that account: who has them has not left. Their rows of history_totals go. A second call changes nothing.
func RedactPerson(ctx context.Context, tx *gorm.DB, p Person) error {
	tx = tx.WithContext(ctx)
	merges, living, err := p.merges(tx)
	if err != nil {
		return err
	}
	own, others, moved, err := p.campaigns(tx, merges)
	if err != nil {
		return err
	}
	gone := p.Names // but not those of another account
	if len(moved) > 0 {
		stay, err := p.NamesOf(ctx, tx, living)
		if err != nil {
			return err
		}
		gone = slices.DeleteFunc(slices.Clone(gone), func(name string) bool { return slices.Contains(stay, name) })
	}
	params := map[string]any{"user": p.ID, "id": strconv.FormatInt(p.ID, 10), "naming": naming, "told": told,
		"names": dbx.TextArray(p.Names), "gone": dbx.TextArray(gone), "own": own, "others": others, "moved": moved}
	const inCampaigns = `r.campaign_id IN @%s AND r.entity = 'campaign'
		AND EXISTS (SELECT FROM jsonb_object_keys(CASE jsonb_typeof(r.after) WHEN 'object' THEN r.after END) name WHERE name ~ @told)`
	const names = `EXISTS (SELECT FROM unnest(CAST(@%s AS text[])) name WHERE strpos(lower(value #>> '{}'), lower(name)) > 0)`
	namesThem := fmt.Sprintf(names, "names")
	const elsewhere = `(key ~ @naming AND r.actor_user_id = @user OR key ~ @told AND %s)`
	for _, statement := range []string{
		fmt.Sprintf(redactSQL, `NOT key = ANY(`+keptOfPeople+`)`, `r.entity = 'user' AND r.entity_id = @id`),
		fmt.Sprintf(redactSQL, `(key ~ @naming OR key ~ @told AND `+namesThem+`)`, fmt.Sprintf(inCampaigns, "own")),
		fmt.Sprintf(redactSQL, fmt.Sprintf(elsewhere, namesThem), fmt.Sprintf(inCampaigns, "others")),
		fmt.Sprintf(redactSQL, fmt.Sprintf(elsewhere, fmt.Sprintf(names, "gone")), fmt.Sprintf(inCampaigns, "moved")),
		`DELETE FROM history_totals WHERE user_id = @user`,
	} {
		if err := tx.Exec(statement, params).Error; err != nil {
			return fmt.Errorf("redact the log of user %d: %w", p.ID, err)
		}
	}
	return nil
}

// merges are those of the account whose last account is not erased, after any number of other merges, and these last accounts.
func (p Person) merges(tx *gorm.DB) (ids, living []int64, err error) {
	var rows []struct{ Merge, Living int64 }
	err = tx.Raw(`WITH RECURSIVE went AS (
			SELECT id AS merge, after ->> 'account' AS account FROM audit_log
			WHERE entity = 'user' AND action = 'merge_accounts' AND before ->> 'account' = @id
			UNION SELECT w.merge, m.after ->> 'account' FROM went w
			JOIN audit_log m ON m.entity = 'user' AND m.action = 'merge_accounts' AND m.before ->> 'account' = w.account AND m.id > w.merge)
		SELECT w.merge, u.id AS living FROM went w JOIN users u ON u.id = CAST(w.account AS bigint)
		WHERE u.erased_at IS NULL AND NOT EXISTS (SELECT FROM audit_log m WHERE m.entity = 'user' AND m.action = 'merge_accounts'
			AND m.before ->> 'account' = w.account AND m.id > w.merge)`, map[string]any{"id": strconv.FormatInt(p.ID, 10)}).Scan(&rows).Error
	if err != nil {
		return nil, nil, fmt.Errorf("look where user %d has gone: %w", p.ID, err)
	}
	for _, r := range rows {
		ids, living = append(ids, r.Merge), append(living, r.Living)
	}
	return ids, living, nil
}

// movedSQL says whether campaign theirs.id went with the account @user, for the last time, in one of the merges @merges: that is
// their team's change at its moment.
const movedSQL = `EXISTS (
	SELECT FROM audit_log a JOIN audit_log m ON m.id IN @merges AND m.at = a.at
	WHERE a.campaign_id = theirs.id AND a.entity = 'campaign' AND a.action = 'change_team' AND a.before -> 'team' @> to_jsonb(CAST(@user AS bigint))
	    AND NOT EXISTS (SELECT FROM audit_log l WHERE l.campaign_id = a.campaign_id AND l.id > a.id AND l.entity = 'campaign'
	        AND (l.before -> 'team' @> to_jsonb(CAST(@user AS bigint)) OR l.after -> 'team' @> to_jsonb(CAST(@user AS bigint)))))`

// campaigns are those that the person has to do with: own ones, which they have begun or been the creator of, those that moved
// on to another account of theirs, and others.
func (p Person) campaigns(tx *gorm.DB, merges []int64) (own, others, moved []int64, err error) {
	var rows []struct {
		ID             int64
		IsOwn, IsMoved bool
	}
	err = tx.Raw(`
		SELECT id, EXISTS (SELECT FROM campaign_team WHERE campaign_id = theirs.id AND user_id = @user AND position = 0)
		    OR EXISTS (SELECT FROM audit_log a WHERE a.campaign_id = theirs.id AND a.entity = 'campaign'
		        AND (a.before -> 'team' -> 0 = to_jsonb(CAST(@user AS bigint)) OR a.action = 'create_campaign' AND a.actor_user_id = @user)) AS is_own,
		    `+movedSQL+` AS is_moved
		FROM (SELECT campaign_id AS id FROM audit_log WHERE actor_user_id = @user AND campaign_id IS NOT NULL
		      UNION SELECT id FROM campaigns WHERE id IN @campaigns) theirs`,
		map[string]any{"user": p.ID, "merges": merges, "campaigns": p.Campaigns}).Scan(&rows).Error
	if err != nil {
		return nil, nil, nil, fmt.Errorf("look for what user %d has to do with: %w", p.ID, err)
	}
	for _, r := range rows {
		switch {
		case r.IsMoved:
			moved = append(moved, r.ID)
		case r.IsOwn:
			own = append(own, r.ID)
		default:
			others = append(others, r.ID)
		}
	}
	return own, others, moved, nil
}

// ValuesOf are the texts, without empty ones, that a field of an entity has had, in the caller's transaction.
func ValuesOf(ctx context.Context, tx *gorm.DB, entity string, id int64, field string) (values []string, err error) {
	err = tx.WithContext(ctx).Raw(`
		SELECT DISTINCT value FROM audit_log CROSS JOIN LATERAL (VALUES (before ->> @field), (after ->> @field)) AS list (value)
		WHERE entity = @entity AND entity_id = @id AND value <> ''`,
		map[string]any{"entity": entity, "id": strconv.FormatInt(id, 10), "field": field}).Scan(&values).Error
	if err != nil {
		return nil, fmt.Errorf("read what %s %d had as %s: %w", entity, id, field, err)
	}
	return values, nil
}

// RedactDeleted empties all values in the log of something that was only a person's own and is deleted with them.
func RedactDeleted(ctx context.Context, tx *gorm.DB, entity string, id int64) error {
	which := `r.entity = @entity AND r.entity_id = @text`
	if entity == "campaign" { // with its rewards and posts
		which = `r.campaign_id = @id`
	}
	err := tx.WithContext(ctx).Exec(fmt.Sprintf(redactSQL, `true`, which),
		map[string]any{"entity": entity, "id": id, "text": strconv.FormatInt(id, 10)}).Error
	if err != nil {
		return fmt.Errorf("redact the log of %s %d: %w", entity, id, err)
	}
	return nil
}
