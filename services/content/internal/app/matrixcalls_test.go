package app_test

import (
	"fmt"
	"strings"
	"testing"

	"talkoot.fi/kit/ids"
)

// target is a campaign, and in which state the experiment is that has the same team: open, "disabled" or "unopened".
type target struct {
	campaign, creator, member int64
	experiment                string
}

// addressOf is a call's path about a campaign, with a value for each path parameter.
func (p *platform) addressOf(t *testing.T, path string, about target) string {
	t.Helper()
	experiment := p.experiment(t, about)
	address := strings.NewReplacer("{language}", "fi", "{campaign_id}", fmt.Sprint(about.campaign),
		"{post_id}", fmt.Sprint(p.post(t, about)), "{pledge_id}", p.pledge(t, about.campaign), "{raise_id}", p.pledge(t, about.campaign),
		"{subscription_id}", p.subscription(t, about.campaign), "{claim_id}", p.claim(t, path, about.campaign),
		"{x}", "card", "{passkey_id}", "1", "{session_id}", "nobodys",
		"{user_id}", fmt.Sprint(about.creator), "{path}", "fi.title", "{change_id}", fmt.Sprint(p.changeOf(t, path, about.campaign, experiment)),
		"{token}", "nobodysnobodysnobodysnobodys", "{currency}", "EUR", "{note_id}", fmt.Sprint(p.number(t, `INSERT INTO review_notes (campaign_id, round, part, text, user_id, at)
			VALUES (?, 1, 'story', 'Kuka', ?, now()) RETURNING id`, about.campaign, about.creator)),
		"{experiment_id}", fmt.Sprint(experiment)).Replace(path)
	for placeholder, make := range map[string]func() int64{
		"{category_id}": func() int64 { return p.number(t, `SELECT category_id FROM campaigns WHERE id = ?`, about.campaign) },
		"{tag_id}":      func() int64 { return p.number(t, `INSERT INTO tags (key) VALUES (?) RETURNING id`, ids.New()) },
		"{variation}":   func() int64 { return p.variation(t, about.campaign) },
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
	if path == "/claims/" {
		return address + "?of=staff"
	}
	if path == "/v6/search/{language}/" {
		return address + "?q=sauna"
	}
	return address
}

// changeOf is a change of what the call is about.
func (p *platform) changeOf(t *testing.T, path string, campaign, experiment int64) int64 {
	t.Helper()
	if strings.HasPrefix(path, "/experiments/") {
		return p.number(t, `INSERT INTO audit_log (at, actor, action, entity, entity_id, version, before, after)
			VALUES (now(), 'user', 'change_language', 'experiment', CAST(? AS bigint), 1, '{"fi.title": "Ennen"}', '{}') RETURNING id`, experiment)
	}
	return p.number(t, `INSERT INTO audit_log (at, actor, action, entity, entity_id, campaign_id, version, before, after)
		VALUES (now(), 'user', 'change_texts', 'campaign', '1', ?, 1, '{"fi.title": "Ennen"}', '{}') RETURNING id`, campaign)
}

// experiment is the target's, at a stage that can be moved from.
func (p *platform) experiment(t *testing.T, about target) int64 {
	t.Helper()
	id := p.number(t, `UPDATE experiments SET stage = 4, show_in = '{"index": true}', disabled = ?, open = ? WHERE id = (SELECT min(id) FROM experiments) RETURNING id`,
		about.experiment == "disabled", about.experiment != "unopened")
	if err := p.db.Exec(`DELETE FROM experiment_team WHERE experiment_id = ? AND position > 0`, id).Error; err != nil {
		t.Fatal(err)
	}
	if err := p.db.Exec(`UPDATE experiment_team SET user_id = ? WHERE experiment_id = ? AND position = 0`, about.creator, id).Error; err != nil {
		t.Fatal(err)
	}
	if about.member != 0 {
		if err := p.db.Exec(`INSERT INTO experiment_team (experiment_id, user_id, position) VALUES (?, ?, 1)`, id, about.member).Error; err != nil {
			t.Fatal(err)
		}
	}
	return id
}

// withMember has a second person in the team.
func (p *platform) withMember(t *testing.T, about target) target {
	t.Helper()
	about.member = p.number(t, `SELECT id FROM users WHERE email = 'tuomo.pirinen@example.fi'`)
	err := p.db.Exec(`INSERT INTO campaign_team (campaign_id, user_id, position)
		SELECT campaign_id, ?, max(position) + 1 FROM campaign_team WHERE campaign_id = ? GROUP BY campaign_id ON CONFLICT DO NOTHING`,
		about.member, about.campaign).Error
	if err != nil {
		t.Fatal(err)
	}
	return about
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
	case "member":
		return p.token(t, about.member)
	}
	who, passwordAlone := strings.CutSuffix(actor, " with a password alone")
	email := map[string]string{"stranger": "backer@talkoot.example", "editor": "joonas.ikaheimo@example.fi",
		"admin": "admin@talkoot.example"}[who]
	return p.session(t, p.number(t, `SELECT id FROM users WHERE email = ?`, email), !passwordAlone)
}

