//go:build unix

package editing_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"gorm.io/gorm"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/contenttest"
)

// editing is a draft with a team of three.
type editing struct {
	*contenttest.World
	t                      *testing.T
	id                     int64
	creator, second, third int64
	admin                  string // address
}

func newEditing(t *testing.T) *editing {
	w := contenttest.New(t)
	w.KeepsSessions = true
	e := &editing{World: w, t: t, creator: w.Person("Pekka"), second: w.Person("Maija"), third: w.Person("Tuomo")}
	e.id = w.ReadyDraft("katto", e.creator, e.second, e.third)
	e.admin = fmt.Sprintf("/campaigns/%d/admin/", e.id)
	return e
}

// team is the wanted team as a body.
func (e *editing) team(ids ...int64) string {
	places := make([]string, len(ids))
	for i, id := range ids {
		places[i] = fmt.Sprintf(`{"user_id": %d}`, id)
	}
	return `{"team": [` + strings.Join(places, ", ") + `]}`
}

func (e *editing) is(want ...int64) {
	e.t.Helper()
	var team []int64
	if err := e.DB.Raw(`SELECT user_id FROM campaign_team WHERE campaign_id = ? ORDER BY position`, e.id).Scan(&team).Error; err != nil || !slices.Equal(team, want) {
		e.t.Errorf("team %v, want %v, %v", team, want, err)
	}
}

func (e *editing) refused(answer contenttest.Answer, status int, key string, fields ...string) {
	e.t.Helper()
	var fault api.APIError
	if err := json.Unmarshal(answer.Body, &fault); err != nil {
		e.t.Fatalf("%v in %s", err, answer.Body)
	}
	var got []string
	if fault.Fields != nil {
		for _, f := range *fault.Fields {
			got = append(got, f.Path)
		}
	}
	if answer.Status != status || fault.Status != key || !slices.Equal(got, fields) {
		e.t.Errorf("%d %s %q, want %d %s %q", answer.Status, fault.Status, got, status, key, fields)
	}
}

func (e *editing) must(answer contenttest.Answer) api.CampaignAdmin {
	e.t.Helper()
	var a api.CampaignAdminAnswer
	answer.JSON(&a)
	return a.Campaign
}

func TestAdmin_HasTheMainCategoryFirst(t *testing.T) {
	e := newEditing(t)
	low, high := e.Category("alku"), e.Category("loppu")
	body := fmt.Sprintf(`{"categories": [%d, %d]}`, high, low)
	e.Post(fmt.Sprintf("/campaigns/%d/categories/", e.id), body, e.creator).JSON(&api.CampaignCategoriesAnswer{})
	if a := e.must(e.Get(e.admin, e.creator)); !slices.Equal(a.Categories, []int64{high, low}) {
		t.Errorf("categories %v, want the main one, %d, before %d", a.Categories, high, low)
	}
}

