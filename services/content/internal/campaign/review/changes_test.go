//go:build unix

package review_test

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/png"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/campaign/review"
	"talkoot.fi/content/internal/campaign/schedule"
	"talkoot.fi/content/internal/contenttest"
)

// approved is a reviewing whose campaign staff have approved: it opens on 28 November.
func approved(t *testing.T) *reviewing {
	r := newReviewing(t)
	r.must(r.Post(r.review, "", r.creator))
	r.must(r.Post(r.decisions, r.Approval(r.id), r.editor))
	r.mails()
	return r
}

func (r *reviewing) changes() (a api.ReviewChangesAnswer) {
	r.t.Helper()
	r.Get(r.review+"changes/", r.editor).JSON(&a)
	return a
}

// changed are the parts that differ, with their kinds.
func (r *reviewing) changed() []string {
	r.t.Helper()
	list := []string{}
	for _, p := range r.changes().Parts {
		if p.Changed {
			list = append(list, fmt.Sprintf("%s %s", strings.TrimRight(p.Part, "0123456789"), p.Kind))
		}
	}
	return list
}

// see marks parts as seen as they are now.
func (r *reviewing) see(who int64, parts ...string) contenttest.Answer {
	r.t.Helper()
	var seen []string
	for _, p := range r.changes().Parts {
		if slices.Contains(parts, p.Part) {
			seen = append(seen, fmt.Sprintf("%q: %q", p.Part, p.Digest))
		}
	}
	return r.Post(r.review+"changes/", `{"seen": {`+strings.Join(seen, ", ")+`}}`, who)
}

func (r *reviewing) ok(answers ...contenttest.Answer) {
	r.t.Helper()
	for _, a := range answers {
		if a.Status >= 300 {
			r.t.Fatalf("%d %s", a.Status, a.Body)
		}
	}
}

func (r *reviewing) patch(path, body string) contenttest.Answer {
	return r.Patch(fmt.Sprintf("/campaigns/%d/%s/", r.id, path), body, r.creator)
}

func (r *reviewing) state() string {
	r.t.Helper()
	var state string
	if err := r.DB.Raw(`SELECT stage || ' ' || review FROM campaigns WHERE id = ?`, r.id).Scan(&state).Error; err != nil {
		r.t.Fatal(err)
	}
	return state
}

func (r *reviewing) open() int {
	r.t.Helper()
	n, err := schedule.OpenDue(r.t.Context(), r.DB, r.Now())
	if err != nil {
		r.t.Fatal(err)
	}
	return n
}

// change makes a change of a part; each is another one than ReadyDraft has.
type change struct{ method, path, body string }