// claim makes one about a pledge that is paid, for the calls that name one.
func (p *platform) claim(t *testing.T, path string, campaignID int64) string {
	t.Helper()
	if !strings.Contains(path, "{claim_id}") {
		return ""
	}
	id := ids.New()
	if err := p.db.Exec(`INSERT INTO claims (id, reference, pledge_id, campaign_id, kind, state, waits_from, due_at, created_at, updated_at)
		VALUES (@id, @id, @pledge, @campaign, 'other', 'open', now(), now(), now(), now())`, map[string]any{"id": id, "pledge": p.pledge(t, campaignID), "campaign": campaignID}).Error; err != nil {
		t.Fatal(err)
	}
	return id
}

// subscription makes one that is not paid yet.
func (p *platform) subscription(t *testing.T, campaignID int64) string {
	t.Helper()
	id := ids.New()
	err := p.db.Exec(`INSERT INTO subscriptions (id, campaign_id, status, amount_minor, currency, email, first_name, last_name, language,
		payable_until, created_at, updated_at) VALUES (?, ?, 'created', 500, 'EUR', 'a@b.fi', 'A', 'B', 'fi', now() + interval '1 hour', now(), now())`,
		id, campaignID).Error
	if err != nil {
		t.Fatal(err)
	}
	return id
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

// noPasskey is the answer of no device.
const noPasskey = `{"id": "AAAA", "rawId": "AAAA", "type": "public-key",
	"response": {"clientDataJSON": "AAAA", "authenticatorData": "AAAA", "signature": "AAAA"}}`

func bodyOf(operation, actor string) string {
	switch operation {
	case "register":
		return `{"email": "` + strings.ReplaceAll(actor, " ", "-") + `@new.example", "password": "long enough", "first_name": "A", "last_name": "B"}`
	case "signIn":
		return `{"email": "creator@talkoot.example", "password": "talkoot-demo"}`
	case "changeCampaignMeta":
		return `{"hideMemberCount": true}`
	case "changeCampaignSettings":
		return `{"contact_email": "` + strings.ReplaceAll(actor, " ", "-") + `@new.example"}`
	case "addContentVariation":
		return `{"field": "tagline", "language": "fi", "value": "` + actor + `"}`
	case "countVisit":
		return `{"visitor": "0123456789abcdefghijklmnop", "source": "home"}`
	case "setSubscriptionGoals":
		return `{"subscriptions_goals": [{"target": 10, "title": "Sauna"}]}`
	case "lookUpVideo":
		return `{"url": "https://evil.example/"}`
	case "signInToForum":
		return forumRequest(actor)
	case "createPost", "changePost":
		return `{"content": {"title": "Kirje"}}`
	case "markDelivered":
		return `{"reward_id": 1, "day": "2026-11-20"}`
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
	case "changeProfile":
		return `{"short_description": "Olen ` + actor + `"}`
	case "changeProfileImage":
		return `{"image_collection": {"profile": {"filename": ""}}}`
	case "setProfileLinks":
		return `{"links": [{"url": "https://` + strings.ReplaceAll(actor, " ", "-") + `.example", "title": "Sivu"}]}`
	case "setProfileSkills":
		return `{"skills": ["` + actor + `"]}`
	case "setProfileTags":
		return `{"tags": []}`
	case "changeSettings":
		return `{"mail": {"letters": true}}`
	case "changePersonAdmin":
		return `{"settings": {"verified": true}}`
	case "createCategory", "changeCategory", "createTag", "changeTag":
		return `{"labels": {"sv": "` + operation + " " + strings.Fields(actor)[0] + `"}}`
	case "orderCategories":
		return `{"categories": [], "seen": []}`
	case "setFrontPage":
		return `{"campaigns": []}`
	case "takeSecondStep":
		return `{"challenge": "nobodys", "code": "123456"}`
	case "signInWithPasskey":
		return `{"challenge": "nobodys", "passkey": ` + noPasskey + `}`
	case "addPasskey":
		return `{"challenge": "nobodys", "name": "Puhelin", "passkey": {"id": "AAAA", "rawId": "AAAA", "type": "public-key",
			"response": {"clientDataJSON": "AAAA", "attestationObject": "AAAA"}}}`
	case "eraseAccount":
		return `{"email": "somebody.else@example.fi", "password": "talkoot-demo"}`
	case "changePassword":
		return `{"old_password": "not this one", "new_password": "seven grey stones"}`
	case "askPasswordReset", "askOrderLinks", "askPaymentReminder":
		return `{"email": "creator@talkoot.example"}`
	case "resetPassword":
		return `{"email": "creator@talkoot.example", "token": "nobodys", "new_password": "seven grey stones"}`
	case "confirmIdentity":
		return `{"password": "talkoot-demo"}`
	case "confirmTotp":
		return `{"code": "0000000"}`
	case "renamePasskey":
		return `{"name": "Puhelin"}`
	case "confirmEmail", "linkedReceipt", "linkedPledge", "openPledge", "withdrawOpenedPledge", "openedClaim", "renewPledgeLink", "closePledgeLink":
		return `{"token": "nobodys"}`
	case "actOnOwnClaim":
		return `{"act": "make", "key": "by-nobody", "kind": "other", "text": "Rikki"}`
	case "actOnOpenedClaim":
		return `{"token": "nobodys", "act": {"act": "make", "key": "by-nobody", "kind": "other", "text": "Rikki"}}`
	case "actOnClaim":
		return `{"act": "message", "key": "by-` + actor + `-key", "version": 1, "text": "Katsomme"}`
	case "refundBacker":
		return `{"receipt_number": "TK-0", "reason": "Rikki", "key": "by-` + actor + `-key"}`
	case "holdCampaign":
		return `{"kind": "on_hold", "reason": "rules", "tells_on": "2020-01-01"}`
	case "payOutStoppedCampaign":
		return `{"payout": "goes"}`
	case "changeCampaignAdmin":
		return `{}`
	case "setPaymentAccount":
		return `{"stripe_account_id": "acct_nobodys"}`
	case "createExperiment", "changeExperimentSettings", "changeExperimentFunding":
		return `{}`
	case "changeExperimentLanguage":
		return `{"title": "By ` + actor + `"}`
	case "changeExperimentCustomLanguage":
		return `{"results": {"value": "` + actor + `"}}`
	case "changeExperimentImage":
		return `{"image_collection": {"cover": {"filename": ""}}}`
	case "setExperimentTags":
		return `{"tags": []}`
	case "setExperimentLinks":
		return `{"links": [{"url": "example.fi", "title": "` + actor + `"}]}`
	case "decideReview":
		return `{"decision": "ask_for_changes", "notes": [{"part": "story", "text": "Kuka?"}]}`
	case "seeReviewChanges":
		return `{"seen": {}}`
	case "mendReviewNote":
		return `{"mended": true}`
	case "changeChoice":
		return `{"key": "by-nobody", "number": 0, "reward_id": null, "quantity": 1, "amount": 1}`
	case "changeOpenedChoice":
		return `{"token": "nobodys", "choice": {"key": "by-nobody", "number": 0, "reward_id": null, "quantity": 1, "amount": 1}}`
	case "changeOpenedPledge":
		return `{"token": "nobodys", "change": {"name_shown": "anonymous"}}`
	case "changePledge":
		return `{"name_shown": "anonymous"}`
	case "createSubscription":
		return `{"amount": 20, "email": "a@b.fi", "first_name": "A", "last_name": "B"}`
	case "setOwnSpendingLimit":
		return `{"amount": 40, "counts_pledges": true}`
	case "changeSubscription":
		return `{"first_name": "A"}`
	case "createPledge":
		return `{"amount": 20, "once_more": true, "pledge_meta": {"email": "a@b.fi", "first_name": "A", "last_name": "B"}}`
	}
	return ""
}
