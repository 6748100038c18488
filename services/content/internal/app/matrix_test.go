package app_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"talkoot.fi/kit/contract"
	"talkoot.fi/kit/ids"

	"talkoot.fi/content/internal/api"
)

// actors are the columns of matrix.
var actors = []string{"anonymous", "stranger", "creator", "editor", "admin"}

type expected [5]int

var (
	everyone   = func(status int) expected { return expected{status, status, status, status, status} }
	signedIn   = func(status int) expected { return expected{401, status, status, status, status} }
	draftRead  = expected{404, 404, 200, 200, 200}
	draftWrite = expected{401, 404, 200, 200, 200}
	editing    = expected{401, 403, 200, 200, 200}
)

// matrix says for each call of the contract which status each actor gets. Calls about one campaign have a second row,
// for a draft.
var matrix = map[string]expected{
	"register":                     everyone(201),
	"signIn":                       everyone(200),
	"signOut":                      signedIn(204),
	"jwks":                         everyone(200),
	"sendVerification":             signedIn(202),
	"confirmEmail":                 everyone(410), // the token authorises, and this one is unknown
	"ownProfile":                   signedIn(200),
	"ownAddress":                   signedIn(200),
	"categories":                   everyone(200),
	"campaignTags":                 everyone(200),
	"campaignPreviews":             everyone(200),
	"campaignPreviewsV2":           everyone(200),
	"campaignPreviewsV6":           everyone(200),
	"mostFundedCampaigns":          everyone(200),
	"subscriptionCampaigns":        everyone(200),
	"preparingCampaigns":           everyone(200),
	"preparingCampaignsV2":         everyone(200),
	"myCampaigns":                  signedIn(200),
	"campaign":                     everyone(200),
	"campaign draft":               draftRead,
	"changeCampaignMeta":           editing,
	"changeCampaignMeta draft":     draftWrite,
	"changeCampaignSettings":       editing,
	"campaignBackers":              everyone(200),
	"campaignBackers draft":        draftRead,
	"campaignRewards":              everyone(200),
	"campaignRewards draft":        draftRead,
	"campaignPosts":                everyone(200),
	"campaignPosts draft":          draftRead,
	"campaignPostPreviews":         everyone(200),
	"campaignPostPreviews draft":   draftRead,
	"campaignPost":                 everyone(200),
	"campaignPost draft":           draftRead,
	"changeCampaignSettings draft": draftWrite,
	"likeCampaign":                 signedIn(200),
	"likeCampaign draft":           draftWrite,
	"unlikeCampaign":               signedIn(200),
	"unlikeCampaign draft":         draftWrite,
	"createPledge":                 everyone(201),
	"createPledge draft":           everyone(404), // a draft takes no money, whoever asks
	"pledge":                       everyone(200), // the id authorises
	"releasePledge":                everyone(204),
	"experimentPreviews":           everyone(200),
	"experiment":                   everyone(200),

	"addContentVariation":          editing,
	"addContentVariation draft":    draftWrite,
	"deleteContentVariation":       editing,
	"deleteContentVariation draft": draftWrite,
	"adoptContentVariation":        editing,
	"adoptContentVariation draft":  draftWrite,
	"campaignOverview":             editing,
	"campaignOverview draft":       draftWrite,
	"backersTable":                 editing,
	"backersTable draft":           draftWrite,
	"countVisit":                   everyone(204),
	"countVisit draft":             everyone(404), // a draft has no visitors, whoever asks
	"setSubscriptionGoals":         editing,
	"setSubscriptionGoals draft":   draftWrite,
	"createReward":                 {401, 403, 201, 201, 201},
	"createReward draft":           {401, 404, 201, 201, 201},
	"rewardAdmin":                  editing,
	"changeReward":                 editing,
	"changeRewardLanguage":         editing,
	"deleteReward":                 {401, 403, 204, 204, 204},
	"campaignAdmin":                editing,
	"campaignAdmin draft":          draftWrite,
	"changeCampaignAdmin":          editing,
	"changeCampaignAdmin draft":    draftWrite,
	"campaignInvitation":           everyone(410), // the token authorises, and this one is unknown
	"acceptCampaignInvitation":     signedIn(410),
	"setPaymentAccount":            {401, 403, 422, 403, 403}, // only the creator, who has no such account
	"setPaymentAccount draft":      {401, 404, 422, 403, 403},
	"requestReview":                {401, 403, 409, 409, 409}, // it is open already
	"requestReview draft":          {401, 404, 409, 409, 409}, // not ready
	"withdrawReview":               {401, 403, 409, 409, 409},
	"withdrawReview draft":         {401, 404, 409, 409, 409}, // nobody has asked
	"decideReview":                 {401, 403, 403, 409, 409},
	"decideReview draft":           {401, 404, 403, 409, 409},
	"mendReviewNote":               editing,
	"mendReviewNote draft":         draftWrite,
	"campaignsInReview":            {401, 403, 403, 200, 200},
	// Writing a campaign.
	"createCampaign":                     signedIn(201),
	"createCampaignV2":                   signedIn(201),
	"createCampaignV3":                   signedIn(201),
	"changeCampaignLanguage":             editing,
	"changeCampaignLanguage draft":       draftWrite,
	"changeCampaignCustomLanguage":       editing,
	"changeCampaignCustomLanguage draft": draftWrite,
	"setCampaignCategories":              editing,
	"setCampaignCategories draft":        draftWrite,
	"setCampaignTags":                    editing,
	"setCampaignTags draft":              draftWrite,
	"uploadCampaignFile":                 {401, 403, 201, 201, 201},
	"uploadCampaignFile draft":           {401, 404, 201, 201, 201},
	"uploadImage":                        signedIn(201),
	"campaignHistory":                    editing,
	"campaignHistory draft":              draftWrite,
	"createPost":                         {401, 403, 201, 201, 201},
	"createPost draft":                   {401, 404, 201, 201, 201},
	"changePost":                         editing,
	"changePost draft":                   draftWrite,
	"deletePost":                         {401, 403, 204, 204, 204},
	"deletePost draft":                   {401, 404, 204, 204, 204},
	"postAdmin":                          editing,
	"postAdmin draft":                    draftWrite,
	"sendTestLetter":                     {401, 403, 202, 202, 202},
	"sendTestLetter draft":               {401, 404, 202, 202, 202},
	"unsubscribeFromLetters":             everyone(404), // the token authorises, and this one is nobody's
	"lookUpVideo":                        signedIn(422), // an address of no platform
}

