package app

import (
	"context"

	"talkoot.fi/kit/apperr"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/api/internalapi"
	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/campaign/drafts"
	"talkoot.fi/content/internal/campaign/editing"
	"talkoot.fi/content/internal/campaign/labels"
	"talkoot.fi/content/internal/campaign/overview"
	"talkoot.fi/content/internal/campaign/posts"
	"talkoot.fi/content/internal/campaign/review"
	"talkoot.fi/content/internal/campaign/rewards"
	"talkoot.fi/content/internal/campaign/taxonomy"
	"talkoot.fi/content/internal/campaign/team"
	"talkoot.fi/content/internal/campaign/variations"
	"talkoot.fi/content/internal/discovery/frontpage"
	"talkoot.fi/content/internal/discovery/places"
	"talkoot.fi/content/internal/discovery/recommend"
	"talkoot.fi/content/internal/discovery/search"
	"talkoot.fi/content/internal/experiments"
	"talkoot.fi/content/internal/mail/letters"
	"talkoot.fi/content/internal/media/uploads"
	"talkoot.fi/content/internal/person/forum"
	"talkoot.fi/content/internal/person/ownmenu"
	"talkoot.fi/content/internal/person/people"
	"talkoot.fi/content/internal/person/personaldata"
	"talkoot.fi/content/internal/person/secondstep"
	"talkoot.fi/content/internal/person/sessions"
	"talkoot.fi/content/internal/person/verifications"
	"talkoot.fi/content/internal/pledging/accounts"
	"talkoot.fi/content/internal/pledging/backing"
	"talkoot.fi/content/internal/pledging/claims"
	"talkoot.fi/content/internal/pledging/holders"
	"talkoot.fi/content/internal/pledging/hostedpages"
	"talkoot.fi/content/internal/pledging/moneycalendar"
	"talkoot.fi/content/internal/pledging/orderlinks"
	"talkoot.fi/content/internal/pledging/pledges"
	"talkoot.fi/content/internal/pledging/reminders"
	"talkoot.fi/content/internal/pledging/spendinglimits"
	"talkoot.fi/content/internal/pledging/subscriptions"
	"talkoot.fi/content/internal/writing/audittrail"
	"talkoot.fi/content/internal/writing/videos"
)

// Every domain's type is called Handlers; embedding them in one struct needs different names.
type (
	campaignCalls   = campaigns.Handlers
	editingCalls    = editing.Handlers
	draftCalls      = drafts.Handlers
	experimentCalls = experiments.Handlers
	forumCalls      = forum.Handlers
	holderCalls     = holders.InternalHandlers
	accountCalls    = accounts.InternalHandlers
	overviewCalls   = overview.Handlers
	placeCalls      = places.Handlers
	pledgeCalls     = pledges.Handlers
	backingCalls    = backing.Handlers
	claimCalls      = claims.Handlers
	ownMenuCalls    = ownmenu.Handlers
	postCalls       = posts.Handlers
	letterCalls     = letters.Handlers
	videoCalls      = videos.Handlers
	peopleCalls     = people.Handlers
	dataCalls       = personaldata.Handlers
	auditCalls      = audittrail.Handlers
	labelCalls      = labels.Handlers
	frontPageCalls  = frontpage.Handlers
	orderLinkCalls  = orderlinks.Handlers
	recommendCalls  = recommend.Handlers
	reminderCalls   = reminders.Handlers
	reviewCalls     = review.Handlers
	searchCalls     = search.Handlers
	rewardCalls     = rewards.Handlers
	sessionCalls    = sessions.Handlers
	stepCalls       = secondstep.Handlers
	taxonomyCalls   = taxonomy.Handlers
	supportCalls    = subscriptions.Handlers
	calendarCalls   = moneycalendar.Handlers
	limitCalls      = spendinglimits.Handlers
	hostedPageCalls = hostedpages.Handlers
	teamCalls       = team.Handlers
	uploadCalls     = uploads.Handlers
	linkCalls       = verifications.Handlers
	variationCalls  = variations.Handlers
)

// publicAPI answers every call of the public contract; each domain brings its own.
type publicAPI struct {
	*sessionCalls
	*stepCalls
	*linkCalls
	*forumCalls
	*peopleCalls
	*dataCalls
	*auditCalls
	*labelCalls
	*frontPageCalls
	*taxonomyCalls
	*campaignCalls
	*draftCalls
	*uploadCalls
	*rewardCalls
	*overviewCalls
	*variationCalls
	*postCalls
	*letterCalls
	*videoCalls
	*pledgeCalls
	*claimCalls
	*hostedPageCalls
	*backingCalls
	*ownMenuCalls
	*supportCalls
	*experimentCalls
	*placeCalls
	*editingCalls
	*calendarCalls
	*orderLinkCalls
	*recommendCalls
	*reminderCalls
	*reviewCalls
	*searchCalls
	*limitCalls
	*teamCalls
}

var _ api.StrictServerInterface = publicAPI{}

// internalAPI answers every call of the internal contract: those about a pledge or a subscription go to its domain. The public edge
// answers 404 on its routes.
type internalAPI struct {
	pledges       *pledges.InternalHandlers
	subscriptions *subscriptions.InternalHandlers
	*holderCalls
	*accountCalls
}

var _ internalapi.StrictServerInterface = internalAPI{}

// Order is what is to be paid for a subject.
func (a internalAPI) Order(ctx context.Context, r internalapi.OrderRequestObject) (internalapi.OrderResponseObject, error) {
	switch r.SubjectKind {
	case internalapi.Pledge:
		return a.pledges.Order(ctx, r)
	case internalapi.Subscription:
		return a.subscriptions.Order(ctx, r)
	}
	return nil, apperr.New(apperr.NotFound)
}

// BoughtPledge is what a backer was promised and what was sent.
func (a internalAPI) BoughtPledge(ctx context.Context, r internalapi.BoughtPledgeRequestObject) (internalapi.BoughtPledgeResponseObject, error) {
	return a.pledges.BoughtPledge(ctx, r)
}

// PaymentEvent gives an event its effect, once.
func (a internalAPI) PaymentEvent(ctx context.Context, r internalapi.PaymentEventRequestObject) (internalapi.PaymentEventResponseObject, error) {
	if r.Body.SubjectKind == internalapi.Subscription {
		return a.subscriptions.PaymentEvent(ctx, r)
	}
	return a.pledges.PaymentEvent(ctx, r)
}

// SubscriptionEvent takes over what has become of a subscription, once.
func (a internalAPI) SubscriptionEvent(ctx context.Context, r internalapi.SubscriptionEventRequestObject) (
	internalapi.SubscriptionEventResponseObject, error) {
	return a.subscriptions.SubscriptionEvent(ctx, r)
}

// SubscriptionLink says what the link of a mail allows.
func (a internalAPI) SubscriptionLink(ctx context.Context, r internalapi.SubscriptionLinkRequestObject) (
	internalapi.SubscriptionLinkResponseObject, error) {
	return a.subscriptions.SubscriptionLink(ctx, r)
}

// SubscriptionLevel says whether a subscription may have a level.
func (a internalAPI) SubscriptionLevel(ctx context.Context, r internalapi.SubscriptionLevelRequestObject) (
	internalapi.SubscriptionLevelResponseObject, error) {
	return a.subscriptions.SubscriptionLevel(ctx, r)
}
