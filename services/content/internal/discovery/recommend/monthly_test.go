//go:build unix

package recommend_test

import (
	"bytes"
	"fmt"
	"testing"

	"talkoot.fi/kit/ids"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/campaign/campaigns"
)

// monthly makes a campaign that takes monthly support.
func (f *fixture) monthly(title string) int64 {
	return f.campaignOf(campaigns.New{OpensAs: campaigns.StageRecurring, Texts: map[string]campaigns.Text{"fi": {Title: title}}},
		campaigns.StageRecurring)
}

// supports makes monthly support whose first month is paid, through the step that pays it; it returns the support's id.
func (f *fixture) supports(person, campaign int64, isAnonymous bool) string {
	f.t.Helper()
	id := ids.New()
	f.Exec(`INSERT INTO subscriptions (id, campaign_id, user_id, status, amount_minor, currency, email, first_name, last_name, anonymous, language,
		    payable_until, created_at, updated_at)
		VALUES (?, ?, ?, 'created', 700, 'EUR', 'x@example.com', 'Aino', 'Tukija', ?, 'fi', ?, ?, ?)`, id, campaign, person, isAnonymous, f.Now(), f.Now(), f.Now())
	f.Exec(`UPDATE subscriptions SET status = 'active' WHERE id = ?`, id)
	return id
}

func TestMonthlySupport_CountsAsBacking(t *testing.T) {
	f := newFixture(t)
	choir, orchestra, sauna := f.monthly("Kuoro"), f.monthly("Orkesteri"), f.campaign("Sauna")
	for range 5 {
		person := f.Person("Tukija")
		f.supports(person, choir, false)
		f.supports(person, orchestra, false)
		f.backs(person, sauna, false)
	}
	f.recount()
	want := api.Reason{Kind: api.ReasonKindBackedTogether, Text: "Moni tukee molempia"}
	if got := f.of(choir); got[orchestra] != want || got[sauna] != want {
		t.Errorf("on the choir's page: %v", got)
	}
	if got := f.of(sauna)[choir]; got != want {
		t.Errorf("of who pledges to one and supports the other: %v", got)
	}
	f.matchesSources()
}

// Four support both openly. That the fifth does under a hidden name changes nobody else's answer by a byte.
func TestAnonymousMonthlySupport_ChangesNobodysReasons(t *testing.T) {
	f := newFixture(t)
	choir, orchestra := f.monthly("Kuoro"), f.monthly("Orkesteri")
	var reader int64
	for range 4 {
		reader = f.Person("Tukija")
		f.supports(reader, choir, false)
		f.supports(reader, orchestra, false)
	}
	fifth := f.Person("Viides")
	f.supports(fifth, choir, false)
	f.recount()
	f.refresh()
	address := fmt.Sprintf("/campaigns/%d/recommendations/fi/", choir)
	before, mine := f.Get(address, 0).Body, f.Get("/users/me/recommendations/fi/", reader).Body
	secret := f.supports(fifth, orchestra, true)
	f.recount()
	if after := f.Get(address, 0).Body; !bytes.Equal(before, after) {
		t.Errorf("%s became %s", before, after)
	}
	if after := f.Get("/users/me/recommendations/fi/", reader).Body; !bytes.Equal(mine, after) {
		t.Errorf("another's own suggestions: %s became %s", mine, after)
	}
	f.Exec(`UPDATE subscriptions SET anonymous = false WHERE id = ?`, secret)
	f.recount()
	if got := f.of(choir)[orchestra].Kind; got != api.ReasonKindBackedTogether {
		t.Errorf("shown under a name: %q", got)
	}
	f.Exec(`UPDATE subscriptions SET anonymous = true WHERE id = ?`, secret)
	f.recount()
	if after := f.Get(address, 0).Body; !bytes.Equal(before, after) {
		t.Errorf("hidden afterwards: %s became %s", before, after)
	}
	f.matchesSources()
}

func TestMonthlySupport_ThatIsOverCountsForNobody(t *testing.T) {
	for name, change := range map[string]string{
		"ended":    `UPDATE subscriptions SET status = 'canceled' WHERE user_id = ?`,
		"paused":   `UPDATE subscriptions SET status = 'paused' WHERE user_id = ?`,
		"past due": `UPDATE subscriptions SET status = 'past_due' WHERE user_id = ?`,
		"blocked":  `UPDATE users SET blocked_at = now() WHERE id = ?`,
		"erased":   `UPDATE subscriptions SET user_id = NULL, anonymous = true WHERE user_id = ?`,
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t)
			choir, orchestra := f.monthly("Kuoro"), f.monthly("Orkesteri")
			var person int64
			for range 5 {
				person = f.Person("Tukija")
				f.supports(person, choir, false)
				f.supports(person, orchestra, false)
			}
			f.recount()
			if got := f.of(choir)[orchestra].Kind; got != api.ReasonKindBackedTogether {
				t.Fatalf("before: %q", got)
			}
			f.Exec(change, person)
			f.recount()
			if got := f.of(choir)[orchestra].Kind; got != api.ReasonKindPopular {
				t.Errorf("after: %q", got)
			}
			f.matchesSources()
		})
	}
}

func TestOwnSuggestions_FollowWhatTheReaderSupportsMonthly(t *testing.T) {
	f := newFixture(t)
	tag := f.Tag("kuoro")
	reader := f.Person("Aino")
	of := func(title string) int64 {
		return f.campaignOf(campaigns.New{TagIDs: []int64{tag}, OpensAs: campaigns.StageRecurring, Texts: map[string]campaigns.Text{"fi": {Title: title}}},
			campaigns.StageRecurring)
	}
	choir, orchestra := of("Kuoro"), of("Orkesteri")
	support := f.supports(reader, choir, true)
	mine := f.mineOf(reader)
	if got, want := mine[suggested{api.SuggestionKindCampaign, orchestra}], (api.Reason{Kind: api.ReasonKindYouBacked, Text: "Koska tuit: Kuoro"}); got != want {
		t.Errorf("%v, want %v", got, want)
	}
	if _, again := mine[suggested{api.SuggestionKindCampaign, choir}]; again {
		t.Error("what the reader supports is suggested")
	}
	f.Exec(`UPDATE subscriptions SET status = 'canceled' WHERE id = ?`, support)
	ended := f.mineOf(reader)
	if got := ended[suggested{api.SuggestionKindCampaign, orchestra}].Kind; got == api.ReasonKindYouBacked {
		t.Errorf("after its end: %v", got)
	}
	if _, again := ended[suggested{api.SuggestionKindCampaign, choir}]; again {
		t.Error("what the reader has left is suggested")
	}
}