// target is a campaign.
type target struct{ campaign, creator int64 }

func TestAuthorisation_EveryCallByEveryActor(t *testing.T) {
	p := setup(t).withDemo(t)
	handler := p.checked(t)
	open := p.target(t, "hoyry-kylan-yhteinen-saunalautta")
	draft := p.target(t, "torstain-puupaja")
	for _, operation := range operations(t) {
		rows := []string{operation.ID}
		if strings.Contains(operation.Path, "{campaign_id}") {
			rows = append(rows, operation.ID+" draft")
		}
		for _, row := range rows {
			want, ok := matrix[row]
			if !ok {
				t.Errorf("%s %s: no row %q in the matrix: who may call it?", operation.Method, operation.Path, row)
				continue
			}
			about := open
			if strings.HasSuffix(row, " draft") {
				about = draft
			}
			for i, actor := range actors {
				address := p.addressOf(t, operation.Path, about)
				answer := call(t.Context(), handler, operation.Method, address, bodyOf(operation.ID, actor),
					append(bearer(p.tokenOf(t, actor, about)), formOf(operation.ID)...)...)
				if answer.Code != want[i] {
					t.Errorf("%s by %s: %d, want %d: %s", row, actor, answer.Code, want[i], answer.Body)
				}
			}
		}
	}
	for row := range matrix {
		id := strings.TrimSuffix(row, " draft")
		if !slices.ContainsFunc(operations(t), func(o contract.Operation) bool { return o.ID == id }) {
			t.Errorf("the matrix has a row %q that is no call", row)
		}
	}
}

// addressOf is a call's path about a campaign, with a value for each path parameter.
func (p *platform) addressOf(t *testing.T, path string, about target) string {
	t.Helper()
	address := strings.NewReplacer("{language}", "fi", "{campaign_id}", fmt.Sprint(about.campaign),
		"{post_id}", fmt.Sprint(p.post(t, about)), "{pledge_id}", p.pledge(t, about.campaign),
		"{token}", "nobodysnobodysnobodysnobodys", "{note_id}", fmt.Sprint(p.number(t, `INSERT INTO review_notes (campaign_id, round, part, text, user_id, at)
			VALUES (?, 1, 'story', 'Kuka', ?, now()) RETURNING id`, about.campaign, about.creator)),
		"{experiment_id}", fmt.Sprint(p.number(t, `SELECT min(id) FROM experiments WHERE NOT disabled`))).Replace(path)
	for placeholder, make := range map[string]func() int64{
		"{variation}": func() int64 { return p.variation(t, about.campaign) },
		"{reward_id}": func() int64 {
			return p.number(t, `INSERT INTO rewards (campaign_id, amount_minor, active, created_at) VALUES (?, 1000, 0, now()) RETURNING id`, about.campaign)
		},
	} {
		if strings.Contains(address, placeholder) {
			address = strings.ReplaceAll(address, placeholder, fmt.Sprint(make()))
		}
	}
	if strings.Contains(address, "{") {
		t.Fatalf("%s has a path parameter without a value: give it one in addressOf", path)
	}
	return address
}

