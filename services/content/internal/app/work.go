package app

import (
	"context"
	"log/slog"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/outbox"

	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/campaign/labels"
	"talkoot.fi/content/internal/discovery/likes"
	"talkoot.fi/content/internal/experiments"
	"talkoot.fi/content/internal/mail/letters"
	"talkoot.fi/content/internal/mail/mails"
	"talkoot.fi/content/internal/media/pictures"
	"talkoot.fi/content/internal/pledging/claims"
	"talkoot.fi/content/internal/pledging/closing"
	"talkoot.fi/content/internal/pledging/payers"
)

const (
	// relayInterval is how often the outbox is polled. It is short because a backer who gives up a payment and begins
	// another one waits until the payment service has closed the first.
	relayInterval = 250 * time.Millisecond
	// relayAlarmAfter is the number of failed deliveries after which retries become hourly, about a day. Until then they
	// come at least every five minutes: a payment can still be made until the payment service has closed it.
	relayAlarmAfter = 300
)

// RelayOptions are the parts of the relay.
type RelayOptions struct {
	DB  *gorm.DB
	Log *slog.Logger
	Now func() time.Time
	// Mails sends mails; Payments is how the payment service is called.
	Mails    *mails.Sender
	Payments closing.ClientConfig
	// RemovePicture deletes a stored picture.
	RemovePicture func(ctx context.Context, name string) error
	// Concurrency is the number of deliveries at once; 0 takes the outbox's default.
	Concurrency int
}

// NewRelay makes the relay of everything that the service puts into its outbox. Errors: those of closing.NewClient.
func NewRelay(o RelayOptions) (*outbox.Relay, error) {
	payments, err := closing.NewClient(o.Payments)
	if err != nil {
		return nil, err
	}
	handlers := o.Mails.Handlers()
	handlers[likes.KindCount] = likes.Counter(o.DB, campaigns.Likes(), experiments.Likes())
	handlers[likes.KindWithdraw] = likes.Withdrawer(o.DB, campaigns.Likes(), experiments.Likes())
	handlers[pictures.KindRemove] = pictures.Remover(o.DB, o.RemovePicture)
	handlers[labels.KindBatch] = labels.Work(o.DB)
	handlers[letters.KindBatch] = letters.WriteBatch(o.DB, o.Now)
	handlers[closing.Kind], handlers[closing.KindHold] = closing.NewSender(payments).Handle, closing.NewSender(payments).HandleHold
	handlers[closing.KindAccounts], handlers[closing.KindEnding] = closing.SendAccounts(o.DB, payments), closing.SendEnding(o.DB, payments)
	handlers[claims.KindRefund] = claims.SendRefund(o.DB, payments)
	handlers[payers.KindMerge], handlers[payers.KindErase] = payers.NewSender(payments).Handle, payers.NewSender(payments).Handle
	return outbox.NewRelay(outbox.Config{DB: o.DB, Handlers: handlers, Now: o.Now, Log: o.Log, Interval: relayInterval,
		Concurrency: o.Concurrency, Timeout: mails.DeliveryTimeout, AlarmAfter: relayAlarmAfter})
}
