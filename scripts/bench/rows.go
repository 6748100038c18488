//go:build unix

package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"time"

	"talkoot.fi/scripts/harness"
)

const (
	samples    = 24  // different requests that the reference runs; it prepares each of them on each connection
	hundred    = 100 // campaigns beside a hot one
	readers    = 32  // connections of readers who share a cached answer
	sender     = "content serve"
	calmLoad   = 0.3 // the share of the reference's throughput at which latencies are compared
	halves     = 2   // ours and the reference take turns, so that disturbances of the machine fall on both
	lastSecond = time.Second
)

// bench measures one platform.
type bench struct {
	options
	harness *harness.Harness
	size    int
	table   *table
}

// row is one measurement of the table.
type row struct {
	name    string
	measure func(ctx context.Context) error
}

func (b *bench) rows() []row {
	return []row{
		{"memory, idle", b.idleMemory}, // first: later measurements leave more memory in use
		{"start", b.starts},
		{"previews, popular query", b.popularRow},
		{"previews, random filters", b.filteredRow},
		{"campaign page", b.pageRow},
		{"search over everything", b.searchRow},
		{"recommendations", b.recommendationRows},
		{"recount of recommendations", b.recountRow},
		{"pledges, limited stock", b.pledgeRow},
		{"pledges, one hot campaign", b.hotRow},
		{"pledge through B beside A", b.providerBRow},
		{"webhook intake", b.webhookRow},
		{"renewals", b.renewalRows},
		{"memory, loaded", b.loadedMemory},
		{"account balance", b.balanceRow},
	}
}

func (b *bench) content() string { return hostOf(b.harness.ContentURL) }

// throughput measures a throughput, per second, for the given time.
type throughput func(length time.Duration) (float64, error)

// turns lets ours and the reference run in turn and returns their means.
func (b *bench) turns(ours, reference throughput) (our, their float64, err error) {
	length := max(b.seconds/halves, lastSecond)
	if _, err := ours(preparing); err != nil { // as long as pgbench: each connection first prepares its statements
		return 0, 0, err
	}
	for range halves {
		t, err := reference(length)
		if err != nil {
			return 0, 0, err
		}
		o, err := ours(length)
		if err != nil {
			return 0, 0, err
		}
		our, their = our+o/halves, their+t/halves
	}
	return our, their, nil
}

func (b *bench) popularRow(ctx context.Context) error {
	w, err := dial(ctx, b.content())
	if err != nil {
		return err
	}
	body, err := w.do(popular(nil), true)
	if err := errors.Join(err, w.conn.Close()); err != nil {
		return err
	}
	echoAddress, stop, err := startEcho(ctx, b.harness.DataDir, body)
	if err != nil {
		return err
	}
	defer stop()
	measure := func(address string) throughput {
		return func(length time.Duration) (float64, error) {
			l, err := closed(ctx, address, readers, length, popular)
			return l.perSecond, err
		}
	}
	ours, echo, err := b.turns(measure(b.content()), measure(echoAddress))
	if err != nil {
		return err
	}
	b.table.atLeast("campaign previews, popular query", ours, echo, 0.6, "req/s", "bare Echo")
	calm := calmLoad * echo
	reference, err := open(ctx, echoAddress, readers, calm, b.seconds, popular)
	if err != nil {
		return err
	}
	measured, err := open(ctx, b.content(), readers, calm, b.seconds, popular)
	if err != nil {
		return err
	}
	b.table.slower(fmt.Sprintf("… its p99 at %.0f req/s", calm), measured.latencies.at(0.99), reference.latencies.at(0.99),
		5, "bare Echo")
	return nil
}

// against measures requests against pgbench with the statements that samples of them cause. Each script has the
// statements of one sample; perScript requests make one.
func (b *bench) against(ctx context.Context, ask next, scripts [][]string, perScript float64) (
	ours, theirs float64, err error) {
	r := newReference(b.harness.Env["CONTENT_DATABASE_URL"], b.harness.DataDir)
	return b.turns(
		func(length time.Duration) (float64, error) {
			perSecond, err := b.loadContent(ctx, ask)(length)
			return perSecond / perScript, err
		},
		func(length time.Duration) (float64, error) { return r.run(ctx, scripts, length) })
}