func (r *reviewing) fieldChanges() map[string][]change {
	var reward int64
	if err := r.DB.Raw(`SELECT id FROM rewards WHERE campaign_id = ?`, r.id).Scan(&reward).Error; err != nil {
		r.t.Fatal(err)
	}
	campaign, offer := fmt.Sprintf("/campaigns/%d/", r.id), fmt.Sprintf("/rewards/%d/", reward)
	var drawn bytes.Buffer
	if err := png.Encode(&drawn, image.NewGray(image.Rect(0, 0, 30, 20))); err != nil {
		r.t.Fatal(err)
	}
	sent, err := r.Files.PutImage(r.t.Context(), "campaign", bytes.NewReader(drawn.Bytes()))
	if err != nil {
		r.t.Fatal(err)
	}
	all := map[string][]change{}
	set := func(path string, bodies ...string) {
		for _, body := range bodies {
			field := strings.SplitN(strings.TrimLeft(body, `{" `), `"`, 2)[0]
			if path == "language/" || path == offer+"language/" {
				field = strings.Split(body, `"`)[3]
			}
			to := campaign + path
			if strings.HasPrefix(path, "/") {
				to, field = path, "reward."+field
			}
			all[field] = append(all[field], change{http.MethodPatch, to, body})
		}
	}
	set("language/", `{"fi": {"title": "Toinen katto"}}`, `{"fi": {"tagline": "Heti"}}`, `{"fi": {"short_description": "Lyhyesti"}}`,
		`{"fi": {"about_creator": "Me"}}`, `{"fi": {"project_pic_alt": "Katto"}}`,
		`{"fi": {"json_description": {"type": "doc", "content": [{"type": "paragraph", "content": [{"type": "text", "text": "`+strings.Repeat("Uusi tarina. ", 30)+`"}]}]}}}`)
	set("settings/", `{"legal_creator": "Muu ry"}`, `{"min_goal": 10}`, `{"target_goal": 500000}`, `{"funding_rule": "keep_what_is_raised"}`,
		`{"first_day_of_funding": "2026-11-27"}`, `{"last_day_of_funding": "2026-12-30"}`, `{"project_pic": "`+sent.Name+`"}`,
		`{"video_url": "https://www.youtube.com/watch?v=dQw4w9WgXcQ"}`, `{"creator_pic": "avatar-kuva.svg"}`, `{"contact_email": "muu@example.fi"}`,
		`{"place": "Inari"}`, `{"language": "sv"}`, `{"opens_as": 6}`)
	set("meta/", `{"legal_creator_type": "company"}`, `{"external_link_1": "https://example.fi"}`, `{"hideFundingAmount": true}`, `{"hideMemberCount": true}`)
	set("admin/", fmt.Sprintf(`{"team": [{"user_id": %d}]}`, r.creator))
	set(offer, `{"amount": 30}`, `{"stock": 5}`, `{"kind": "digital"}`, `{"active": 0}`, `{"vat_percentage": 25.5}`, `{"image": "kortti.jpg"}`, `{"delivery": "2027-05"}`,
		`{"added_costs": [{"amount": 5, "description": {"en": "Post"}}]}`)
	set(offer+"language/", `{"fi": {"title": "Kortti"}}`, `{"fi": {"description": "Iso"}}`, `{"fi": {"image_alt": "Kortti"}}`,
		`{"fi": {"custom_questions": [{"text": "Koko?"}]}}`)
	r.Exec(`INSERT INTO rewards (campaign_id, amount_minor, active, created_at, updated_at) VALUES (?, 4000, 1, now(), now())`, r.id)
	r.Exec(`INSERT INTO reward_texts (reward_id, language, title) SELECT max(id), 'fi', 'Toinen' FROM rewards`)
	for field, c := range map[string]change{
		"categories":          {http.MethodPost, "categories/", fmt.Sprintf(`{"categories": [%d]}`, r.Category("muu"))},
		"tags":                {http.MethodPost, "tags/", fmt.Sprintf(`{"tags": [%d]}`, r.Tag("sauna"))},
		"subscriptions_goals": {http.MethodPost, "subscriptions_goals/?language=fi", `{"subscriptions_goals": [{"target": 5, "title": "Piano"}]}`},
		"custom_language":     {http.MethodPatch, "custom_language/fi/", `{"match_funding": {"value": "Kunta tuplaa"}}`},
		"content_variations":  {http.MethodPost, "content_variations/", `{"field": "tagline", "language": "fi", "value": "Osta bitcoinia"}`},
	} {
		c.path = campaign + c.path
		all[field] = []change{c}
	}
	return all
}

