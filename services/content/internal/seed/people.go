package seed

import (
	"context"
	"fmt"

	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"

	"talkoot.fi/content/internal/profiles"
	"talkoot.fi/content/internal/sessions"
	"talkoot.fi/content/internal/taxonomy"
)

func (s *seeder) fillTaxonomy(ctx context.Context, d *demo) error {
	if err := s.known(ctx, `SELECT key, id FROM categories`, s.categories); err != nil {
		return err
	}
	if err := s.known(ctx, `SELECT key, id FROM tags`, s.tags); err != nil {
		return err
	}
	return dbx.InTx(ctx, s.db, func(tx *gorm.DB) error {
		for i, c := range d.categories {
			if err := once(s.categories, c.Key, func() (int64, error) { return taxonomy.CreateCategory(ctx, tx, c.Key, i+1, c.Label) }); err != nil {
				return err
			}
		}
		for _, t := range d.tags {
			if err := once(s.tags, t.Key, func() (int64, error) { return taxonomy.CreateTag(ctx, tx, t.Key, t.Label) }); err != nil {
				return err
			}
		}
		return nil
	})
}

func (s *seeder) fillPeople(ctx context.Context, d *demo) error {
	byEmail := map[string]int64{}
	if err := s.known(ctx, `SELECT lower(email) AS key, id FROM users`, byEmail); err != nil {
		return err
	}
	hashes := map[string]string{"": ""} // the demo accounts share a password; hashing it once is enough
	return dbx.InTx(ctx, s.db, func(tx *gorm.DB) error {
		for _, p := range d.people {
			id, err := s.fillPerson(ctx, tx, p, byEmail, hashes)
			if err != nil {
				return err
			}
			s.people[p.Key] = id
		}
		return nil
	})
}

func (s *seeder) fillPerson(ctx context.Context, tx *gorm.DB, p person, byEmail map[string]int64, hashes map[string]string) (int64, error) {
	if id, ok := byEmail[p.Email]; ok {
		return id, nil
	}
	hash, ok := hashes[p.Password]
	if !ok {
		var err error
		if hash, err = sessions.HashPassword(ctx, p.Password); err != nil {
			return 0, err
		}
		hashes[p.Password] = hash
	}
	image, err := s.pictures.put(ctx, "avatars", p.Avatar)
	if err != nil {
		return 0, err
	}
	n := profiles.New{Email: p.Email, PasswordHash: hash, FirstName: p.FirstName, LastName: p.LastName, Language: p.Language,
		ShortDescription: p.ShortDescription, Image: image, Verified: p.Verified, Scope: p.Scope, Skills: p.Skills}
	for _, l := range p.Links {
		n.Links = append(n.Links, profiles.Link{URL: l.URL, Title: l.Title})
	}
	return profiles.Create(ctx, tx, n, s.now)
}

// known reads what is there already into ids by key.
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

// once makes what has no id yet.
func once(ids map[string]int64, key string, create func() (int64, error)) error {
	if _, ok := ids[key]; ok {
		return nil
	}
	id, err := create()
	if err == nil {
		ids[key] = id
	}
	return err
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
