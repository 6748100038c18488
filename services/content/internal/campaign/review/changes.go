package review

import (
	"context"
	"fmt"
	"slices"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/dbx"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/campaign/campaigns"
)

// Changes are the parts of a campaign and what has changed of them since staff last read it, for the reader that ctx
// names. The caller has checked who may (campaigns.RequireEdit). Error: campaigns.ErrUnknown.
func Changes(ctx context.Context, db *gorm.DB, campaignID int64, zone *time.Location) (a api.ReviewChangesAnswer, err error) {
	f, err := readOne(ctx, db, campaignID)
	if err != nil {
		return a, err
	}
	a = api.ReviewChangesAnswer{State: api.ReviewChangesAnswerState(f.Review), Stage: int(f.Stage), Version: f.Version}
	var read struct {
		At      *time.Time
		Version int64
	}
	if err := db.WithContext(ctx).Raw(`SELECT at, version FROM reviewed_parts WHERE campaign_id = ?`, campaignID).Scan(&read).Error; err != nil {
		return a, fmt.Errorf("read when campaign %d was reviewed: %w", campaignID, err)
	}
	if read.At != nil {
		at := read.At.UTC()
		a.ReadAt, a.ReadVersion = &at, &read.Version
	}
	if f.Review == campaigns.ReviewRequested {
		if _, a.AnswerBy, err = f.asked(zone); err != nil {
			return a, err
		}
	}
	if a.Barred, err = readersBar(ctx, db, campaignID); err != nil {
		return a, err
	}
	parts, err := campaigns.ReadParts(ctx, db, campaignID, f.Stage)
	if err != nil {
		return a, err
	}
	last, err := lastChanges(ctx, db, campaignID)
	if err != nil {
		return a, err
	}
	a.Parts = make([]api.ReviewedPart, len(parts))
	for i, p := range parts {
		a.Parts[i] = api.ReviewedPart{Part: p.Part, Kind: api.PartKind(p.Kind), Digest: p.Digest, Changed: p.Differs()}
		if !p.Differs() {
			continue
		}
		if p.Before != nil {
			a.Parts[i].Before = p.Before
		}
		if p.Now != nil {
			a.Parts[i].Now = p.Now
		}
		if by, ok := last[p.Part]; ok {
			a.Parts[i].By, a.Parts[i].At = &by.Person, &by.At
		}
	}
	a.Names, err = namesIn(ctx, db, parts, f.Language)
	return a, err
}

// lastChange is who changed a part, and when.
type lastChange struct {
	Person string
	At     time.Time
}

// lastChanges are the latest changes of a campaign's parts since staff read it, from its history.
func lastChanges(ctx context.Context, db *gorm.DB, campaignID int64) (map[string]lastChange, error) {
	var rows []struct {
		Entity, EntityID, Field, Person string
		At                              time.Time
	}
	err := db.WithContext(ctx).Raw(`
		SELECT DISTINCT ON (entity, entity_id, field) a.entity, a.entity_id, field, a.at, concat_ws(' ', u.first_name, u.last_name) AS person
		FROM audit_log a
		CROSS JOIN LATERAL jsonb_object_keys(CASE jsonb_typeof(a.after) WHEN 'object' THEN a.after END) field
		JOIN users u ON u.id = a.actor_user_id
		WHERE a.campaign_id = @id AND a.entity IN ('campaign', 'reward') AND a.at >= (SELECT at FROM reviewed_parts WHERE campaign_id = @id)
		ORDER BY entity, entity_id, field, a.id DESC`, map[string]any{"id": campaignID}).Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("read who changed campaign %d: %w", campaignID, err)
	}
	last := map[string]lastChange{}
	for _, r := range rows {
		name := "reward:" + r.EntityID
		if r.Entity == "campaign" {
			part, ok := campaigns.PartOf(r.Field)
			if !ok {
				continue
			}
			name = part.Name
		}
		if r.At = r.At.UTC(); r.At.After(last[name].At) {
			last[name] = lastChange{r.Person, r.At}
		}
	}
	return last, nil
}

