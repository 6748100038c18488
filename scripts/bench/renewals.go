//go:build unix

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"talkoot.fi/scripts/browser"
	"talkoot.fi/scripts/dataset"
	"talkoot.fi/scripts/harness"
)

const (
	// chargesAtOnce is how many months one worker charges at once.
	chargesAtOnce = 16
	// besides is how many pledges and webhooks a second come beside the renewals; somebody pays one pledge after the other
	// meanwhile.
	besides = 20.0
	// ofOneWorker is the part of the months that one worker charges before the second one comes: a tenth.
	ofOneWorker = 10
	// calmFor is how long it is watched what others feel without renewals: a p99 wants some hundred of them.
	calmFor = 90 * time.Second
	// renewalLimit bounds one measurement.
	renewalLimit = 2 * time.Hour
)

// besideRow is what others feel: how long making a pledge takes, storing a webhook, and from paying at the provider until the
// content service knows.
type besideRow struct{ pledges, webhooks, paid latencies }

func (r besideRow) String() string {
	return fmt.Sprintf("pledges %s; webhooks %s; paid %s", r.pledges.summary(), r.webhooks.summary(), r.paid.summary())
}

// renewalRows measure how many months of subscriptions that are all due at once one worker charges a minute, and two, who
// charge most of them; against what the sandbox can do at most, and with what others feel meanwhile.
func (b *bench) renewalRows(ctx context.Context) (err error) {
	campaign, err := b.supporters(ctx)
	if err != nil {
		return err
	}
	if err := b.harness.Slow(ctx, b.latency); err != nil {
		return err
	}
	ceiling, err := b.sandboxCharges(ctx, chargesAtOnce)
	if err != nil {
		return err
	}
	calm, err := b.beside(ctx, func() (bool, error) { return false, nil }, calmFor)
	if err != nil {
		return fmt.Errorf("calm: %w", err)
	}
	fmt.Fprintf(os.Stderr, "Calm: %s\n", calm)
	due, err := b.harness.MonthsFallDue(ctx, campaign, 0)
	if err != nil {
		return err
	}
	began := time.Now()
	one, err := b.renewalsUntil(ctx, campaign, due-due/ofOneWorker, "one worker", calm)
	if err != nil {
		return err
	}
	stop, err := b.harness.StartWorker(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, stop()) }()
	two, err := b.renewalsUntil(ctx, campaign, 0, "two workers", calm)
	if err != nil {
		return err
	}
	took := time.Since(began)
	if err := b.told(ctx); err != nil {
		return err
	}
	all := time.Since(began)
	paid, err := harness.Number(ctx, b.harness.Payments, `SELECT count(DISTINCT p.id) FROM subscription_periods m JOIN payments p ON p.id = m.payment_id
		WHERE p.campaign_id = $1 AND m.period = 2 AND m.status = 'paid' AND p.status = 'succeeded'`, campaign)
	if err == nil && paid != due {
		err = fmt.Errorf("%d of %d months are paid", paid, due)
	}
	if err != nil {
		return err
	}
	b.table.unrated(fmt.Sprintf("renewals, %d due at once, one worker", due), one, 60*ceiling, "months/min", fmt.Sprintf("the sandbox alone, %d at once", chargesAtOnce))
	b.table.atLeast("renewals by two workers", two, one, 1.7, "months/min", "one")
	b.table.lines = append(b.table.lines, line{"… until each backer has been told", fmt.Sprintf("%.1f s", all.Seconds()), fmt.Sprintf("%.1f s, until each is charged", took.Seconds()),
		fmt.Sprintf("%.2f", all.Seconds()/took.Seconds()), "–", "–"})
	// At rest for whoever measures next; the pledges beside would lapse meanwhile.
	return errors.Join(b.harness.ExpireHolds(ctx), b.harness.AwaitIdle(ctx, renewalLimit, func(context.Context) error { return nil }), b.harness.Slow(ctx, 0))
}

// renewalsUntil measures the renewals until so many are left, and what others feel meanwhile.
func (b *bench) renewalsUntil(ctx context.Context, campaign, enough int64, name string, calm besideRow) (perMinute float64, err error) {
	left := func() (int64, error) {
		return harness.Number(ctx, b.harness.Payments, `SELECT count(*) FROM subscriptions WHERE campaign_id = $1 AND step_at <= now() + interval '1 minute'`, campaign)
	}
	before, err := left()
	if err != nil {
		return 0, err
	}
	began, after, took := time.Now(), before, time.Duration(0)
	look := began // the next: counting 50,000 is felt, and nobody charges more than a hundred a second
	felt, err := b.beside(ctx, func() (bool, error) {
		if time.Now().Before(look) {
			return true, nil
		}
		now, err := left()
		after, took = now, time.Since(began)
		look = time.Now().Add(min(30*time.Second, time.Duration(now-enough)*time.Second/100))
		return err == nil && now > enough, err
	}, lastSecond)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", name, err)
	}
	perMinute = float64(before-after) / took.Minutes()
	fmt.Fprintf(os.Stderr, "%s: %d months in %s, %.0f a minute; %s\n", name, before-after, took.Round(time.Second), perMinute, felt)
	for _, one := range []struct {
		what       string
		felt, calm latencies
	}{{"p99 of making a pledge", felt.pledges, calm.pledges}, {"p99 of storing a webhook", felt.webhooks, calm.webhooks},
		{"p99 from paying a pledge to its receipt", felt.paid, calm.paid}} {
		b.table.slower(fmt.Sprintf("%s beside renewals by %s", one.what, name), one.felt.at(0.99), one.calm.at(0.99), 1.5, "calm")
	}
	return perMinute, nil
}

