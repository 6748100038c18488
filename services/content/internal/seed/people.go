package seed

import (
	"context"
	"fmt"

	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"

	"talkoot.fi/content/internal/campaign/taxonomy"
	"talkoot.fi/content/internal/person/people"
	"talkoot.fi/content/internal/person/profiles"
	"talkoot.fi/content/internal/person/sessions"
)

func (s *seeder) fillTaxonomy(ctx context.Context, d *demo) error {
	if _, err := taxonomy.AddUsual(ctx, s.db); err != nil {
		return err
	}
	if err := s.known(ctx, `SELECT key, id FROM categories`, s.categories); err != nil {
		return err
	}
	if err := s.known(ctx, `SELECT key, id FROM tags`, s.tags); err != nil {
		return err
	}
	var newTags []taxonomy.New
	for _, t := range d.tags {
		if _, known := s.tags[t.Key]; !known {
			newTags = append(newTags, taxonomy.New{Key: t.Key, Labels: t.Label})
		}
	}
	return dbx.InTx(ctx, s.db, func(tx *gorm.DB) error {
		ids, err := taxonomy.CreateTags(ctx, tx, newTags)
		if err != nil {
			return err
		}
		for i, id := range ids {
			s.tags[newTags[i].Key] = id
		}
		return nil
	})
}

func (s *seeder) fillPeople(ctx context.Context, d *demo) error {
	byEmail := map[string]int64{}
	if err := s.known(ctx, `SELECT lower(email) AS key, id FROM users ORDER BY verified, id DESC`, byEmail); err != nil {
		return err
	}
	hashes := map[string]string{"": ""} // the demo accounts share a password; hashing it once is enough
	var keys []string                   // of the new ones
	var list []profiles.New
	var tags [][]string
	for _, p := range d.people {
		if id, known := byEmail[p.Email]; known {
			s.people[p.Key] = id
			continue
		}
		n, err := s.newPerson(ctx, p, hashes)
		if err != nil {
			return err
		}
		keys, list, tags = append(keys, p.Key), append(list, n), append(tags, p.Tags)
	}
	return dbx.InTx(ctx, s.db, func(tx *gorm.DB) error {
		ids, err := profiles.CreateAll(ctx, tx, list, s.now)
		if err != nil {
			return err
		}
		tagsOf := map[int64][]int64{}
		for i, id := range ids {
			s.people[keys[i]] = id
			if tagsOf[id], err = idsOf(s.tags, "tag", tags[i]); err != nil {
				return err
			}
		}
		return people.AddTags(ctx, tx, tagsOf)
	})
}

// enrolPeople gives a code app to those whose file has a secret: staff have their scope only with a second step.
func (s *seeder) enrolPeople(ctx context.Context, d *demo) error {
	return dbx.InTx(ctx, s.db, func(tx *gorm.DB) error {
		for _, p := range d.people {
			if p.TOTPSecret == "" {
				continue
			}
			if err := s.steps.Enrol(ctx, tx, s.people[p.Key], p.TOTPSecret); err != nil {
				return err
			}
		}
		return nil
	})
}

func (s *seeder) newPerson(ctx context.Context, p person, hashes map[string]string) (profiles.New, error) {
	hash, known := hashes[p.Password]
	if !known {
		var err error
		if hash, err = sessions.HashPassword(ctx, p.Password); err != nil {
			return profiles.New{}, err
		}
		hashes[p.Password] = hash
	}
	image, err := s.pictures.put(ctx, "avatars", p.Avatar)
	if err != nil {
		return profiles.New{}, err
	}
	n := profiles.New{Email: p.Email, PasswordHash: hash, FirstName: p.FirstName, LastName: p.LastName, Language: p.Language,
		ShortDescription: p.ShortDescription, Image: image, Verified: p.Verified, ProfileVerified: p.Verified, Scope: p.Scope, Skills: p.Skills}
	for _, l := range p.Links {
		n.Links = append(n.Links, profiles.Link{URL: l.URL, Title: l.Title})
	}
	return n, nil
}

// known reads the ids of existing rows by key.
func (s *seeder) known(ctx context.Context, query string, into map[string]int64) error {
	var rows []struct {
		Key string
		ID  int64
	}
	if err := s.db.WithContext(ctx).Raw(query).Scan(&rows).Error; err != nil {
		return fmt.Errorf("look for what is there: %w", err)
	}
	for _, r := range rows {
		into[r.Key] = r.ID
	}
	return nil
}

// idsOf finds the ids of keys.
func idsOf(ids map[string]int64, kind string, keys []string) ([]int64, error) {
	list := make([]int64, len(keys))
	for i, key := range keys {
		id, ok := ids[key]
		if !ok {
			return nil, fmt.Errorf("there is no %s %q", kind, key)
		}
		list[i] = id
	}
	return list, nil
}
