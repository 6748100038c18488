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

	"talkoot.fi/kit/servicetoken"
)

// hotOf is how many payments are told in each measurement of a hot campaign.
const hotOf = 1000

// hotCampaign measures how many payments of one campaign the content service can take in a second: each locks the campaign's totals until
// it is committed, so that they wait for each other. Beside it those of a hundred campaigns, which do not.
func (z *sizing) hotCampaign(ctx context.Context) error {
	// The mails that come of it would be sent meanwhile.
	if err := z.Proc("content-work").Stop(ctx); err != nil {
		return err
	}
	many := openCampaigns(hundred)
	fmt.Println("| payments told to content, 20 at once | a second | p50 of one | cores in use: content | PostgreSQL |\n" +
		"| --- | ---: | ---: | ---: | ---: |")
	for range halves {
		for _, one := range []struct {
			name      string
			campaigns []int
			conns     int
		}{{"of one campaign", many[:1], poolSize}, {"of a hundred campaigns", many, poolSize}, {"of one campaign, one after the other", many[:1], 1}} {
			if err := z.tellPayments(ctx, one.name, one.campaigns, one.conns); err != nil {
				return fmt.Errorf("payments %s: %w", one.name, err)
			}
		}
	}
	fmt.Println()
	return nil
}

// tellPayments makes pledges, and has the content service told that each is paid.
func (z *sizing) tellPayments(ctx context.Context, name string, campaigns []int, conns int) error {
	made, err := z.manyPledges(ctx, campaigns, hotOf/max(1, poolSize/conns/2))
	if err != nil {
		return err
	}
	signer, err := servicetoken.NewSigner([]byte(z.Env["SERVICE_SECRET"]), servicetoken.Payments, time.Now)
	if err != nil {
		return err
	}
	before, err := z.read(ctx)
	if err != nil {
		return err
	}
	l, err := parallel(ctx, z.content(), conns, func(w *wire, _ *rand.Rand, done func(time.Duration)) error {
		for id := range made {
			token, err := signer.Sign(servicetoken.Content)
			if err != nil {
				return err
			}
			body := fmt.Sprintf(`{"event_id":"hot-%s","sequence":1,"type":"payment.succeeded","subject_kind":"pledge","subject_id":%q,`+
				`"payment_id":%q,"provider":"stripe",`+
				`"amount_minor":1500,"currency":"EUR","method":"Visa ···· 4242","occurred_at":%q}`, id, id, id, time.Now().UTC().Format(time.RFC3339))
			began := time.Now()
			answer, err := w.do(post("/internal/payment-events", "Authorization: Bearer "+token+"\r\n", []byte(body)), true)
			if err != nil {
				return err
			}
			done(time.Since(began))
			var outcome struct{ Outcome string }
			if err := json.Unmarshal(answer, &outcome); err != nil || outcome.Outcome != "applied" {
				return fmt.Errorf("a payment is answered %s (%w)", answer, err)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	after, err := z.read(ctx)
	if err != nil {
		return err
	}
	u := after.since(before)
	fmt.Printf("| %s | %.0f | %s | %.2f | %.2f |\n", name, l.perSecond, ms(l.latencies.at(0.5)), u.cpu[0].Seconds()/u.took.Seconds(),
		(u.postgres[0]+u.postgresRest).Seconds()/u.took.Seconds())
	return nil
}

// manyPledges makes pledges for the campaigns and gives their ids.
func (z *sizing) manyPledges(ctx context.Context, campaigns []int, left int) (<-chan string, error) {
	made := make(chan string, left)
	var mu sync.Mutex
	ask := pledging(campaigns, 0)
	_, err := parallel(ctx, z.content(), askersAtOnce, func(w *wire, random *rand.Rand, done func(time.Duration)) error {
		for {
			mu.Lock()
			left--
			isOver := left < 0
			mu.Unlock()
			if isOver {
				return nil
			}
			answer, err := w.do(ask(random), true)
			if err != nil {
				return err
			}
			var pledge struct {
				Pledge struct {
					ID string `json:"pledge_id"`
				}
			}
			if err := json.Unmarshal(answer, &pledge); err != nil || pledge.Pledge.ID == "" {
				return errors.Join(fmt.Errorf("a pledge is answered %.200s", answer), err)
			}
			made <- pledge.Pledge.ID
			done(0)
		}
	})
	close(made)
	return made, err
}