func TestAdmin_HasAllThatIsWrittenInFewStatements(t *testing.T) {
	e := newEditing(t)
	e.Exec(`INSERT INTO campaign_texts (campaign_id, language, title, project_pic_alt) VALUES (?, 'sv', 'Taket', 'Ett tak')`, e.id)
	e.Exec(`INSERT INTO campaign_custom_texts (campaign_id, language, key, value, format, html) VALUES (?, 'fi', 'match_funding', 'Kunta tuplaa', 'text', '<p>Kunta tuplaa</p>')`, e.id)
	e.Exec(`INSERT INTO campaign_tags (campaign_id, tag_id) VALUES (?, ?)`, e.id, e.Tag("sauna"))
	e.Exec(`WITH g AS (INSERT INTO subscription_goals (campaign_id, target) VALUES (?, 20) RETURNING id) INSERT INTO subscription_goal_texts (goal_id, language, title) SELECT id, 'fi', 'Piano' FROM g`, e.id)
	e.Exec(`INSERT INTO payout_accounts (user_id, provider, account_id) VALUES (?, 'stripe', 'acct_1')`, e.creator)
	answer := e.Get(e.admin, e.second)
	a := e.must(answer)
	if a.ContentExperiment != nil {
		t.Errorf("it tries %+v", a.ContentExperiment)
	}
	if a.Texts.Fi == nil || a.Texts.Fi.Title != "Kylätalon katto" || len(a.Texts.Fi.JSONDescription.Content) != 1 ||
		a.Texts.En != nil || a.Texts.Sv.ProjectPicAlt != "Ett tak" || a.Texts.Sv.Tagline != "" {
		t.Errorf("texts %+v", a.Texts)
	}
	if own := *a.CustomLanguage.Fi; own["match_funding"].HTML != "<p>Kunta tuplaa</p>" || a.CustomLanguage.En != nil {
		t.Errorf("own texts %+v", a.CustomLanguage)
	}
	if a.ProjectPic != "kansi.jpg" || a.TargetGoal != 3_200_00 || a.OpensAs != 2 || a.Stage != 0 ||
		a.Settings.FirstDayOfFunding.String() != "2026-11-28" || len(a.Categories) != 1 || a.Tags[0].Label != "sauna fi" {
		t.Errorf("%+v", a)
	}
	if a.SubscriptionsGoals[0].Texts["fi"].Title != "Piano" || a.SubscriptionsGoals[0].Target != 20 {
		t.Errorf("goals %+v", a.SubscriptionsGoals)
	}
	if len(a.Team) != 3 || a.Team[0].UserID != e.creator || *a.Team[0].Meta.StripeAccountID != "acct_1" ||
		a.Team[1].Meta.StripeAccountID != nil || a.Team[2].Name != "Tuomo Testinen" || a.Team[1].Image == "" {
		t.Errorf("team %+v", a.Team)
	}
	if a.Review.State != "none" || len(a.Review.Checklist) != 12 || answer.Header.Get("ETag") != `"1"` {
		t.Errorf("review %+v, ETag %s", a.Review, answer.Header.Get("ETag"))
	}
	if len(answer.Statements) != 7 { // who may, the campaign, invitations, what it tries, and three of the review
		t.Errorf("%d statements: %q", len(answer.Statements), answer.Statements)
	}
	e.Exec(`UPDATE campaigns SET picture = 'scene-katto.svg' WHERE id = ?`, e.id)
	if a := e.must(e.Get(e.admin, e.creator)); a.ProjectPic != "" {
		t.Errorf("a drawn picture is given as %q", a.ProjectPic)
	}
}

func TestTeam_ChangesAsTheCreatorWantsIt(t *testing.T) {
	e := newEditing(t)
	a := e.must(e.Patch(e.admin, e.team(e.creator, e.third), e.creator, "If-Match", `"1"`))
	e.is(e.creator, e.third)
	if a.Version != 2 || len(a.Team) != 2 {
		t.Errorf("%+v", a)
	}
	e.refused(e.Get(e.admin, e.second), http.StatusNotFound, "not_found")
	e.refused(e.Patch(e.admin, `{}`, e.second), http.StatusNotFound, "not_found")
	e.refused(e.Patch(e.admin, e.team(e.creator), e.creator, "If-Match", `"1"`), http.StatusPreconditionFailed, "changed_meanwhile", "team")
	if a := e.must(e.Patch(e.admin, e.team(e.creator, e.third), e.creator)); a.Version != 2 {
		t.Errorf("the same team makes version %d", a.Version)
	}
	var row string
	err := e.DB.Raw(`SELECT concat_ws(' ', before, after) FROM audit_log WHERE action = 'change_team'`).Scan(&row).Error
	if want := fmt.Sprintf(`{"team": [%d, %d, %d]} {"team": [%d, %d]}`, e.creator, e.second, e.third, e.creator, e.third); err != nil || row != want {
		t.Errorf("audit %q, %v", row, err)
	}
}