// loadContent measures requests to the content service.
func (b *bench) loadContent(ctx context.Context, ask next) throughput {
	return func(length time.Duration) (float64, error) {
		l, err := closed(ctx, b.content(), poolSize, length, ask)
		return l.perSecond, err
	}
}

func (b *bench) referenceName() string { return newReference("", "").name() }

// captured returns the statements that the service sends for each of count samples.
func (b *bench) captured(ctx context.Context, count int, sample func(n int, random *rand.Rand) [][]byte) (
	scripts [][]string, err error) {
	c, err := startCapture(ctx, b.harness)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, c.stop(ctx)) }()
	random := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // the same samples each time
	for n := range count {
		script, err := c.of(ctx, sender, b.content(), sample(n, random)...)
		if err != nil {
			return nil, err
		}
		scripts = append(scripts, script)
	}
	return scripts, nil
}

func (b *bench) filteredRow(ctx context.Context) error {
	var requests [][]byte
	scripts, err := b.captured(ctx, samples, func(_ int, random *rand.Rand) [][]byte {
		requests = append(requests, b.filtered(random))
		return requests[len(requests)-1:]
	})
	if err != nil {
		return err
	}
	ours, theirs, err := b.against(ctx, b.filtered, scripts, 1)
	if err != nil {
		return err
	}
	b.table.atLeast("campaign previews, random filters", ours, theirs, readBar, "lists/s", b.referenceName())
	parts, err := b.answered(ctx, scripts, func(n int) []byte { return requests[n] })
	if err != nil {
		return err
	}
	return b.besideEchoPgx(ctx, "… beside the same statements and bytes", b.filtered, parts, "lists/s")
}

// readBar is for what only reads, against pgbench, which has no HTTP.
const readBar = 0.65

// pageRow measures pages as visitors choose them (by Zipf's law), and beside it pages drawn evenly, where hardly any
// answer can be reused. The reference draws its campaigns in the same two ways.
func (b *bench) pageRow(ctx context.Context) error {
	requests := pageParts(capturedPage)
	captured, err := b.captured(ctx, len(requests), func(n int, _ *rand.Rand) [][]byte { return requests[n : n+1] })
	if err != nil {
		return err
	}
	for _, p := range []struct {
		name   string
		choose func(*rand.Rand) int
		law    string
	}{{"campaign page data", b.visited, `\set id random_zipfian(1, %d, 1.001)`}, {"… of any campaign alike", b.public, `\set id random(1, %d)`}} {
		draw := fmt.Sprintf(p.law, b.size)
		drawn := func(script []string) []string { return drawing(script, draw, ":id", strconv.Itoa(capturedPage)) }
		ours, theirs, err := b.against(ctx, pagePart(p.choose), [][]string{drawn(slices.Concat(captured...))}, float64(len(requests)))
		if err != nil {
			return err
		}
		b.table.atLeast(p.name, ours, theirs, readBar, "pages/s", b.referenceName())
		var scripts [][]string
		for _, one := range captured {
			scripts = append(scripts, drawn(one))
		}
		parts, err := b.answered(ctx, scripts, func(n int) []byte { return requests[n] })
		if err != nil {
			return err
		}
		if err := b.besideEchoPgx(ctx, "… a call of it beside the same statements and bytes", pagePart(p.choose), parts, "calls/s"); err != nil {
			return err
		}
	}
	return nil
}

// capturedPage is the campaign whose page is captured; no other parameter of its statements has that value.
const capturedPage = 4321

// capturedKey is the idempotency key of a campaign's captured pledge.
const capturedKey = "captured-%d"

// capturedAddress is the IP address that captured pledges are sent from.
const capturedAddress = "10.0.0.1"

