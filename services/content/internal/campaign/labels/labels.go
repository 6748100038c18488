// Package labels is how staff change categories and tags: what they are called in each language, their order, and which
// tag takes the place of another. It owns no tables; the names are package taxonomy's, and who has them is stored by
// campaigns, experiments and people.
//
// The previews of campaigns contain the names. A change brings those of the first campaigns up to date in its own
// transaction, at most perBatch, and leaves the others to the worker, which takes perBatch in a transaction: so a name
// that ten thousand campaigns have holds up nobody's payment for longer than a batch takes. Everywhere else names are
// read as they are.
package labels

import (
	"context"
	"encoding/json"
	"fmt"

	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/outbox"

	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/campaign/taxonomy"
	"talkoot.fi/content/internal/discovery/searchdocs"
	"talkoot.fi/content/internal/experiments"
	"talkoot.fi/content/internal/person/people"
)

const (
	// KindBatch is the outbox message that brings the next campaigns up to date.
	KindBatch = "labels.batch"
	// perBatch is how many campaigns (experiments, people) one transaction changes.
	perBatch = 50
)

// batch is the payload of KindBatch: what has been changed, in which version, and how far its campaigns are done.
type batch struct {
	CategoryID int64 `json:"category_id,omitempty"`
	TagID      int64 `json:"tag_id,omitempty"`
	Version    int64 `json:"version"`
	After      int64 `json:"after"` // a campaign's id
	Retires    bool  `json:"retires,omitempty"`
}

// Rename changes the labels of a category or tag, in one transaction with the previews of the first campaigns. Errors:
// those of taxonomy.Kind.Rename.
func Rename(ctx context.Context, db *gorm.DB, kind taxonomy.Kind, e taxonomy.Edit, wanted taxonomy.Labels) error {
	return dbx.InTx(ctx, db, func(tx *gorm.DB) error {
		changed, err := kind.Rename(ctx, tx, e, wanted)
		if err != nil || !changed {
			return err
		}
		after, err := kind.Read(ctx, tx, e.ID)
		if err != nil {
			return err
		}
		b := batch{TagID: e.ID, Version: after.Version}
		if kind == taxonomy.OfCategories {
			b = batch{CategoryID: e.ID, Version: after.Version}
		}
		return b.relabel(ctx, tx)
	})
}

// Retire takes a tag away from everything, or puts another in its place: the first of what has it in the transaction
// itself. Errors: those of taxonomy.Retire.
func Retire(ctx context.Context, db *gorm.DB, e taxonomy.Edit, into int64) error {
	return dbx.InTx(ctx, db, func(tx *gorm.DB) error {
		if err := taxonomy.Retire(ctx, tx, e, into); err != nil {
			return err
		}
		return batch{TagID: e.ID, Retires: true}.replace(ctx, tx)
	})
}

// Work makes the outbox's handler of KindBatch. Each call is one transaction; a message that comes twice changes nothing
// the second time.
func Work(db *gorm.DB) outbox.Handler {
	return func(ctx context.Context, m outbox.Message) error {
		var b batch
		if err := json.Unmarshal(m.Payload, &b); err != nil {
			return fmt.Errorf("decode message %d: %w", m.ID, err)
		}
		return dbx.InTx(ctx, db, func(tx *gorm.DB) error {
			if b.Retires {
				return b.replace(ctx, tx)
			}
			return b.relabel(ctx, tx)
		})
	}
}

// relabel writes the previews of the next campaigns anew, and queues those after them.
func (b batch) relabel(ctx context.Context, tx *gorm.DB) error {
	ids, err := campaigns.Labelled(ctx, tx, b.CategoryID, b.TagID, b.After, perBatch)
	if err != nil {
		return err
	}
	if err := campaigns.RefreshPreviews(ctx, tx, ids...); err != nil {
		return err
	}
	if len(ids) < perBatch { // what else has the tag is few
		return searchdocs.RefreshTagged(ctx, tx, b.TagID)
	}
	b.After = ids[len(ids)-1]
	return b.add(ctx, tx)
}

// replace takes a retired tag from the next campaigns, experiments and people, and queues those after them; the tag goes
// last.
func (b batch) replace(ctx context.Context, tx *gorm.DB) error {
	into, isRetired, err := taxonomy.LockRetired(ctx, tx, b.TagID)
	if err != nil || !isRetired {
		return err
	}
	isMore := false
	for _, replaceTag := range []func(context.Context, *gorm.DB, int64, int64, int) (int, error){
		campaigns.ReplaceTag, experiments.ReplaceTag, people.ReplaceTag,
	} {
		changed, err := replaceTag(ctx, tx, b.TagID, into, perBatch)
		if err != nil {
			return err
		}
		// Not whether the batch was full: one whose row is deleted meanwhile by somebody else is not counted, and deleting
		// the tag takes it from all who are left.
		isMore = isMore || changed > 0
	}
	if !isMore {
		return taxonomy.DeleteTag(ctx, tx, b.TagID)
	}
	b.After++ // counts the batches
	return b.add(ctx, tx)
}

func (b batch) add(ctx context.Context, tx *gorm.DB) error {
	payload, err := json.Marshal(b)
	if err != nil {
		return fmt.Errorf("encode a batch: %w", err)
	}
	_, err = outbox.Add(ctx, tx, outbox.Message{Kind: KindBatch, Payload: payload,
		DedupeKey: fmt.Sprintf("labels %d %d %d %d", b.CategoryID, b.TagID, b.Version, b.After)})
	return err
}
