// Package search finds everything that everybody may see: campaigns, their creators and experiments, in one call. What is
// found by what is written by package searchdocs.
package search

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/experiments"
	"talkoot.fi/content/internal/languages"
	"talkoot.fi/content/internal/person/people"
	"talkoot.fi/content/internal/request"
)

// defaultLimit is how many hits of a group there are when the call does not say.
const defaultLimit = 6

// Handlers answers the search.
type Handlers struct{ db *gorm.DB }

// NewHandlers makes the handlers.
func NewHandlers(db *gorm.DB) *Handlers { return &Handlers{db: db} }

// Search is what has all the words, in groups; or what has the words that were likely meant.
func (h *Handlers) Search(ctx context.Context, r api.SearchRequestObject) (api.SearchResponseObject, error) {
	p := r.Params
	q := query{language: languages.Of(r.Language), group: -1, limit: cmp.Or(request.Value(p.Limit), defaultLimit), offset: request.Value(p.Offset)}
	if p.Group != nil {
		q.group = group(slices.Index(names(), *p.Group))
	}
	answer := api.SearchAnswer{Searched: strings.Join(strings.Fields(p.Q), " "), Places: []api.SearchPlace{}}
	var err error
	if q.words, err = read(ctx, h.db, p.Q); err != nil {
		return nil, err
	}
	everywhere := found{}
	if len(q.words) > 0 {
		if everywhere, err = h.find(ctx, &q, request.Value(p.Exact), &answer); err != nil {
			return nil, err
		}
	}
	here := everywhere
	if place := strings.TrimSpace(request.Value(p.Place)); place != "" {
		q.place = place
		if len(q.words) > 0 {
			if here, err = q.find(ctx, h.db); err != nil {
				return nil, err
			}
		}
		all, _ := everywhere.total()
		some, _ := here.total()
		left := max(0, all-some)
		answer.Elsewhere = &left
	}
	answer.Marks = marks(q.words)
	if everywhere.places != nil {
		answer.Places = everywhere.places
	}
	if err := h.tell(ctx, q.language, here, &answer); err != nil {
		return nil, err
	}
	return api.Search200JSONResponse(answer), nil
}

// find searches everywhere, and where nothing has the words for what was likely meant, which it makes the query's words.
func (h *Handlers) find(ctx context.Context, q *query, isExact bool, answer *api.SearchAnswer) (found, error) {
	f, err := q.find(ctx, h.db)
	if err != nil || len(f.totals) > 0 || isExact {
		return f, err
	}
	likely, err := meant(ctx, h.db, q.words)
	if err != nil || likely == "" {
		return f, err
	}
	other := *q
	other.isCommon, other.having = nil, nil
	if other.words, err = read(ctx, h.db, likely); err != nil {
		return f, err
	}
	of, err := other.find(ctx, h.db)
	if err != nil || len(of.totals) == 0 {
		return f, err
	}
	*q, answer.Searched, answer.IsCorrected = other, likely, true
	return of, nil
}

// tell puts the groups with their hits into the answer; of nothing how many there are of everything.
func (h *Handlers) tell(ctx context.Context, language string, f found, answer *api.SearchAnswer) error {
	sum, isMore := f.total()
	answer.Total, answer.Groups = sum, []api.SearchGroup{}
	if isMore {
		answer.TotalIsMore = &isMore
	}
	isNothing := sum == 0
	if isNothing {
		var err error
		if f.totals, err = everything(ctx, h.db); err != nil {
			return err
		}
	}
	previews, err := h.campaigns(ctx, language, slices.Concat(f.ids[ofOpen], f.ids[ofMonthly], f.ids[ofComing], f.ids[ofEnded]))
	if err != nil {
		return err
	}
	for i, name := range names() {
		of := group(i)
		g := api.SearchGroup{Name: name, Total: f.totals[of].Total}
		if f.totals[of].IsMore {
			g.TotalIsMore = &[]bool{true}[0]
		}
		if g.Total == 0 && !isNothing {
			continue
		}
		switch ids := f.ids[of]; {
		case len(ids) == 0:
		case of == ofCreators:
			list, err := people.ByIDs(ctx, h.db, language, ids)
			if err != nil {
				return err
			}
			g.Creators = &list
		case of == ofExperiments:
			list, err := experiments.ByIDs(ctx, h.db, language, ids)
			if err != nil {
				return err
			}
			g.Experiments = &list
		default:
			list := []api.CampaignPreview{}
			for _, id := range ids {
				if preview, ok := previews[id]; ok {
					list = append(list, preview)
				}
			}
			g.Campaigns = &list
		}
		answer.Groups = append(answer.Groups, g)
	}
	return nil
}

// campaigns are the previews of campaigns that may be found, by id.
func (h *Handlers) campaigns(ctx context.Context, language string, ids []int64) (map[int64]api.CampaignPreview, error) {
	previews := map[int64]api.CampaignPreview{}
	if len(ids) == 0 {
		return previews, nil
	}
	type row struct{ Preview json.RawMessage }
	rows, err := dbx.Select[row](ctx, h.db, `
		SELECT v.preview FROM campaign_previews v JOIN campaigns c ON c.id = v.campaign_id
		WHERE v.campaign_id = ANY (CAST(@ids AS bigint[])) AND v.language = @language AND search_group(c) IS NOT NULL`,
		pgx.NamedArgs{"ids": ids, "language": language})
	if err != nil {
		return nil, fmt.Errorf("read found campaigns: %w", err)
	}
	for _, row := range rows {
		var preview api.CampaignPreview
		if err := json.Unmarshal(row.Preview, &preview); err != nil {
			return nil, fmt.Errorf("read a found campaign's preview: %w", err)
		}
		previews[preview.CampaignID] = preview
	}
	return previews, nil
}
