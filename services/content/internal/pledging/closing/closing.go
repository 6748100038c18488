// Package closing tells the payment service that nobody wants a pledge or a subscription paid any more.
//
// It owns the shape and the delivery of that message. Invariants: it is written in the transaction that releases the
// pledge, or ends pledge or subscription (its campaign was closed, its person blocked or erased), once for each; it is
// delivered at least once, until the payment service has accepted it. One that only lapses needs no message: the payment
// service knows until when it may be paid. Packages pledges and subscriptions decide when one ends, the payment service
// what becomes of its payments.
package closing

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/outbox"
	"talkoot.fi/kit/servicetoken"

	"talkoot.fi/content/internal/paymentsclient"
)

// Kind of our messages in the outbox.
const Kind = "payment.close"

const (
	// callTimeout bounds one call to the payment service.
	callTimeout = 8 * time.Second
	// maxAnswer bounds what is read of an answer, in bytes.
	maxAnswer = 64 << 10
)

// SubjectKind is what is closed.
type SubjectKind = paymentsclient.SubjectKind

// What can be closed.
const (
	Pledge       SubjectKind = paymentsclient.Pledge
	Subscription SubjectKind = paymentsclient.Subscription
)

// Reason is why it is not to be paid any more.
type Reason = paymentsclient.CloseOrderReason

// The reasons.
const (
	Released       Reason = paymentsclient.Released       // the backer gave the pledge up
	Withdrawn      Reason = paymentsclient.Withdrawn      // the backer took back what was paid, or a bank confirms
	CampaignClosed Reason = paymentsclient.CampaignClosed // an editor closed its campaign
	CampaignOnHold Reason = paymentsclient.CampaignOnHold // of what waits for its first payment
	PersonBlocked  Reason = paymentsclient.PersonBlocked  // of a subscription
	PersonErased   Reason = paymentsclient.PersonErased   // of a subscription
)

// Add puts the message about a pledge or a subscription into the outbox, in the caller's transaction, which holds its row
// locked. A second one for the same subject and reason changes nothing while the first is kept.
func Add(ctx context.Context, tx *gorm.DB, kind SubjectKind, id string, reason Reason) error {
	payload, err := json.Marshal(paymentsclient.CloseOrder{SubjectKind: kind, SubjectID: id, Reason: reason})
	if err != nil {
		return fmt.Errorf("encode the closing of a payment: %w", err)
	}
	_, err = outbox.Add(ctx, tx, outbox.Message{Kind: Kind, Stream: string(kind) + ":" + id, Payload: payload, DedupeKey: Kind + ":" + id + ":" + string(reason)})
	return err
}

// Sender delivers the messages; its Handle is the outbox's handler of Kind.
type Sender struct{ payments *paymentsclient.Client }

// NewSender makes a sender; payments calls the payment service with a service token: see NewClient.
func NewSender(payments *paymentsclient.Client) *Sender { return &Sender{payments: payments} }

// Handle sends one message. It may be repeated: the payment service answers a repetition as before.
func (s *Sender) Handle(ctx context.Context, m outbox.Message) (err error) {
	var order paymentsclient.CloseOrder
	if err := json.Unmarshal(m.Payload, &order); err != nil {
		return fmt.Errorf("decode the closing of a payment: %w", err)
	}
	response, err := s.payments.ClosePayment(ctx, order)
	if err != nil {
		return fmt.Errorf("close a payment: %w", err)
	}
	defer func() { err = errors.Join(err, response.Body.Close()) }()
	body, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer))
	if err != nil {
		return fmt.Errorf("read the answer to the closing of a payment: %w", err)
	}
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("close a payment: the payment service answered %d", response.StatusCode)
	}
	var answer paymentsclient.CloseAnswer
	if err := json.Unmarshal(body, &answer); err != nil {
		return fmt.Errorf("read the answer to the closing of a payment: %w", err)
	}
	if !answer.Status.Valid() { // another program answers at that address
		return fmt.Errorf("close a payment: %q is no answer of the payment service", answer.Status)
	}
	return nil
}

// ClientConfig is how the payment service is reached.
type ClientConfig struct {
	URL string
	// Secret is shared with the payment service, at least servicetoken.MinSecretBytes.
	Secret []byte
	Now    func() time.Time
	// Transport carries the calls; nil is Go's own.
	Transport http.RoundTripper
}

// NewClient makes the client of the payment service. Errors: a secret that is too short, a malformed URL.
func NewClient(c ClientConfig) (*paymentsclient.Client, error) {
	signer, err := servicetoken.NewSigner(c.Secret, servicetoken.Content, c.Now)
	if err != nil {
		return nil, err
	}
	if c.Transport == nil {
		c.Transport = http.DefaultTransport
	}
	caller := &http.Client{Timeout: callTimeout, Transport: servicetoken.Transport(c.Transport, signer, servicetoken.Payments)}
	client, err := paymentsclient.NewClient(c.URL, paymentsclient.WithHTTPClient(caller))
	if err != nil {
		return nil, fmt.Errorf("make the client of the payment service: %w", err)
	}
	return client, nil
}
