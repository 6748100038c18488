// Package likes is how people like campaigns and experiments. It owns no tables: each kind of thing names the
// statements on its own table of likes and the total that counts them.
//
// Invariants: a person likes a thing once; a like counts from when its person has confirmed their address; the total
// changes in the transaction that changes the like.
package likes

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/outbox"
)

// KindCount is the outbox message that counts a person's likes once they have confirmed their address.
const KindCount = "likes.count"

// KindWithdraw is the outbox message that takes back all likes of a person who has erased their account.
const KindWithdraw = "likes.withdraw"

// Of is the likes of one kind of thing: SQL with the named parameters id (the thing's), user and now.
type Of struct {
	Thing string // in errors: campaign, experiment
	// Add inserts a like unless it is there, Remove deletes one and Count marks a waiting one; each returns counted
	// of the row that it changed. Add locks the person's row, so that a confirmation is committed before it, or after
	// it and counts it.
	Add, Remove, Count string
	// Read gives the columns likes, the thing's total, and waits, whether the person's like does not count yet.
	Read string
	// Waiting lists the ids of what the person's waiting likes are of.
	Waiting string
	// All lists the ids of what the person likes.
	All string
	// Total adds to the thing's total, in the transaction of the like and as its last lock. Error: the thing is not
	// there.
	Total func(ctx context.Context, tx *gorm.DB, id int64, gain int) error
}

// Result is the outcome of liking.
type Result struct {
	Likes int  // of the thing
	Waits bool // this one does not count until its person has confirmed their address
}

// Like adds a person's like in a transaction, with the total; liking twice is liking once. Errors: those of Total.
func (of Of) Like(ctx context.Context, db *gorm.DB, id, userID int64, now time.Time) (Result, error) {
	return of.set(ctx, db, of.Add, 1, map[string]any{"id": id, "user": userID, "now": now})
}

// Unlike removes a person's like in a transaction, with the total; there need not be one. Errors: those of Total.
func (of Of) Unlike(ctx context.Context, db *gorm.DB, id, userID int64) (Result, error) {
	return of.set(ctx, db, of.Remove, -1, map[string]any{"id": id, "user": userID})
}

// set runs a change of one like and adds its gain to the total: sign, if the like counts.
func (of Of) set(ctx context.Context, db *gorm.DB, change string, sign int, params map[string]any) (
	after Result, err error) {
	id, _ := params["id"].(int64)
	err = dbx.InTx(ctx, db, func(tx *gorm.DB) error {
		if err := of.change(ctx, tx, change, sign, params); err != nil {
			return err
		}
		if err := tx.Raw(of.Read, params).Scan(&after).Error; err != nil {
			return fmt.Errorf("read likes of %s %d: %w", of.Thing, id, err)
		}
		return nil
	})
	return after, err
}

func (of Of) change(ctx context.Context, tx *gorm.DB, change string, sign int, params map[string]any) error {
	id, _ := params["id"].(int64)
	var counted []bool
	if err := tx.WithContext(ctx).Raw(change, params).Scan(&counted).Error; err != nil {
		return fmt.Errorf("like %s %d: %w", of.Thing, id, err)
	}
	gain := 0
	if len(counted) > 0 && counted[0] {
		gain = sign
	}
	return of.Total(ctx, tx, id, gain)
}

// payload is that of KindCount.
type payload struct {
	UserID int64 `json:"user_id"`
}

// CountLater queues the counting of a newly verified person's likes, in the caller's transaction.
func CountLater(ctx context.Context, tx *gorm.DB, userID int64) error {
	return queue(ctx, tx, KindCount, userID)
}

// WithdrawLater queues the withdrawal of all likes of a person who erases their account, in the caller's transaction.
func WithdrawLater(ctx context.Context, tx *gorm.DB, userID int64) error {
	return queue(ctx, tx, KindWithdraw, userID)
}

func queue(ctx context.Context, tx *gorm.DB, kind string, userID int64) error {
	encoded, err := json.Marshal(payload{UserID: userID})
	if err != nil {
		return fmt.Errorf("encode likes of user %d: %w", userID, err)
	}
	_, err = outbox.Add(ctx, tx, outbox.Message{Kind: kind, Payload: encoded})
	return err
}

// Counter is the outbox handler of KindCount for all kinds of things, Withdrawer that of KindWithdraw. Each like is
// changed in its own transaction, because it locks its total; a repeat continues where the last one stopped.
func Counter(db *gorm.DB, kinds ...Of) outbox.Handler {
	return each(kinds, func(ctx context.Context, of Of, userID int64) error { return of.countWaiting(ctx, db, userID) })
}

// Withdrawer is described at Counter.
func Withdrawer(db *gorm.DB, kinds ...Of) outbox.Handler {
	return each(kinds, func(ctx context.Context, of Of, userID int64) error { return of.withdraw(ctx, db, userID) })
}

// each reads a message and runs a step for each kind of things.
func each(kinds []Of, step func(ctx context.Context, of Of, userID int64) error) outbox.Handler {
	return func(ctx context.Context, m outbox.Message) error {
		var p payload
		if err := json.Unmarshal(m.Payload, &p); err != nil {
			return fmt.Errorf("decode message %d: %w", m.ID, err)
		}
		for _, of := range kinds {
			if err := step(ctx, of, p.UserID); err != nil {
				return err
			}
		}
		return nil
	}
}

func (of Of) withdraw(ctx context.Context, db *gorm.DB, userID int64) error {
	var all []int64
	if err := db.WithContext(ctx).Raw(of.All, map[string]any{"user": userID}).Scan(&all).Error; err != nil {
		return fmt.Errorf("look for likes of user %d: %w", userID, err)
	}
	for _, id := range all {
		if _, err := of.Unlike(ctx, db, id, userID); err != nil {
			return err
		}
	}
	return nil
}

func (of Of) countWaiting(ctx context.Context, db *gorm.DB, userID int64) error {
	var waiting []int64
	err := db.WithContext(ctx).Raw(of.Waiting, map[string]any{"user": userID}).Scan(&waiting).Error
	if err != nil {
		return fmt.Errorf("look for likes of user %d: %w", userID, err)
	}
	for _, id := range waiting {
		err := dbx.InTx(ctx, db, func(tx *gorm.DB) error {
			return of.change(ctx, tx, of.Count, 1, map[string]any{"id": id, "user": userID})
		})
		if err != nil {
			return err
		}
	}
	return nil
}
