package recommend

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/campaigns"
)

const (
	// readAhead is how many more choices are read than are suggested, since a creator has at most mostOfCreator of them.
	readAhead = 2
	// mostLabels is how many labels a reason names.
	mostLabels = 2
	// mostTopics is how many labels of a topic are looked for.
	mostTopics = 6
	// mostSeeds is how many of a person's latest campaigns lead to others, of each kind.
	mostSeeds = 5
	// mostKnown bounds how many campaigns of a person are read.
	mostKnown = 1000
)

// asked is what every call asks for.
type asked struct {
	language string
	limit    int
	now      time.Time
	zone     *time.Location
}

// suggest makes the suggestions for a subject: two statements, or three when little is about it.
func suggest(ctx context.Context, db *gorm.DB, s subject, r reader, a asked) ([]api.Suggestion, error) {
	candidates, err := find(ctx, db, s)
	if err == nil && s.isPage {
		err = visible(ctx, db, s.seeds[0], candidates)
	}
	if err != nil {
		return nil, err
	}
	ranked := rank(candidates, s, r, a.now)
	if len(ranked) < a.limit+readAhead && !s.onlyAbout {
		others, err := findAny(ctx, db, a.now)
		if err != nil {
			return nil, err
		}
		ranked = rank(slices.Concat(candidates, others), s, r, a.now)
	}
	ranked = ranked[:min(len(ranked), a.limit+readAhead)]
	found, err := read(ctx, db, ranked, a.language)
	if err != nil {
		return nil, err
	}
	suggestions, ofCreator := []api.Suggestion{}, map[int64]int{}
	for _, c := range ranked {
		it, ok := found[c.key]
		if !ok || ofCreator[it.Creator.UserID] == mostOfCreator || len(suggestions) == a.limit {
			continue
		}
		ofCreator[it.Creator.UserID]++
		why := c.reason()
		one := it.suggestion(c, texts[a.language], a.language, a.now)
		one.Reason = texts[a.language].reason(why.kind, about{labels: it.labels(c), place: it.Place,
			seed: found[key{id: why.seed}].Title, deadline: c.deadline}, a.now, a.zone)
		suggestions = append(suggestions, one)
	}
	return suggestions, nil
}

// labels are those of what a choice has in common with the subject, in the reader's language.
func (s shown) labels(c choice) (labels []string) {
	for _, shared := range c.rarest() {
		if shared.Source == "category" && shared.Tag == s.CategoryID && s.Category != "" {
			labels = append(labels, s.Category)
		}
		for _, tag := range s.Tags {
			if shared.Source == "tag" && tag.ID == shared.Tag && !slices.Contains(labels, tag.Label) {
				labels = append(labels, tag.Label)
			}
		}
	}
	return labels[:min(len(labels), mostLabels)]
}

// ofCampaign is the subject of a campaign's page.
func ofCampaign(id int64) subject {
	return subject{seeds: []int64{id}, isPage: true, without: []int64{id}}
}

// visible refuses a page that the reader may not see; everybody sees a campaign that is no draft. Error:
// campaigns.ErrUnknown.
func visible(ctx context.Context, db *gorm.DB, id int64, found []candidate) error {
	for _, c := range found {
		if c.Source == seedItself && c.ID == id && campaigns.Stage(c.Weight).Public() {
			return nil
		}
	}
	_, err := campaigns.Access(ctx, db, id)
	return err
}

// ofPerson is the subject of a person's own suggestions, which nobody else gets, and how their reasons read. What they
// have backed, like or take part in is not suggested to them.
func ofPerson(ctx context.Context, db *gorm.DB, userID int64) (subject, reader, error) {
	type row struct{ Backed, Liked, Own []int64 }
	rows, err := dbx.Select[row](ctx, db, `
		SELECT ARRAY(SELECT campaign_id FROM pledges
		           WHERE user_id = @user AND status IN ('processing', 'paid', 'partly_refunded', 'disputed')
		           GROUP BY campaign_id ORDER BY max(created_at) DESC LIMIT @most) AS backed,
		       ARRAY(SELECT campaign_id FROM campaign_likes
		           WHERE user_id = @user ORDER BY created_at DESC LIMIT @most) AS liked,
		       ARRAY(SELECT campaign_id FROM campaign_team WHERE user_id = @user LIMIT @most) AS own`,
		pgx.NamedArgs{"user": userID, "most": mostKnown})
	if err != nil {
		return subject{}, reader{}, fmt.Errorf("read what user %d backs: %w", userID, err)
	}
	p := rows[0]
	r := reader{backed: p.Backed[:min(len(p.Backed), mostSeeds)]}
	for _, id := range p.Liked {
		if !slices.Contains(p.Backed, id) && len(r.liked) < mostSeeds {
			r.liked = append(r.liked, id)
		}
	}
	return subject{seeds: slices.Concat(r.backed, r.liked), without: slices.Concat(p.Backed, p.Liked, p.Own)}, r, nil
}

// ofPage is the subject of a page of another site: tags and categories that a topic names, and a place. Indexes:
// tag_texts_label, category_texts_label.
func ofPage(ctx context.Context, db *gorm.DB, topicText, place string) (subject, error) {
	s := subject{place: strings.TrimSpace(place), onlyAbout: strings.TrimSpace(topicText+place) != ""}
	var labels []string
	for label := range strings.SplitSeq(topicText, ",") {
		if label = strings.TrimSpace(label); label != "" && len(labels) < mostTopics {
			labels = append(labels, label)
		}
	}
	if len(labels) == 0 {
		return s, nil
	}
	type row struct {
		ID         int64
		IsCategory bool
	}
	rows, err := dbx.Select[row](ctx, db, `
		SELECT DISTINCT n.tag_id AS id, false AS is_category FROM unnest(CAST(@labels AS text[])) AS label CROSS JOIN LATERAL (
			SELECT tag_id FROM tag_texts WHERE searchable(tag_texts.label) = searchable(label.label) LIMIT 3) n
		UNION ALL
		SELECT DISTINCT n.category_id, true FROM unnest(CAST(@labels AS text[])) AS label CROSS JOIN LATERAL (
			SELECT category_id FROM category_texts WHERE searchable(category_texts.label) = searchable(label.label) LIMIT 3) n`,
		pgx.NamedArgs{"labels": labels})
	if err != nil {
		return s, fmt.Errorf("find a topic: %w", err)
	}
	for _, r := range rows {
		if r.IsCategory {
			s.categories = append(s.categories, r.ID)
		} else {
			s.tags = append(s.tags, r.ID)
		}
	}
	return s, nil
}

// ofExperiment is the subject of an experiment's page. Error: errUnknown, also for one that is disabled.
func ofExperiment(ctx context.Context, db *gorm.DB, id int64) (subject, error) {
	type row struct {
		Place string
		Tags  []int64
	}
	rows, err := dbx.Select[row](ctx, db, `
		SELECT place, ARRAY(SELECT tag_id FROM experiment_tags WHERE experiment_id = e.id ORDER BY tag_id LIMIT 8) AS tags
		FROM experiments e WHERE id = @id AND listed`, pgx.NamedArgs{"id": id})
	if err != nil {
		return subject{}, fmt.Errorf("read experiment %d: %w", id, err)
	}
	if len(rows) == 0 {
		return subject{}, errUnknown
	}
	return subject{tags: rows[0].Tags, place: rows[0].Place, experiment: id}, nil
}
