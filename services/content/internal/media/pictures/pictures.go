// Package pictures deletes stored pictures that nothing shows any more. It owns no table.
//
// Invariant: a picture is deleted only after the transaction that took it off is committed, and only if nobody else shows it.
package pictures

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"gorm.io/gorm"

	"talkoot.fi/kit/outbox"
)

// KindRemove is the outbox message that deletes a picture nobody uses any more.
const KindRemove = "pictures.remove"

// picture is the payload of KindRemove.
type picture struct {
	Name string `json:"name"`
}

// RemoveLater has the worker delete pictures, once the transaction is committed, that nothing shows then.
func RemoveLater(ctx context.Context, tx *gorm.DB, names []string) error {
	messages := []outbox.Message{}
	for _, name := range slices.Compact(slices.Sorted(slices.Values(names))) {
		if name == "" {
			continue
		}
		payload, err := json.Marshal(picture{name})
		if err != nil {
			return fmt.Errorf("encode a picture: %w", err)
		}
		messages = append(messages, outbox.Message{Kind: KindRemove, Payload: payload})
	}
	return outbox.AddAll(ctx, tx, messages)
}

// usedSQL asks whether anything shows a picture: its name is made from its content, so two people who send the same one
// share it.
const usedSQL = `SELECT EXISTS (SELECT FROM users WHERE image = @name)
	OR EXISTS (SELECT FROM campaigns WHERE @name IN (picture, creator_pic))
	OR EXISTS (SELECT FROM rewards WHERE image = @name) OR EXISTS (SELECT FROM experiments WHERE image = @name)
	OR EXISTS (SELECT FROM content_variations WHERE value = @name)
	OR EXISTS (SELECT FROM campaign_texts WHERE strpos(story_html, @name) > 0)
	OR EXISTS (SELECT FROM campaign_custom_texts WHERE strpos(html, @name) > 0)
	OR EXISTS (SELECT FROM post_texts WHERE strpos(html, @name) > 0)
	OR EXISTS (SELECT FROM experiment_texts WHERE strpos(story_html, @name) > 0)
	OR EXISTS (SELECT FROM experiment_custom_texts WHERE strpos(html, @name) > 0)`

// Remover is the outbox handler of KindRemove; remove deletes a stored picture.
func Remover(db *gorm.DB, remove func(ctx context.Context, name string) error) outbox.Handler {
	return func(ctx context.Context, m outbox.Message) error {
		var p picture
		if err := json.Unmarshal(m.Payload, &p); err != nil {
			return fmt.Errorf("decode message %d: %w", m.ID, err)
		}
		var used bool
		if err := db.WithContext(ctx).Raw(usedSQL, map[string]any{"name": p.Name}).Scan(&used).Error; err != nil {
			return fmt.Errorf("look for who shows picture %s: %w", p.Name, err)
		}
		if used {
			return nil
		}
		return remove(ctx, p.Name)
	}
}
