package app

import (
	"log/slog"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/outbox"

	"talkoot.fi/content/internal/campaigns"
	"talkoot.fi/content/internal/closing"
	"talkoot.fi/content/internal/mails"
)

const (
	// relayInterval is how long a message waits at most when nothing fails: who gives a pledge up and takes another way of
	// paying waits for the end of the first payment.
	relayInterval = 250 * time.Millisecond
	// relayAlarmAfter is about a day of failed deliveries. Until then a message is tried at least every five minutes, not
	// hourly: a payment that nobody wants can be paid until its end is taken.
	relayAlarmAfter = 300
)

// RelayOptions are what leaves the service, and how.
type RelayOptions struct {
	DB  *gorm.DB
	Log *slog.Logger
	Now func() time.Time
	// Mails delivers them; Payments calls the payment service.
	Mails    *mails.Sender
	Payments closing.ClientConfig
	// Concurrency bounds deliveries at once; 0 is the outbox's own.
	Concurrency int
}

// NewRelay makes the relay of everything that the service puts into its outbox. Errors: those of closing.NewClient.
func NewRelay(o RelayOptions) (*outbox.Relay, error) {
	payments, err := closing.NewClient(o.Payments)
	if err != nil {
		return nil, err
	}
	handlers := o.Mails.Handlers()
	handlers[campaigns.KindCountLikes] = campaigns.CountLikes(o.DB)
	handlers[closing.Kind] = closing.NewSender(payments).Handle
	return outbox.NewRelay(outbox.Config{DB: o.DB, Handlers: handlers, Now: o.Now, Log: o.Log, Interval: relayInterval,
		Concurrency: o.Concurrency, Timeout: mails.DeliveryTimeout, AlarmAfter: relayAlarmAfter})
}
