//go:build unix

package variations_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"talkoot.fi/content/internal/campaign/campaigns"
)

// Somebody who makes visitors up has no more of them in a creator's figures than a school behind one address; who has been counted
// takes nobody's place by coming again, and no network another's, nor one campaign another's.
func TestVisits_OfANetworkAreFewInACampaignsFigures(t *testing.T) {
	e := newTrying(t)
	made := 0
	visit := func(campaign int64, from string, visitor int) {
		t.Helper()
		body := fmt.Sprintf(`{"visitor": "visitor%019d", "source": "home"}`, visitor)
		if a := e.Post(fmt.Sprintf("/campaigns/%d/visits/", campaign), body, 0, "X-Forwarded-For", from); a.Status != http.StatusNoContent {
			t.Fatal(a.Status, string(a.Body))
		}
	}
	come := func(campaign int64, times int, froms ...string) (counted int) {
		t.Helper()
		before := e.counted(campaign)
		for range times {
			made++
			for _, from := range froms {
				visit(campaign, from, made)
				visit(campaign, from, 1) // somebody who has been counted, again
			}
		}
		return e.counted(campaign) - before
	}
	other := e.Campaign(campaigns.New{Slug: "y", Language: "fi", CategoryID: e.Category("d"), TeamUserIDs: []int64{e.creator}, LastDay: "2026-12-01",
		Texts: map[string]campaigns.Text{"fi": {Title: "Toinen"}}}, campaigns.StageFunding)
	for _, c := range []struct {
		name      string
		campaign  int64
		froms     []string
		want, max int
	}{
		{"a class", e.campaign, []string{"203.0.113.9"}, 30, 30},
		{"more of it", e.campaign, []string{"203.0.113.9", "::ffff:203.0.113.9"}, 0, 0},
		{"another network", e.campaign, []string{"198.51.100.7"}, 30, 30},
		{"a home's IPv6, whatever part of it", e.campaign, []string{"2001:db8:1:200::1", "2001:db8:1:2ff:9::7"}, 30, 30},
		{"another home's", e.campaign, []string{"2001:db8:1:300::1"}, 30, 30},
		{"another campaign", other, []string{"203.0.113.9"}, 30, 31},
	} {
		if n := come(c.campaign, 35, c.froms...); n < c.want || n > c.max {
			t.Errorf("%s: %d visitors count, want %d to %d", c.name, n, c.want, c.max)
		}
	}
	e.Advance(24 * time.Hour)
	if n := come(e.campaign, 80, "203.0.113.9"); n != 30 {
		t.Errorf("the next day: %d", n)
	}
	e.Advance(time.Hour)
	if n := come(e.campaign, 80, "203.0.113.9"); n < 1 || n > 3 {
		t.Errorf("an hour later: %d", n)
	}
}

// counted is how many visitors a campaign's figures have.
func (e *trying) counted(campaign int64) (n int) {
	e.t.Helper()
	if err := e.DB.Raw(`SELECT coalesce(sum(visitors), 0) FROM campaign_visit_counts WHERE campaign_id = ?`, campaign).Scan(&n).Error; err != nil {
		e.t.Fatal(err)
	}
	return n
}
