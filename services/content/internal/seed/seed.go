// Package seed fills in the demo content: people, categories, pictures, campaigns, experiments.
//
// It uses the domains' own functions, so that the rows are like those that people make. What follows from payments
// (totals, backers, reserved stock) is not made here: the demo pledges are paid through the running platform
// afterwards. So Fill makes campaigns that the demo shows as closed open, and Finish closes them after the payments.
// Both may be repeated: rows that exist, by slug, key or address, are left as they are. Each campaign is made in a
// transaction of its own, so an interrupted run can be repeated.
package seed

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/content/internal/discovery/places"
	"talkoot.fi/content/internal/media/files"
	"talkoot.fi/content/internal/person/secondstep"
)

// Options are what both steps need. Days are counted from Now, in Zone.
type Options struct {
	DB    *gorm.DB
	Files *files.Store
	// Steps enrols the people who have a code app; needed by Fill alone.
	Steps *secondstep.Service
	Log   *slog.Logger
	Now   func() time.Time
	Zone  *time.Location
	// Dir holds the demo content; its README.md describes the files.
	Dir string
}

// seeder is one run of Fill or Finish.
type seeder struct {
	db       *gorm.DB
	steps    *secondstep.Service
	log      *slog.Logger
	now      time.Time
	zone     *time.Location
	pictures *pictures
	// ids by key.
	people, categories, tags map[string]int64
	places                   places.Index
}

func newSeeder(o Options) (*seeder, *os.Root, error) {
	dir, err := os.OpenRoot(o.Dir)
	if err != nil {
		return nil, nil, fmt.Errorf("open the demo content: %w", err)
	}
	known, err := places.Load()
	if err != nil {
		return nil, nil, err
	}
	return &seeder{places: known, db: o.DB, steps: o.Steps, log: o.Log, now: o.Now().UTC().Truncate(time.Second), zone: o.Zone,
		pictures: newPictures(o.Files, dir), people: map[string]int64{}, categories: map[string]int64{}, tags: map[string]int64{},
	}, dir, nil
}

// Fill makes the demo content that is missing.
func Fill(ctx context.Context, o Options) error {
	s, dir, err := newSeeder(o)
	if err != nil {
		return err
	}
	defer func() { _ = dir.Close() }() // only read from
	content, err := read(dir)
	if err != nil {
		return err
	}
	if err := mark(ctx, o.DB, s.now); err != nil { // first: an interrupted run leaves demo content too
		return err
	}
	for _, step := range []func(context.Context, *demo) error{s.fillTaxonomy, s.fillPeople, s.enrolPeople, s.fillCampaigns, s.fillExperiments} {
		if err := step(ctx, content); err != nil {
			return fmt.Errorf("fill in the demo content: %w", err)
		}
	}
	return nil
}
