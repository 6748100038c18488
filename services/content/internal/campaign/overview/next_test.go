//go:build unix

package overview_test

import (
	"fmt"
	"testing"
	"time"

	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/contenttest"
)

// next is the kinds of things to do, in their order, as one text.
func (d *fixture) next() string {
	d.t.Helper()
	kinds := []string{}
	for _, n := range d.read().Next {
		kinds = append(kinds, string(n.Kind))
	}
	return fmt.Sprint(kinds)
}

// want fails unless next is as given.
func (d *fixture) want(when, next string) {
	d.t.Helper()
	if got := d.next(); got != next {
		d.t.Errorf("%s: %s", when, got)
	}
}

func TestNext_OfAnOpenCampaignBeginsWithWhatLosesBackers(t *testing.T) {
	d := newFixture(t)
	d.want("without updates", "[first_post translation_missing payment_account share]")
	d.Exec(`INSERT INTO rewards (campaign_id, amount_minor, stock, stock_reserved, created_at) VALUES (?, 1000, 10, 9, now())`, d.campaign)
	d.Exec(`INSERT INTO posts (campaign_id, author_id, status, language, published_at, created_at) VALUES (?, ?, 'published', 'fi', ?, now())`,
		d.campaign, d.creator, d.Now().Add(-11*24*time.Hour))
	d.Exec(`INSERT INTO post_texts (post_id, language, title, story, html) SELECT id, 'fi', 'Otsikko', '{}', '' FROM posts`)
	d.want("with a reward that runs out and an old update",
		"[reward_running_out post_due translation_missing payment_account]")
}

func TestNext_BeginsWithTheAccountWhenMoneyIsPaidOutSoon(t *testing.T) {
	d := newFixture(t)
	d.Exec(`UPDATE campaigns SET last_day = '2026-11-27'`)
	d.want("eight days before the end", "[first_post translation_missing payment_account share]")
	d.Exec(`UPDATE campaigns SET last_day = '2026-11-26'`)
	d.want("seven days before the end", "[payment_account first_post translation_missing share]")
	d.Exec(`UPDATE campaigns SET payment_account_id = 'acct_1'`)
	d.want("with an account", "[first_post translation_missing share]")
	d.Exec(`UPDATE campaigns SET payment_account_id = ''`)
	for stage, next := range map[campaigns.Stage]string{
		campaigns.StageRecurring:  "[payment_account first_post translation_missing share]",
		campaigns.StageSucceeded:  "[payment_account]",
		campaigns.StageNotReached: "[]",
		campaigns.StageClosed:     "[]",
	} {
		d.Exec(`UPDATE campaigns SET stage = ?`, stage)
		d.want(fmt.Sprint("stage ", stage), next)
	}
}

func TestNext_OfADraftIsItsChecklistThenItsReview(t *testing.T) {
	w := contenttest.New(t)
	d := &fixture{World: w, t: t, creator: w.Person("Reijo")}
	d.campaign = w.ReadyDraft("x", d.creator)
	d.want("ready", "[ask_review translation_missing translation_missing payment_account]")
	d.Exec(`UPDATE campaigns SET contact_email = ''`)
	d.want("without a contact", "[finish_checklist translation_missing translation_missing payment_account]")
	d.Exec(`UPDATE campaigns SET contact_email = 'a@b.fi', review = 'requested'`)
	d.want("while staff read it", "[translation_missing translation_missing payment_account]")
}