func TestTeam_NobodyLocksThemselvesOut(t *testing.T) {
	e := newEditing(t)
	e.refused(e.Patch(e.admin, `{"team": []}`, e.creator), http.StatusUnprocessableEntity, "invalid_fields", "team")
	e.refused(e.Patch(e.admin, e.team(e.second, e.third), e.creator), http.StatusConflict, "creator_leaves")
	e.handsOver(e.creator, e.second)
	var name string
	if err := e.DB.Raw(`SELECT preview -> 'creator' ->> 'user_id' FROM campaign_previews WHERE campaign_id = ? LIMIT 1`, e.id).Scan(&name).Error; err != nil || name != fmt.Sprint(e.second) {
		t.Errorf("lists name %s as the creator, %v", name, err)
	}
	e.refused(e.Patch(e.admin, e.team(e.second), e.creator), http.StatusForbidden, "team_of_creator")
	if left := e.Patch(e.admin, e.team(e.second, e.third), e.creator); left.Status != http.StatusOK {
		t.Errorf("leave: %d %s", left.Status, left.Body)
	}
	e.is(e.second, e.third)
	e.refused(e.Get(e.admin, e.creator), http.StatusNotFound, "not_found")
}

func TestTeam_OfOthersIsNotForMembersToChange(t *testing.T) {
	e := newEditing(t)
	for _, wanted := range [][]int64{{e.second, e.creator, e.third}, {e.creator, e.second}, {e.second}} {
		e.refused(e.Patch(e.admin, e.team(wanted...), e.second), http.StatusForbidden, "team_of_creator")
	}
	e.must(e.Patch(e.admin, e.team(e.creator, e.third, e.second), e.second)) // their own order
	e.is(e.creator, e.third, e.second)
	staff := e.Person("Henna", "view", "edit")
	e.must(e.Patch(e.admin, e.team(e.third), staff)) // staff repair what a team cannot, once who is to answer for it agrees
	e.is(e.creator, e.third)
	e.accepts(e.third, e.issued()[0], http.StatusOK)
	e.must(e.Patch(e.admin, e.team(e.third), staff))
	e.is(e.third)
	outsider := e.Person("Outi")
	e.refused(e.Patch(e.admin, e.team(e.third, outsider), e.third), http.StatusUnprocessableEntity, "invalid_fields",
		"team")
	e.refused(e.Patch(e.admin, e.team(e.third, e.third), e.third), http.StatusUnprocessableEntity, "invalid_fields",
		"team")
	e.refused(e.Patch(e.admin, e.team(outsider), outsider), http.StatusNotFound, "not_found")
	for body, status := range map[string]int{
		`{"team": [{"user_id": "x"}]}`: 400, `{"team": 7}`: 400, `{"crew": []}`: 400, `{"stage": 2}`: 422, `{"team": [{}]}`: 422,
		`{"team": [{"email": "a@b.fi"}]}`: 422, e.team(slices.Repeat([]int64{e.third}, 21)...): 422,
	} {
		if answer := e.Patch(e.admin, body, e.third); answer.Status != status {
			t.Errorf("%.60s: %d %s", body, answer.Status, answer.Body)
		}
	}
	e.is(e.third)
}

func TestClose_OfStaff_HasAReason(t *testing.T) {
	e := newEditing(t)
	staff := e.Person("Henna", "view", "edit")
	e.refused(e.Patch(e.admin, `{"stage": 5, "reason": "Huijaus"}`, staff), http.StatusConflict, "campaign_not_open")
	e.Tx(func(ctx context.Context, tx *gorm.DB) error {
		return campaigns.MoveStage(ctx, tx, e.id, campaigns.StageFunding, campaigns.Scheduler(), e.Now())
	})
	e.refused(e.Patch(e.admin, `{"stage": 5, "reason": " "}`, staff), http.StatusUnprocessableEntity, "invalid_fields", "reason")
	if a := e.must(e.Patch(e.admin, `{"stage": 5, "reason": "Huijaus"}`, staff)); a.Stage != 5 {
		t.Errorf("stage %d", a.Stage)
	}
	var told int
	err := e.DB.Raw(`SELECT count(*) FROM outbox WHERE kind = 'mail.campaign_closed' AND payload ->> 'reason' = 'Huijaus'`).Scan(&told).Error
	if err != nil || told != 3 {
		t.Errorf("%d are told why, %v", told, err)
	}
	var reason string
	if err := e.DB.Raw(`SELECT after ->> 'reason' FROM audit_log WHERE action = 'close'`).Scan(&reason).Error; err != nil || reason != "Huijaus" {
		t.Errorf("audit %q, %v", reason, err)
	}
}

