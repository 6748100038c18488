// Package taxonomy is the categories and tags of campaigns and experiments.
//
// It owns the tables categories, category_texts, tags and tag_texts. Which campaigns and experiments have them is
// stored by those domains, and previews of campaigns contain the labels; what follows from a change there is package
// labels'.
//
// Invariants: a label is no other's in its language, in whatever case; whatever is shown has one in some language. A tag
// that is retired has none, and so is nowhere shown or offered.
package taxonomy

import (
	"context"
	"fmt"

	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"

	"talkoot.fi/content/internal/writing/changes"
)

// New is a category or a tag to be made.
type New struct {
	Key      string            // its own among categories, or among tags
	Position int               // of a category, the lowest first
	Labels   map[string]string // by language: fi, en, sv
}

type category struct {
	ID       int64
	Version  int64 `gorm:"->"` // written by package changes
	Key      string
	Position int
}

// TableName is GORM's.
func (category) TableName() string { return "categories" }

// Versioned is changes.Row.
func (c category) Versioned() (changes.Entity, int64) { return OfCategories.entity(c.ID), c.Version }

type categoryText struct {
	CategoryID      int64
	Language, Label string
}

// TableName is GORM's.
func (categoryText) TableName() string { return "category_texts" }

type tag struct {
	ID      int64
	Version int64 `gorm:"->"` // written by package changes
	Key     string
}

// TableName is GORM's.
func (tag) TableName() string { return "tags" }

// Versioned is changes.Row.
func (t tag) Versioned() (changes.Entity, int64) { return OfTags.entity(t.ID), t.Version }

type tagText struct {
	TagID           int64
	Language, Label string
}

// TableName is GORM's.
func (tagText) TableName() string { return "tag_texts" }

// CreateCategories adds categories in the caller's transaction and returns their ids in the same order. A key that
// exists is an error.
func CreateCategories(ctx context.Context, tx *gorm.DB, list []New) (ids []int64, err error) {
	rows := make([]category, len(list))
	for i, n := range list {
		rows[i] = category{Key: n.Key, Position: n.Position}
	}
	if err := dbx.CreateAll(tx.WithContext(ctx), rows); err != nil {
		return nil, fmt.Errorf("create categories: %w", err)
	}
	var texts []categoryText
	for i, n := range list {
		ids = append(ids, rows[i].ID)
		for language, label := range n.Labels {
			texts = append(texts, categoryText{rows[i].ID, language, label})
		}
	}
	if err := dbx.CreateAll(tx.WithContext(ctx), texts); err != nil {
		return nil, fmt.Errorf("label categories: %w", err)
	}
	return ids, nil
}

// CreateTags adds tags in the caller's transaction and returns their ids in the same order. A key that exists is an
// error.
func CreateTags(ctx context.Context, tx *gorm.DB, list []New) (ids []int64, err error) {
	rows := make([]tag, len(list))
	for i, n := range list {
		rows[i] = tag{Key: n.Key}
	}
	if err := dbx.CreateAll(tx.WithContext(ctx), rows); err != nil {
		return nil, fmt.Errorf("create tags: %w", err)
	}
	var texts []tagText
	for i, n := range list {
		ids = append(ids, rows[i].ID)
		for language, label := range n.Labels {
			texts = append(texts, tagText{rows[i].ID, language, label})
		}
	}
	if err := dbx.CreateAll(tx.WithContext(ctx), texts); err != nil {
		return nil, fmt.Errorf("label tags: %w", err)
	}
	return ids, nil
}

// CreateCategory is CreateCategories for one.
func CreateCategory(ctx context.Context, tx *gorm.DB, key string, position int, labels map[string]string) (id int64, err error) {
	ids, err := CreateCategories(ctx, tx, []New{{Key: key, Position: position, Labels: labels}})
	if err != nil {
		return 0, err
	}
	return ids[0], nil
}

// CreateTag is CreateTags for one.
func CreateTag(ctx context.Context, tx *gorm.DB, key string, labels map[string]string) (id int64, err error) {
	ids, err := CreateTags(ctx, tx, []New{{Key: key, Labels: labels}})
	if err != nil {
		return 0, err
	}
	return ids[0], nil
}
