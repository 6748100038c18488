//go:build unix

package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/url"
	"slices"
	"time"

	"talkoot.fi/scripts/browser"
	"talkoot.fi/scripts/harness"
)

// accounts is how many signed-in people ask for their own suggestions.
const accounts = 24

// recommendationRows compare each call for three suggestions with the read of a campaign's page, one request at a time.
func (b *bench) recommendationRows(ctx context.Context) error {
	people, err := b.signedIn(ctx)
	if err != nil {
		return err
	}
	var lists int64 // the worker makes them some seconds after the data set
	for lists == 0 && err == nil {
		time.Sleep(lastSecond / 10)
		lists, err = harness.Number(ctx, b.harness.Content, `SELECT count(*) FROM recommendation_lists WHERE source = 'tag'`)
	}
	if err != nil {
		return err
	}
	page := func(random *rand.Rand) []byte { return pageParts(b.public(random))[0] }
	// Who is signed in gets nothing from the cache, and their session is looked at.
	ownPage := func(random *rand.Rand) []byte {
		return getAs(fmt.Sprintf("/campaigns/%d/fi/", b.public(random)), people[random.IntN(len(people))])
	}
	for _, call := range []struct {
		name           string
		ask, reference next
	}{
		{"recommendations of a campaign", func(random *rand.Rand) []byte {
			return get(fmt.Sprintf("/campaigns/%d/recommendations/fi/", b.public(random)))
		}, page},
		{"… of an experiment", func(random *rand.Rand) []byte {
			return get(fmt.Sprintf("/experiments/%d/recommendations/fi/", 1+random.IntN(b.size/10)))
		}, page},
		{"… of a signed-in person", func(random *rand.Rand) []byte {
			return getAs("/users/me/recommendations/fi/", people[random.IntN(len(people))])
		}, ownPage},
		{"… of a page with the widget", func(random *rand.Rand) []byte {
			topic := fmt.Sprintf("aihe %d fi, aihe %d fi, oma %d", 1+random.IntN(200), 1+random.IntN(200), random.Uint32())
			place := []string{"Helsinki", "Tampere", "Turku", "Oulu", "Kuopio", "Vaasa", "Porvoo", "Inari"}[random.IntN(8)]
			return get("/recommendations/fi/?limit=3&topic=" + url.QueryEscape(topic) + "&place=" + place)
		}, page},
	} {
		measured, reference, err := b.alternately(ctx, call.ask, call.reference)
		if err != nil {
			return fmt.Errorf("%s: %w", call.name, err)
		}
		b.table.slowerAtP95(call.name, measured, reference, 2, "campaign page")
	}
	return nil
}

// alternately sends both in turn, one request at a time on one connection, so that both meet the same disturbances of the
// machine. The first seconds warm up.
func (b *bench) alternately(ctx context.Context, ask, reference next) (asked, referred latencies, err error) {
	w, err := dial(ctx, b.content())
	if err != nil {
		return nil, nil, err
	}
	defer func() { err = errors.Join(err, w.conn.Close()) }()
	random := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // the same requests each time
	for began := time.Now(); time.Since(began) < 3*b.seconds && ctx.Err() == nil; {
		isWarm := time.Since(began) > b.seconds
		for _, one := range []struct {
			into *latencies
			ask  next
		}{{&asked, ask}, {&referred, reference}} {
			request, sent := one.ask(random), time.Now()
			if _, err := w.do(request, false); err != nil {
				return nil, nil, err
			}
			if isWarm {
				*one.into = append(*one.into, time.Since(sent))
			}
		}
	}
	slices.Sort(asked)
	slices.Sort(referred)
	return asked, referred, nil
}

// signedIn registers people, gives them what the data set's first people back and like, and returns their tokens.
func (b *bench) signedIn(ctx context.Context) (tokens []string, err error) {
	for n := range accounts {
		visitor, email := &browser.Visitor{Site: b.harness.Site}, fmt.Sprintf("bench%d@posti.example", n)
		account := browser.Account{Email: email, Password: "seven-sheep-2026", FirstName: "Aino", LastName: "Korhonen"}
		if err := visitor.Register(ctx, account); err != nil {
			return nil, fmt.Errorf("register: %w", err)
		}
		tokens = append(tokens, visitor.Token)
		for _, table := range []string{"pledges", "campaign_likes"} {
			_, err := b.harness.Content.Exec(ctx, `UPDATE `+table+` SET user_id = (SELECT id FROM users WHERE email = $1) WHERE user_id = $2`,
				email, n+1)
			if err != nil {
				return nil, fmt.Errorf("give pledges and likes: %w", err)
			}
		}
	}
	return tokens, nil
}

// recountRow lets the worker count everybody anew, and measures how long that takes and what readers feel of it.
func (b *bench) recountRow(ctx context.Context) error {
	page := func(random *rand.Rand) []byte { return pageParts(b.public(random))[0] }
	calm, err := closed(ctx, b.content(), 1, b.seconds, page)
	if err != nil {
		return err
	}
	if _, err := b.harness.Content.Exec(ctx, `INSERT INTO recommendation_changes (user_id) SELECT id FROM users`); err != nil {
		return fmt.Errorf("note changes: %w", err)
	}
	left := func() (int64, error) {
		return harness.Number(ctx, b.harness.Content, `SELECT count(*) FROM recommendation_changes`)
	}
	all, err := left()
	for now := all; err == nil && now == all; now, err = left() { // until the worker begins
		time.Sleep(lastSecond / 20)
	}
	began := time.Now()
	var during latencies
	for now := all; err == nil && now > 0; now, err = left() {
		l, err := closed(ctx, b.content(), 1, lastSecond/5, page)
		if err != nil {
			return err
		}
		during = append(during, l.latencies...)
	}
	if err != nil {
		return err
	}
	slices.Sort(during)
	took := time.Since(began)
	b.table.lines = append(b.table.lines, line{fmt.Sprintf("recount of %d people", all), fmt.Sprintf("%.1f s", took.Seconds()),
		fmt.Sprintf("%.0f people/s", float64(all)/took.Seconds()), "–", "–", "–"})
	b.table.slowerAtP95("… a campaign page meanwhile", during, calm.latencies, 2, "without")
	return nil
}
