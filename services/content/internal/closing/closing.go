// Package closing tells the payment service that nobody wants a pledge paid any more.
//
// It owns the shape and the delivery of that message. Invariants: it is written in the transaction that releases the
// pledge, or ends it because its campaign was closed, once for each pledge; it is delivered at least once, until the
// payment service has accepted it. A pledge that only lapses needs no message: the payment service knows when its
// reservation ends. Package pledges decides when a pledge ends, the payment service what becomes of its payment.
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

// Reason is why the pledge is not to be paid any more.
type Reason = paymentsclient.CloseOrderReason

// The reasons.
const (
	Released       Reason = paymentsclient.Released       // the backer gave the pledge up
	CampaignClosed Reason = paymentsclient.CampaignClosed // an editor closed its campaign
)

// Add puts the message about a pledge into the outbox, in the caller's transaction, which holds the pledge's row locked.
// A second one for the same pledge changes nothing while the first is kept.
func Add(ctx context.Context, tx *gorm.DB, pledgeID string, reason Reason) error {
	payload, err := json.Marshal(paymentsclient.CloseOrder{SubjectKind: paymentsclient.Pledge, SubjectID: pledgeID, Reason: reason})
	if err != nil {
		return fmt.Errorf("encode the closing of a payment: %w", err)
	}
	_, err = outbox.Add(ctx, tx, outbox.Message{Kind: Kind, Stream: "pledge:" + pledgeID, Payload: payload, DedupeKey: Kind + ":" + pledgeID})
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
