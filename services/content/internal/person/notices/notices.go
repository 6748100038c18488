// Package notices records changes of how somebody signs in, in the audit log, and mails them to the person: who did not
// make the change learns of it. It owns no tables.
package notices

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/outbox"

	"talkoot.fi/content/internal/writing/changes"
)

// KindMail is the outbox's kind of the mail; its payload is a Mail.
const KindMail = "mail.security"

// Event is what has changed.
type Event string

// The events, as the audit log and the texts of the mail name them.
const (
	PasswordChanged    Event = "password_changed"
	PasswordReset      Event = "password_reset" // by a mailed link
	TOTPAdded          Event = "totp_added"
	TOTPRemoved        Event = "totp_removed"
	PasskeyAdded       Event = "passkey_added"
	PasskeyRemoved     Event = "passkey_removed"
	BackupCodesMade    Event = "backup_codes_made"
	BackupCodeUsed     Event = "backup_code_used"
	CalendarFeedMade   Event = "calendar_feed_made"
	SecondStepsRemoved Event = "second_steps_removed" // all of them, by an operator
	NewDevice          Event = "new_device"           // somebody has signed in on a device that had not been used for it
)

// Mail is the payload of KindMail.
type Mail struct {
	UserID int64     `json:"user_id"`
	Event  Event     `json:"event"`
	At     time.Time `json:"at"`
}

// Person is the actor of a change that somebody makes to their own account. It has no id, which entity_id says already:
// with one the row would count against the day's history, and who has used it up could not change a stolen password.
var Person = changes.Actor{Name: "user"} //nolint:gochecknoglobals // a constant that Go cannot have

// Record writes the audit row and queues the mail, in the transaction of the change.
func Record(ctx context.Context, tx *gorm.DB, userID int64, event Event, by changes.Actor, now time.Time) error {
	if err := changes.Record(ctx, tx, string(event), "user", userID, by, nil, struct{}{}, now); err != nil {
		return err
	}
	payload, err := json.Marshal(Mail{UserID: userID, Event: event, At: now})
	if err != nil {
		return fmt.Errorf("encode the notice to user %d: %w", userID, err)
	}
	_, err = outbox.Add(ctx, tx, outbox.Message{Kind: KindMail, Payload: payload})
	return err
}

// KindErased is the outbox's kind of the mail that an account is deleted; its payload is an Erased.
const KindErased = "mail.account_erased"

// Erased is all that is left to tell somebody whose account is gone. The payload is emptied when it is sent.
type Erased struct {
	To        string         `json:"to"`
	Language  string         `json:"language"`
	FirstName string         `json:"first_name"`
	At        time.Time      `json:"at"`
	Monthly   []EndedSupport `json:"monthly"` // what ended with the account, by currency
}

// EndedSupport is monthly support that ended with an account.
type EndedSupport struct {
	Supports    int   `json:"supports"`
	AmountMinor int64 `json:"amount_minor"` // a month
}

// TellErased queues the mail, in the transaction that erases the account.
func TellErased(ctx context.Context, tx *gorm.DB, e Erased) error {
	payload, err := json.Marshal(e)
	if err != nil {
		return fmt.Errorf("encode the notice of an erased account: %w", err)
	}
	_, err = outbox.Add(ctx, tx, outbox.Message{Kind: KindErased, Payload: payload})
	return err
}