// Each field that a team can write is a row of the table, and what the row says is what happens.
func TestParts_AnApprovedCampaignDoesWithEachFieldWhatTheTableSays(t *testing.T) {
	fields := slices.Sorted(maps.Keys(newReviewing(t).fieldChanges()))
	for _, part := range campaigns.Parts {
		for _, field := range part.Fields {
			if part.Approved != campaigns.PartFree && !slices.Contains(fields, field) {
				t.Errorf("nothing here changes %s", field)
			}
		}
	}
	r := newReviewing(t)
	all := r.fieldChanges()
	r.must(r.Post(r.review, "", r.creator))
	r.must(r.Post(r.decisions, r.Approval(r.id), r.editor))
	for _, field := range fields {
		part, ok := campaigns.PartOf(field)
		if !ok {
			t.Errorf("%s has no row", field)
			continue
		}
		for _, c := range all[field] {
			got := r.Send(c.method, c.path, strings.NewReader(c.body), r.creator)
			if part.Approved == campaigns.PartFixed {
				r.refused(got, http.StatusUnprocessableEntity, "invalid_fields", field)
				continue
			}
			r.ok(got)
			name := part.Name
			if name == "reward" {
				name = "reward:"
			}
			want, state := fmt.Sprintf("%s %s", name, part.Approved), "1 approved"
			if part.Approved == campaigns.PartBack {
				state = "1 requested"
			}
			if list := r.changed(); !slices.Equal(list, []string{want}) || r.state() != state {
				t.Errorf("%s: %q, %s; want %s, %s", field, list, r.state(), want, state)
			}
			for _, p := range r.changes().Parts {
				if p.Changed && (p.By == nil || *p.By != "Pekka Testinen" || p.At == nil) {
					t.Errorf("%s: it does not say who", field)
				}
				if p.Changed {
					r.ok(r.see(r.editor, p.Part))
				}
			}
			if list := r.changed(); len(list) != 0 || r.state() != "1 approved" {
				t.Errorf("%s, seen: %q, %s", field, list, r.state())
			}
		}
	}
}

// What people have pledged by does not change any more; what else changes is shown to staff.
func TestParts_AnOpenCampaignDoesWithEachFieldWhatTheTableSays(t *testing.T) {
	r := newReviewing(t)
	all := r.fieldChanges()
	r.must(r.Post(r.review, "", r.creator))
	r.must(r.Post(r.decisions, r.Approval(r.id), r.editor))
	r.Advance(8 * 24 * time.Hour)
	if r.open() != 1 {
		t.Fatal("not opened")
	}
	for _, field := range slices.Sorted(maps.Keys(all)) {
		part, _ := campaigns.PartOf(field)
		for _, c := range all[field] {
			got := r.Send(c.method, c.path, strings.NewReader(c.body), r.creator)
			if part.Opened == campaigns.PartFixed {
				status, key := http.StatusConflict, "campaign_opened"
				if part.Approved == campaigns.PartFixed {
					status, key = http.StatusUnprocessableEntity, "invalid_fields"
				}
				r.refused(got, status, key, field)
				continue
			}
			r.ok(got)
			for _, p := range r.changes().Parts {
				if p.Changed && p.Kind != api.ToBeSeen {
					t.Errorf("%s: %s is %s", field, p.Part, p.Kind)
				}
				if p.Changed {
					r.ok(r.see(r.editor, p.Part))
				}
			}
			if r.state() != "2 approved" {
				t.Errorf("%s: %s", field, r.state())
			}
		}
	}
}

// writable are the schemas of the calls that change a campaign and its rewards, with what their fields are called in the
// table; a new call belongs here.
var writable = map[string]string{
	"CampaignTextsChange": "", "CampaignMetaChange": "", "CampaignSettingsChange": "", "CampaignAdminChange": "",
	"RewardChange": "reward.", "RewardTextsChange": "reward.",
}

func TestParts_HaveARowForEachFieldOfTheContractsChanges(t *testing.T) {
	spec, err := api.GetSpec()
	if err != nil {
		t.Fatal(err)
	}
	for schema, prefix := range writable {
		of := spec.Components.Schemas[schema]
		if of == nil {
			t.Errorf("the contract has no %s", schema)
			continue
		}
		for field := range of.Value.Properties {
			if field == "stage" || field == "reason" { // staff close with these
				continue
			}
			if _, ok := campaigns.PartOf(prefix + field); !ok {
				t.Errorf("%s of %s has no row: what becomes of it when a campaign is approved?", field, schema)
			}
		}
	}
	named := spec.Components.Schemas["PartName"].Value.Enum
	for _, part := range campaigns.Parts {
		if !slices.Contains(named, any(part.Name)) {
			t.Errorf("the contract does not name %s", part.Name)
		}
	}
	if len(named) != len(campaigns.Parts) {
		t.Errorf("%d parts, the contract names %d", len(campaigns.Parts), len(named))
	}
	// The calls that change something of a campaign: those of one field each are in fieldChanges.
	known := []string{"admin", "categories", "content_variations", "copy", "custom_language", "deliveries", "files", "hold", "language", "likes", "meta", "payment_reminders", "payout", "pledges",
		"posts", "refunds", "review", "rewards", "set_payment_account", "settings", "subscriptions", "subscriptions_goals", "tags", "visits"}
	for path, item := range spec.Paths.Map() {
		rest, ok := strings.CutPrefix(path, "/campaigns/{campaign_id}/")
		call, _, _ := strings.Cut(rest, "/")
		if ok && (item.Post != nil || item.Patch != nil || item.Put != nil) && !slices.Contains(known, call) {
			t.Errorf("%s: does it change what was approved?", path)
		}
	}
}

