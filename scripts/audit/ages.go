package audit

import (
	"time"

	"github.com/jackc/pgx/v5"
)

// How long things may take.
const (
	// clockSlack is how far the clocks of hosts and of the provider may be apart.
	clockSlack = 15 * time.Minute
	// lapseGrace is how long a pledge or payment may stay open past its deadline: a payment closes five minutes after
	// its pledge's reservation, and only once its attempts are canceled at the provider.
	lapseGrace = time.Hour
	// bankGrace is how long a bank may have a payment in processing: direct debits take up to two weeks.
	bankGrace = 14 * 24 * time.Hour
	// refundGrace is how long a bank may have a refund pending: cards take ten working days, slow methods a month.
	refundGrace = 30 * 24 * time.Hour
	// dayGrace is the longest time between two runs of a daily job: a day, and two hours to finish. No next check of
	// anything is scheduled later than that.
	dayGrace = 26 * time.Hour
	// unprovenLife is how long a card is offered that was kept and has not paid: its provider ends it a day after it was registered.
	unprovenLife = 24 * time.Hour
	// outboxRetention is how long the outboxes keep delivered messages.
	outboxRetention = 7 * 24 * time.Hour
)

// moments are the times that checks compare with: the named arguments of all queries.
func moments(now time.Time) pgx.NamedArgs {
	return pgx.NamedArgs{
		"ahead":        now.Add(clockSlack),
		"tomorrow":     now.Add(dayGrace),
		"lapsed":       now.Add(-lapseGrace),
		"yesterday":    now.Add(-dayGrace),
		"weekAgo":      now.Add(-outboxRetention),
		"bankAgo":      now.Add(-bankGrace),
		"refundAgo":    now.Add(-refundGrace),
		"unproven":     now.Add(clockSlack - unprovenLife),
		"twoMonthsAgo": now.AddDate(0, -2, 0),
		"slack":        clockSlack.Seconds(),
	}
}