// A creator cancels what has not ended; nobody else of the team does, and nobody while staff look into it.
func TestClose_OfTheCreator_SendsEverythingBack(t *testing.T) {
	e := newEditing(t)
	cancel := `{"stage": 5, "reason": "Talo on myyty"}`
	move := func(to campaigns.Stage) {
		e.Tx(func(ctx context.Context, tx *gorm.DB) error {
			return campaigns.MoveStage(ctx, tx, e.id, to, campaigns.Scheduler(), e.Now())
		})
	}
	e.refused(e.Patch(e.admin, cancel, e.creator), http.StatusConflict, "campaign_not_open") // a draft is thrown away
	move(campaigns.StageFunding)
	e.refused(e.Patch(e.admin, cancel, e.second), http.StatusForbidden, "forbidden")
	e.refused(e.Patch(e.admin, cancel, e.Person("Outi")), http.StatusForbidden, "forbidden")
	e.refused(e.Patch(e.admin, `{"stage": 5, "reason": " "}`, e.creator), http.StatusUnprocessableEntity, "invalid_fields", "reason")
	e.Exec(`UPDATE campaigns SET hold = 'on_hold' WHERE id = ?`, e.id)
	e.refused(e.Patch(e.admin, cancel, e.creator), http.StatusConflict, "campaign_on_hold")
	e.Exec(`UPDATE campaigns SET hold = '' WHERE id = ?`, e.id)
	if a := e.must(e.Patch(e.admin, cancel, e.creator)); a.Stage != 5 {
		t.Errorf("stage %d", a.Stage)
	}
	var ends string
	err := e.DB.Raw(`SELECT concat_ws(' ', outcome, goes_to, (SELECT count(*) FROM outbox WHERE kind = 'mail.campaign_closed' AND payload ->> 'by_creator' = 'true'))
		FROM campaign_endings WHERE campaign_id = ?`, e.id).Scan(&ends).Error
	if err != nil || ends != "canceled backers 3" {
		t.Errorf("it ended %q, %v", ends, err)
	}
}

// What has ended is settled or on its way back: its creator changes nothing of that any more.
func TestClose_OfTheCreator_IsTooLateAfterTheEnd(t *testing.T) {
	for _, stage := range []campaigns.Stage{campaigns.StageSucceeded, campaigns.StageNotReached} {
		e := newEditing(t)
		for _, to := range []campaigns.Stage{campaigns.StageFunding, stage} {
			e.Tx(func(ctx context.Context, tx *gorm.DB) error {
				return campaigns.MoveStage(ctx, tx, e.id, to, campaigns.Scheduler(), e.Now())
			})
		}
		e.refused(e.Patch(e.admin, `{"stage": 5, "reason": "Talo on myyty"}`, e.creator), http.StatusConflict, "campaign_not_open")
	}
}

