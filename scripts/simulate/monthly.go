package simulate

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	content "talkoot.fi/content/inproc"
)

const (
	// actsAYear is how many operations a year of monthly support has.
	actsAYear = 45
	// mostSupporters is how many subscriptions live at once, and mostBegun how many begin a year.
	mostSupporters, mostBegun = 4, 3
	members                   = 2
	membersPassword           = "talkoot simulation" //nolint:gosec // of made-up people
)

// supporting is about monthly support over years: subscriptions, their months, and whatever happens between them.
func supporting(years int) theme {
	return theme{again: fmt.Sprintf("WHAT=monthly YEARS=%d ", years), operations: years * actsAYear, kinds: monthlyKinds(), span: time.Duration(years) * 365 * 24 * time.Hour,
		alongside: []string{
			"months are charged", "months are charged", "months are charged", "cancel", "cancel at once", "skip", "pause", "resume",
			"choose a level", "change the card", "set up the month's form", "ask for the month", "drain webhooks", "relay payment events",
			"relay content's messages", "sweep", "tidy", "end support", "refund a part", "close a campaign",
		},
		openings: []string{"support", "support", "support"},
		begin:    (*simulation).beginSupporting}
}

// monthlyKinds is the table of all operations in runs about monthly support.
func monthlyKinds() []kind {
	return []kind{
		// Supporters.
		{"support", 14, (*simulation).support},
		{"begin to support", 3, (*simulation).beginSupport},
		{"set up the month's form", 8, (*simulation).setUpMonth},
		{"confirm with a good card", 8, (*simulation).confirmGood},
		{"confirm with another card", 4, (*simulation).confirmMonthly},
		{"answer a challenge", 4, (*simulation).answerChallenge},
		{"ask for the month", 3, (*simulation).askMonth},
		{"skip", 6, (*simulation).skip},
		{"pause", 6, (*simulation).pauseSupport},
		{"resume", 5, (*simulation).resume},
		{"choose a level", 9, (*simulation).chooseLevel},
		{"wish for notices", 2, (*simulation).wishNotices},
		{"change the card", 8, (*simulation).changeCard},
		{"cancel", 2, (*simulation).cancelSupport},
		{"cancel at once", 2, (*simulation).cancelAtOnce},
		// Banks.
		{"a bank changes its mind", 22, (*simulation).bankSays},
		{"a card is renewed", 4, (*simulation).renewCard},
		{"open a dispute", 4, (*simulation).openDispute},
		{"decide a dispute", 3, (*simulation).decideDispute},
		// Signals and workers. Between the operations the workers do what is due, and webhooks arrive.
		{"lose a webhook", 3, (*simulation).loseWebhook},
		{"webhooks are lost", 8, (*simulation).loseWebhooks},
		{"double a webhook", 3, (*simulation).doubleWebhook},
		{"deliver any webhook", 3, (*simulation).deliverAny},
		{"months are charged", 4, (*simulation).chargeMonths},
		{"drain webhooks", 2, (*simulation).drain},
		{"relay payment events", 2, (*simulation).relayPayments},
		{"relay content's messages", 1, (*simulation).relayContent},
		{"tidy", 1, (*simulation).tidy},
		{"sweep", 1, (*simulation).sweep},
		{"end support", 1, (*simulation).endSupport},
		// Operators and editors.
		{"refund", 3, (*simulation).refund},
		{"refund a part", 4, (*simulation).refundPart},
		{"repeat a failed refund", 2, (*simulation).repeatRefund},
		{"refund at the provider", 1, (*simulation).refundAtProvider},
		{"close a campaign", 1, (*simulation).closeCampaign},
		{"block a member", 1, (*simulation).blockMember},
		// Faults.
		{"a clock goes wrong", 4, (*simulation).skewOneClock},
		{"a call to the provider fails", 14, (*simulation).failMonthlyCall},
		{"the provider is away for days", 4, (*simulation).providerAway},
		{"a host is away for days", 4, (*simulation).hostAway},
		{"payments dies", 24, (*simulation).killPayments},
		{"content dies", 10, (*simulation).killContent},
		{atOnce, 26, nil},
	}
}

// supporter is one subscription as its backer and their bank know it.
type supporter struct {
	id     string
	member int       // who has it; guest for who began it without a session
	ended  time.Time // when a call that ends it at once was answered; zero before
	cards  []keptCard
}

// keptCard is the card that a subscription has from a moment on.
type keptCard struct {
	from time.Time
	ref  string
}

// bankWord is how a card behaves from a moment on.
type bankWord struct {
	from      time.Time
	number    string
	expYear   int
	expMonth  time.Month
	isRenewed bool // and what was said of the old one does not count any more
}

// beginSupporting makes two monthly campaigns and people with an account, of whom one supports without signing in and has
// confirmed their address.
func (sim *simulation) beginSupporting(ctx context.Context) error {
	sim.banks = map[string][]bankWord{}
	for range 2 {
		if err := sim.openMonthly(ctx); err != nil {
			return err
		}
	}
	for n := range members + 1 {
		if status := sim.ask(ctx, sim.content, http.MethodPost, "/users/", map[string]any{"email": memberAddress(n),
			"password": membersPassword, "first_name": "Jäsen", "last_name": "Testinen"}, nil); status != http.StatusCreated {
			return fmt.Errorf("register a member: %d", status)
		}
	}
	// As the link of a mail does, which nobody reads here.
	_, err := query[int64](ctx, sim.runner.content, `UPDATE users SET verified = true WHERE email = $1 RETURNING id`, memberAddress(guest))
	return err
}

// guest is the member who never signs in to support, only to change what was begun with their address.
const guest = 0

func memberAddress(member int) string { return fmt.Sprintf("member%d@example.com", member) }

// openMonthly makes a monthly campaign. When the content service dies in it, it is begun anew.
func (sim *simulation) openMonthly(ctx context.Context) error {
	for {
		sim.keys++
		spec := content.CampaignSpec{
			Slug: fmt.Sprintf("kuukausi-%d", sim.keys), FirstDay: sim.clock.peek(), LastDay: sim.clock.peek().AddDate(0, 0, 30),
			IsMonthly: true, Rewards: []content.RewardSpec{{AmountMinor: 5_00}, {AmountMinor: 20_00}},
		}
		var made content.Campaign
		err := sim.content.do(func(p *process) (err error) {
			made, err = p.content.NewCampaign(ctx, spec)
			return err
		})
		switch {
		case err == nil:
			sim.campaigns = append(sim.campaigns, made)
			return nil
		case !errors.Is(err, errCrashed) && !errors.Is(err, errDown):
			return fmt.Errorf("make a campaign: %w", err)
		}
		if err := sim.content.restart(ctx); err != nil {
			return err
		}
	}
}