// told waits until no event is on its way to the content service, and no mail to a backer.
func (b *bench) told(ctx context.Context) error {
	for {
		events, err := harness.Number(ctx, b.harness.Payments, `SELECT count(*) FROM outbox WHERE done_at IS NULL`)
		if err != nil {
			return err
		}
		mails, err := harness.Number(ctx, b.harness.Content, `SELECT count(*) FROM outbox WHERE done_at IS NULL AND kind LIKE 'mail.%'`)
		if err != nil || events+mails == 0 {
			return err
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(lastSecond / 10):
		}
	}
}

// supporters makes one supporter, and as many copies as there are to be renewed: with the same card, which the provider
// charges for each.
func (b *bench) supporters(ctx context.Context) (campaign int64, err error) {
	made, err := b.harness.AddCampaign(ctx, dataset.Campaign{Title: "Kuukausittain", IsMonthly: true, Rewards: []dataset.Reward{{Title: "Ystävä", Euros: 5}}})
	if err != nil {
		return 0, err
	}
	v := &browser.Visitor{Site: b.harness.Site}
	id, err := v.Support(ctx, made.ID, "first supporter", browser.NewSupport{Amount: "5", RewardID: &made.Rewards[0], Email: "aino@posti.example", FirstName: "Aino", LastName: "Korhonen"})
	if err != nil {
		return 0, err
	}
	in, err := v.SetupMonth(ctx, id)
	if err == nil {
		_, err = v.Confirm(ctx, in, browser.GoodCard)
	}
	if err != nil {
		return 0, err
	}
	err = b.harness.AwaitIdle(ctx, time.Minute, func(ctx context.Context) error {
		active, err := harness.Number(ctx, b.harness.Content, `SELECT count(*) FROM subscriptions WHERE id = $1 AND status = 'active'`, id)
		if err == nil && active == 0 {
			err = errors.New("the first supporter has not paid")
		}
		return err
	})
	if err != nil {
		return 0, err
	}
	copied := func(table, change string) string {
		return `INSERT INTO ` + table + ` SELECT c.* FROM ` + table + ` t, generate_series(1, $2::int) n,
			jsonb_populate_record(t, ` + change + `) c WHERE t.`
	}
	const newID = `lpad(n::text, 26, '0')`
	for _, step := range []struct {
		db  string
		sql string
	}{
		{"content", copied("subscriptions", `jsonb_build_object('id', `+newID+`, 'email', 'kuu' || n || '@posti.example')`) + `id = $1`},
		{"content", copied("subscription_charges", `jsonb_build_object('subscription_id', `+newID+`, 'payment_id', 'x' || n, 'receipt_number', 'TM-2000-' || lpad(n::text, 9, '0'))`) + `subscription_id = $1`},
		{"content", `UPDATE campaign_totals SET subscriptions = subscriptions * (1 + $2), subscriptions_amount_minor = subscriptions_amount_minor * (1 + $2)
			WHERE campaign_id = (SELECT campaign_id FROM subscriptions WHERE id = $1)`},
		{"payments", copied("subscriptions", `jsonb_build_object('id', `+newID+`)`) + `id = $1`},
		{"payments", copied("payments", `jsonb_build_object('id', `+newID+`, 'subject_id', `+newID+`)`) + `subject_id = $1`},
		{"payments", copied("subscription_periods", `jsonb_build_object('subscription_id', `+newID+`, 'payment_id', `+newID+`)`) + `subscription_id = $1`},
	} {
		db := b.harness.Content
		if step.db == "payments" {
			db = b.harness.Payments
		}
		if _, err := db.Exec(ctx, step.sql, id, b.months-1); err != nil {
			return 0, fmt.Errorf("copy the supporter: %w (%.60s)", err, step.sql)
		}
	}
	for _, table := range []string{"subscriptions", "payments", "subscription_periods"} {
		if _, err := b.harness.Payments.Exec(ctx, "ANALYZE "+table); err != nil {
			return 0, err
		}
	}
	return made.ID, nil
}

