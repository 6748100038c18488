//go:build unix

package overview_test

import (
	"cmp"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/contenttest"
	"talkoot.fi/content/internal/contenttest/bulk"
)

// fixture is an open campaign of 30 days, which began 20 days before the world's start of 20 November.
type fixture struct {
	*contenttest.World
	t                 *testing.T
	campaign, creator int64
	pledges           int
}

func newFixture(t *testing.T) *fixture {
	t.Helper()
	w := contenttest.New(t)
	d := &fixture{World: w, t: t, creator: w.Person("Reijo")}
	d.campaign = w.Campaign(campaigns.New{Slug: "x", Language: "fi", CategoryID: w.Category("c"),
		TeamUserIDs:  []int64{d.creator},
		MinGoalMinor: 1_000_00, TargetGoalMinor: 2_000_00, FirstDay: "2026-11-01", LastDay: "2026-11-30",
		HideFundingAmount: true,
		Texts:             map[string]campaigns.Text{"fi": {Title: "Lautta"}, "en": {Title: "Raft"}}}, campaigns.StageFunding)
	return d
}

// pledge is a row of pledges; zero values stand for a paid one of 10 euros.
type pledge struct {
	status, source, method, details, bought string
	at                                      time.Time
	amount, refunded                        int64
	reward                                  *int64
	visitor                                 string
	email                                   string // of another each, when it is empty
}

func (d *fixture) pledge(p pledge) {
	d.t.Helper()
	d.pledges++
	var paidAt, receipt any
	if p.status == "" {
		p.status = "paid"
	}
	if p.amount == 0 {
		p.amount = 10_00
	}
	if p.details == "" {
		p.details = "{}"
	}
	if p.at.IsZero() {
		p.at = d.Now()
	}
	if p.status == "paid" || p.status == "partly_refunded" || p.status == "disputed" || p.status == "refunded" {
		paidAt, receipt = p.at, fmt.Sprint("TK-", d.pledges)
	}
	var bought any
	if p.bought != "" {
		bought = p.bought
	}
	d.Exec(`INSERT INTO pledges (id, campaign_id, reward_id, status, amount_minor, amount_refunded_minor, currency, quantity, lines, email, first_name,
		last_name, language, reserved_until, created_at, updated_at, paid_at, receipt_number, source, payment_method, visitor, details, bought)
		VALUES (?, ?, ?, ?, ?, ?, 'EUR', 1, '[]', ?, '=HYPERLINK("x")', 'B', 'fi', now(), ?, now(), ?, ?, ?, ?, ?, ?, ?)`,
		fmt.Sprintf("%026d", d.pledges), d.campaign, p.reward, p.status, p.amount, p.refunded, cmp.Or(p.email, fmt.Sprint("a", d.pledges, "@b.fi")), p.at, paidAt, receipt,
		p.source, p.method,
		d.VisitorHasher.Hash(p.visitor, d.campaign), p.details, bought)
}

// raise writes a further charge of a pledge.
func (d *fixture) raise(of int, status string, at time.Time, minor int64, method string) {
	d.Exec(`INSERT INTO pledge_raises (id, pledge_id, status, amount_minor, from_minor, number, cause, quantity, lines, vat_minor, details, reserved_until,
		payment_method, request_key, request_hash, created_at, updated_at)
		VALUES (@id, @pledge, @status, @minor, 1, 0, 'account', 1, '[]', 0, '{}', @at, @method, @id, '', @at, @at)`,
		map[string]any{"id": fmt.Sprintf("R%025d", of), "pledge": fmt.Sprintf("%026d", of), "status": status, "minor": minor, "at": at, "method": method})
}

// count writes the totals that the pledges add up to.
func (d *fixture) count() {
	d.t.Helper()
	drifts, err := campaigns.Recompute(d.t.Context(), d.DB)
	if err != nil {
		d.t.Fatal(err)
	}
	for _, drift := range drifts {
		if !strings.HasPrefix(drift.Total, "listed") {
			d.Exec(`UPDATE campaign_totals SET `+drift.Total+` = ? WHERE campaign_id = ?`, drift.Computed, drift.CampaignID)
		}
	}
}

func (d *fixture) read() api.CampaignOverview {
	d.t.Helper()
	var answer api.OverviewAnswer
	d.Get(fmt.Sprintf("/campaigns/%d/overview/", d.campaign), d.creator).JSON(&answer)
	return answer.Overview
}