func TestApproved_OpensLaterWithoutAskingButNeverLonger(t *testing.T) {
	r := approved(t)
	r.ok(r.patch("settings", `{"first_day_of_funding": "2026-12-01"}`))
	if got := r.changed(); !slices.Equal(got, []string{"dates to_be_seen"}) || r.state() != "1 approved" {
		t.Errorf("%q %s", got, r.state())
	}
	r.ok(r.patch("settings", `{"last_day_of_funding": "2027-01-02"}`))
	if got := r.changed(); !slices.Equal(got, []string{"dates back_to_queue"}) || r.state() != "1 requested" {
		t.Errorf("%q %s", got, r.state())
	}
}

func TestApproved_BackInTheQueueDoesNotOpenUntilStaffDecide(t *testing.T) {
	r := approved(t)
	r.ok(r.patch("language", `{"fi": {"title": "Osta bitcoinia"}}`))
	r.Advance(9 * 24 * time.Hour)
	if n := r.open(); n != 0 || r.state() != "1 requested" {
		t.Fatalf("%d opened: %s", n, r.state())
	}
	var list api.ReviewsAnswer
	r.Get("/campaigns/review/fi/", r.editor).JSON(&list)
	if len(list.Reviews) != 1 || list.Reviews[0].AskedBy != "Pekka Testinen" || list.Reviews[0].Round != 2 || len(list.Changed) != 0 {
		t.Errorf("%+v", list)
	}
	r.refused(r.see(r.creator, "title"), http.StatusForbidden, "forbidden")
	r.ok(r.see(r.second, "title"))
	if r.state() != "2 approved" {
		t.Errorf("its day has come and it is in %s", r.state())
	}
}

func TestApproved_PuttingBackWhatWasApprovedEndsTheWaiting(t *testing.T) {
	r := approved(t)
	r.ok(r.patch("language", `{"fi": {"title": "Toinen"}}`), r.patch("settings", `{"target_goal": 9000}`),
		r.patch("settings", `{"target_goal": 3200}`))
	if r.state() != "1 requested" {
		t.Errorf("one of two is put back: %s", r.state())
	}
	r.ok(r.patch("language", `{"fi": {"title": "Kylätalon katto"}}`))
	if got := r.changed(); len(got) != 0 || r.state() != "1 approved" {
		t.Errorf("%q %s", got, r.state())
	}
	r.Advance(time.Hour)
	if n, err := review.TellStaff(t.Context(), r.DB, r.Now(), r.Zone); err != nil || n != 0 {
		t.Errorf("staff are told of %d, %v", n, err)
	}
}

func TestApproved_StaffAreToldOnceSomeMinutesAfterAChange(t *testing.T) {
	r := approved(t)
	for _, title := range []string{"T", "To", "Toinen"} {
		r.ok(r.patch("language", `{"fi": {"title": "`+title+`"}}`))
	}
	told := func() []string {
		if _, err := review.TellStaff(t.Context(), r.DB, r.Now(), r.Zone); err != nil {
			t.Error(err)
		}
		return r.mails()
	}
	if got := told(); len(got) != 0 {
		t.Errorf("at once: %q", got)
	}
	r.Advance(11 * time.Minute)
	if got := told(); !slices.Equal(got, []string{"mail.review_requested Henna", "mail.review_requested Joonas"}) {
		t.Errorf("%q", got)
	}
	if got := told(); len(got) != 0 {
		t.Errorf("again: %q", got)
	}
}