func TestPaymentAccount_IsTheCreatorsOwn(t *testing.T) {
	e := newEditing(t)
	e.Exec(`INSERT INTO payout_accounts (user_id, provider, account_id, wallet_id) VALUES (?, 'stripe', 'acct_1', ''), (?, 'mangopay', 'u1', 'w1'), (?, 'stripe', 'acct_2', '')`, e.creator, e.creator, e.second)
	address := fmt.Sprintf("/campaigns/%d/set_payment_account/", e.id)
	staff := e.Person("Henna", "view", "admin")
	for _, who := range []int64{e.second, staff} {
		e.refused(e.Post(address, `{"stripe_account_id": "acct_2"}`, who), http.StatusForbidden, "forbidden")
	}
	for body, field := range map[string]string{
		`{"stripe_account_id": "acct_2"}`: "stripe_account_id", `{"stripe_account_id": "acct_9"}`: "stripe_account_id", `{}`: "stripe_account_id",
		`{"mangopay_user_id": "u1", "mangopay_wallet_id": "w2"}`: "mangopay_wallet_id", `{"mangopay_user_id": "u1"}`: "mangopay_wallet_id",
		`{"mangopay_wallet_id": "w1"}`: "mangopay_user_id", `{"stripe_account_id": "acct_1", "mangopay_wallet_id": "w1"}`: "mangopay_user_id",
	} {
		e.refused(e.Post(address, body, e.creator), http.StatusUnprocessableEntity, "invalid_fields", field)
	}
	var answer api.PaymentAccountAnswer
	e.Post(address, `{"mangopay_user_id": "u1", "mangopay_wallet_id": "w1"}`, e.creator).JSON(&answer)
	if *answer.Settings.PaymentWalletID != "w1" || answer.Settings.PaymentAccountID != nil || answer.Version != 2 {
		t.Errorf("%+v", answer)
	}
	answer = api.PaymentAccountAnswer{}
	e.Post(address, `{"stripe_account_id": "acct_1"}`, e.creator, "If-Match", `"2"`).JSON(&answer)
	if answer.Settings.PaymentWalletID != nil || *answer.Settings.PaymentAccountID != "acct_1" || answer.Version != 3 {
		t.Errorf("%+v", answer)
	}
	answer = api.PaymentAccountAnswer{}
	e.Post(address, `{"stripe_account_id": "acct_1", "mangopay_user_id": "u1", "mangopay_wallet_id": "w1"}`, e.creator, "If-Match", `"3"`).JSON(&answer)
	if answer.Settings.PaymentWalletID == nil || answer.Settings.PaymentAccountID == nil {
		t.Errorf("by both: %+v", answer)
	}
	e.handsOver(e.creator, e.second)
	if a := e.must(e.Get(e.admin, e.creator)); a.Settings.PaymentAccountID != nil {
		t.Errorf("the campaign was handed over with the account of who made it: %+v", a.Settings)
	}
}

func TestMyCampaigns_SayWhatWaitsForTheirTeam(t *testing.T) {
	e := newEditing(t)
	staff := e.Person("Henna", "view", "edit")
	asked, back := e.ReadyDraft("kysytty", e.creator), e.ReadyDraft("palautettu", e.creator)
	for _, id := range []int64{asked, back} {
		e.Post(fmt.Sprintf("/campaigns/%d/review/", id), "", e.creator)
	}
	e.Post(fmt.Sprintf("/campaigns/%d/review/decisions/", back), `{"decision": "ask_for_changes", "notes": [{"part": "story", "text": "Kuka katolla?"}, {"part": "goal", "text": "Miksi?"}]}`, staff)
	e.Exec(`UPDATE campaigns SET contact_email = '' WHERE id = ?`, e.id)
	var list api.CampaignPreviewsAnswer
	answer := e.Get("/campaigns/mycampaigns/preview/fi/", e.creator)
	answer.JSON(&list)
	work := map[int64]api.CampaignWork{}
	for _, p := range list.Previews {
		work[p.CampaignID] = *p.Work
	}
	if w := work[e.id]; w.Review != "none" || w.Done != 8 || w.Of != 9 || *w.Next != "contact" || w.Notes != nil ||
		w.PaymentAccount {
		t.Errorf("draft %+v", w)
	}
	if w := work[asked]; w.Review != "requested" || w.AnswerBy.String() != "2026-11-24" || w.Done != 9 || w.Next != nil {
		t.Errorf("asked %+v", w)
	}
	if w := work[back]; w.Review != "changes_requested" || *w.Notes != 2 || *w.NotesMended != 0 ||
		*w.Note != "Kuka katolla?" || *w.NoteBy != "Henna" || w.DecidedAt == nil || w.AnswerBy != nil {
		t.Errorf("given back %+v", w)
	}
	if len(answer.Statements) != 2 {
		t.Errorf("%d statements", len(answer.Statements))
	}
}
