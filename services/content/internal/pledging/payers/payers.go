// Package payers tells the payment service what becomes of the people who pay: an account was merged into another one, or erased.
//
// It owns the shape and the delivery of these messages. Invariants: a message is written in the transaction that merges or erases the
// account; all are delivered in the order in which they were written, each at least once, until the payment service has accepted it.
package payers

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/outbox"

	"talkoot.fi/content/internal/paymentsclient"
)

// Kinds of our messages in the outbox.
const (
	KindMerge = "payer.merge"
	KindErase = "payer.erase"
)

// stream has every message delivered after those before it: who is erased may have taken another account in.
const stream = "payers"

// erasure is the payload of KindErase.
type erasure struct {
	UserID int64 `json:"user_id"`
}

// mostIDs is how many ids one message has, as the contract allows.
const mostIDs = 500

// Merge tells, in the caller's transaction, that what one account pays for is another one's from now on: its pledges and
// subscriptions, by their ids, and its spending limits.
func Merge(ctx context.Context, tx *gorm.DB, from, into int64, ids []string, now time.Time) error {
	for first := true; first || len(ids) > 0; first = false {
		some := slices.Concat([]string{}, ids[:min(mostIDs, len(ids))]) // an empty list is not null
		ids = ids[len(some):]
		merge := paymentsclient.PayerMerge{FromUserID: from, IntoUserID: into, SubjectIds: some, MergedAt: now}
		if err := add(ctx, tx, KindMerge, merge); err != nil {
			return err
		}
	}
	return nil
}

// Erase tells, in the caller's transaction, that an account is erased.
func Erase(ctx context.Context, tx *gorm.DB, userID int64) error {
	return add(ctx, tx, KindErase, erasure{userID})
}

func add(ctx context.Context, tx *gorm.DB, kind string, message any) error {
	payload, err := json.Marshal(message)
	if err == nil {
		_, err = outbox.Add(ctx, tx, outbox.Message{Kind: kind, Stream: stream, Payload: payload})
	}
	if err != nil {
		return fmt.Errorf("tell of a payer: %w", err)
	}
	return nil
}

// Sender delivers the messages; its Handle is the outbox's handler of both kinds.
type Sender struct{ payments *paymentsclient.Client }

// NewSender makes a sender; payments calls the payment service with a service token (closing.NewClient).
func NewSender(payments *paymentsclient.Client) *Sender { return &Sender{payments: payments} }

// Handle sends one message. It may be repeated.
func (s *Sender) Handle(ctx context.Context, m outbox.Message) (err error) {
	var response *http.Response
	if m.Kind == KindMerge {
		var merge paymentsclient.PayerMerge
		if err := json.Unmarshal(m.Payload, &merge); err != nil {
			return fmt.Errorf("decode message %d: %w", m.ID, err)
		}
		if merge.SubjectIds == nil { // written before it had them
			merge.SubjectIds = []string{}
		}
		response, err = s.payments.MergePayers(ctx, merge)
	} else {
		var who erasure
		if err := json.Unmarshal(m.Payload, &who); err != nil {
			return fmt.Errorf("decode message %d: %w", m.ID, err)
		}
		response, err = s.payments.ErasePayer(ctx, who.UserID)
	}
	if err != nil {
		return fmt.Errorf("tell of a payer: %w", err)
	}
	defer func() { err = errors.Join(err, response.Body.Close()) }()
	if response.StatusCode != http.StatusNoContent {
		return fmt.Errorf("tell of a payer: the payment service answered %d", response.StatusCode)
	}
	return nil
}
