//go:build unix

package recommend_test

import (
	"bytes"
	"fmt"
	"net/http"
	"testing"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/campaign/campaigns"
)

func TestTogether_IsToldOfFivePeopleOn(t *testing.T) {
	f := newFixture(t)
	a, b := f.campaign("Sauna"), f.campaign("Laituri")
	f.crowd(4, a, b)
	f.recount()
	if got := f.of(a)[b].Kind; got != api.ReasonKindPopular {
		t.Errorf("with four people: %q", got)
	}
	f.crowd(1, a, b)
	f.recount()
	want := api.Reason{Kind: api.ReasonKindBackedTogether, Text: "Moni tukee molempia"}
	if f.of(a)[b] != want || f.of(b)[a] != want {
		t.Errorf("with five people: %v, %v", f.of(a)[b], f.of(b)[a])
	}
}

// Four back both openly. Whatever the fifth does under a hidden name, nobody else's answer changes by a byte.
func TestAnonymousPledges_ChangeNobodysReasons(t *testing.T) {
	f := newFixture(t)
	a, b := f.campaign("Sauna"), f.campaign("Laituri")
	reader := f.crowd(4, a, b)[0]
	fifth := f.Person("Viides")
	f.backs(fifth, a, false)
	f.recount()
	f.refresh()
	address := fmt.Sprintf("/campaigns/%d/recommendations/fi/", a)
	before, mine := f.Get(address, 0).Body, f.Get("/users/me/recommendations/fi/", reader).Body
	secret := f.backs(fifth, b, true)
	f.recount()
	if after := f.Get(address, 0).Body; !bytes.Equal(before, after) {
		t.Errorf("%s became %s", before, after)
	}
	if after := f.Get("/users/me/recommendations/fi/", reader).Body; !bytes.Equal(mine, after) {
		t.Errorf("another's own suggestions: %s became %s", mine, after)
	}
	f.Exec(`UPDATE pledges SET anonymous = false WHERE id = ?`, secret)
	f.recount()
	if got := f.of(a)[b].Kind; got != api.ReasonKindBackedTogether {
		t.Errorf("shown under a name again: %q", got)
	}
	f.Exec(`UPDATE pledges SET anonymous = true WHERE id = ?`, secret)
	f.recount()
	if after := f.Get(address, 0).Body; !bytes.Equal(before, after) {
		t.Errorf("hidden afterwards: %s became %s", before, after)
	}
}

func TestTogether_ForgetsWhoIsGone(t *testing.T) {
	for name, change := range map[string]string{
		"refunded":       `UPDATE pledges SET status = 'refunded', amount_refunded_minor = amount_minor WHERE user_id = ?`,
		"blocked":        `UPDATE users SET blocked_at = now() WHERE id = ?`,
		"not verified":   `UPDATE users SET verified = false WHERE id = ?`,
		"deleted":        `DELETE FROM users WHERE id = ?`,
		"account erased": `UPDATE pledges SET user_id = NULL WHERE user_id = ?`,
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t)
			a, b := f.campaign("Sauna"), f.campaign("Laituri")
			people := f.crowd(5, a, b)
			f.recount()
			if got := f.of(a)[b].Kind; got != api.ReasonKindBackedTogether {
				t.Fatalf("before: %q", got)
			}
			f.Exec(change, people[2])
			f.recount()
			if got := f.of(a)[b].Kind; got != api.ReasonKindPopular {
				t.Errorf("after: %q", got)
			}
			f.matchesSources()
		})
	}
}

// Likes are forgotten in the same way: those of a blocked person count for nobody from the recount on.
func TestLikesOfTheBlocked_CountForNobody(t *testing.T) {
	f := newFixture(t)
	a, b := f.campaign("Sauna"), f.campaign("Laituri")
	var people []int64
	for range 5 {
		people = append(people, f.Person("Tykkääjä"))
		for _, id := range []int64{a, b} {
			f.Post(fmt.Sprintf("/campaigns/%d/likes/", id), "", people[len(people)-1])
		}
	}
	f.recount()
	if got := f.of(a)[b].Kind; got != api.ReasonKindLikedTogether {
		t.Fatalf("before: %q", got)
	}
	f.Exec(`UPDATE users SET blocked_at = now() WHERE id = ?`, people[0])
	f.recount()
	if got := f.of(a)[b].Kind; got != api.ReasonKindPopular {
		t.Errorf("after: %q", got)
	}
	f.matchesSources()
}

