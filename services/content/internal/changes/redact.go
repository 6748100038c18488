package changes

import (
	"context"
	"fmt"
	"strconv"

	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"
)

// keptOfPeople are the fields of changes of a person whose values tell nobody who they are. All others are redacted, so
// that a new field is until somebody decides otherwise.
const keptOfPeople = `'{language, mail.letters, show_backed, settings.verified, scope, blocked, name_shown, campaign_id,
	receipt_number, receipts, address}'`

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
}

// RedactPerson empties the personal values in the log of a person who is erased, in the caller's transaction: those in
// changes of the person, and where a campaign says who its creator is. Whoever made the change, the creator's fields are
// emptied in campaigns that the person has begun or been the creator of; elsewhere those that they have changed themself,
// or that have their name. Their rows of history_totals go. A second call changes nothing.
func RedactPerson(ctx context.Context, tx *gorm.DB, p Person) error {
	tx = tx.WithContext(ctx)
	own, others, err := p.campaigns(tx)
	if err != nil {
		return err
	}
	params := map[string]any{"user": p.ID, "id": strconv.FormatInt(p.ID, 10), "naming": naming, "told": told,
		"names": dbx.TextArray(p.Names), "own": own, "others": others}
	const inCampaigns = `r.campaign_id IN @%s AND r.entity = 'campaign'
		AND EXISTS (SELECT FROM jsonb_object_keys(CASE jsonb_typeof(r.after) WHEN 'object' THEN r.after END) name WHERE name ~ @told)`
	const namesThem = `EXISTS (SELECT FROM unnest(CAST(@names AS text[])) name WHERE strpos(lower(value #>> '{}'), lower(name)) > 0)`
	for _, statement := range []string{
		fmt.Sprintf(redactSQL, `NOT key = ANY(`+keptOfPeople+`)`, `r.entity = 'user' AND r.entity_id = @id`),
		fmt.Sprintf(redactSQL, `(key ~ @naming OR key ~ @told AND `+namesThem+`)`, fmt.Sprintf(inCampaigns, "own")),
		fmt.Sprintf(redactSQL, `(key ~ @naming AND r.actor_user_id = @user OR key ~ @told AND `+namesThem+`)`, fmt.Sprintf(inCampaigns, "others")),
		`DELETE FROM history_totals WHERE user_id = @user`,
	} {
		if err := tx.Exec(statement, params).Error; err != nil {
			return fmt.Errorf("redact the log of user %d: %w", p.ID, err)
		}
	}
	return nil
}

// campaigns are those that the person has to do with: own ones, which they have begun or been the creator of, and others.
func (p Person) campaigns(tx *gorm.DB) (own, others []int64, err error) {
	var rows []struct {
		ID    int64
		IsOwn bool
	}
	err = tx.Raw(`
		SELECT id, EXISTS (SELECT FROM campaign_team WHERE campaign_id = theirs.id AND user_id = @user AND position = 0)
		    OR EXISTS (SELECT FROM audit_log a WHERE a.campaign_id = theirs.id AND a.entity = 'campaign'
		        AND (a.before -> 'team' -> 0 = to_jsonb(CAST(@user AS bigint)) OR a.action = 'create_campaign' AND a.actor_user_id = @user)) AS is_own
		FROM (SELECT campaign_id AS id FROM audit_log WHERE actor_user_id = @user AND campaign_id IS NOT NULL
		      UNION SELECT id FROM campaigns WHERE id IN @campaigns) theirs`,
		map[string]any{"user": p.ID, "campaigns": p.Campaigns}).Scan(&rows).Error
	if err != nil {
		return nil, nil, fmt.Errorf("look for what user %d has to do with: %w", p.ID, err)
	}
	for _, r := range rows {
		if r.IsOwn {
			own = append(own, r.ID)
		} else {
			others = append(others, r.ID)
		}
	}
	return own, others, nil
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
