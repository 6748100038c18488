package seed

import (
	"context"
	"fmt"

	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/money"

	"talkoot.fi/content/internal/experiments"
)

func (s *seeder) fillExperiments(ctx context.Context, d *demo) error {
	bySlug := map[string]int64{}
	if err := s.known(ctx, `SELECT slug AS key, id FROM experiments`, bySlug); err != nil {
		return err
	}
	campaigns := map[string]int64{}
	if err := s.known(ctx, `SELECT slug AS key, id FROM campaigns`, campaigns); err != nil {
		return err
	}
	for place, e := range d.experiments {
		if _, ok := bySlug[e.Key]; ok {
			continue
		}
		err := dbx.InTx(ctx, s.db, func(tx *gorm.DB) error { return s.fillExperiment(ctx, tx, e, campaigns, place) })
		if err != nil {
			return fmt.Errorf("experiment %s: %w", e.Key, err)
		}
	}
	return nil
}

func (s *seeder) fillExperiment(ctx context.Context, tx *gorm.DB, e experiment, campaigns map[string]int64, place int) error {
	others := make([]string, len(e.Team))
	for i, member := range e.Team {
		others[i] = member.Person
	}
	team, err := idsOf(s.people, "person", startingWith(e.Owner, others))
	if err != nil {
		return err
	}
	tags, err := idsOf(s.tags, "tag", e.Tags)
	if err != nil {
		return err
	}
	image, err := s.pictures.put(ctx, "scenes", e.Scene)
	if err != nil {
		return err
	}
	n := experiments.New{Slug: e.Key, Stage: e.Stage, Language: e.Language, Place: e.Place, Image: image, ShowIn: e.ShowIn,
		GoalMinor: e.Funding.Goal * 100, RaisedMinor: e.Funding.Sources.Crowd * 100, TeamUserIDs: team, TagIDs: tags,
		Texts: map[string]experiments.Text{}}
	if slug := e.Funding.Sources.Campaign; slug != "" {
		linked, err := idsOf(campaigns, "campaign", []string{slug})
		if err != nil {
			return err
		}
		n.CrowdCampaignID = &linked[0]
	}
	for _, o := range e.Funding.Sources.Organisations {
		n.Organizations = append(n.Organizations, experiments.Organization{Name: o.Name[e.Language], RaisedMinor: money.Decimal(o.Amount * 100)})
	}
	for _, days := range e.StageDaysAgo {
		n.StagesSince = append(n.StagesSince, s.daysOn(-days))
	}
	if found := s.places.Search(e.Place); len(found) > 0 {
		n.Latitude, n.Longitude = &found[0].Latitude, &found[0].Longitude
	}
	for _, l := range e.Links {
		n.Links = append(n.Links, experiments.Link{URL: l.URL, Title: l.Title})
	}
	for language, t := range e.Texts {
		story, err := s.pictures.story(ctx, t.Description)
		if err != nil {
			return fmt.Errorf("story in %s: %w", language, err)
		}
		n.Texts[language] = experiments.Text{Title: t.Title, ShortDescription: t.ShortDescription, Story: story}
	}
	made := s.now
	if len(e.StageDaysAgo) > 0 {
		made = s.daysOn(-e.StageDaysAgo[0])
	}
	id, err := experiments.Create(ctx, tx, n, made)
	if err != nil {
		return err
	}
	return experiments.AddLikes(ctx, tx, id, s.likers(e.Likes, place), s.now)
}