func TestApproved_CanBeTakenBack(t *testing.T) {
	r := approved(t)
	r.ok(r.patch("language", `{"fi": {"tagline": "Osta bitcoinia"}}`))
	if a := r.must(r.Post(r.decisions, twoNotes, r.editor)); a.Stage != 0 || a.Review.State != "changes_requested" {
		t.Errorf("%+v", a)
	}
	var list api.ReviewsAnswer
	r.Get("/campaigns/review/fi/", r.editor).JSON(&list)
	if len(list.Changed)+len(list.Reviews) != 0 {
		t.Errorf("%+v", list)
	}
	if got := r.Get(fmt.Sprintf("/campaigns/%d/fi/", r.id), 0); got.Status != http.StatusNotFound {
		t.Errorf("a stranger sees it: %d", got.Status)
	}
}

// Whoever changed what was approved does not decide about it, staff or not.
func TestSee_NotByWhoChangedItOrIsInTheTeam(t *testing.T) {
	r := approved(t)
	r.ok(r.Patch(fmt.Sprintf("/campaigns/%d/language/", r.id), `{"fi": {"title": "Toinen"}}`, r.editor))
	r.refused(r.see(r.editor, "title"), http.StatusForbidden, "review_of_asker")
	r.Exec(`INSERT INTO campaign_team (campaign_id, user_id, position) VALUES (?, ?, 2)`, r.id, r.second)
	r.refused(r.see(r.second, "title"), http.StatusForbidden, "review_of_own")
}

// An approval is of what was read: whatever is serious must not have changed since, the rest is listed.
func TestApprove_IsOfWhatWasSeen(t *testing.T) {
	r := newReviewing(t)
	r.must(r.Post(r.review, "", r.creator))
	read := r.Approval(r.id)
	r.refused(r.Post(r.decisions, `{"decision": "approve"}`, r.editor), http.StatusUnprocessableEntity, "invalid_fields", "seen.dates",
		"seen.form", "seen.funding_rule", "seen.goal", "seen.goals", "seen.legal_creator", "seen.title")
	r.ok(r.patch("settings", `{"target_goal": 500000}`), r.patch("language", `{"fi": {"title": "Osta bitcoinia"}}`))
	r.refused(r.Post(r.decisions, read, r.editor), http.StatusConflict, "reviewed_meanwhile", "goal", "title")
	if r.state() != "0 requested" {
		t.Errorf("refused and %s", r.state())
	}
	read = r.Approval(r.id)
	r.ok(r.patch("language", `{"fi": {"tagline": "Heti"}}`), r.Post(fmt.Sprintf("/campaigns/%d/rewards/", r.id), "", r.creator))
	r.must(r.Post(r.decisions, read, r.editor))
	if got := r.changed(); !slices.Equal(got, []string{"reward: to_be_seen", "tagline to_be_seen"}) || r.state() != "1 approved" {
		t.Errorf("%q %s", got, r.state())
	}
	var list api.ReviewsAnswer
	r.Get("/campaigns/review/fi/", r.editor).JSON(&list)
	if len(list.Changed) != 1 || list.Changed[0].Campaign.CampaignID != r.id {
		t.Errorf("%+v", list)
	}
	r.ok(r.patch("language", `{"fi": {"tagline": "Vielä"}}`))
}

// What the second round shows is what has changed since the first.
func TestReviewChanges_AreSinceTheLastDecision(t *testing.T) {
	r := newReviewing(t)
	r.must(r.Post(r.review, "", r.creator))
	r.ok(r.patch("language", `{"fi": {"tagline": "Tarkistuksen aikana"}}`))
	if got := r.changed(); !slices.Equal(got, []string{"tagline free"}) {
		t.Errorf("while it is read: %q", got)
	}
	seen, err := review.SeenNow(t.Context(), r.DB, r.id)
	if err != nil {
		t.Fatal(err)
	}
	body := strings.Replace(twoNotes, "{", fmt.Sprintf(`{"seen": {"tagline": %q}, `, seen["tagline"]), 1)
	r.must(r.Post(r.decisions, body, r.editor))
	r.Advance(time.Minute)
	r.ok(r.patch("settings", `{"target_goal": 9000}`))
	r.must(r.Post(r.review, "", r.member))
	a := r.changes()
	i := slices.IndexFunc(a.Parts, func(p api.ReviewedPart) bool { return p.Changed })
	if got := r.changed(); !slices.Equal(got, []string{"goal free"}) || *a.Parts[i].By != "Pekka Testinen" ||
		fmt.Sprint(a.Parts[i].Before, a.Parts[i].Now) != "map[currency:EUR min:0 target:320000] map[currency:EUR min:0 target:900000]" {
		t.Errorf("%q %+v", got, a.Parts[i])
	}
}