// A person is a backer once: on the day and from the source of their first pledge; with and without a reward.
func TestOverview_CountsPeople(t *testing.T) {
	d := newFixture(t)
	var reward int64
	if err := d.DB.Raw(`INSERT INTO rewards (campaign_id, amount_minor, created_at, backers) VALUES (?, 1000, now(), 1) RETURNING id`, d.campaign).Scan(&reward).Error; err != nil {
		t.Fatal(err)
	}
	d.pledge(pledge{at: day(2, 10), source: "home", email: "aino@b.fi"})
	d.pledge(pledge{at: day(3, 10), source: "letter", email: "Aino@b.fi", amount: 30_00})
	d.pledge(pledge{at: day(3, 11), source: "letter", email: "aino@b.fi", reward: &reward})
	d.pledge(pledge{at: day(4, 10), source: "letter"})
	d.count()
	o := d.read()
	backers := func(n int) int { return o.Days[n-1].Backers }
	if o.NumberOfBackers != 2 || backers(2) != 1 || backers(3) != 0 || backers(4) != 1 || int64(o.Days[2].Amount) != 40_00 {
		t.Errorf("%d backers; days %+v", o.NumberOfBackers, o.Days[:4])
	}
	if len(o.Sources) != 2 || o.Sources[0].Source != "letter" || o.Sources[0].Backers != 1 || int64(o.Sources[0].Amount) != 50_00 || o.Sources[1].Backers != 1 {
		t.Errorf("sources %+v", o.Sources)
	}
	if o.WithoutReward.Backers != 2 || int64(*o.Average) != 30_00 {
		t.Errorf("without a reward %+v, on average %v", o.WithoutReward, *o.Average)
	}
}

func day(n, hour int) time.Time { return time.Date(2026, 11, n, hour, 0, 0, 0, time.UTC) }

func TestOverview_AddsUpToTheTotals(t *testing.T) {
	d := newFixture(t)
	var reward int64
	if err := d.DB.Raw(`INSERT INTO rewards (campaign_id, amount_minor, stock, stock_reserved, created_at, backers) VALUES (?, 1000, 10, 9, now(), 1) RETURNING id`, d.campaign).Scan(&reward).Error; err != nil {
		t.Fatal(err)
	}
	d.pledge(pledge{at: day(2, 23), amount: 25_50, source: "home"}) // in Helsinki it is the third
	d.pledge(pledge{at: day(3, 10), amount: 100_00, source: "letter", reward: &reward})
	d.pledge(pledge{at: day(3, 10), status: "partly_refunded", amount: 50_00, refunded: 20_00, source: "letter"})
	d.pledge(pledge{at: day(19, 10), status: "disputed", amount: 70_00})
	d.pledge(pledge{at: day(19, 10), status: "refunded", amount: 80_00, refunded: 80_00, source: "home"})
	d.pledge(pledge{at: day(18, 10), status: "processing", amount: 30_00, method: "Mobiilimaksu 0401234567"})
	d.pledge(pledge{at: day(18, 11), status: "processing", amount: 5_00, method: "Mobiilimaksu"})
	d.raise(2, "processing", day(18, 9), 12_00, "Mobiilimaksu")
	d.raise(3, "created", day(18, 9), 13_00, "")
	d.pledge(pledge{at: day(20, 1), status: "created", amount: 5_00})
	d.pledge(pledge{at: time.Date(2026, 10, 30, 1, 0, 0, 0, time.UTC), amount: 1_00}) // before the first day
	d.count()
	o := d.read()
	var amount, settling, bySource, byMethod api.Amount
	var backers, sourced int
	for _, x := range o.Days {
		amount, settling, backers = amount+x.Amount, settling+x.Settling, backers+x.Backers
	}
	for _, s := range o.Sources {
		bySource, sourced = bySource+s.Amount, sourced+s.Backers
	}
	for _, s := range o.Settling {
		byMethod += s.Amount
	}
	if o.FundingReached != 156_50 || amount != o.FundingReached || bySource != o.FundingReached ||
		settling != o.FundingSettling || byMethod != o.FundingSettling ||
		backers != o.NumberOfBackers || sourced != o.NumberOfBackers || o.NumberOfBackers != 5 || o.FundingSettling != 47_00 {
		t.Errorf("days %d and %d of %d backers, sources %d of %d, settling %d; totals %d, %d, %d", amount, settling, backers,
			bySource, sourced, byMethod,
			o.FundingReached, o.FundingSettling, o.NumberOfBackers)
	}
	if len(o.Days) != 20 || o.Days[0].Amount != 1_00 || o.Days[2].Amount != 155_50 || o.Days[17].Settling != 47_00 ||
		o.Days[18].Backers != 1 {
		t.Errorf("days %+v", o.Days)
	}
	if len(o.Settling) != 1 || o.Settling[0].Method != "Mobiilimaksu" || o.Settling[0].Pledges != 3 {
		t.Errorf("settling %+v", o.Settling)
	}
	if s := o.Sources[0]; s.Source != "letter" || s.Amount != 130_00 || o.Sources[len(o.Sources)-1].Source != "" {
		t.Errorf("sources %+v", o.Sources)
	}
	if o.WithoutReward.Backers != 4 || o.WithoutReward.Amount != 56_50 || len(o.Rewards) != 1 ||
		o.Rewards[0].StockReserved != 9 {
		t.Errorf("without reward %+v, rewards %+v", o.WithoutReward, o.Rewards)
	}
	if p := o.Pace; p == nil || p.Missing != 843_50 || p.DaysLeft != 11 || p.NeededADay != 76_69 || p.RecentADay != 0 ||
		p.RecentDays != 7 {
		t.Errorf("pace %+v", o.Pace)
	}
}

