package app_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"talkoot.fi/kit/contract"

	"talkoot.fi/content/internal/api"
)

// actors are the columns of matrix. The member is in the team, the creator first in it.
var actors = []string{"anonymous", "stranger", "member", "creator", "editor", "admin"}

// unprovenStaff are people of staff who signed in with a password alone: they may what a stranger may.
var unprovenStaff = []string{"editor with a password alone", "admin with a password alone"}

type expected [6]int

var (
	everyone   = func(status int) expected { return expected{status, status, status, status, status, status} }
	signedIn   = func(status int) expected { return expected{401, status, status, status, status, status} }
	draftRead  = expected{404, 404, 200, 200, 200, 200}
	draftWrite = expected{401, 404, 200, 200, 200, 200}
	editing    = expected{401, 403, 200, 200, 200, 200}
	adminsOnly = expected{401, 403, 403, 403, 403, 200}
)

// hidden are the states, by the parameter that a call is about, in which few may see it: a call has a row for each.
var hidden = map[string][]string{"{campaign_id}": {"draft"}, "{experiment_id}": {"disabled", "unopened"}}

// matrix says for each call of the contract which status each actor gets, and what it is about if that is hidden.
var matrix = map[string]expected{
	"register":                     everyone(201),
	"signIn":                       everyone(200),
	"signOut":                      signedIn(204),
	"jwks":                         everyone(200),
	"sendVerification":             signedIn(202),
	"confirmEmail":                 signedIn(410), // an unknown token
	"takeSecondStep":               everyone(410), // the challenge authorises, and this one is unknown
	"beginPasskeySignIn":           everyone(201),
	"signInWithPasskey":            everyone(410), // the challenge is unknown
	"changePassword":               signedIn(422), // not the old one
	"askPasswordReset":             everyone(202),
	"resetPassword":                everyone(410),
	"beginConfirmation":            signedIn(409), // nobody has a passkey
	"confirmIdentity":              signedIn(204),
	"ownSecurity":                  signedIn(200),
	"beginTotp":                    signedIn(201),
	"confirmTotp":                  signedIn(422), // not its code
	"removeTotp":                   signedIn(204),
	"makeBackupCodes":              signedIn(409), // nobody has a second step
	"beginPasskey":                 signedIn(201),
	"addPasskey":                   signedIn(422), // no passkey
	"renamePasskey":                signedIn(404), // nobody's
	"removePasskey":                signedIn(404),
	"ownSessions":                  signedIn(200),
	"endOtherSessions":             signedIn(204),
	"endSession":                   signedIn(404), // nobody's
	"ownData":                      signedIn(200),
	"ownErasure":                   signedIn(200),
	"eraseAccount":                 signedIn(422), // not their address
	"ownProfile":                   signedIn(200),
	"changeProfile":                signedIn(200),
	"changeProfileImage":           signedIn(200),
	"setProfileLinks":              signedIn(200),
	"setProfileSkills":             signedIn(200),
	"setProfileTags":               signedIn(200),
	"changeSettings":               signedIn(200),
	"userPreviews":                 everyone(200),
	"userTags":                     everyone(200),
	"search":                       everyone(200),
	"userProfile":                  everyone(200),
	"peopleAdmin":                  adminsOnly,
	"personAdmin":                  adminsOnly,
	"changePersonAdmin":            adminsOnly,
	"auditTrail":                   adminsOnly,
	"campaignTable":                adminsOnly,
	"categoriesAdmin":              adminsOnly,
	"createCategory":               {401, 403, 403, 403, 403, 201},
	"changeCategory":               adminsOnly,
	"deleteCategory":               {401, 403, 403, 403, 403, 409}, // campaigns have it
	"orderCategories":              {401, 403, 403, 403, 403, 412}, // not those that there are
	"tagsAdmin":                    adminsOnly,
	"createTag":                    {401, 403, 403, 403, 403, 201},
	"changeTag":                    adminsOnly,
	"retireTag":                    {401, 403, 403, 403, 403, 204},
	"frontPage":                    adminsOnly,
	"setFrontPage":                 adminsOnly,
	"ownAddress":                   signedIn(200),
	"ownPledges":                   signedIn(200),
	"ownInCampaign":                signedIn(200),
	"ownMenu":                      signedIn(200),
	"ownInCampaign draft":          signedIn(200), // nothing of the draft
	"changePledge":                 signedIn(403), // nobody's own
	"changeChoice":                 signedIn(403), // nobody's own
	"withdrawPledge":               signedIn(403), // nobody's own
	"ownClaim":                     signedIn(403), // nobody's own
	"actOnOwnClaim":                signedIn(403),
	"openedClaim":                  everyone(410),
	"actOnOpenedClaim":             everyone(410),
	"claims":                       adminsOnly, // those that wait for staff
	"claim":                        {401, 404, 200, 200, 404, 200},
	"claim draft":                  {401, 404, 200, 200, 404, 200},
	"actOnClaim":                   {401, 404, 200, 200, 404, 200},
	"actOnClaim draft":             {401, 404, 200, 200, 404, 200},
	"refundBacker":                 {401, 403, 409, 409, 403, 409}, // no such receipt
	"refundBacker draft":           {401, 404, 409, 409, 403, 409},
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
	"ownSubscriptions":             signedIn(200),
	"moneyCalendar":                signedIn(200),
	"renewCalendarFeed":            signedIn(200),
	"endCalendarFeed":              signedIn(204),
	"calendarFeed":                 everyone(404), // a token that is none
	"ownSpendingLimits":            signedIn(200),
	"setOwnSpendingLimit":          signedIn(200),
	"endOwnSpendingLimit":          signedIn(200),
	"createSubscription":           everyone(409), // the demo's campaign takes pledges
	"createSubscription draft":     everyone(404),
	"subscriptionRecord":           everyone(403), // nobody's own: TestOrders_AreTheirHoldersAlone
	"linkedReceipt":                everyone(410), // a token that is none
	"linkedPledge":                 everyone(410),
	"openPledge":                   everyone(410),
	"withdrawOpenedPledge":         everyone(410),
	"changeOpenedPledge":           everyone(410),
	"changeOpenedChoice":           everyone(410),
	"renewPledgeLink":              everyone(202), // whether it is a link is not told
	"closePledgeLink":              everyone(204),
	"askOrderLinks":                everyone(202),
	"askPaymentReminder":           everyone(202),
	"askPaymentReminder draft":     everyone(404),
	"openReminderPage":             everyone(303),
	"refusePaymentReminders":       everyone(404), // a token that is none
	"changeSubscription":           everyone(403),
	"createPledge":                 everyone(201),
	"createPledge draft":           everyone(404), // a draft takes no money, whoever asks
	"pledge":                       everyone(403),
	"releasePledge":                everyone(403),
	"raise":                        everyone(403),
	"releaseRaise":                 everyone(403),
	"pledgePaymentPage":            everyone(403),
	"experimentPreviews":           everyone(200),
	"experiment":                   everyone(200),
	"experiment disabled":          draftRead,
	"experiment unopened":          draftRead,
	// Writing an experiment.
	"createExperiment":                        signedIn(201),
	"experimentTags":                          everyone(200),
	"experimentAdmin":                         editing,
	"experimentAdmin disabled":                draftWrite,
	"experimentAdmin unopened":                draftWrite,
	"experimentHistory":                       editing,
	"experimentHistory disabled":              draftWrite,
	"experimentHistory unopened":              draftWrite,
	"experimentHistoryValue":                  editing,
	"experimentHistoryValue disabled":         draftWrite,
	"experimentHistoryValue unopened":         draftWrite,
	"changeExperimentSettings":                editing,
	"changeExperimentSettings disabled":       draftWrite,
	"changeExperimentSettings unopened":       draftWrite,
	"changeExperimentLanguage":                editing,
	"changeExperimentLanguage disabled":       draftWrite,
	"changeExperimentLanguage unopened":       draftWrite,
	"changeExperimentCustomLanguage":          editing,
	"changeExperimentCustomLanguage disabled": draftWrite,
	"changeExperimentCustomLanguage unopened": draftWrite,
	"changeExperimentImage":                   editing,
	"changeExperimentImage disabled":          draftWrite,
	"changeExperimentImage unopened":          draftWrite,
	"changeExperimentFunding":                 editing,
	"changeExperimentFunding disabled":        draftWrite,
	"changeExperimentFunding unopened":        draftWrite,
	"setExperimentTags":                       editing,
	"setExperimentTags disabled":              draftWrite,
	"setExperimentTags unopened":              draftWrite,
	"setExperimentLinks":                      editing,
	"setExperimentLinks disabled":             draftWrite,
	"setExperimentLinks unopened":             draftWrite,
	"moveExperiment":                          editing,
	"moveExperiment disabled":                 draftWrite,
	"moveExperiment unopened":                 draftWrite,
	"acceptExperimentInvitation":              signedIn(410), // nobody is invited
	"acceptExperimentInvitation disabled":     signedIn(410),
	"acceptExperimentInvitation unopened":     signedIn(410),
	"declineExperimentInvitation":             signedIn(204),
	"declineExperimentInvitation disabled":    signedIn(204),
	"declineExperimentInvitation unopened":    signedIn(204),
	"ownInvitations":                          signedIn(200),
	"likeExperiment":                          signedIn(200),
	"likeExperiment disabled":                 draftWrite,
	"likeExperiment unopened":                 draftWrite,
	"unlikeExperiment":                        signedIn(200),
	"unlikeExperiment disabled":               draftWrite,
	"unlikeExperiment unopened":               draftWrite,
	"places":                                  everyone(200),

	"campaignRecommendations":            everyone(200),
	"campaignRecommendations draft":      draftRead,
	"experimentRecommendations":          everyone(200),
	"experimentRecommendations disabled": everyone(404),
	"experimentRecommendations unopened": everyone(404),
	"myRecommendations":                  signedIn(200),
	"recommendations":                    everyone(200),

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
	"campaignDeliveries":           editing,
	"campaignDeliveries draft":     draftWrite,
	"markDelivered":                {401, 403, 409, 409, 409, 409}, // it has not ended
	"markDelivered draft":          {401, 404, 409, 409, 409, 409},
	"supportersTable":              editing,
	"supportersTable draft":        draftWrite,
	"countVisit":                   everyone(204),
	"countVisit draft":             everyone(404), // a draft has no visitors, whoever asks
	"setSubscriptionGoals":         editing,
	"setSubscriptionGoals draft":   draftWrite,
	"createReward":                 {401, 403, 201, 201, 201, 201},
	"createReward draft":           {401, 404, 201, 201, 201, 201},
	"copyReward":                   {401, 403, 201, 201, 201, 201},
	"rewardAdmin":                  editing,
	"changeReward":                 editing,
	"changeRewardLanguage":         editing,
	"deleteReward":                 {401, 403, 204, 204, 204, 204},
	"campaignAdmin":                editing,
	"campaignAdmin draft":          draftWrite,
	"changeCampaignAdmin":          editing,
	"changeCampaignAdmin draft":    draftWrite,
	"holdCampaign":                 {401, 403, 403, 403, 422, 422}, // for staff, whose day is past
	"holdCampaign draft":           {401, 404, 403, 403, 422, 422},
	"liftCampaignHold":             {401, 403, 403, 403, 200, 200},
	"liftCampaignHold draft":       {401, 404, 403, 403, 200, 200},
	"payOutStoppedCampaign":        {401, 403, 403, 403, 409, 409}, // it is not stopped
	"payOutStoppedCampaign draft":  {401, 404, 403, 403, 409, 409},
	"campaignInvitation":           everyone(410), // the token authorises, and this one is unknown
	"acceptCampaignInvitation":     signedIn(410),
	"setPaymentAccount":            {401, 403, 403, 422, 403, 403}, // only the creator, who has no such account
	"setPaymentAccount draft":      {401, 404, 403, 422, 403, 403},
	"requestReview":                {401, 403, 409, 409, 409, 409}, // it is open already
	"requestReview draft":          {401, 404, 409, 409, 409, 409}, // not ready
	"withdrawReview":               {401, 403, 409, 409, 409, 409},
	"withdrawReview draft":         {401, 404, 409, 409, 409, 409}, // nobody has asked
	"decideReview":                 {401, 403, 403, 403, 409, 409},
	"reviewChanges":                {401, 403, 200, 200, 200, 200},
	"reviewChanges draft":          {401, 404, 200, 200, 200, 200},
	"seeReviewChanges":             {401, 403, 403, 403, 200, 200},
	"seeReviewChanges draft":       {401, 404, 403, 403, 409, 409},
	"decideReview draft":           {401, 404, 403, 403, 409, 409},
	"mendReviewNote":               editing,
	"mendReviewNote draft":         draftWrite,
	"campaignsInReview":            {401, 403, 403, 403, 200, 200},
	// Writing a campaign.
	"discardCampaign":                    {401, 403, 403, 409, 403, 403}, // only the creator, and it is public
	"discardCampaign draft":              {401, 404, 403, 409, 403, 403}, // it has a pledge of the time when it was open
	"copyCampaign":                       {401, 403, 403, 201, 403, 403},
	"copyCampaign draft":                 {401, 404, 403, 201, 403, 403},
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
	"uploadCampaignFile":                 {401, 403, 201, 201, 201, 201},
	"uploadCampaignFile draft":           {401, 404, 201, 201, 201, 201},
	"uploadImage":                        signedIn(201),
	"campaignHistory":                    editing,
	"campaignHistory draft":              draftWrite,
	"campaignHistoryValue":               editing,
	"campaignHistoryValue draft":         draftWrite,
	"createPost":                         {401, 403, 201, 201, 201, 201},
	"createPost draft":                   {401, 404, 201, 201, 201, 201},
	"changePost":                         editing,
	"changePost draft":                   draftWrite,
	"deletePost":                         {401, 403, 204, 204, 204, 204},
	"deletePost draft":                   {401, 404, 204, 204, 204, 204},
	"postAdmin":                          editing,
	"postAdmin draft":                    draftWrite,
	"sendTestLetter":                     {401, 403, 202, 202, 202, 202},
	"sendTestLetter draft":               {401, 404, 202, 202, 202, 202},
	"unsubscribeFromLetters":             everyone(404), // the token authorises, and this one is nobody's
	"openLettersPage":                    everyone(303), // the page says whether the link is one
	"lookUpVideo":                        signedIn(422), // an address of no platform
	"signInToForum":                      signedIn(200),
}