// sandboxCharges is how many months a second the sandbox charges when nobody else does anything: an intent is made and
// confirmed off session, as the service does it.
func (b *bench) sandboxCharges(ctx context.Context, conns int) (float64, error) {
	var customer, card string
	err := b.harness.Payments.QueryRow(ctx, `SELECT customer_ref, card_ref FROM subscriptions WHERE card_ref <> '' LIMIT 1`).Scan(&customer, &card)
	if err != nil {
		return 0, fmt.Errorf("find a card: %w", err)
	}
	address := hostOf(b.harness.SandboxURL)
	form := func(path, body string) []byte {
		return []byte(fmt.Sprintf("POST %s HTTP/1.1\r\nHost: sandbox\r\nAuthorization: Bearer %s\r\nStripe-Version: %s\r\nIdempotency-Key: %x\r\n"+
			"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: %d\r\n\r\n%s", path, b.harness.Env["STRIPE_SECRET_KEY"], apiVersion, rand.Uint64(), len(body), body)) //nolint:gosec // a key, not a secret
	}
	length := max(b.seconds, lastSecond)
	end := time.Now().Add(length)
	got, err := parallel(ctx, address, conns, func(w *wire, _ *rand.Rand, done func(time.Duration)) error {
		for time.Now().Before(end) && ctx.Err() == nil {
			began := time.Now()
			body, err := w.do(form("/v1/payment_intents", "amount=500&currency=eur&customer="+customer+"&payment_method_types[0]=card"), true)
			if err != nil {
				return err
			}
			var intent struct{ ID string }
			if err := json.Unmarshal(body, &intent); err != nil {
				return fmt.Errorf("the sandbox's intent: %w", err)
			}
			if _, err := w.do(form("/v1/payment_intents/"+intent.ID+"/confirm", "off_session=true&payment_method="+card+"&expand[0]=latest_charge.balance_transaction"), false); err != nil {
				return err
			}
			done(time.Since(began))
		}
		return nil
	})
	if err != nil {
		return 0, fmt.Errorf("the sandbox alone: %w", err)
	}
	// Its webhooks are of nobody's payments: let them pass.
	return got.perSecond, b.harness.AwaitIdle(ctx, renewalLimit, func(context.Context) error { return nil })
}

// beside makes pledges, sends webhooks and pays pledges while go says so, and for the given time at least.
func (b *bench) beside(ctx context.Context, goes func() (bool, error), atLeast time.Duration) (felt besideRow, err error) {
	until, stop := context.WithCancel(ctx)
	defer stop()
	var all sync.WaitGroup
	var mu sync.Mutex
	add := func(into *latencies, l latencies, fault error) {
		mu.Lock()
		defer mu.Unlock()
		*into = append(*into, l...)
		err = errors.Join(err, fault)
	}
	campaigns := openCampaigns(hundred)
	for into, one := range map[*latencies]struct {
		address string
		ask     next
	}{&felt.pledges: {b.content(), pledging(campaigns, 0)}, &felt.webhooks: {hostOf(b.harness.PaymentsURL), b.otherWebhook}} {
		all.Go(func() {
			for until.Err() == nil {
				l, fault := open(ctx, one.address, 8, besides, 2*lastSecond, one.ask)
				add(into, l.latencies, fault)
				if fault != nil {
					return
				}
			}
		})
	}
	all.Go(func() {
		for until.Err() == nil {
			took, fault := b.payAndWait(ctx, campaigns[0], fmt.Sprintf("beside-%d", time.Now().UnixNano()))
			add(&felt.paid, latencies{took}, fault)
			if fault != nil {
				return
			}
		}
	})
	began, isOn := time.Now(), true
	for fault := error(nil); fault == nil && (isOn || time.Since(began) < atLeast); {
		time.Sleep(lastSecond)
		isOn, fault = goes()
		add(&felt.paid, nil, fault)
	}
	stop()
	all.Wait()
	for _, l := range []latencies{felt.pledges, felt.webhooks, felt.paid} {
		slices.Sort(l)
	}
	return felt, err
}

// payAndWait pays a pledge and waits until it has its receipt.
func (b *bench) payAndWait(ctx context.Context, campaign int, key string) (time.Duration, error) {
	v := &browser.Visitor{Site: b.harness.Site}
	reward := int64(3*(campaign-1) + 1)
	made, err := v.Pledge(ctx, int64(campaign), key, browser.NewPledge{Amount: "15", RewardID: &reward,
		Meta: browser.PledgeMeta{Email: strings.ToLower(key) + "@posti.example", FirstName: "Aino", LastName: "Korhonen"}})
	if err != nil {
		return 0, err
	}
	in, err := v.Setup(ctx, made.ID)
	if err != nil {
		return 0, err
	}
	began := time.Now()
	if _, err := v.Confirm(ctx, in, browser.GoodCard); err != nil {
		return 0, err
	}
	_, err = v.AwaitStatus(ctx, made.ID, renewalLimit, "paid")
	return time.Since(began), err
}
