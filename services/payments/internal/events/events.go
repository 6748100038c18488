// Package events tells the content service what happened to payments and subscriptions.
//
// It owns the shape and the delivery of those events. Invariants: an event is written in the transaction that makes it
// true; the events of one subject arrive in their order (one outbox stream a subject) and are numbered without gaps;
// an event may arrive twice and counts once, by its id. What an outcome means for the payment is left to package
// payments, which is given to the Sender as a function.
package events

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/ids"
	"talkoot.fi/kit/jobs"
	"talkoot.fi/kit/outbox"
	"talkoot.fi/payments/internal/contentclient"
)

// Kinds of our messages in the outbox.
const (
	Kind             = "payment_event"
	SubscriptionKind = "subscription_event"
)

// Deliver asks a worker to look into the outbox now.
func Deliver() jobs.Task[struct{}] {
	return jobs.Define[struct{}]("events:deliver", jobs.Options{Queue: jobs.Critical, MaxRetry: jobs.NoRetry,
		Timeout: 5 * time.Second})
}

// Event is the contract's payment event; Add gives it its id.
type Event = contentclient.PaymentEvent

// Add writes an event into the outbox in the caller's transaction, which holds the payment's row locked.
func Add(ctx context.Context, tx *gorm.DB, e Event) error {
	e.EventID = ids.Event()
	payload, err := json.Marshal(e)
	if err != nil {
		return fmt.Errorf("encode event %s: %w", e.Type, err)
	}
	_, err = outbox.Add(ctx, tx, outbox.Message{
		Kind: Kind, Stream: string(e.SubjectKind) + ":" + e.SubjectID, Payload: payload,
		DedupeKey: fmt.Sprintf("%s:%d", e.PaymentID, e.Sequence),
	})
	return err
}

// SubscriptionEvent is the contract's; AddSubscription gives it its id.
type SubscriptionEvent = contentclient.SubscriptionEvent

// AddSubscription writes an event into the outbox in the caller's transaction, which holds the subscription's row
// locked. It is in the stream of the payment events of its months.
func AddSubscription(ctx context.Context, tx *gorm.DB, e SubscriptionEvent) error {
	e.EventID = ids.Event()
	payload, err := json.Marshal(e)
	if err != nil {
		return fmt.Errorf("encode event %s: %w", e.Cause, err)
	}
	stream := string(contentclient.Subscription) + ":" + e.SubscriptionID
	_, err = outbox.Add(ctx, tx, outbox.Message{
		Kind: SubscriptionKind, Stream: stream, Payload: payload, DedupeKey: fmt.Sprintf("%s:%d", stream, e.Sequence),
	})
	return err
}

// Outcome of an event, as the content service answers it.
type Outcome = contentclient.EventOutcomeOutcome

// Sender delivers events; its Handle is the outbox's handler of Kind.
type Sender struct {
	content  *contentclient.Client
	rejected func(ctx context.Context, paymentID string, outcome Outcome) error
}

// NewSender makes a sender. content calls the content service with a service token. rejected is called when the content
// service cannot take a success; it must be harmless when it is called again.
func NewSender(content *contentclient.Client,
	rejected func(ctx context.Context, paymentID string, outcome Outcome) error) *Sender {
	return &Sender{content: content, rejected: rejected}
}

// maxAnswer bounds what is read of an answer, in bytes.
const maxAnswer = 64 << 10

// Handle sends one event and sees to its outcome. It can be repeated at any point: the content service answers a
// repetition as before.
func (s *Sender) Handle(ctx context.Context, m outbox.Message) (err error) {
	var e Event
	if err := json.Unmarshal(m.Payload, &e); err != nil {
		return fmt.Errorf("decode event: %w", err)
	}
	response, err := s.content.PaymentEvent(ctx, e)
	if err != nil {
		return fmt.Errorf("send event %s of payment %s: %w", e.Type, e.PaymentID, err)
	}
	defer func() { err = errors.Join(err, response.Body.Close()) }()
	answer, err := outcomeOf(response)
	if err != nil {
		return fmt.Errorf("send event %s of payment %s: %w", e.Type, e.PaymentID, err)
	}
	isRejected := answer == contentclient.EventOutcomeOutcomeRewardGone ||
		answer == contentclient.EventOutcomeOutcomePledgeClosed
	if e.Type != contentclient.PaymentSucceeded || !isRejected {
		return nil
	}
	if err := s.rejected(ctx, e.PaymentID, answer); err != nil {
		return fmt.Errorf("give back payment %s (%s): %w", e.PaymentID, answer, err)
	}
	return nil
}

// HandleSubscription sends one event of a subscription; what the content service makes of it changes nothing here.
func (s *Sender) HandleSubscription(ctx context.Context, m outbox.Message) (err error) {
	var e SubscriptionEvent
	if err := json.Unmarshal(m.Payload, &e); err != nil {
		return fmt.Errorf("decode event: %w", err)
	}
	response, err := s.content.SubscriptionEvent(ctx, e)
	if err != nil {
		return fmt.Errorf("send event %s of a subscription: %w", e.Cause, err)
	}
	defer func() { err = errors.Join(err, response.Body.Close()) }()
	if _, err := outcomeOf(response); err != nil {
		return fmt.Errorf("send event %s of a subscription: %w", e.Cause, err)
	}
	return nil
}

// outcomeOf reads the content service's answer to an event.
func outcomeOf(response *http.Response) (Outcome, error) {
	body, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer))
	if err != nil {
		return "", fmt.Errorf("read the answer: %w", err)
	}
	if response.StatusCode != http.StatusOK {
		return "", fmt.Errorf("content answered %d", response.StatusCode)
	}
	var answer contentclient.EventOutcome
	if err := json.Unmarshal(body, &answer); err != nil || !answer.Outcome.Valid() {
		return "", fmt.Errorf("read the outcome: unexpected answer (%w)", err)
	}
	return answer.Outcome, nil
}

// PayeeKind is the kind of messages about creators' accounts.
const PayeeKind = "payee_event"

// AddPayee writes an event about a creator's account into the outbox in the caller's transaction, which holds its row locked; id is the
// account's, ours.
func AddPayee(ctx context.Context, tx *gorm.DB, id string, e contentclient.PayeeEvent) error {
	e.EventID = ids.Event()
	payload, err := json.Marshal(e)
	if err != nil {
		return fmt.Errorf("encode event of a creator's account: %w", err)
	}
	stream := "payee:" + id
	_, err = outbox.Add(ctx, tx, outbox.Message{Kind: PayeeKind, Stream: stream, Payload: payload, DedupeKey: fmt.Sprintf("%s:%d", stream, e.Sequence)})
	return err
}

// HandlePayee sends one event about a creator's account.
func (s *Sender) HandlePayee(ctx context.Context, m outbox.Message) (err error) {
	var e contentclient.PayeeEvent
	if err := json.Unmarshal(m.Payload, &e); err != nil {
		return fmt.Errorf("decode event: %w", err)
	}
	response, err := s.content.PayeeEvent(ctx, e)
	if err != nil {
		return fmt.Errorf("send an event of a creator's account: %w", err)
	}
	defer func() { err = errors.Join(err, response.Body.Close()) }()
	if _, err := outcomeOf(response); err != nil {
		return fmt.Errorf("send an event of a creator's account: %w", err)
	}
	return nil
}
