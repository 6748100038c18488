package seed

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/money"

	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/campaign/posts"
	"talkoot.fi/content/internal/campaign/rewards"
	"talkoot.fi/content/internal/writing/changes"
)

const (
	// openDays is how long a campaign that the demo shows as closed stays open, so that its demo pledges can be paid.
	openDays = 14
	// daysBefore is how many days before its first funding day a campaign is created.
	daysBefore = 12
)

// actor is who the audit log names.
var actor = changes.Actor{Name: "seed"}

func (s *seeder) fillCampaigns(ctx context.Context, d *demo) error {
	bySlug := map[string]int64{}
	if err := s.known(ctx, `SELECT slug AS key, id FROM campaigns`, bySlug); err != nil {
		return err
	}
	for i, c := range d.campaigns {
		if _, ok := bySlug[c.Slug]; ok {
			continue
		}
		var id int64
		err := dbx.InTx(ctx, s.db, func(tx *gorm.DB) (err error) {
			id, err = s.fillCampaign(ctx, tx, c, i)
			return err
		})
		if err == nil && c.Review != nil {
			err = s.fillReview(ctx, id, c)
		}
		if err != nil {
			return fmt.Errorf("campaign %s: %w", c.Slug, err)
		}
	}
	return nil
}

// fillCampaign makes one campaign with its rewards, posts and likes, and returns its id; place is its position in the
// demo content. One with a review is moved to its stage by the review.
func (s *seeder) fillCampaign(ctx context.Context, tx *gorm.DB, c campaign, place int) (int64, error) {
	n, err := s.newCampaign(ctx, c)
	if err != nil {
		return 0, err
	}
	id, err := campaigns.Create(ctx, tx, n, s.daysOn(c.FundingStartDays-daysBefore))
	if err != nil {
		return 0, err
	}
	for _, r := range c.Rewards {
		if err := s.fillReward(ctx, tx, id, r); err != nil {
			return 0, err
		}
	}
	if c.opens() != campaigns.StageDraft && c.Review == nil {
		if err := campaigns.MoveStage(ctx, tx, id, c.opens(), actor, s.now); err != nil {
			return 0, err
		}
	}
	for _, p := range c.Posts {
		if err := s.fillPost(ctx, tx, id, n.TeamUserIDs[0], p); err != nil {
			return 0, err
		}
	}
	return id, campaigns.AddLikes(ctx, tx, id, s.likers(c.Likes, place), s.now)
}

func (s *seeder) newCampaign(ctx context.Context, c campaign) (campaigns.New, error) {
	category, err := idsOf(s.categories, "category", []string{c.Category})
	if err != nil {
		return campaigns.New{}, err
	}
	categories, err := idsOf(s.categories, "category", c.Categories)
	if err != nil {
		return campaigns.New{}, err
	}
	tags, err := idsOf(s.tags, "tag", c.Tags)
	if err != nil {
		return campaigns.New{}, err
	}
	team, err := idsOf(s.people, "person", startingWith(c.Owner, c.Team))
	if err != nil {
		return campaigns.New{}, err
	}
	cover, err := s.pictures.put(ctx, "covers", c.Cover)
	if err != nil {
		return campaigns.New{}, err
	}
	n := campaigns.New{Slug: c.Slug, Language: c.Language, CategoryID: category[0], CategoryIDs: categories, TagIDs: tags,
		TeamUserIDs: team, Place: c.Place, MinGoalMinor: c.MinGoal * 100, TargetGoalMinor: c.TargetGoal * 100,
		FundingRule: c.FundingRule, Picture: cover, VideoURL: c.VideoURL, ContactEmail: c.ContactEmail,
		LegalCreator: c.LegalCreator.Name, LegalCreatorType: c.LegalCreator.Type, HideFundingAmount: c.HideFundingAmount,
		HideMemberCount: c.HideMemberCount, Texts: map[string]campaigns.Text{}}
	n.Zone = s.zone
	if c.Stage == campaigns.StageRecurring {
		n.OpensAs = campaigns.StageRecurring
	}
	n.FirstDay, n.LastDay = s.openingDays(c)
	for language, t := range c.Texts {
		story, err := s.pictures.story(ctx, t.Story)
		if err != nil {
			return campaigns.New{}, fmt.Errorf("story in %s: %w", language, err)
		}
		n.Texts[language] = campaigns.Text{Title: t.Title, Tagline: t.Tagline, ShortDescription: t.ShortDescription,
			AboutCreator: t.AboutCreator, Story: story}
	}
	for _, g := range c.Goals {
		texts := map[string]campaigns.GoalText{}
		for language, title := range g.Title {
			texts[language] = campaigns.GoalText{Title: title, Description: g.Description[language]}
		}
		n.Goals = append(n.Goals, campaigns.Goal{Target: g.Target, Texts: texts})
	}
	return n, nil
}

