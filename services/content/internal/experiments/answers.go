package experiments

import (
	"encoding/json"
	"fmt"
	"slices"

	"talkoot.fi/kit/money"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/media/scenes"
	"talkoot.fi/content/internal/person/profiles"
)

func (r Row) preview() (api.ExperimentPreview, error) {
	p := api.ExperimentPreview{ExperimentID: r.ID, Slug: r.Slug, Stage: r.Stage, Title: r.Title,
		ShortDescription: r.ShortDescription, Image: r.Image, OwnerName: r.OwnerName, Place: r.Place, Language: r.Language,
		LikeCount: r.LikeCount}
	return p, decode(r.ID, r.ShowIn, &p.ShowIn)
}

// shared are the parts that a page and its editors read alike.
type shared struct {
	links  []api.Link
	tags   []api.Tag
	team   []api.ExperimentMember
	stages api.StageDates
}

func (p page) shared() (s shared, err error) {
	var dates []stageDate
	for _, part := range []struct {
		encoded json.RawMessage
		to      any
	}{{p.Links, &s.links}, {p.Tags, &s.tags}, {p.Team, &s.team}, {p.Stages, &dates}} {
		if err := decode(p.ID, part.encoded, part.to); err != nil {
			return s, err
		}
	}
	s.links = slices.DeleteFunc(s.links, func(l api.Link) bool { return shown(l.URL) == "" })
	for i, member := range s.team {
		s.team[i].Image = profiles.Image(member.Image, member.UserID)
	}
	s.stages = make(api.StageDates, len(dates))
	for i, d := range dates {
		s.stages[i].Stage, s.stages[i].Since = d.Stage, d.Since.UTC()
	}
	return s, nil
}

func (p page) experiment() (api.Experiment, error) {
	preview, err := p.preview()
	if err != nil {
		return api.Experiment{}, err
	}
	s, err := p.shared()
	if err != nil {
		return api.Experiment{}, err
	}
	e := api.Experiment{ExperimentID: p.ID, Slug: p.Slug, Stage: p.Stage, Title: p.Title,
		ShortDescription: p.ShortDescription, Image: p.Image, OwnerName: p.OwnerName, Place: p.Place, Language: p.Language,
		ShowIn: preview.ShowIn, HTMLDescription: p.StoryHTML, LikeCount: p.LikeCount, Disabled: p.Disabled,
		Links: s.links, Tags: s.tags, Team: s.team, StageDates: s.stages, MyRelationships: []api.ExperimentMyRelationships{},
		ImageAlt: p.ImageAlt, ImageCollection: sizesOf(p.Image),
		GeographicLocation: api.GeographicLocation{Place: p.Place, Latitude: p.Latitude, Longitude: p.Longitude}}
	if p.Liked {
		e.MyRelationships = append(e.MyRelationships, api.ExperimentMyRelationshipsLike)
	}
	if err := decode(p.ID, p.CustomTexts, &e.CustomLanguage); err != nil {
		return e, err
	}
	funding, err := p.funding(p.ID)
	if err == nil && (funding.Goal > 0 || funding.Raised > 0 || funding.Sources.Crowd.CampaignID != nil) {
		e.Funding = &funding
	}
	return e, err
}

// sizesOf are the addresses of a picture by size, in the proportions of a card.
func sizesOf(image string) api.ImageCollection {
	sizes := api.ImageCollection{}
	for name, size := range map[string]string{"small": "320x200", "medium": "640x400", "large": "1280x800"} {
		sizes[name] = struct {
			URL string `json:"url"`
		}{"/media/" + size + "/" + image}
	}
	return sizes
}