// The pace of a campaign that is younger than a week is measured on its whole days so far, without today.
func TestOverview_MeasuresThePaceOnTheDaysThatThereHaveBeen(t *testing.T) {
	d := newFixture(t)
	d.pledge(pledge{at: day(18, 10), amount: 30_00})
	d.pledge(pledge{at: day(19, 10), amount: 50_00})
	d.pledge(pledge{at: day(20, 1), amount: 900_00})
	d.count()
	for first, want := range map[string]struct {
		days int
		came api.Amount
	}{"2026-11-20": {0, 0}, "2026-11-19": {1, 80_00}, "2026-11-18": {2, 40_00}, "2026-11-10": {7, 11_42}} {
		d.Exec(`UPDATE campaigns SET first_day = ?`, first)
		if p := d.read().Pace; p == nil || p.RecentDays != want.days || p.RecentADay != want.came {
			t.Errorf("open since %s: %+v", first, p)
		}
	}
}

func TestOverview_TellsConversionFromAHundredVisitors(t *testing.T) {
	d := newFixture(t)
	visit := func(n int) {
		body := fmt.Sprintf(`{"visitor": "visitor%019d"}`, n)
		if a := d.Post(fmt.Sprintf("/campaigns/%d/visits/", d.campaign), body, 0, "X-Forwarded-For", fmt.Sprintf("198.18.0.%d", n)); a.Status != http.StatusNoContent {
			t.Fatal(a.Status)
		}
	}
	for n := range 99 {
		visit(n)
	}
	for range 2 { // one visitor, two pledges
		d.pledge(pledge{visitor: fmt.Sprintf("visitor%019d", 7)})
		d.pledge(pledge{visitor: fmt.Sprintf("visitor%019d", 7_000)}) // whose visit was not counted
	}
	if o := d.read(); *o.Visitors != 99 || o.Conversion != nil {
		t.Errorf("99 visitors: %v", o.Conversion)
	}
	visit(99)
	if o := d.read(); o.Conversion == nil || *o.Conversion != 0.01 {
		t.Errorf("100 visitors: %v", o.Conversion)
	}
}

func TestBackersTable_IsSafeAndHasAddressesOnlyWhereTheyAreNeeded(t *testing.T) {
	d := newFixture(t)
	details := `{"address_street": "Rantatie 1", "address_postcode": "00100", "address_city": "Hki", "address_country": "FI", "address_phone": "+35840", "custom_questions": {"custom_question_1": "@cmd", "custom_question_3": "Sininen"}}`
	d.pledge(pledge{details: details, bought: `{"title": "Kauha", "questions": ["Nimi?", "ask_for_address"], "needs_address": true, "added_cost": "Kirje"}`, at: day(3, 10)})
	d.pledge(pledge{details: details, bought: `{"title": "-1+1", "questions": ["Nimi?", "ask_for_address", "=1+1?"], "needs_address": false}`, at: day(4, 10)})
	d.pledge(pledge{status: "expired"})
	d.Exec(`UPDATE pledges SET hide_amount = true WHERE bought ->> 'title' = '-1+1'`)
	answer := d.Get(fmt.Sprintf("/campaigns/%d/backers/table/?language=en", d.campaign), d.creator)
	text, marked := strings.CutPrefix(string(answer.Body), "\ufeff")
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil || !marked || len(rows) != 3 || rows[0][0] != "Backer number" ||
		!strings.HasPrefix(answer.Header.Get("Content-Disposition"), "attachment") {
		t.Fatalf("%d rows, mark %v, %v in %s", len(rows), marked, err, answer.Body)
	}
	fetched, sent := rows[1], rows[2]
	if got := strings.Join(sent[14:19], "|"); got != `Rantatie 1|="00100"|Hki|FI|="+35840"` {
		t.Errorf("an address that is needed: %s", got)
	}
	if got := strings.Join(fetched[14:19], ""); got != "" {
		t.Errorf("an address that is not needed: %s", got)
	}
	if sent[7] != "10.00" || fetched[7] != "" || fetched[11] != "10.00" { // who takes the table sees every sum, and which are for nobody else
		t.Errorf("the amounts to others are %q and %q", sent[7], fetched[7])
	}
	if sent[6] != `'=HYPERLINK("x") B` {
		t.Errorf("the name to others is %q", sent[6])
	}
	if sent[3] != `'=HYPERLINK("x")` || fetched[8] != "'-1+1" || strings.Join(rows[0][19:], "|") != "Nimi?|'=1+1?" || strings.Join(sent[19:], "|") != "'@cmd|" || strings.Join(fetched[19:], "|") != "'@cmd|Sininen" || sent[10] != "Kirje" || sent[11] != "10.00" || sent[1] != "2026-11-03" {
		t.Errorf("cells %q, %q", sent, fetched)
	}
	var taken int64
	if err := d.DB.Raw(`SELECT count(*) FROM audit_log WHERE action = 'take_backers_table' AND actor_user_id = ?`, d.creator).Scan(&taken).Error; err != nil || taken != 1 {
		t.Errorf("noted %d times, %v", taken, err)
	}
}

