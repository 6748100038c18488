package taxonomy

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"golang.org/x/text/unicode/norm"
	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/ids"

	"talkoot.fi/content/internal/languages"
	"talkoot.fi/content/internal/writing/changes"
	"talkoot.fi/content/internal/writing/richtext"
)

// ErrUnknown is a category or tag that is not there.
var ErrUnknown = apperr.New(apperr.NotFound)

// Labels are the names of a category or tag, by language.
type Labels map[string]string

// Kind is categories or tags: each has a table of its own and one of labels.
type Kind struct{ name, table, texts, column string }

// The two kinds.
var (
	OfCategories = Kind{"category", "categories", "category_texts", "category_id"}
	OfTags       = Kind{"tag", "tags", "tag_texts", "tag_id"}
)

func (k Kind) entity(id int64) changes.Entity {
	return changes.Entity{Name: k.name, Table: k.table, ID: id}
}

// Edit is who changes which category or tag, and when.
type Edit struct {
	ID int64
	// Known is the version that was seen, 0 for any.
	Known int64
	By    changes.Actor
	Now   time.Time
}

// Add makes a category, after the others, or a tag, in the caller's transaction. Error: InvalidFields for labels that
// others have, and for none.
func (k Kind) Add(ctx context.Context, tx *gorm.DB, e Edit, labels Labels) (id int64, err error) {
	// One after the other, so that no two get the same label.
	if err := k.lockLabels(ctx, tx); err != nil {
		return 0, err
	}
	wanted, err := k.check(ctx, tx, 0, labels.clean())
	if err != nil {
		return 0, err
	}
	insert := `INSERT INTO tags (key) VALUES (?) RETURNING id`
	if k == OfCategories {
		insert = `INSERT INTO categories (key, position) SELECT ?, coalesce(max(position), 0) + 1 FROM categories RETURNING id`
	}
	if err := tx.WithContext(ctx).Raw(insert, ids.New()).Scan(&id).Error; err != nil {
		return 0, fmt.Errorf("add a %s: %w", k.name, err)
	}
	if err := k.write(ctx, tx, id, nil, wanted); err != nil {
		return 0, err
	}
	return id, changes.Record(ctx, tx, "create", k.name, id, e.By, nil, noted(wanted), e.Now)
}

// Rename changes labels in the caller's transaction, and reports whether any has changed: a language that is left out
// keeps its label, an empty label is taken away. Errors: ErrUnknown; ChangedMeanwhile; InvalidFields as of Add.
func (k Kind) Rename(ctx context.Context, tx *gorm.DB, e Edit, labels Labels) (changed bool, err error) {
	if err := k.lockLabels(ctx, tx); err != nil {
		return false, err
	}
	before, c, err := k.lock(ctx, tx, e, changes.ForNoKeyUpdate)
	if err != nil {
		return false, err
	}
	wanted := maps.Clone(before)
	maps.Copy(wanted, labels.clean())
	if wanted, err = k.check(ctx, tx, e.ID, wanted); err != nil {
		return false, err
	}
	for _, language := range languages.All {
		if before[language] != wanted[language] {
			c.Note("labels."+language, before[language], wanted[language])
		}
	}
	if !c.Any() {
		return false, nil
	}
	if err := k.write(ctx, tx, e.ID, before, wanted); err != nil {
		return false, err
	}
	return true, c.Save(ctx, tx, "rename", e.By, e.Now)
}

// lockLabels makes changes of labels come one after the other, until the transaction ends.
func (k Kind) lockLabels(ctx context.Context, tx *gorm.DB) error {
	err := tx.WithContext(ctx).Exec(`SELECT pg_advisory_xact_lock(hashtext(?))`, "taxonomy."+k.texts).Error
	if err != nil {
		return fmt.Errorf("hold the labels of %s: %w", k.table, err)
	}
	return nil
}

// lock locks a category or tag and reads its labels. Errors: ErrUnknown; ChangedMeanwhile.
func (k Kind) lock(ctx context.Context, tx *gorm.DB, e Edit, strength string) (Labels, *changes.Change, error) {
	var c *changes.Change
	var err error
	if k == OfTags {
		_, c, err = changes.LockKnown[tag](ctx, tx.Where("NOT retired"), e.ID, e.Known, strength)
	} else {
		_, c, err = changes.LockKnown[category](ctx, tx, e.ID, e.Known, strength)
	}
	if err != nil {
		return nil, nil, err
	}
	var texts []struct{ Language, Label string }
	err = tx.WithContext(ctx).Raw(`SELECT language, label FROM `+k.texts+` WHERE `+k.column+` = ?`, e.ID).Scan(&texts).Error
	if err != nil {
		return nil, nil, fmt.Errorf("read the labels of %s %d: %w", k.name, e.ID, err)
	}
	labels := Labels{}
	for _, text := range texts {
		labels[text.Language] = text.Label
	}
	return labels, c, nil
}

