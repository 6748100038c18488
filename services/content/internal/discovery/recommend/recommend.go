package recommend

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"gorm.io/gorm"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/campaign/campaigns"
)

const (
	// readAhead is how many more choices are read than are suggested: a creator has at most mostOfCreator of them, and some
	// may have closed since the lists were made.
	readAhead = 4
	// mostLabels is how many labels a reason names.
	mostLabels = 2
	// mostTopics is how many labels of a topic are looked for.
	mostTopics = 6
)

// asked is what every call asks for.
type asked struct {
	language string
	limit    int
	now      time.Time
	zone     *time.Location
}

// suggest makes the suggestions for a subject; one statement reads what is shown of the best candidates.
func suggest(ctx context.Context, db *gorm.DB, s subject, r reader, a asked) ([]api.Suggestion, error) {
	ranked := rank(s, r, a.now)
	ranked = ranked[:min(len(ranked), a.limit+readAhead)]
	found, err := read(ctx, db, ranked, a.language)
	if err != nil {
		return nil, err
	}
	suggestions, ofCreator := []api.Suggestion{}, map[int64]int{}
	for _, c := range ranked {
		it, ok := found[c.key]
		if !ok || !it.isOpen(c, a.now) || ofCreator[it.Creator.UserID] == mostOfCreator || len(suggestions) == a.limit {
			continue
		}
		ofCreator[it.Creator.UserID]++
		why := c.reason()
		one := it.suggestion(c, texts[a.language], a.language, a.now)
		one.Reason = texts[a.language].reason(why.kind, about{labels: it.labels(c), place: it.Place,
			seed: found[why.seed].Title, deadline: c.deadline}, a.now, a.zone)
		suggestions = append(suggestions, one)
	}
	return suggestions, nil
}

// labels are those of what a choice has in common with the subject, in the reader's language.
func (s shown) labels(c choice) (labels []string) {
	for _, shared := range c.rarest() {
		if shared.Source == "category" {
			if shared.Tag == s.CategoryID && s.Category != "" {
				labels = append(labels, s.Category)
			}
			continue
		}
		for _, tag := range s.Tags {
			if tag.ID == shared.Tag && !slices.Contains(labels, tag.Label) {
				labels = append(labels, tag.Label)
			}
		}
	}
	return labels[:min(len(labels), mostLabels)]
}

// ofCampaign is the subject of a campaign's page. Error: campaigns.ErrUnknown, also for a page that the reader may not
// see; everybody sees a campaign that is no draft.
func ofCampaign(ctx context.Context, db *gorm.DB, id int64) (subject, error) {
	rows, err := readRows(ctx, db, campaignSQL, pgx.NamedArgs{"id": id})
	if err != nil {
		return subject{}, err
	}
	s := subject{without: map[key]bool{{id: id}: true}}
	isPublic := false
	for _, r := range rows {
		isPublic = isPublic || r.Source == theSubject && campaigns.Stage(r.Weight).Public()
		s.candidates = append(s.candidates, r.candidates()...)
	}
	if isPublic {
		return s, nil
	}
	_, err = campaigns.Access(ctx, db, id)
	return s, err
}

// ofPerson is the subject of a person's own suggestions, which nobody else gets, and how their reasons read. What they
// have backed, like or take part in is not suggested to them.
func ofPerson(ctx context.Context, db *gorm.DB, userID int64) (s subject, as reader, err error) {
	rows, err := readRows(ctx, db, personSQL, pgx.NamedArgs{"user": userID})
	if err != nil {
		return subject{}, reader{}, err
	}
	for _, r := range rows {
		switch r.Source {
		case knownToThem:
			s.without = r.keys()
		case backedSeed:
			as.backed = append(as.backed, r.Seed)
		case likedSeed:
			as.liked = append(as.liked, r.Seed)
		default:
			s.candidates = append(s.candidates, r.candidates()...)
		}
	}
	return s, as, nil
}

// ofPage is the subject of a page of another site: tags and categories that a topic names, and a place.
func ofPage(ctx context.Context, db *gorm.DB, topicText, place string) (subject, error) {
	labels := []string{}
	for label := range strings.SplitSeq(topicText, ",") {
		if label = strings.TrimSpace(label); label != "" && len(labels) < mostTopics {
			labels = append(labels, label)
		}
	}
	rows, err := readRows(ctx, db, topicSQL, pgx.NamedArgs{"labels": labels, "place": place})
	if err != nil {
		return subject{}, err
	}
	s := subject{onlyAbout: strings.TrimSpace(topicText) != "" || place != ""}
	for _, r := range rows {
		s.candidates = append(s.candidates, r.candidates()...)
	}
	return s, nil
}

// ofExperiment is the subject of an experiment's page. Error: errUnknown, also for one that is disabled.
func ofExperiment(ctx context.Context, db *gorm.DB, id int64) (subject, error) {
	rows, err := readRows(ctx, db, experimentSQL, pgx.NamedArgs{"id": id})
	if err != nil {
		return subject{}, err
	}
	s, isKnown := subject{without: map[key]bool{{id: id, isExperiment: true}: true}}, false
	for _, r := range rows {
		isKnown = isKnown || r.Source == theSubject
		s.candidates = append(s.candidates, r.candidates()...)
	}
	if !isKnown {
		return subject{}, errUnknown
	}
	return s, nil
}