func TestBackersTable_IsAsSpreadsheetsOfItsLanguageReadIt(t *testing.T) {
	d := newFixture(t)
	d.pledge(pledge{details: `{"address_street": "=1+1; a", "address_postcode": "00100", "address_city": "Hki", "address_country": "FI", "address_phone": "+358 (0)40-1"}`,
		bought: `{"title": "1,5 litraa", "needs_address": true}`, at: day(3, 10)})
	for language, want := range map[string]string{
		"fi": `maksettu|1,5 litraa|10,00|'=1+1; a|="00100"|="+358 (0)40-1"`,
		"sv": `betald|1,5 litraa|10,00|'=1+1; a|="00100"|="+358 (0)40-1"`,
		"en": `paid|1,5 litraa|10.00|'=1+1; a|="00100"|="+358 (0)40-1"`,
	} {
		answer := d.Get(fmt.Sprintf("/campaigns/%d/backers/table/?language=%s", d.campaign, language), d.creator)
		in := csv.NewReader(strings.NewReader(strings.TrimPrefix(string(answer.Body), "\ufeff")))
		if language != "en" {
			in.Comma = ';'
		}
		rows, err := in.ReadAll()
		if err != nil || len(rows) != 2 {
			t.Fatalf("%s: %d rows, %v in %s", language, len(rows), err, answer.Body)
		}
		r := rows[1]
		if got := strings.Join([]string{r[2], r[8], r[11], r[14], r[15], r[18]}, "|"); got != want {
			t.Errorf("%s: %s, want %s", language, got, want)
		}
	}
}

// Spreadsheets make 401234567 of 0401234567, and a day of 3-4: what a backer has answered stays as it was written. A number stays one, for sums.
func TestBackersTable_AnswersStayAsTheyWereWritten(t *testing.T) {
	d := newFixture(t)
	for written, want := range map[string]string{
		"0401234567": `="0401234567"`, "+358 40 1234567": `="+358 40 1234567"`, "(09) 123/456": `="(09) 123/456"`, "00100": `="00100"`,
		"3-4": `="3-4"`, "1/2": `="1/2"`, "24.12.": `="24.12."`, "12345678901234": `="12345678901234"`,
		"3": "3", "0": "0", "150": "150", "M; sininen, \"iso\"": `M; sininen, "iso"`, "eka\n=1+1": "eka\n =1+1", "- ei": "'- ei", "=\"1\"+1": `'="1"+1`, "": "",
		"=\"1\"&A1&\"1\"": `'="1"&A1&"1"`,
	} {
		answers, err := json.Marshal(map[string]any{"custom_questions": map[string]string{"custom_question_1": written}})
		if err != nil {
			t.Fatal(err)
		}
		d.Exec(`DELETE FROM pledges`)
		d.pledge(pledge{details: string(answers), bought: `{"title": "Kauha", "questions": ["Puhelin tai koko?"]}`, at: day(3, 10)})
		answer := d.Get(fmt.Sprintf("/campaigns/%d/backers/table/?language=fi", d.campaign), d.creator)
		in := csv.NewReader(strings.NewReader(strings.TrimPrefix(string(answer.Body), "\ufeff")))
		in.Comma = ';'
		rows, err := in.ReadAll()
		if err != nil || len(rows) != 2 {
			t.Fatalf("%q: %d rows, %v in %s", written, len(rows), err, answer.Body)
		}
		if got := rows[1][19]; got != want {
			t.Errorf("%q is %q, want %q", written, got, want)
		}
	}
}

