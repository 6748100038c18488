//go:build unix

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"talkoot.fi/scripts/browser"
	"talkoot.fi/scripts/dataset"
	"talkoot.fi/scripts/harness"
)

// renewals is the monthly support of a drill: its second months fall due while the platform is broken.
type renewals struct {
	*load
	campaign int64
	list     []*supporter
	// What became of the months.
	renewed, refused, ended, givenBack int
	// begunCut is how many months were begun by a worker that was killed before they were paid, cut those of them whose charge had
	// begun, too.
	begunCut, cut int64
}

// supporter is one subscription, what its bank says, and what its person was told.
type supporter struct {
	*browser.Visitor
	id     string
	bank   string    // how the card behaves in the second month; "" is good
	act    string    // what its person does while the month falls due: "" for nothing
	toldAt time.Time // when that was answered; zero when it was refused or never answered
}

// Of a hundred supporters these have a bank that refuses the second month, or an act of their own.
var (
	banksSay      = map[int]string{0: "4000000000000341", 1: "4000000000000341", 2: "4000000000000341", 3: "4000000000009987", 4: "4000002760003184"}
	supportersAct = map[int]string{5: "cancel", 6: "cancel", 7: "cancel", 8: "cancel", 9: "skip", 10: "skip", 11: "skip", 12: "modify-level", 13: "modify-level"}
)

// newRenewals makes supporters who have paid their first month, and waits until the platform is at rest.
func newRenewals(ctx context.Context, l *load, number int) (*renewals, error) {
	made, err := l.harness.AddCampaign(ctx, dataset.Campaign{Title: l.run + " kuukausittain", IsMonthly: true, Rewards: []dataset.Reward{{Title: "Ystävä", Euros: 5}}})
	if err != nil {
		return nil, err
	}
	r := &renewals{load: l, campaign: made.ID, list: make([]*supporter, number)}
	var crowd sync.WaitGroup
	faults := make([]error, backersAtOnce)
	for n := range backersAtOnce {
		crowd.Go(func() {
			for i := n; i < number && faults[n] == nil; i += backersAtOnce {
				r.list[i], faults[n] = r.begin(ctx, i, made.Rewards[0])
			}
		})
	}
	crowd.Wait()
	if err := errors.Join(faults...); err != nil {
		return nil, err
	}
	err = l.harness.AwaitIdle(ctx, restLimit, func(ctx context.Context) error {
		active, err := harness.Number(ctx, l.harness.Content, `SELECT count(*) FROM subscriptions WHERE campaign_id = $1 AND status = 'active'`, made.ID)
		if err == nil && active != int64(number) {
			err = fmt.Errorf("%d of %d supporters have paid", active, number)
		}
		return err
	})
	for _, s := range r.list {
		if err == nil && s.bank != "" {
			err = l.harness.BankSays(ctx, s.id, s.bank)
		}
	}
	return r, err
}

// begin supports with 5 to 14 euros a month and pays the first one.
func (r *renewals) begin(ctx context.Context, n int, reward int64) (*supporter, error) {
	v := &browser.Visitor{Site: r.harness.Site, Address: addressOf(int64(1<<20 + n))}
	s := &supporter{Visitor: v, bank: banksSay[n%100], act: supportersAct[n%100]}
	form := browser.NewSupport{Amount: json.Number(fmt.Sprint(5 + n%10)), RewardID: &reward, Email: fmt.Sprintf("%s.kuu%d@posti.example", r.run, n),
		FirstName: "Aino", LastName: "Korhonen"}
	if s.act != "" { // who changes their support has an account
		account := browser.Account{Email: form.Email, FirstName: form.FirstName, LastName: form.LastName}
		account.Password = r.run + " kolme harmaata kiveä"
		err := browser.Retry(ctx, patience, func(ctx context.Context) error { return v.Register(ctx, account) }) // it may be busy
		if err != nil {
			return nil, err
		}
	}
	var err error
	if s.id, err = v.Support(ctx, r.campaign, fmt.Sprintf("%s-month-%d", r.run, n), form); err != nil {
		return nil, err
	}
	in, err := v.SetupMonth(ctx, s.id)
	if err == nil {
		_, err = v.Confirm(ctx, in, browser.GoodCard)
	}
	return s, err
}

