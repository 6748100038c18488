package app_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// needsConfirmed is the row of a call by which something becomes public, or somebody is mailed, in the name of who calls.
const needsConfirmed = ""

// Why a call needs no confirmed address.
const (
	signing  = "signing in, and what keeps an account its owner's, cannot wait for a mail"
	own      = "nobody else sees it before the address is confirmed"
	reading  = "it only reads, or takes away what is one's own"
	staffs   = "of staff alone, whose addresses are confirmed (makes nobody staff else)"
	paying   = "who pays needs no account at all"
	counts   = "it counts once the address is confirmed"
	byLink   = "a mailed link authorises"
	visiting = "a visit names nobody"
)

// confirmedRows says for each call that writes, and for each state of what it is about, whether it needs a confirmed address, or why
// it needs none. Each row is called by somebody who has not confirmed theirs and has the rights otherwise: the creator of a
// campaign and owner of an experiment.
var confirmedRows = map[string]string{
	"register": signing, "signIn": signing, "signOut": signing, "sendVerification": signing, "confirmEmail": signing, "takeSecondStep": signing,
	"beginPasskeySignIn": signing, "signInWithPasskey": signing, "changePassword": signing, "askPasswordReset": signing, "resetPassword": signing,
	"beginConfirmation": signing, "confirmIdentity": signing, "beginTotp": signing, "removeTotp": signing, "confirmTotp": signing,
	"makeBackupCodes": signing, "beginPasskey": signing, "addPasskey": signing, "renamePasskey": signing, "removePasskey": signing,
	"endOtherSessions": signing, "endSession": signing, "eraseAccount": reading,
	// The profile of this person is public, as the creator's of an open campaign; TestUnconfirmed_NobodySeesAProfile has others.
	"changeProfile": needsConfirmed, "changeProfileImage": needsConfirmed, "setProfileLinks": needsConfirmed, "setProfileSkills": needsConfirmed,
	"setProfileTags": needsConfirmed,
	"changeSettings": own, "renewCalendarFeed": own, "endCalendarFeed": reading, "setOwnSpendingLimit": own, "endOwnSpendingLimit": own,
	"signInToForum": needsConfirmed,

	"changePersonAdmin": staffs, "createCategory": staffs, "orderCategories": staffs, "changeCategory": staffs, "deleteCategory": staffs,
	"createTag": staffs, "changeTag": staffs, "retireTag": staffs, "setFrontPage": staffs,

	"createCampaign": own, "createCampaignV2": own, "createCampaignV3": own, "uploadImage": own, "lookUpVideo": reading,
	"discardCampaign": needsConfirmed, "discardCampaign draft": reading,
	"copyCampaign": needsConfirmed, "copyCampaign draft": own,
	"changeCampaignAdmin": needsConfirmed, "changeCampaignAdmin draft": own, // inviting: TestUnconfirmed_InvitesNobody
	"holdCampaign": needsConfirmed, "holdCampaign draft": staffs, "payOutStoppedCampaign": needsConfirmed, "payOutStoppedCampaign draft": staffs,
	"liftCampaignHold": needsConfirmed, "liftCampaignHold draft": staffs,
	"changeCampaignLanguage": needsConfirmed, "changeCampaignLanguage draft": own,
	"changeCampaignCustomLanguage": needsConfirmed, "changeCampaignCustomLanguage draft": own,
	"uploadCampaignFile": needsConfirmed, "uploadCampaignFile draft": own,
	"setCampaignCategories": needsConfirmed, "setCampaignCategories draft": own,
	"setCampaignTags": needsConfirmed, "setCampaignTags draft": own,
	"setSubscriptionGoals": needsConfirmed, "setSubscriptionGoals draft": own,
	"requestReview": needsConfirmed, "requestReview draft": needsConfirmed,
	"withdrawReview": needsConfirmed, "withdrawReview draft": reading,
	"decideReview": needsConfirmed, "decideReview draft": staffs,
	"seeReviewChanges": needsConfirmed, "seeReviewChanges draft": staffs,
	"mendReviewNote": needsConfirmed, "mendReviewNote draft": own,
	"acceptCampaignInvitation": needsConfirmed,
	"setPaymentAccount":        needsConfirmed, "setPaymentAccount draft": own,
	"addContentVariation": needsConfirmed, "addContentVariation draft": own,
	"deleteContentVariation": needsConfirmed, "deleteContentVariation draft": own,
	"adoptContentVariation": needsConfirmed, "adoptContentVariation draft": own,
	"changeCampaignMeta": needsConfirmed, "changeCampaignMeta draft": own,
	"changeCampaignSettings": needsConfirmed, "changeCampaignSettings draft": own,
	"createReward": needsConfirmed, "createReward draft": own,
	"changeReward": needsConfirmed, "deleteReward": needsConfirmed, "copyReward": needsConfirmed, "changeRewardLanguage": needsConfirmed,
	"createPost": needsConfirmed, "createPost draft": own,
	"changePost": needsConfirmed, "changePost draft": own,
	"markDelivered": needsConfirmed, "markDelivered draft": reading,
	"deletePost": needsConfirmed, "deletePost draft": reading,
	"sendTestLetter": needsConfirmed, "sendTestLetter draft": needsConfirmed,
	"likeCampaign": counts, "likeCampaign draft": counts, "unlikeCampaign": reading, "unlikeCampaign draft": reading,
	"countVisit": visiting, "countVisit draft": visiting,

	"createPledge": paying, "createPledge draft": paying, "createSubscription": paying, "createSubscription draft": paying,
	"changeSubscription": paying, "releasePledge": paying, "releaseRaise": paying, "pledgePaymentPage": paying, "changePledge": paying, "changeChoice": paying, "withdrawPledge": paying, "actOnOwnClaim": paying,
	"actOnClaim": needsConfirmed, "refundBacker": needsConfirmed, "refundBacker draft": needsConfirmed,
	"linkedReceipt": byLink, "openedClaim": byLink, "actOnOpenedClaim": byLink, "linkedPledge": byLink, "openPledge": byLink, "withdrawOpenedPledge": byLink, "changeOpenedPledge": byLink, "changeOpenedChoice": byLink, "renewPledgeLink": byLink, "closePledgeLink": byLink, "askOrderLinks": byLink, "unsubscribeFromLetters": byLink, "askPaymentReminder": byLink, "askPaymentReminder draft": byLink,
	"refusePaymentReminders": byLink,

	"createExperiment":           own,
	"acceptExperimentInvitation": needsConfirmed, "acceptExperimentInvitation disabled": needsConfirmed, "acceptExperimentInvitation unopened": needsConfirmed,
	"declineExperimentInvitation": reading, "declineExperimentInvitation disabled": reading, "declineExperimentInvitation unopened": reading,
	"changeExperimentSettings": needsConfirmed, "changeExperimentSettings disabled": own, "changeExperimentSettings unopened": own,
	"changeExperimentLanguage": needsConfirmed, "changeExperimentLanguage disabled": own, "changeExperimentLanguage unopened": own,
	"changeExperimentCustomLanguage": needsConfirmed, "changeExperimentCustomLanguage disabled": own, "changeExperimentCustomLanguage unopened": own,
	"changeExperimentImage": needsConfirmed, "changeExperimentImage disabled": own, "changeExperimentImage unopened": own,
	"changeExperimentFunding": needsConfirmed, "changeExperimentFunding disabled": own, "changeExperimentFunding unopened": own,
	"setExperimentTags": needsConfirmed, "setExperimentTags disabled": own, "setExperimentTags unopened": own,
	"setExperimentLinks": needsConfirmed, "setExperimentLinks disabled": own, "setExperimentLinks unopened": own,
	"moveExperiment": needsConfirmed, "moveExperiment disabled": own, "moveExperiment unopened": own,
	"likeExperiment": counts, "likeExperiment disabled": counts, "likeExperiment unopened": counts,
	"unlikeExperiment": reading, "unlikeExperiment disabled": reading, "unlikeExperiment unopened": reading,
}