// Change, approval and the clock come in any order: never does a campaign open whose title nobody has seen.
func TestRace_ChangeApprovalAndOpening(t *testing.T) {
	for name, c := range map[string]struct {
		waiting bool // the change waits for a lock that the other one holds
		holds   func(r *reviewing) func(ctx context.Context, tx *gorm.DB) error
	}{
		"the opening comes first": {true, func(r *reviewing) func(context.Context, *gorm.DB) error {
			return func(ctx context.Context, tx *gorm.DB) error {
				opened, err := campaigns.OpenIfDue(ctx, tx, r.id, r.Now())
				if err == nil && !opened {
					err = fmt.Errorf("not opened")
				}
				return err
			}
		}},
		"the change comes first": {false, func(r *reviewing) func(context.Context, *gorm.DB) error {
			return func(ctx context.Context, tx *gorm.DB) error {
				return tx.WithContext(ctx).Exec(`SELECT FROM campaigns WHERE id = ? FOR NO KEY UPDATE`, r.id).Error
			}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			r := approved(t)
			r.Advance(8 * 24 * time.Hour)
			got := r.Race(c.holds(r), func() contenttest.Answer { return r.patch("settings", `{"target_goal": 500000}`) })[0]
			r.open()
			if c.waiting && (got.Status != http.StatusConflict || r.state() != "2 approved") {
				t.Errorf("%d %s, %s", got.Status, got.Body, r.state())
			}
			if !c.waiting && (got.Status != http.StatusOK || r.state() != "1 requested") {
				t.Errorf("%d %s, %s", got.Status, got.Body, r.state())
			}
		})
	}
	t.Run("the change is committed while the approval waits", func(t *testing.T) {
		r := newReviewing(t)
		r.must(r.Post(r.review, "", r.creator))
		read := r.Approval(r.id)
		got := r.Race(func(ctx context.Context, tx *gorm.DB) error {
			return tx.WithContext(ctx).Exec(`UPDATE campaigns SET target_goal_minor = 50000000 WHERE id = ?`, r.id).Error
		}, func() contenttest.Answer { return r.Post(r.decisions, read, r.editor) })[0]
		r.refused(got, http.StatusConflict, "reviewed_meanwhile", "goal")
		if r.state() != "0 requested" {
			t.Errorf("%s", r.state())
		}
	})
	t.Run("a reward is added while the approval is written", func(t *testing.T) {
		r := newReviewing(t)
		r.must(r.Post(r.review, "", r.creator))
		read := r.Approval(r.id)
		got := r.Race(func(ctx context.Context, tx *gorm.DB) error {
			if err := campaigns.RememberParts(ctx, tx, r.id, r.Now()); err != nil {
				return err
			}
			err := tx.WithContext(ctx).Exec(`INSERT INTO rewards (campaign_id, amount_minor, created_at, updated_at) VALUES (?, 500, now(), now())`, r.id).Error
			if err != nil {
				return err
			}
			return tx.WithContext(ctx).Exec(`SELECT FROM reviewed_parts WHERE campaign_id = ? FOR NO KEY UPDATE`, r.id).Error
		}, func() contenttest.Answer { return r.Post(r.decisions, read, r.editor) })[0]
		r.ok(got)
		if list := r.changed(); !slices.Equal(list, []string{"reward: to_be_seen"}) {
			t.Errorf("%q", list)
		}
		var list api.ReviewsAnswer
		r.Get("/campaigns/review/fi/", r.editor).JSON(&list)
		if len(list.Changed) != 1 {
			t.Errorf("%+v", list)
		}
	})
}