// pledgeScripts are the transactions of pledges for a reward of each campaign, with ids, backers and addresses of their
// own in each run.
func (b *bench) pledgeScripts(ctx context.Context, campaigns []int, reward int) (scripts [][]string, err error) {
	c, err := startCapture(ctx, b.harness)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, c.stop(ctx)) }()
	for _, campaign := range campaigns {
		key := fmt.Sprintf(capturedKey, campaign)
		script, err := c.of(ctx, sender, b.content(), pledgeOf(campaign, reward, capturedAddress, key))
		if err != nil {
			return nil, err
		}
		var id string
		err = b.harness.Content.QueryRow(ctx, `SELECT id FROM pledges WHERE campaign_id = $1 ORDER BY created_at DESC LIMIT 1`, campaign).Scan(&id)
		if err != nil {
			return nil, fmt.Errorf("find the captured pledge: %w", err)
		}
		scripts = append(scripts, withUniqueID(script, id, key, emailOf(key), capturedAddress))
	}
	return scripts, nil
}

func (b *bench) pledgeRow(ctx context.Context) error {
	campaigns := openCampaigns(samples)
	scripts, err := b.pledgeScripts(ctx, campaigns, 2)
	if err != nil {
		return err
	}
	ours, theirs, err := b.against(ctx, pledging(campaigns, 2), scripts, 1)
	if err != nil {
		return err
	}
	b.table.atLeast("pledge creation, limited stock", ours, theirs, 0.6, "pledges/s", b.referenceName())
	parts, err := b.answered(ctx, scripts, func(n int) []byte { // the captured pledge again, by its key
		return pledgeOf(campaigns[n], 2, capturedAddress, fmt.Sprintf(capturedKey, campaigns[n]))
	})
	if err != nil {
		return err
	}
	return b.besideEchoPgx(ctx, "… beside the same statements and bytes", pledging(campaigns, 2), parts, "pledges/s")
}

// hotRow compares one campaign that everybody backs with a hundred. Backers of a limited reward do wait for each
// other, because its stock is one row; a second row without a bar reports that.
func (b *bench) hotRow(ctx context.Context) error {
	many := openCampaigns(hundred)
	measure := func(campaigns []int, reward int) throughput { return b.loadContent(ctx, pledging(campaigns, reward)) }
	hot, spread, err := b.turns(measure(many[:1], 0), measure(many, 0))
	if err != nil {
		return err
	}
	b.table.atLeast("pledges on one hot campaign", hot, spread, 0.75, "pledges/s", "100 campaigns")
	if hot, spread, err = b.turns(measure(many[:1], 2), measure(many, 2)); err != nil {
		return err
	}
	b.table.unrated("… all of them for one limited reward", hot, spread, "pledges/s", "100 campaigns")
	return nil
}

// searchRow measures searches one at a time; what the machine does beside them is in their latency.
func (b *bench) searchRow(ctx context.Context) error {
	if _, err := closed(ctx, b.content(), 1, lastSecond, b.found); err != nil {
		return err
	}
	l, err := closed(ctx, b.content(), 1, b.seconds, b.found)
	if err == nil {
		b.table.below("search over everything, p95 ("+l.latencies.summary()+")", float64(l.latencies.at(0.95).Microseconds())/1000, 60, "ms")
	}
	return err
}

// readNames are the reads whose latency is measured at every size.
func readNames() []string {
	return []string{"newest list", "filtered list", keywordRead, "campaign page", "rewards", "backers", "posts"}
}

const keywordRead = "keyword search"

// readLatencies sends one request at a time, so that it measures a read without other load. The newest list is read at
// a different offset each time, because a cached answer would say nothing about the database.
func (b *bench) readLatencies(ctx context.Context) (map[string]latencies, error) {
	part := func(n int) next { return func(random *rand.Rand) []byte { return pageParts(b.public(random))[n] } }
	makers := map[string]next{
		"newest list": func(random *rand.Rand) []byte {
			return get(fmt.Sprintf("/campaigns/preview/fi/?limit=%d&offset=%d", 20+random.IntN(9), random.IntN(200)))
		},
		"filtered list": b.filtered, keywordRead: b.keyword,
		"campaign page": part(0), "rewards": part(1), "backers": part(2), "posts": part(3),
	}
	out := map[string]latencies{}
	for _, name := range readNames() {
		if _, err := closed(ctx, b.content(), 1, lastSecond, makers[name]); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		l, err := closed(ctx, b.content(), 1, max(b.seconds/halves, lastSecond), makers[name])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		out[name] = l.latencies
	}
	return out, nil
}