// An address that nobody has confirmed may be anybody's, also a blocked person's: nothing becomes public in its name.
func TestUnconfirmed_NothingBecomesPublic(t *testing.T) {
	p := setupDemo(t)
	handler := p.checked(t)
	open := p.withMember(t, p.target(t, "hoyry-kylan-yhteinen-saunalautta"))
	draft := p.withMember(t, p.target(t, "torstain-puupaja"))
	left := map[string]bool{}
	for row := range confirmedRows {
		left[row] = true
	}
	for _, operation := range operations(t) {
		if operation.Method == http.MethodGet {
			continue
		}
		states := []string{""}
		for parameter, all := range hidden {
			if strings.Contains(operation.Path, parameter) {
				states = append(states, all...)
			}
		}
		for _, state := range states {
			row := strings.TrimSpace(operation.ID + " " + state)
			why, ok := confirmedRows[row]
			if !ok {
				t.Errorf("%s %s: no row %q: does it need a confirmed address, or why does it not?", operation.Method, operation.Path, row)
				continue
			}
			delete(left, row)
			about := open
			if state == "draft" {
				about = draft
			}
			about.experiment = state
			address := p.addressOf(t, operation.Path, about)
			if err := p.db.Exec(`UPDATE users SET verified = id <> ?, scope = CASE WHEN id = ? THEN '{view}' ELSE scope END`, about.creator, about.creator).Error; err != nil {
				t.Fatal(err)
			}
			answer := call(t.Context(), handler, operation.Method, address, bodyOf(operation.ID, "creator"),
				append(bearer(p.tokenOf(t, "creator", about)), formOf(operation.ID)...)...)
			refused := answer.Code == http.StatusForbidden && strings.Contains(answer.Body.String(), `"address_unconfirmed"`)
			if refused != (why == needsConfirmed) {
				t.Errorf("%s by somebody who has not confirmed their address: %d %s; why it needs none: %q", row, answer.Code, answer.Body, why)
			}
			if want := matrix[row][3]; why != needsConfirmed && answer.Code != want {
				t.Errorf("%s: %d, want %d as for who has confirmed it: %s", row, answer.Code, want, answer.Body)
			}
		}
	}
	for row := range left {
		t.Errorf("the row %q is no call", row)
	}
}