// stir has the supporters do what they want, each at a random moment while the months fall due.
func (r *renewals) stir(ctx context.Context, random *rand.Rand, over time.Duration) {
	var crowd sync.WaitGroup
	for _, s := range r.list {
		if s.act == "" {
			continue
		}
		at := time.Duration(random.Int64N(int64(over)))
		crowd.Go(func() {
			if pause(ctx, at) != nil {
				return
			}
			body := map[string]any{"cancel": map[string]any{"at": "now"}, "skip": map[string]any{"period": 2}, "modify-level": map[string]any{"amount": 25}}[s.act]
			err := browser.Retry(ctx, patience, func(ctx context.Context) error { return s.Change(ctx, s.id, s.act, body) })
			if p := new(browser.Problem); err == nil {
				s.toldAt = time.Now()
			} else if !errors.As(err, &p) || p.Status != "subscription_month_gone" {
				r.noteEnd(ctx, fmt.Errorf("%s: %w", s.act, err))
			}
		})
	}
	crowd.Wait()
}

// judge compares what the provider has charged for each month with what its supporter was told.
func (r *renewals) judge(ctx context.Context) error {
	money, err := r.harness.MoneyOfPayments(ctx, r.began)
	if err != nil {
		return err
	}
	r.cut, err = harness.Number(ctx, r.harness.Payments, `SELECT count(*) FROM subscription_tries t JOIN subscriptions s ON s.id = t.subscription_id
		WHERE s.campaign_id = $1 AND t.answered_at - t.begun_at > interval '5 seconds'`, r.campaign)
	faults := []error{err}
	r.begunCut, err = harness.Number(ctx, r.harness.Payments, `SELECT count(*) FROM subscription_periods m JOIN subscriptions s ON s.id = m.subscription_id
		WHERE s.campaign_id = $1 AND m.period = 2 AND m.status = 'paid' AND m.settled_at - m.begun_at > interval '5 seconds'`, r.campaign)
	faults = append(faults, err)
	for _, s := range r.list {
		var months [2]harness.Money
		for period := range months {
			ids, err := texts(ctx, r.harness, fmt.Sprintf(`SELECT id FROM payments WHERE subject_kind = 'subscription' AND period = %d AND subject_id = ANY ($1)`, period+1), []string{s.id})
			if err != nil {
				return err
			}
			if len(ids) == 1 {
				months[period] = money[ids[0]]
			}
		}
		faults = append(faults, r.fault(s, months))
	}
	return errors.Join(faults...)
}

func (r *renewals) fault(s *supporter, months [2]harness.Money) error {
	wrong := func(why string) error { return fmt.Errorf("subscription %s (%+v): %s: %+v", s.id, *s, why, months) }
	second := months[1]
	switch {
	case months[0].Charges != 1 || months[0].Kept() == 0:
		return wrong("its first month is paid once")
	case second.Charges > 1:
		return wrong("a month is charged once")
	case s.bank != "" && second.Charges > 0:
		return wrong("its bank refuses")
	case s.bank != "":
		r.refused++
	case (s.act == "cancel" || s.act == "skip") && !s.toldAt.IsZero():
		if second.Kept() > 0 && second.At > s.toldAt.Unix()+1 {
			return wrong("nothing is charged after that")
		}
		r.ended++
		if second.Charges > 0 && second.Kept() == 0 {
			r.givenBack++
		}
	case second.Charges != 1 || second.Kept() != second.Charged:
		return wrong("its second month is charged")
	default:
		r.renewed++
	}
	return nil
}

func (r *renewals) String() string {
	return fmt.Sprintf("%d months fell due, %d were cut by a kill between their begin and their end (%d in the charge itself): %d renewed, %d refused by their bank, %d left out or ended meanwhile"+
		" (%d of them given back), none charged twice", len(r.list), r.begunCut, r.cut, r.renewed, r.refused, r.ended, r.givenBack)
}