// The number of statements is the same for any number of pledges, and none reads a growing table whole.
func TestOverview_CostsWhatTheCampaignHasAndNoMore(t *testing.T) {
	w := contenttest.NewBulk(t)
	editor := w.Person("Editor", "view", "edit")
	for _, path := range []string{"overview/", "backers/table/"} {
		answer := w.Get("/campaigns/9/"+path, editor)
		if answer.Status != http.StatusOK {
			t.Fatalf("%s: %d %s", path, answer.Status, answer.Body)
		}
		if n := len(answer.Statements); n > 14 {
			t.Errorf("%s: %d statements", path, n)
		}
		reads := slices.DeleteFunc(answer.Statements,
			func(s string) bool { return !strings.Contains(s, "SELECT") || strings.Contains(s, "INSERT") })
		bulk.MustNotReadWhole(t, w.DB, reads)
	}
}

// BenchmarkOverview is of a campaign with 100,000 paid pledges.
func BenchmarkOverview(b *testing.B) {
	w := contenttest.New(b)
	creator := w.Person("Reijo")
	id := w.Campaign(campaigns.New{Slug: "x", Language: "fi", CategoryID: w.Category("c"), TeamUserIDs: []int64{creator},
		FirstDay: "2026-11-01",
		LastDay:  "2026-11-30", Texts: map[string]campaigns.Text{"fi": {Title: "Lautta"}}}, campaigns.StageFunding)
	w.Exec(`INSERT INTO pledges (id, campaign_id, status, amount_minor, currency, quantity, lines, email, first_name, last_name, language, reserved_until,
		created_at, updated_at, paid_at, receipt_number, source, visitor) SELECT lpad(n::text, 26, '0'), ?, 'paid', 1000, 'EUR', 1, '[]', n || '@b.fi', 'A', 'B', 'fi', now(), now(), now(),
		timestamptz '2026-11-01' + (n % 460) * interval '1 hour', n::text, 'site:' || n % 50 || '.example', decode(md5(n::text), 'hex') FROM generate_series(1, 100000) n`, id)
	w.Exec(`VACUUM ANALYZE`)
	for b.Loop() {
		if answer := w.Get(fmt.Sprintf("/campaigns/%d/overview/", id), creator); answer.Status != http.StatusOK {
			b.Fatal(answer.Status)
		}
	}
}

// More than a batch, many of them paid at the same moment: every backer comes once.
func TestBackersTable_HasEachBackerOnce(t *testing.T) {
	d := newFixture(t)
	d.Exec(`INSERT INTO pledges (id, campaign_id, status, amount_minor, currency, quantity, lines, email, first_name, last_name, language, reserved_until,
		created_at, updated_at, paid_at, receipt_number) SELECT lpad(n::text, 26, '0'), ?, 'paid', 1000, 'EUR', 1, '[]', n || '@b.fi', 'A', 'B', 'fi', now(), now(), now(),
		now() - (n / 700) * interval '1 hour', n::text FROM generate_series(1, 2500) n`, d.campaign)
	answer := d.Get(fmt.Sprintf("/campaigns/%d/backers/table/", d.campaign), d.creator)
	seen := map[string]bool{}
	for line := range strings.Lines(string(answer.Body)) {
		seen[strings.Split(line, ";")[5]] = true
	}
	if len(seen) != 2_501 || strings.Count(string(answer.Body), "\r\n") != 2_501 {
		t.Errorf("%d mails in %d lines", len(seen), strings.Count(string(answer.Body), "\r\n"))
	}
}

func TestPosts_AreNamedInALanguageThatHasTheirTitle(t *testing.T) {
	d := newFixture(t)
	d.Exec(`INSERT INTO posts (campaign_id, author_id, status, language, published_at, created_at) VALUES (?, ?, 'published', 'sv', ?, now())`,
		d.campaign, d.creator, d.Now().Add(-24*time.Hour))
	d.Exec(`INSERT INTO post_texts (post_id, language, title, story, html)
		SELECT id, written, CASE written WHEN 'sv' THEN 'Rubrik' ELSE '' END, '{}', '<p>x</p>' FROM posts, unnest(ARRAY['fi', 'en', 'sv']) AS written`)
	if got := d.read().Posts; len(got) != 1 || got[0].Title != "Rubrik" {
		t.Errorf("%+v", got)
	}
}