// Contract and code agree on which calls need a session.
func TestMatrix_AgreesWithTheContractOnSessions(t *testing.T) {
	for _, operation := range operations(t) {
		if needs := matrix[operation.ID][0] == http.StatusUnauthorized; needs != operation.NeedsSession {
			t.Errorf("%s: the contract says that it needs a session: %v; the matrix: %v", operation.ID, operation.NeedsSession, needs)
		}
	}
}

func operations(t *testing.T) []contract.Operation {
	t.Helper()
	spec, err := api.GetSpecJSON()
	if err != nil {
		t.Fatal(err)
	}
	c, err := contract.Load(spec)
	if err != nil {
		t.Fatal(err)
	}
	list := c.Operations()
	for i := range list { // the generator capitalises ids in the embedded contract
		list[i].ID = strings.ToLower(list[i].ID[:1]) + list[i].ID[1:]
	}
	return list
}

func (p *platform) target(t *testing.T, slug string) target {
	t.Helper()
	id := p.number(t, `SELECT id FROM campaigns WHERE slug = ?`, slug)
	creator := p.number(t, `SELECT user_id FROM campaign_team WHERE campaign_id = ? AND position = 0`, id)
	return target{campaign: id, creator: creator}
}

// post makes a published one.
func (p *platform) post(t *testing.T, about target) int64 {
	t.Helper()
	id := p.number(t, `INSERT INTO posts (campaign_id, author_id, language, created_at, status, published_at)
		VALUES (?, ?, 'fi', now(), 'published', now()) RETURNING id`, about.campaign, about.creator)
	err := p.db.Exec(`INSERT INTO post_texts (post_id, language, title, story, html) VALUES (?, 'fi', 'Otsikko',
		'{"type": "doc", "content": [{"type": "paragraph", "content": [{"type": "text", "text": "Teksti"}]}]}', '<p>Teksti</p>')`, id).Error
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func (p *platform) tokenOf(t *testing.T, actor string, about target) string {
	t.Helper()
	switch actor {
	case "anonymous":
		return ""
	case "creator":
		return p.token(t, about.creator)
	}
	email := map[string]string{"stranger": "backer@talkoot.example", "editor": "joonas.ikaheimo@example.fi", "admin": "admin@talkoot.example"}[actor]
	return p.token(t, p.number(t, `SELECT id FROM users WHERE email = ?`, email))
}

// pledge makes an unpaid one.
func (p *platform) pledge(t *testing.T, campaignID int64) string {
	t.Helper()
	id := ids.New()
	err := p.db.Exec(`INSERT INTO pledges (id, campaign_id, status, amount_minor, currency, quantity, lines, email, first_name, last_name,
		language, reserved_until, created_at, updated_at)
		VALUES (?, ?, 'created', 2000, 'EUR', 1, '[]', 'a@b.fi', 'A', 'B', 'fi', now() + interval '1 hour', now(), now())`, id, campaignID).Error
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// variation makes one of the campaign's tagline that is shown alone.
func (p *platform) variation(t *testing.T, campaignID int64) int64 {
	t.Helper()
	if err := p.db.Exec(`UPDATE content_variations SET stopped_at = now() WHERE campaign_id = ?`, campaignID).Error; err != nil {
		t.Fatal(err)
	}
	return p.number(t, `INSERT INTO content_variations (campaign_id, field, language, value, letter, created_at)
		VALUES (?, 'tagline', 'fi', 'Toinen', 'B', now()) RETURNING id`, campaignID)
}

// formOf are the headers of a call whose body is a form.
func formOf(operation string) []string {
	if strings.HasPrefix(operation, "upload") {
		return []string{"Content-Type", "multipart/form-data; boundary=x"}
	}
	return nil
}

// dot is a GIF of one pixel.
const dot = "GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x01L\x00;"

func bodyOf(operation, actor string) string {
	switch operation {
	case "register":
		return `{"email": "` + actor + `@new.example", "password": "long enough", "first_name": "A", "last_name": "B"}`
	case "signIn":
		return `{"email": "creator@talkoot.example", "password": "talkoot-demo"}`
	case "changeCampaignMeta":
		return `{"hideMemberCount": true}`
	case "changeCampaignSettings":
		return `{"contact_email": "` + actor + `@new.example"}`
	case "addContentVariation":
		return `{"field": "tagline", "language": "fi", "value": "` + actor + `"}`
	case "countVisit":
		return `{"visitor": "0123456789abcdefghijklmnop", "source": "home"}`
	case "setSubscriptionGoals":
		return `{"subscriptions_goals": [{"target": 10, "title": "Sauna"}]}`
	case "lookUpVideo":
		return `{"url": "https://evil.example/"}`
	case "createPost", "changePost":
		return `{"content": {"title": "Kirje"}}`
	case "changeReward":
		return `{"amount": 12}`
	case "changeRewardLanguage":
		return `{"fi": {"title": "Kauha"}}`
	case "uploadCampaignFile", "uploadImage":
		return "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"dot.gif\"\r\n\r\n" + dot + "\r\n--x--\r\n"
	case "createCampaignV2", "createCampaignV3":
		return `{"title": "Uusi"}`
	case "changeCampaignLanguage":
		return `{"en": {"title": "By ` + actor + `"}}`
	case "changeCampaignCustomLanguage":
		return `{"match_funding": {"value": "` + actor + `"}}`
	case "setCampaignCategories":
		return `{"categories": [1]}`
	case "setCampaignTags":
		return `{"tags": []}`
	case "confirmEmail":
		return `{"token": "nobodys"}`
	case "changeCampaignAdmin":
		return `{}`
	case "setPaymentAccount":
		return `{"stripe_account_id": "acct_nobodys"}`
	case "decideReview":
		return `{"decision": "ask_for_changes", "notes": [{"part": "story", "text": "Kuka?"}]}`
	case "mendReviewNote":
		return `{"mended": true}`
	case "createPledge":
		return `{"amount": 20, "pledge_meta": {"email": "a@b.fi", "first_name": "A", "last_name": "B"}}`
	}
	return ""
}

func TestTokens_ThatAreInvalidAreRefusedEverywhere(t *testing.T) {
	p := setup(t).withDemo(t)
	handler := p.checked(t)
	stranger := p.number(t, `SELECT id FROM users WHERE email = 'backer@talkoot.example'`)
	ended := p.token(t, stranger)
	if answer := call(t.Context(), handler, "DELETE", "/users/tokens/", "", bearer(ended)...); answer.Code != 204 {
		t.Fatalf("sign out: %d", answer.Code)
	}
	good := p.token(t, stranger)
	for name, c := range map[string]struct{ header, status string }{
		"ended":      {"Bearer " + ended, "token_expired"},
		"forged":     {"Bearer " + good[:len(good)-6] + "AAAAAA", "token_invalid"},
		"none alg":   {"Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.", "token_invalid"},
		"not bearer": {"Basic YTpi", "token_invalid"},
	} {
		for _, address := range []string{"/users/me/profile", "/campaigns/preview/fi/", "/v6/campaigns/preview/fi"} {
			answer := call(t.Context(), handler, "GET", address, "", "Authorization", c.header)
			if answer.Code != 401 || !strings.Contains(answer.Body.String(), `"`+c.status+`"`) {
				t.Errorf("%s at %s: %d %s", name, address, answer.Code, answer.Body)
			}
		}
	}
	if answer := call(t.Context(), handler, "GET", "/users/me/profile/", "", bearer(good)...); answer.Code != 200 {
		t.Errorf("good token: %d", answer.Code)
	}
}

// A token that was made for an admin gives no rights after the scope is removed or the account is blocked.
func TestScope_ThatIsRemovedIsGoneAtTheNextRequest(t *testing.T) {
	p := setup(t).withDemo(t)
	admin := p.token(t, p.number(t, `SELECT id FROM users WHERE email = 'admin@talkoot.example'`))
	draft := fmt.Sprintf("/campaigns/%d/fi/", p.target(t, "torstain-puupaja").campaign)
	for _, step := range []struct {
		change string
		want   int
	}{
		{"", 200}, {"scope = '{view}'", 404}, {"scope = '{view,edit}'", 200}, {"blocked_at = now()", 401}, {"blocked_at = NULL", 200},
	} {
		if step.change != "" {
			if err := p.db.Exec(`UPDATE users SET ` + step.change + ` WHERE email = 'admin@talkoot.example'`).Error; err != nil {
				t.Fatal(err)
			}
		}
		if answer := call(t.Context(), p.handler, "GET", draft, "", bearer(admin)...); answer.Code != step.want {
			t.Errorf("after %q: %d, want %d", step.change, answer.Code, step.want)
		}
	}
}