// check is the labels without empty ones. Error: InvalidFields when none is left, and for those that others have.
func (k Kind) check(ctx context.Context, tx *gorm.DB, id int64, labels Labels) (Labels, error) {
	wanted := Labels{}
	faults := apperr.New(apperr.InvalidFields)
	for _, language := range languages.All {
		label := labels[language]
		if label == "" {
			continue
		}
		wanted[language] = label
		var isTaken bool
		err := tx.WithContext(ctx).Raw(`SELECT EXISTS (SELECT FROM `+k.texts+` WHERE language = ? AND lower(label) = lower(?) AND `+k.column+` <> ?)`,
			language, label, id).Scan(&isTaken).Error
		if err != nil {
			return nil, fmt.Errorf("look for the label of a %s: %w", k.name, err)
		}
		if isTaken {
			faults = faults.WithField("labels."+language, apperr.RuleLabelTaken)
		}
	}
	if len(wanted) == 0 {
		faults = faults.WithField("labels."+languages.All[0], apperr.RuleRequired)
	}
	return wanted, faults.OrNil()
}

func (k Kind) write(ctx context.Context, tx *gorm.DB, id int64, before, wanted Labels) error {
	for _, language := range languages.All {
		var err error
		switch label := wanted[language]; label {
		case before[language]:
		case "":
			err = tx.WithContext(ctx).Exec(`DELETE FROM `+k.texts+` WHERE `+k.column+` = ? AND language = ?`, id, language).Error
		default:
			err = tx.WithContext(ctx).Exec(`INSERT INTO `+k.texts+` (`+k.column+`, language, label) VALUES (?, ?, ?)
				ON CONFLICT (`+k.column+`, language) DO UPDATE SET label = excluded.label`, id, language, label).Error
		}
		if err != nil {
			return fmt.Errorf("label %s %d: %w", k.name, id, err)
		}
	}
	return nil
}

// clean is the labels on one line each, without what nobody sees; an ä is one character, however it was typed, so that
// labels which look the same are the same.
func (l Labels) clean() Labels {
	cleaned := Labels{}
	for language, label := range l {
		cleaned[language] = richtext.Line(norm.NFC.String(label))
	}
	return cleaned
}

// noted is labels as the audit trail has them.
func noted(labels Labels) map[string]any {
	fields := map[string]any{}
	for language, label := range labels {
		fields["labels."+language] = label
	}
	return fields
}

// Order puts the categories in another order, in the caller's transaction; seen is the one that it was made from.
// Errors: ChangedMeanwhile when they are in another order by now, or others have been added or removed; InvalidFields
// unless all of them are named, each once.
func Order(ctx context.Context, tx *gorm.DB, e Edit, seen, wanted []int64) error {
	if err := OfCategories.lockLabels(ctx, tx); err != nil {
		return err
	}
	var before []int64
	if err := tx.WithContext(ctx).Raw(`SELECT id FROM categories ORDER BY position, id FOR NO KEY UPDATE`).Scan(&before).Error; err != nil {
		return fmt.Errorf("read the order of categories: %w", err)
	}
	if slices.Equal(before, wanted) { // sent again
		return nil
	}
	if !slices.Equal(before, seen) {
		return apperr.New(apperr.ChangedMeanwhile).WithField("categories", apperr.RuleChangedMeanwhile)
	}
	if !slices.Equal(slices.Sorted(slices.Values(before)), slices.Sorted(slices.Values(wanted))) {
		return apperr.New(apperr.InvalidFields).WithField("categories", apperr.RuleOneOf)
	}
	for i, id := range wanted {
		err := tx.WithContext(ctx).Exec(`UPDATE categories SET position = ? WHERE id = ? AND position <> ?`, i+1, id, i+1).Error
		if err != nil {
			return fmt.Errorf("order category %d: %w", id, err)
		}
	}
	return changes.Record(ctx, tx, "order", "category", 0, e.By, map[string]any{"order": before},
		map[string]any{"order": wanted}, e.Now)
}

// ErrInUse refuses to remove a category that campaigns have.
var ErrInUse = apperr.New(apperr.CategoryInUse)

// DeleteCategory removes a category that no campaign has, in the caller's transaction. Errors: ErrUnknown;
// ChangedMeanwhile; ErrInUse.
func DeleteCategory(ctx context.Context, tx *gorm.DB, e Edit) error {
	before, _, err := OfCategories.lock(ctx, tx, e, changes.ForUpdate) // campaigns that take it meanwhile come before or after
	if err != nil {
		return err
	}
	var isUsed bool
	err = tx.WithContext(ctx).Raw(`SELECT EXISTS (SELECT FROM campaign_categories WHERE category_id = ?)`, e.ID).Scan(&isUsed).Error
	if err != nil {
		return fmt.Errorf("look for campaigns of category %d: %w", e.ID, err)
	}
	if isUsed {
		return ErrInUse
	}
	if err := changes.Record(ctx, tx, "delete", "category", e.ID, e.By, noted(before), struct{}{}, e.Now); err != nil {
		return err
	}
	if err := tx.WithContext(ctx).Exec(`DELETE FROM categories WHERE id = ?`, e.ID).Error; err != nil {
		return fmt.Errorf("delete category %d: %w", e.ID, err)
	}
	return nil
}
