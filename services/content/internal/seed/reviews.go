package seed

import (
	"context"
	"fmt"
	"time"

	"talkoot.fi/kit/session"

	"talkoot.fi/content/internal/campaign/review"
)

// fillReview takes a campaign that was just made through its review, each step in a transaction of its own, as people
// do. After an interruption it stays where it is.
func (s *seeder) fillReview(ctx context.Context, id int64, c campaign) error {
	who, err := idsOf(s.people, "person", []string{c.Owner})
	if err != nil {
		return err
	}
	step := review.Step{CampaignID: id, Who: session.Identity{UserID: who[0]}, Now: s.daysOn(-c.Review.AskedDaysAgo),
		Zone: s.zone}
	if err := review.Request(ctx, s.db, step); err != nil || c.Review.Decision == "" {
		return err
	}
	staff, err := idsOf(s.people, "person", []string{c.Review.By})
	if err != nil {
		return err
	}
	creator := step
	step.Who.UserID, step.Now = staff[0], step.Now.Add(24*time.Hour)
	notes := make([]review.Note, len(c.Review.Notes))
	for i, n := range c.Review.Notes {
		notes[i] = review.Note{Part: n.Part, Text: n.Text, Quote: n.Quote}
	}
	seen, err := review.SeenNow(ctx, s.db, id)
	if err != nil {
		return err
	}
	switch c.Review.Decision {
	case "approve":
		return review.Approve(ctx, s.db, step, seen, notes)
	case "ask_for_changes":
		if err := review.AskForChanges(ctx, s.db, step, seen, notes); err != nil {
			return err
		}
		return s.mend(ctx, creator, c)
	}
	return fmt.Errorf("unknown decision %q", c.Review.Decision)
}

// mend marks the notes that the creator has mended since.
func (s *seeder) mend(ctx context.Context, creator review.Step, c campaign) error {
	creator.Now = s.now
	answer, err := review.Read(ctx, s.db, creator.CampaignID, s.now, s.zone)
	if err != nil {
		return err
	}
	for i, n := range c.Review.Notes {
		if err := review.Mend(ctx, s.db, creator, answer.Review.Notes[i].NoteID, n.Mended); err != nil {
			return err
		}
	}
	return nil
}
