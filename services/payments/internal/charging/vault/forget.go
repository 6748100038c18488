package vault

import (
	"context"
	"encoding/json"
	"fmt"

	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/outbox"
)

// KindForget is the outbox message about what a provider still has and nobody here needs any more. It is written in the
// transaction that ceases to need it.
const KindForget = "provider.forget"

// LeftoverKind is what is to be forgotten.
type LeftoverKind string

// What a provider may have left.
const (
	LeftCard     LeftoverKind = "card"
	LeftCustomer LeftoverKind = "customer"
	LeftSetup    LeftoverKind = "setup"
)

// Leftover is the payload of KindForget.
type Leftover struct {
	Provider string       `json:"provider"`
	Kind     LeftoverKind `json:"kind"`
	Ref      string       `json:"ref"`
}

// ForgetLater has something forgotten at its provider, after the commit.
func ForgetLater(ctx context.Context, tx *gorm.DB, l Leftover) error {
	payload, err := json.Marshal(l)
	if err == nil {
		_, err = outbox.Add(ctx, tx, outbox.Message{Kind: KindForget, Payload: payload})
	}
	if err != nil {
		return fmt.Errorf("have a %s forgotten: %w", l.Kind, err)
	}
	return nil
}

// ForgetPaid has the payers of pledges without an account forgotten once nothing is left to pay.
func ForgetPaid(ctx context.Context, db *gorm.DB) error {
	return dbx.InTx(ctx, db, func(tx *gorm.DB) error {
		var list []Kept
		err := tx.WithContext(ctx).Raw(`DELETE FROM payers USING payments p WHERE p.status NOT IN ('created', 'requires_action', 'processing')
			AND p.subject_kind = 'pledge' AND payers.owner = 'pledge:' || p.subject_id RETURNING payers.provider, payers.ref`).Scan(&list).Error
		if err != nil {
			return fmt.Errorf("find payers that nothing needs: %w", err)
		}
		for _, p := range list {
			if p.Ref == "" { // never made
				continue
			}
			if err := ForgetLater(ctx, tx, Leftover{p.Provider, LeftCustomer, p.Ref}); err != nil {
				return err
			}
		}
		return nil
	})
}