// However often a script likes and unlikes within its limit, it is one person.
func TestStormOfLikes_IsOnePerson(t *testing.T) {
	f := newFixture(t)
	a, b, person := f.campaign("Sauna"), f.campaign("Laituri"), f.Person("Skripti")
	for range 40 {
		for _, id := range []int64{a, b} {
			f.Post(fmt.Sprintf("/campaigns/%d/likes/", id), "", person)
			f.Call(http.MethodDelete, fmt.Sprintf("/campaigns/%d/likes/", id), person)
		}
	}
	f.Post(fmt.Sprintf("/campaigns/%d/likes/", a), "", person)
	f.Post(fmt.Sprintf("/campaigns/%d/likes/", b), "", person)
	f.recount()
	f.matchesSources()
	var most int
	if err := f.DB.Raw(`SELECT max(people) FROM recommendation_pairs`).Scan(&most).Error; err != nil || most != 1 {
		t.Errorf("%d people, %v", most, err)
	}
}

func TestCampaignThatHidesItsBackers_HasNoneTogether(t *testing.T) {
	f := newFixture(t)
	open := f.campaign("Sauna")
	hidden := f.campaignOf(campaigns.New{HideMemberCount: true, Texts: map[string]campaigns.Text{"fi": {Title: "Laituri"}}},
		campaigns.StageFunding)
	f.crowd(6, open, hidden)
	f.recount()
	if got := f.of(open)[hidden].Kind; got == api.ReasonKindBackedTogether {
		t.Errorf("from the open one: %q", got)
	}
	if got := f.of(hidden)[open].Kind; got == api.ReasonKindBackedTogether {
		t.Errorf("from the hidden one: %q", got)
	}
}

// What one has backed oneself, also without a name, is a reason for oneself alone.
func TestOwnSuggestions_AreTheReadersAlone(t *testing.T) {
	f := newFixture(t)
	tag := f.Tag("sauna")
	backed, alike := f.campaign("Vanha sauna", tag), f.campaign("Uusi sauna", tag)
	person, other := f.Person("Aino"), f.Person("Eino")
	f.backs(person, backed, true)
	f.recount()
	if got, want := f.mine(person)[alike], (api.Reason{Kind: api.ReasonKindYouBacked, Text: "Koska tuit: Vanha sauna"}); got != want {
		t.Errorf("%v, want %v", got, want)
	}
	if _, suggested := f.mine(person)[backed]; suggested {
		t.Error("what they have backed is suggested")
	}
	for id, reason := range f.mine(other) {
		if reason.Kind == api.ReasonKindYouBacked || reason.Kind == api.ReasonKindYouLike {
			t.Errorf("another reads about %d: %v", id, reason)
		}
	}
	if answer := f.Get("/users/me/recommendations/fi/", person); answer.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("Cache-Control %q", answer.Header.Get("Cache-Control"))
	}
	if answer := f.Get("/users/me/recommendations/fi/", 0); answer.Status != http.StatusUnauthorized {
		t.Errorf("anonymous: %d", answer.Status)
	}
}

// matchesSources fails the test if the pairs are not what a plain count of pledges and likes gives.
func (f *fixture) matchesSources() {
	f.t.Helper()
	var differing int
	err := f.DB.Raw(`
		WITH i AS (
			SELECT p.user_id, 'backed' AS kind, p.campaign_id FROM pledges p JOIN users u ON u.id = p.user_id
			WHERE p.status IN ('paid', 'partly_refunded', 'disputed') AND NOT p.anonymous AND u.verified AND u.blocked_at IS NULL
			UNION
			SELECT s.user_id, 'backed', s.campaign_id FROM subscriptions s JOIN users u ON u.id = s.user_id
			WHERE s.status = 'active' AND NOT s.anonymous AND u.verified AND u.blocked_at IS NULL
			UNION ALL
			SELECT l.user_id, 'liked', l.campaign_id FROM campaign_likes l JOIN users u ON u.id = l.user_id
			WHERE l.counted AND u.verified AND u.blocked_at IS NULL),
		counted AS (
			SELECT a.campaign_id, a.kind, b.campaign_id AS other_id, count(*) AS people
			FROM i a JOIN i b ON b.user_id = a.user_id AND b.kind = a.kind AND b.campaign_id <> a.campaign_id GROUP BY 1, 2, 3)
		SELECT count(*) FROM counted FULL JOIN recommendation_pairs p USING (campaign_id, kind, other_id)
		WHERE counted.people IS DISTINCT FROM p.people`).Scan(&differing).Error
	if err != nil || differing != 0 {
		f.t.Errorf("%d pairs differ from what pledges and likes give, %v", differing, err)
	}
}

