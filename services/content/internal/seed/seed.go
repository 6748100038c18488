// Package seed fills in the demo content: people, categories, pictures, campaigns, experiments.
//
// It goes through the domains' own functions, so that everything is as if people had made it. What can only come from
// people's money (totals, backers, stock taken) is not made here: the demo pledges are paid through the running platform
// afterwards. Campaigns that the demo has closed are therefore filled in open (Fill) and closed once they are paid
// (Finish). Both may run again: what is there, by its slug, key or address, is left as it is. Each thing is made in a
// transaction of its own, so a run that breaks off can be repeated.
package seed

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/content/internal/files"
)

// Options are what both steps need. Days are counted from Now, in Zone.
type Options struct {
	DB    *gorm.DB
	Files *files.Store
	Log   *slog.Logger
	Now   func() time.Time
	Zone  *time.Location
	// Dir holds the demo content; its README.md describes the files.
	Dir string
}

// seeder is one run.
type seeder struct {
	db       *gorm.DB
	log      *slog.Logger
	now      time.Time
	zone     *time.Location
	pictures *pictures
	// ids by key.
	people, categories, tags map[string]int64
}

func newSeeder(o Options) (*seeder, *os.Root, error) {
	dir, err := os.OpenRoot(o.Dir)
	if err != nil {
		return nil, nil, fmt.Errorf("open the demo content: %w", err)
	}
	return &seeder{db: o.DB, log: o.Log, now: o.Now().UTC().Truncate(time.Second), zone: o.Zone,
		pictures: newPictures(o.Files, dir), people: map[string]int64{}, categories: map[string]int64{}, tags: map[string]int64{},
	}, dir, nil
}

// Fill makes what is missing of the demo content.
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
	if err := mark(ctx, o.DB, s.now); err != nil { // first: what breaks off half-way is demo content too
		return err
	}
	for _, step := range []func(context.Context, *demo) error{s.fillTaxonomy, s.fillPeople, s.fillCampaigns, s.fillExperiments} {
		if err := step(ctx, content); err != nil {
			return fmt.Errorf("fill in the demo content: %w", err)
		}
	}
	return nil
}
