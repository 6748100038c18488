// Package blocking is what a block of a person brings with it, whoever blocks them: an admin or an operator. It owns no table.
//
// Invariant: in the transaction that blocks somebody nothing lets them act any more, all campaigns that they answer for are put on hold,
// the experiments that they have shown are shown no more, and a mail tells them so. An unblock takes none of it back: staff decide
// campaign by campaign, and people show their experiments themselves.
package blocking

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/outbox"

	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/experiments"
	"talkoot.fi/content/internal/person/capabilities"
	"talkoot.fi/content/internal/writing/changes"
)

// KindMail is the outbox's kind of the mail to who was blocked; its payload is a Mail.
const KindMail = "mail.blocked"

// Mail is the payload of KindMail.
type Mail struct {
	UserID int64  `json:"user_id"`
	Reason string `json:"reason,omitempty"` // as it was given; the command line gives none
}

// Change brings with it what follows from a block or its end, in the transaction that writes it and holds the person's row.
func Change(ctx context.Context, tx *gorm.DB, userID int64, isBlocked bool, reason string, by changes.Actor, now time.Time) error {
	if err := capabilities.End(ctx, tx, userID, "", now); err != nil || !isBlocked {
		return err
	}
	if err := campaigns.HoldAllOf(ctx, tx, userID, by, now); err != nil {
		return err
	}
	if err := experiments.HideAllOf(ctx, tx, userID, by, now); err != nil {
		return err
	}
	payload, err := json.Marshal(Mail{userID, reason})
	if err == nil {
		_, err = outbox.Add(ctx, tx, outbox.Message{Kind: KindMail, Payload: payload})
	}
	if err != nil {
		return fmt.Errorf("mail user %d that they are blocked: %w", userID, err)
	}
	return nil
}