// opens is the campaign's stage until Finish.
func (c campaign) opens() campaigns.Stage {
	if c.closed() {
		return campaigns.StageFunding
	}
	return c.Stage
}

// closed reports whether the demo shows the campaign as closed; Fill leaves it open until its pledges are paid.
func (c campaign) closed() bool {
	return slices.Contains([]campaigns.Stage{campaigns.StageSucceeded, campaigns.StageNotReached, campaigns.StageClosed},
		c.Stage)
}

// openingDays are the funding days until Finish.
func (s *seeder) openingDays(c campaign) (first, last campaigns.Day) {
	if c.Stage == campaigns.StageDraft && c.DeadlineDays == nil { // not decided yet
		return "", ""
	}
	if c.DeadlineDays == nil {
		return s.day(c.FundingStartDays), ""
	}
	days := *c.DeadlineDays
	if c.closed() && days < openDays {
		days = openDays
	}
	return s.day(c.FundingStartDays), s.day(days)
}

func (s *seeder) fillReward(ctx context.Context, tx *gorm.DB, campaignID int64, r reward) error {
	n := rewards.New{CampaignID: campaignID, AmountMinor: r.Amount * 100, Stock: r.Stock, Active: r.Active,
		Delivery: r.Delivery, Kind: r.Kind, Texts: map[string]rewards.Text{}}
	var err error
	if n.Image, err = s.pictures.put(ctx, "scenes", r.Image); err != nil {
		return err
	}
	if r.VAT != "" {
		hundredths, err := money.ParseMajor(r.VAT, money.EUR) // two decimals at most, like an amount
		if err != nil {
			return fmt.Errorf("VAT of a reward of %d euros: %w", r.Amount, err)
		}
		tenths := int(hundredths.Minor / 10)
		n.VATTenths = &tenths
	}
	for _, a := range r.AddedCosts {
		amount, err := money.ParseMajor(a.Amount, money.EUR)
		if err != nil {
			return fmt.Errorf("added cost of a reward of %d euros: %w", r.Amount, err)
		}
		cost := rewards.AddedCost{AmountMinor: amount.Minor, Description: map[string]string{},
			WithoutAddress: a.WithoutAddress}
		for language, text := range a.Description {
			cost.Description[strings.ToUpper(language)] = text
		}
		n.AddedCosts = append(n.AddedCosts, cost)
	}
	for language, t := range r.Texts {
		n.Texts[language] = rewards.Text{Title: t.Title, Description: t.Description, Questions: r.Questions[language]}
	}
	_, err = rewards.Create(ctx, tx, n, s.now)
	return err
}

func (s *seeder) fillPost(ctx context.Context, tx *gorm.DB, campaignID, authorID int64, p post) error {
	texts := map[string]posts.Text{}
	for language, t := range p.all() {
		story, err := s.pictures.story(ctx, t.Blocks)
		if err != nil {
			return fmt.Errorf("post %q: %w", t.Title, err)
		}
		texts[language] = posts.Text{Title: t.Title, Intro: t.Intro, Story: story}
	}
	at := s.daysOn(-p.DaysAgo)
	id, err := posts.Create(ctx, tx, posts.New{CampaignID: campaignID, AuthorID: authorID, Language: p.Language,
		Level: p.Level, Texts: texts}, at)
	if err != nil || p.Status != "published" {
		return err
	}
	return posts.Publish(ctx, tx, id, at)
}

// all is a post's texts by language.
func (p post) all() map[string]postText {
	all := maps.Clone(p.Texts)
	if all == nil {
		all = map[string]postText{}
	}
	all[p.Language] = p.postText
	return all
}

// likers are so many people, starting with a different person for each place.
func (s *seeder) likers(likes, place int) (those []int64) {
	everybody := slices.Sorted(maps.Values(s.people))
	for i := range min(likes, len(everybody)) {
		those = append(those, everybody[(place*7+i)%len(everybody)])
	}
	return those
}

// daysOn is ten in the morning a number of days from now, or now if that is in the future.
func (s *seeder) daysOn(days int) time.Time {
	today := s.now.In(s.zone)
	at := time.Date(today.Year(), today.Month(), today.Day()+days, 10, 0, 0, 0, s.zone)
	if at.After(s.now) {
		return s.now
	}
	return at.UTC()
}

// day is the calendar day a number of days from now.
func (s *seeder) day(days int) campaigns.Day {
	return campaigns.DayOf(s.now.In(s.zone).AddDate(0, 0, days))
}

// startingWith is the first, followed by the others without it.
func startingWith(first string, others []string) []string {
	list := []string{first}
	for _, other := range others {
		if other != first {
			list = append(list, other)
		}
	}
	return list
}