func TestAuthorisation_EveryCallByEveryActor(t *testing.T) {
	p := setupDemo(t)
	if err := p.db.Exec(`DELETE FROM totp_apps`).Error; err != nil { // all have the same, so that rights alone differ
		t.Fatal(err)
	}
	handler := p.checked(t)
	open := p.withMember(t, p.target(t, "hoyry-kylan-yhteinen-saunalautta"))
	draft := p.withMember(t, p.target(t, "torstain-puupaja"))
	for _, operation := range operations(t) {
		states := []string{""}
		for parameter, all := range hidden {
			if strings.Contains(operation.Path, parameter) {
				states = append(states, all...)
			}
		}
		for _, state := range states {
			row := strings.TrimSpace(operation.ID + " " + state)
			want, ok := matrix[row]
			if !ok {
				t.Errorf("%s %s: no row %q in the matrix: who may call it?", operation.Method, operation.Path, row)
				continue
			}
			about := open
			if state == "draft" {
				about = draft
			}
			about.experiment = state
			for i, actor := range append(actors, unprovenStaff...) {
				if i >= len(actors) {
					i = slices.Index(actors, "stranger")
				}
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
		id, _, _ := strings.Cut(row, " ")
		if !slices.ContainsFunc(operations(t), func(o contract.Operation) bool { return o.ID == id }) {
			t.Errorf("the matrix has a row %q that is no call", row)
		}
	}
}

// Contract and code agree on which calls need a session.
func TestMatrix_AgreesWithTheContractOnSessions(t *testing.T) {
	for _, operation := range operations(t) {
		if needs := matrix[operation.ID][0] == http.StatusUnauthorized; needs != operation.NeedsSession {
			t.Errorf("%s: the contract says that it needs a session: %v; the matrix: %v", operation.ID, operation.NeedsSession,
				needs)
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