// namesIn are the names of the people, tags and categories that changed parts have as ids.
func namesIn(ctx context.Context, db *gorm.DB, parts []campaigns.PartChange, language string) (map[string]string, error) {
	names := map[string]string{}
	for part, statement := range map[string]string{
		"team": `SELECT id, shown_name(first_name, last_name, erased_at, @language) AS name FROM users WHERE id IN @ids`,
		"tags": `SELECT DISTINCT ON (tag_id) tag_id AS id, label AS name FROM tag_texts WHERE tag_id IN @ids ORDER BY tag_id, language <> @language`,
		"category": `SELECT DISTINCT ON (category_id) category_id AS id, label AS name FROM category_texts WHERE category_id IN @ids
			ORDER BY category_id, language <> @language`,
	} {
		i := slices.IndexFunc(parts, func(p campaigns.PartChange) bool { return p.Part == part && p.Differs() })
		if i < 0 {
			continue
		}
		var rows []struct {
			ID   int64
			Name string
		}
		err := db.WithContext(ctx).Raw(statement, map[string]any{"ids": append(parts[i].IDs(), 0), "language": language}).Scan(&rows).Error
		if err != nil {
			return nil, fmt.Errorf("read the names in %s: %w", part, err)
		}
		for _, r := range rows {
			names[fmt.Sprintf("%s:%d", part, r.ID)] = r.Name
		}
	}
	return names, nil
}

// SeenNow is all of a campaign as it is, for who has just read it.
func SeenNow(ctx context.Context, db *gorm.DB, campaignID int64) (campaigns.Seen, error) {
	parts, err := campaigns.ReadParts(ctx, db, campaignID, campaigns.StageDraft)
	seen := campaigns.Seen{}
	for _, p := range parts {
		seen[p.Part] = p.Digest
	}
	return seen, err
}

// See marks changes of a campaign that is approved or open as seen, in one transaction. When nothing is left that keeps
// an approved one from opening, it is approved again. Errors: campaigns.ErrUnknown; ErrMoved for a draft; ErrOwn; ErrAsker;
// ReviewedMeanwhile for parts that have changed since; NotReady as of Approve.
func See(ctx context.Context, db *gorm.DB, s Step, seen campaigns.Seen) error {
	return dbx.InTx(ctx, db, func(tx *gorm.DB) error {
		stage, waits := campaigns.StageDraft, false
		err := campaigns.ChangeReview(ctx, tx, s.edit(), "see_changes",
			func(now campaigns.Stage, state campaigns.ReviewState) (campaigns.ReviewState, error) {
				stage, waits = now, state == campaigns.ReviewRequested
				if stage == campaigns.StageDraft {
					return state, ErrMoved
				}
				return state, s.refuseBarred(ctx, tx)
			})
		if err != nil {
			return err
		}
		parts, err := campaigns.ReadParts(ctx, tx, s.CampaignID, stage)
		if err != nil {
			return err
		}
		refused, serious := apperr.New(apperr.ReviewedMeanwhile), false
		for _, p := range parts {
			digest, named := seen[p.Part]
			if named && digest != p.Digest {
				refused = refused.WithField(p.Part, apperr.RuleChangedMeanwhile)
			}
			serious = serious || !named && p.Differs() && p.Serious()
		}
		if err := refused.OrNil(); err != nil {
			return err
		}
		if err := campaigns.AcceptParts(ctx, tx, s.CampaignID, seen); err != nil {
			return err
		}
		if stage != campaigns.StagePreparing || !waits || serious {
			return campaigns.SettleParts(ctx, tx, s.CampaignID, s.Now)
		}
		f, err := s.decide(ctx, tx, Approved, "approve", nil)
		if err != nil {
			return err
		}
		return s.release(ctx, tx, f)
	})
}
