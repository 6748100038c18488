//go:build unix

package recommend_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"talkoot.fi/kit/ids"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/contenttest"
	"talkoot.fi/content/internal/discovery/recommend"
)

// fixture is a world with campaigns that have nothing in common unless a test says so.
type fixture struct {
	*contenttest.World
	t        *testing.T
	made     int
	category int64
}

func newFixture(t *testing.T) *fixture {
	w := contenttest.New(t)
	return &fixture{World: w, t: t, category: w.Category("muut")}
}

// campaign makes a campaign that seeks funds for 40 more days, by a creator of its own.
func (f *fixture) campaign(title string, tags ...int64) int64 {
	return f.campaignOf(campaigns.New{TagIDs: tags, Texts: map[string]campaigns.Text{"fi": {Title: title}}}, campaigns.StageFunding)
}

func (f *fixture) campaignOf(n campaigns.New, stage campaigns.Stage) int64 {
	f.t.Helper()
	f.made++
	n.Slug, n.Language, n.CategoryID, n.TargetGoalMinor = fmt.Sprintf("c%d", f.made), "fi", f.category, 100_00
	if n.TeamUserIDs == nil {
		n.TeamUserIDs = []int64{f.Person("Tekijä")}
	}
	if n.LastDay == "" {
		n.FirstDay, n.LastDay = campaigns.DayOf(f.Now()), campaigns.DayOf(f.Now().AddDate(0, 0, 40))
	}
	return f.Campaign(n, stage)
}

// experiment makes one in Finnish.
func (f *fixture) experiment(stage int, tag int64) (id int64) {
	f.t.Helper()
	err := f.DB.Raw(`INSERT INTO experiments (slug, stage, language, image, open, show_in, created_at)
		VALUES ('koe', ?, 'fi', 'scene-koe.svg', true, '{"index": true}', now()) RETURNING id`, stage).Scan(&id).Error
	if err != nil {
		f.t.Fatal(err)
	}
	f.Exec(`INSERT INTO experiment_texts (experiment_id, language, title) VALUES (?, 'fi', 'Lämpöä jäästä')`, id)
	f.Exec(`INSERT INTO experiment_team (experiment_id, user_id, position) VALUES (?, ?, 0)`, id, f.Person("Kokeilija"))
	f.Exec(`INSERT INTO experiment_tags (experiment_id, tag_id) VALUES (?, ?)`, id, tag)
	return id
}

func (f *fixture) disable(experiment int64) {
	f.t.Helper()
	f.Exec(`UPDATE experiments SET disabled = true WHERE id = ?`, experiment)
}

// backs makes a paid pledge, through the step from waiting to paid, as a payment does; it returns the pledge's id.
func (f *fixture) backs(person, campaign int64, isAnonymous bool) string {
	f.t.Helper()
	id := ids.New()
	f.Exec(`INSERT INTO pledges (id, campaign_id, user_id, status, amount_minor, currency, quantity, lines, email, first_name, last_name,
		    anonymous, language, reserved_until, created_at, updated_at)
		VALUES (?, ?, ?, 'awaiting_payment', 1000, 'EUR', 1, '[]', 'x@example.com', 'Aino', 'Tukija', ?, 'fi', ?, ?, ?)`,
		id, campaign, person, isAnonymous, f.Now(), f.Now(), f.Now())
	f.Exec(`UPDATE pledges SET status = 'paid', paid_at = ?, receipt_number = ? WHERE id = ?`, f.Now(), "R"+id, id)
	return id
}

// crowd makes people who back both campaigns openly, and returns their ids.
func (f *fixture) crowd(count int, a, b int64) (people []int64) {
	for range count {
		person := f.Person("Tukija")
		f.backs(person, a, false)
		f.backs(person, b, false)
		people = append(people, person)
	}
	return people
}

// recount runs the worker's job that counts people.
func (f *fixture) recount() {
	f.t.Helper()
	if _, err := recommend.Recount(f.t.Context(), f.DB); err != nil {
		f.t.Fatal(err)
	}
}

// refresh runs the worker's job that makes the lists.
func (f *fixture) refresh() {
	f.t.Helper()
	if _, err := recommend.Refresh(f.t.Context(), f.DB, f.Now()); err != nil {
		f.t.Fatal(err)
	}
}

// reasons are the texts of an answer's suggestions by the id of the campaign.
func (f *fixture) reasons(path string, as int64) map[int64]api.Reason {
	f.t.Helper()
	var answer api.RecommendationsAnswer
	f.Get(path, as).JSON(&answer)
	reasons := map[int64]api.Reason{}
	for _, s := range answer.Suggestions {
		reasons[s.ID] = s.Reason
	}
	return reasons
}

// of are the reasons on a campaign's page once the lists have been made anew.
func (f *fixture) of(campaign int64) map[int64]api.Reason {
	f.t.Helper()
	f.refresh()
	return f.now(campaign)
}

// now are the reasons on a campaign's page from the lists as they are.
func (f *fixture) now(campaign int64) map[int64]api.Reason {
	f.t.Helper()
	return f.reasons(fmt.Sprintf("/campaigns/%d/recommendations/fi/?limit=12", campaign), 0)
}

func (f *fixture) mine(person int64) map[int64]api.Reason {
	f.t.Helper()
	f.refresh()
	return f.reasons("/users/me/recommendations/fi/?limit=12", person)
}

// suggested is what an answer suggests.
type suggested struct {
	kind api.SuggestionKind
	id   int64
}

// mineOf are the reasons of a person's own suggestions, once the lists have been made anew.
func (f *fixture) mineOf(person int64) map[suggested]api.Reason {
	f.t.Helper()
	f.refresh()
	var answer api.RecommendationsAnswer
	f.Get("/users/me/recommendations/fi/?limit=12", person).JSON(&answer)
	reasons := map[suggested]api.Reason{}
	for _, s := range answer.Suggestions {
		reasons[suggested{s.Kind, s.ID}] = s.Reason
	}
	return reasons
}

func (f *fixture) likes(person, experiment int64) {
	f.t.Helper()
	if answer := f.Post(fmt.Sprintf("/experiments/%d/likes/", experiment), "", person); answer.Status != http.StatusOK {
		f.t.Fatalf("like: %d %s", answer.Status, answer.Body)
	}
}

const day = 24 * time.Hour
