package settlements

import (
	"context"
	"errors"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/payments/internal/contentclient"
	"talkoot.fi/payments/internal/payout/endings"
	"talkoot.fi/payments/internal/payout/payees"
	"talkoot.fi/payments/internal/provider"
)

// Errors of what a person asks for; test with errors.Is.
var (
	ErrNoEnding    = errors.New("the campaign has not ended, or its money is not its creator's")
	ErrNoRun       = errors.New("there is no such run")
	ErrNotThen     = errors.New("the run is in a state in which that is not done")
	ErrChanged     = errors.New("the run has changed: look at it again")
	ErrOwnProposal = errors.New("who has proposed a run does not approve it")
	ErrOwnMoney    = errors.New("whose money it is does not decide about it")
	ErrNoOperator  = errors.New("answers for money by no account: who approves is appointed (payments operator)")
	ErrMonth       = errors.New("the month is not over, or it is no month")
	ErrNoPerson    = errors.New("say who does it, and why")
)

// Provider is what is asked of a payment provider here.
type Provider interface {
	Name() string
	provider.MoneyOut
}

// Service is the domain; it is safe for concurrent use.
type Service struct {
	Options
}

// Options are the parts of a Service; all but Chunk are needed.
type Options struct {
	DB        *gorm.DB
	Providers map[string]Provider // those by which creators can be paid
	// Standing says what can still come of a campaign's payments.
	Standing func(ctx context.Context, campaignID int64) (endings.Standing, error)
	// StandingOfMonths says the same of months of support that were taken until a day.
	StandingOfMonths func(ctx context.Context, campaignID int64, until time.Time) (endings.Standing, error)
	// Fresh asks the providers about the accounts that a campaign is paid by, where nothing was heard for a while.
	Fresh func(ctx context.Context, campaignID int64) error
	// Bank is the bank account to which a creator's money is paid out from their account at a provider; none without one.
	Bank func(ctx context.Context, db *gorm.DB, provider, ref string) (payees.Bank, error)
	// Held tells whether nothing is sent to an account at a provider, because the law has its owner say first who they are.
	Held func(ctx context.Context, db *gorm.DB, provider, ref string) (bool, error)
	// Tell tells a creator in a transaction what has become of a payout to a bank account of theirs.
	Tell func(ctx context.Context, tx *gorm.DB, provider, bank string, out contentclient.PayeePayout) error
	// Off names the providers that are switched off.
	Off func(ctx context.Context, db *gorm.DB, at time.Time) ([]string, error)
	// Chunk is how many lines are booked in one transaction; 0 is 200.
	Chunk int
	Now   func() time.Time
}

// New makes a service.
func New(o Options) *Service {
	now := o.Now
	o.Now = func() time.Time { return now().UTC().Truncate(time.Microsecond) }
	if o.Chunk == 0 {
		o.Chunk = chunk
	}
	return &Service{o}
}

const (
	// twoAbove is the sum of a run, in minor units, above which two people approve it.
	twoAbove = 5000_00
	// chunk is how many lines are booked in one transaction, if nothing else is said.
	chunk = 200
	// lease is how long a worker has for a step of a run before another one takes it up.
	lease = 2 * time.Minute
	// again is when a run that waits is looked at again; afterRefusal when the provider has refused.
	again        = 10 * time.Minute
	afterRefusal = time.Hour
	afterFault   = time.Minute
	// burnedFor is how long a call of which the provider keeps a failure of its own is looked for before another key is made.
	burnedFor = 10 * time.Minute
	// payoutEvery is between two looks at a payout that is on its way, watchEvery at one that has arrived, for watchFor: a bank may send it
	// back weeks later.
	payoutEvery = time.Hour
	watchEvery  = 24 * time.Hour
	watchFor    = 60 * 24 * time.Hour
)