// funding is the answer's. A linked campaign that is still a draft says nothing of itself, a campaign that hides its
// amount only that it does.
func (f Funds) funding(id int64) (api.ExperimentFunding, error) {
	answer := api.ExperimentFunding{Currency: f.Currency, Goal: f.GoalMinor}
	crowd := &answer.Sources.Crowd
	crowd.Raised = f.RaisedMinor
	if f.CampaignID != nil && f.CampaignStage != nil && *f.CampaignStage > 0 {
		talkoot := api.CrowdPartAPITalkoot
		crowd.API, crowd.CampaignID, crowd.Raised = &talkoot, f.CampaignID, f.CampaignMinor
		crowd.Campaign = &struct {
			Image string   `json:"image"`
			Slug  api.Slug `json:"slug"`
			Stage int      `json:"stage"`
			Title string   `json:"title"`
		}{f.CampaignImage, f.CampaignSlug, *f.CampaignStage, f.CampaignTitle}
		if f.CampaignHides {
			hidden := true
			crowd.Hidden, crowd.Raised = &hidden, 0
		}
	}
	var organizations []Organization
	if err := decode(id, f.Organizations, &organizations); err != nil {
		return answer, err
	}
	parts := &answer.Sources.Organizations
	parts.List = make([]struct {
		Name   string     `json:"name"`
		Raised api.Amount `json:"raised"`
	}, len(organizations))
	for i, o := range organizations {
		parts.List[i].Name, parts.List[i].Raised = o.Name, o.RaisedMinor
	}
	parts.Raised, answer.Sources.State.Raised = f.OrganizationsMinor, f.StateMinor
	answer.Raised = total(crowd.Raised, parts.Raised, f.StateMinor)
	return answer, nil
}

func total(parts ...money.Decimal) (all money.Decimal) {
	for _, part := range parts {
		all += part
	}
	return all
}

func (p page) admin(w written) (api.ExperimentAdminAnswer, error) {
	var answer api.ExperimentAdminAnswer
	preview, err := p.preview()
	if err != nil {
		return answer, err
	}
	s, err := p.shared()
	if err != nil {
		return answer, err
	}
	funding, err := p.funding(p.ID)
	if err != nil {
		return answer, err
	}
	if funding.Sources.Crowd.CampaignID == nil {
		funding.Sources.Crowd.CampaignID = p.CampaignID // its team knows of a draft
	}
	a := &answer.Experiment
	*a = api.ExperimentAdmin{ExperimentID: p.ID, Slug: p.Slug, Version: p.Version, Stage: p.Stage, StageDates: s.stages,
		StageNeeds: append([]string{}, w.Needs...), Open: p.Open, Disabled: p.Disabled, Language: p.Own,
		ShowIn: preview.ShowIn, Image: p.Image, ImageIsDrawn: scenes.IsFileName(p.Image), Tags: s.tags, Links: s.links,
		Team: s.team, Invitations: make([]api.ExperimentInvitee, len(w.Invited)), LikeCount: p.LikeCount, Funding: funding,
		GeographicLocation: api.GeographicLocation{Place: p.WrittenPlace, Latitude: p.Latitude, Longitude: p.Longitude}}
	for i, p := range w.Invited {
		a.Invitations[i] = api.ExperimentInvitee{UserID: p.UserID, Name: p.Name, Image: profiles.Image(p.Image, p.UserID), AsOwner: p.AsOwner,
			InvitedAt: p.InvitedAt.UTC(), ExpiresAt: p.ExpiresAt.UTC()}
	}
	for _, t := range w.Texts {
		texts := api.ExperimentTexts{Title: t.Title, ShortDescription: t.ShortDescription, ImageAlt: t.ImageAlt,
			JSONDescription: t.Story}
		*map[string]**api.ExperimentTexts{"fi": &a.Texts.Fi, "en": &a.Texts.En, "sv": &a.Texts.Sv}[t.Language] = &texts
	}
	for _, t := range w.Customs {
		field := map[string]**api.CustomTexts{"fi": &a.CustomLanguage.Fi, "en": &a.CustomLanguage.En,
			"sv": &a.CustomLanguage.Sv}[t.Language]
		if *field == nil {
			*field = &api.CustomTexts{}
		}
		(**field)[t.Key] = api.CustomText{Value: t.Value, Format: api.CustomTextFormat(t.Format), HTML: t.HTML}
	}
	return answer, nil
}

func decode(id int64, encoded json.RawMessage, to any) error {
	if err := json.Unmarshal(encoded, to); err != nil {
		return fmt.Errorf("decode experiment %d: %w", id, err)
	}
	return nil
}