// Who has not confirmed their address and is in no public team may write a profile; nobody else sees anything of it, not even by a
// payment, which shows the name alone that was given with it.
func TestUnconfirmed_NobodySeesAProfile(t *testing.T) {
	p := setupDemo(t)
	about := p.target(t, "hoyry-kylan-yhteinen-saunalautta")
	person := p.number(t, `INSERT INTO users (email, password_hash, first_name, last_name, created_at, scope)
		VALUES ('uusi@example.fi', '', 'Uusi', 'Tulija', now(), '{view}') RETURNING id`)
	picture := "kuva-uusi.jpg"
	if err := p.db.Exec(`UPDATE users SET image = ? WHERE id = ?`, picture, person).Error; err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ method, path, operation string }{
		{"PATCH", "/users/me/profile", "changeProfile"}, {"POST", "/users/me/links/", "setProfileLinks"},
		{"POST", "/users/me/skills/", "setProfileSkills"}, {"POST", "/users/me/tags/", "setProfileTags"},
	} {
		if a := call(t.Context(), p.handler, c.method, c.path, bodyOf(c.operation, "uusi"), bearer(p.token(t, person))...); a.Code != http.StatusOK {
			t.Errorf("%s: %d %s", c.operation, a.Code, a.Body)
		}
	}
	err := p.db.Exec(`INSERT INTO pledges (id, campaign_id, status, amount_minor, currency, quantity, lines, email, first_name, last_name, language,
			reserved_until, created_at, updated_at, paid_at, user_id, receipt_number, backer_number)
		SELECT 'paid-by-uusi', ?, 'paid', 2000, 'EUR', 1, '[]', 'uusi@example.fi', 'Uusi', 'T', 'fi', now(), now(), now(), now(), ?, 'TK-2026-999999', 99999`,
		about.campaign, person).Error
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]int{
		fmt.Sprintf("/users/%d/profile", person): http.StatusNotFound, fmt.Sprintf("/campaigns/%d/backers/", about.campaign): http.StatusOK,
		"/users/preview/?keyword=uusi": http.StatusOK, "/v6/search/fi/?q=tulija": http.StatusOK,
	} {
		a := call(t.Context(), p.handler, http.MethodGet, path, "")
		if a.Code != want || strings.Contains(a.Body.String(), picture) || strings.Contains(a.Body.String(), "Olen uusi") || strings.Contains(a.Body.String(), "Tulija") {
			t.Errorf("%s: %d, want %d: %s", path, a.Code, want, a.Body)
		}
	}
}

// Whoever registers somebody else's address chooses no words of the mail that goes there: it has no name until the address is
// confirmed, whatever is sent.
func TestUnconfirmed_MailHasNoWordsOfWhoRegistered(t *testing.T) {
	p := withMails(t)
	session := p.person(t, "uhri@example.fi", "fi") // Aino
	for _, c := range []struct{ method, path, body string }{
		{"PUT", "/users/me/calendar-feed/", ""}, {"POST", "/users/password_resets/", `{"email": "uhri@example.fi"}`},
		{"POST", "/users/me/password", `{"old_password": "long enough", "new_password": "seven grey stones"}`},
	} {
		if a := call(t.Context(), p.handler, c.method, c.path, c.body, bearer(session)...); a.Code >= http.StatusBadRequest {
			t.Fatalf("%s: %d %s", c.path, a.Code, a.Body)
		}
	}
	links := p.deliver(t, "uhri@example.fi")
	if len(p.sent) < 4 || len(links) != 1 {
		t.Fatalf("%d mails, %d links", len(p.sent), len(links))
	}
	if code := p.confirm(t, session, links[0]); code != http.StatusOK {
		t.Fatal(code)
	}
	p.person(t, "uhri@example.fi", "fi") // a second account
	p.deliver(t, "uhri@example.fi")
	for _, m := range p.sent {
		if strings.Contains(m.Text, "Aino") {
			t.Errorf("%s", m.Text)
		}
	}
}