func TestOwnSuggestions_FollowTheTagsThatTheReaderHasChosen(t *testing.T) {
	f := newFixture(t)
	tag, other := f.Tag("sauna"), f.Tag("kuoro")
	campaign, experiment := f.campaign("Uusi sauna", tag), f.experiment(2, tag)
	f.campaign("Kuoro", other)
	person := f.Person("Aino")
	f.Exec(`INSERT INTO user_tags (user_id, tag_id) VALUES (?, ?)`, person, tag)
	want := api.Reason{Kind: api.ReasonKindYourTags, Text: "Avainsanoistasi: sauna fi"}
	got := f.mineOf(person)
	for _, one := range []suggested{{api.SuggestionKindCampaign, campaign}, {api.SuggestionKindExperiment, experiment}} {
		if got[one] != want {
			t.Errorf("%v: %v, want %v", one, got[one], want)
		}
	}
	for one, reason := range f.mineOf(f.Person("Eino")) {
		if reason.Kind == api.ReasonKindYourTags {
			t.Errorf("another reads about %v: %v", one, reason)
		}
	}
}

func TestOwnSuggestions_FollowTheExperimentsThatTheReaderLikes(t *testing.T) {
	f := newFixture(t)
	tag := f.Tag("sauna")
	liked := f.experiment(4, tag) // what is adopted is suggested to nobody, and leads to others still
	campaign, experiment := f.campaign("Uusi sauna", tag), f.experiment(2, tag)
	person := f.Person("Aino")
	f.likes(person, liked)
	got, want := f.mineOf(person), api.Reason{Kind: api.ReasonKindYouLike, Text: "Koska tykkäsit: Lämpöä jäästä"}
	for _, one := range []suggested{{api.SuggestionKindCampaign, campaign}, {api.SuggestionKindExperiment, experiment}} {
		if got[one] != want {
			t.Errorf("%v: %v, want %v", one, got[one], want)
		}
	}
	f.disable(liked)
	for one, reason := range f.mineOf(person) {
		if reason.Kind == api.ReasonKindYouLike {
			t.Errorf("%v because of one that nobody finds: %v", one, reason)
		}
	}
}

func TestOwnSuggestions_HaveNoExperimentThatTheReaderTakesPartInOrLikes(t *testing.T) {
	f := newFixture(t)
	tag := f.Tag("sauna")
	own, liked, other := f.experiment(2, tag), f.experiment(2, tag), f.experiment(2, tag)
	person := f.Person("Aino")
	f.Exec(`INSERT INTO user_tags (user_id, tag_id) VALUES (?, ?)`, person, tag)
	f.Exec(`INSERT INTO experiment_team (experiment_id, user_id, position) VALUES (?, ?, 1)`, own, person)
	f.likes(person, liked)
	got := f.mineOf(person)
	for _, id := range []int64{own, liked} {
		if reason, ok := got[suggested{api.SuggestionKindExperiment, id}]; ok {
			t.Errorf("%d: %v", id, reason)
		}
	}
	if _, ok := got[suggested{api.SuggestionKindExperiment, other}]; !ok {
		t.Errorf("%v", got)
	}
}

// A campaign and an experiment may have the same id: what is known of one says nothing about the other.
func TestOwnSuggestions_KeepCampaignsAndExperimentsApart(t *testing.T) {
	f := newFixture(t)
	tag := f.Tag("sauna")
	campaign, experiment := f.campaign("Sauna", tag), f.experiment(2, tag)
	if campaign != experiment {
		t.Fatalf("campaign %d, experiment %d", campaign, experiment)
	}
	person := f.Person("Aino")
	f.likes(person, experiment)
	got := f.mineOf(person)
	if want := (api.Reason{Kind: api.ReasonKindYouLike, Text: "Koska tykkäsit: Lämpöä jäästä"}); got[suggested{api.SuggestionKindCampaign, campaign}] != want {
		t.Errorf("%v, want %v", got, want)
	}
}
