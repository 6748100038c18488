package app

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/netip"
	"slices"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/prometheus/client_golang/prometheus"
	"gorm.io/gorm"

	"talkoot.fi/kit/contract"
	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/httpx"
	"talkoot.fi/kit/ordertoken"
	"talkoot.fi/kit/ratelimit"
	"talkoot.fi/kit/session"

	"talkoot.fi/content/internal/api"
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
	"talkoot.fi/content/internal/mail/addresslinks"
	"talkoot.fi/content/internal/mail/letters"
	"talkoot.fi/content/internal/media/files"
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
	"talkoot.fi/content/internal/pledging/closing"
	"talkoot.fi/content/internal/pledging/holders"
	"talkoot.fi/content/internal/pledging/hostedpages"
	"talkoot.fi/content/internal/pledging/moneycalendar"
	"talkoot.fi/content/internal/pledging/orderlinks"
	"talkoot.fi/content/internal/pledging/pledges"
	"talkoot.fi/content/internal/pledging/reminders"
	"talkoot.fi/content/internal/pledging/spendinglimits"
	"talkoot.fi/content/internal/pledging/subscriptions"
	"talkoot.fi/content/internal/web"
	"talkoot.fi/content/internal/writing/audittrail"
	"talkoot.fi/content/internal/writing/videos"
)

// Options are the parts of the service.
type Options struct {
	Log *slog.Logger
	Now func() time.Time
	DB  *gorm.DB
	// Replica repeats DB; answers that all get alike are read there. Nil for none.
	Replica *dbx.Replica
	Files   *files.Store
	// Limiter counts requests for rate limits.
	Limiter *ratelimit.Limiter
	// SigningKey signs session tokens; its public half is published.
	SigningKey ed25519.PrivateKey
	// OlderKeys have signed before; what they signed is still good.
	OlderKeys []ed25519.PrivateKey
	// SealingKeys seal the secrets of code apps, the first one; without any, keys that follow from SigningKey and OlderKeys do.
	SealingKeys [][]byte
	// ServiceSecret is shared with the payment service, at least 32 bytes.
	ServiceSecret []byte
	// OlderSecrets were ServiceSecret before, or will be it next; what was made with them is good.
	OlderSecrets [][]byte
	// Payments is how the payment service is called.
	Payments closing.ClientConfig
	// WebDir holds the built app. Without it the API works and pages say what to build.
	WebDir string
	Web    web.Config
	// Forum is the discussion forum that people sign in to with their account here; the zero value is none.
	Forum forum.Config
	// CORSOrigins are other origins whose pages may read answers.
	CORSOrigins []string
	// TrustedProxies are networks whose X-Forwarded-For is trusted; loopback when empty.
	TrustedProxies []netip.Prefix
	Zone           *time.Location
	// PledgeFirstHold is how long a new pledge keeps its reward, PledgeHold how long it does once its payment has begun;
	// both count from when it was made.
	PledgeHold, PledgeFirstHold time.Duration
	// Shared is how long anonymous readers get the same cached answer, ten times as long while nothing is written; 0
	// turns the cache off.
	Shared time.Duration
	Limits Limits
}

// Limits are rate limits by address.
type Limits struct {
	Pledges ratelimit.Limit
	SignIn  ratelimit.Limit
	// Likes is a person's limit; an address, which people share, has likersOfAddress times as many.
	Likes ratelimit.Limit
	// Drafts and Uploads are a person's limits of beginning campaigns and of sending pictures.
	Drafts, Uploads ratelimit.Limit
	// Edits is a person's limit of changes of campaigns, rewards and posts: each writes a history that is kept. Reviews is
	// that of asking for reviews, which mails the staff.
	Edits, Reviews ratelimit.Limit
	Reads          ReadLimits
}

// New makes the service's HTTP handler. Errors: a secret that is too short, a built app that lacks its markers.
func New(ctx context.Context, o Options) (*echo.Echo, error) {
	publicContract, err := loadContract(api.GetSpecJSON)
	if err != nil {
		return nil, err
	}
	signer := session.NewSigner(o.SigningKey, o.Now, o.OlderKeys...)
	addressLimit := o.Limiter.ByAddress(mergeRules(
		campaigns.LikeRules(o.Limits.Likes.Times(likersOfAddress)),
		experiments.LikeRules(o.Limits.Likes.Times(likersOfAddress)),
		forum.Rules(o.Limits.SignIn),
		letters.Rules(o.Limits.SignIn),
		orderlinks.Rules(o.Limits.SignIn),
		hostedpages.Rules(o.Limits.Pledges),
		pledges.Rules(o.Limits.Pledges),
		claims.Rules(o.Limits.Pledges),
		reminders.Rules(o.Limits.SignIn),
		sessions.Rules(o.Limits.SignIn),
		subscriptions.Rules(o.Limits.Pledges),
		team.Rules(o.Limits.SignIn),
		verifications.Rules(o.Limits.SignIn),
	))
	personLimit := o.Limiter.By(mergeRules(
		editRules(publicContract, o.Limits.Edits), // of all calls that write; those below replace it for theirs
		campaigns.LikeRules(o.Limits.Likes),
		drafts.PersonRules(o.Limits.Drafts),
		experiments.BeginRules(o.Limits.Drafts),
		experiments.LikeRules(o.Limits.Likes),
		forum.PersonRules(),
		moneycalendar.PersonRules(),
		people.PersonRules(o.Limits.Edits),
		personaldata.PersonRules(o.Limits.SignIn),
		pledges.PersonRules(),
		claims.PersonRules(),
		posts.PersonRules(),
		review.Rules(o.Limits.Reviews),
		secondstep.PersonRules(o.Limits.SignIn),
		spendinglimits.PersonRules(),
		uploads.PersonRules(o.Limits.Uploads),
		verifications.PersonRules(),
		videos.PersonRules(),
	), byPerson)
	steps, err := secondstep.New(secondstep.Options{DB: o.DB, Now: o.Now, Keys: sessions.SealsOf(signer, o.SealingKeys...), PublicURL: o.Web.PublicURL})
	if err != nil {
		return nil, err
	}
	sessionService := sessions.New(o.DB, signer, steps, people.Empty, o.Now)
	lookup, err := videos.New(o.Web.SandboxURL, o.Now)
	if err != nil {
		return nil, err
	}
	discussion, err := forum.New(forum.Options{DB: o.DB, Log: o.Log, Now: o.Now, Config: o.Forum, PublicURL: o.Web.PublicURL})
	if err != nil {
		return nil, err
	}
	placeCalls, err := places.NewHandlers()
	if err != nil {
		return nil, err
	}
	links, err := addresslinks.New(o.ServiceSecret, o.OlderSecrets...)
	if err != nil {
		return nil, err
	}
	tokens, err := ordertoken.New(o.ServiceSecret, o.Now, o.OlderSecrets...)
	if err != nil {
		return nil, err
	}
	hasher, err := variations.NewVisitorHasher(o.SigningKey.Seed())
	if err != nil {
		return nil, err
	}
	support := pledges.New(pledges.Options{DB: o.DB, Log: o.Log, Now: o.Now, Zone: o.Zone, Hold: o.PledgeHold,
		FirstHold: o.PledgeFirstHold, VisitorHasher: hasher})
	monthly := subscriptions.New(subscriptions.Options{DB: o.DB, Log: o.Log, Now: o.Now, Zone: o.Zone, VisitorHasher: hasher})
	payments, err := closing.NewClient(o.Payments)
	if err != nil {
		return nil, err
	}
	data := personaldata.New(personaldata.Options{DB: o.DB, Now: o.Now, Pledges: support, Monthly: monthly, Sessions: sessionService,
		Payments: payments})
	calendar, err := moneycalendar.New(moneycalendar.Options{DB: o.DB, Monthly: monthly, Now: o.Now, Zone: o.Zone,
		Secrets:   slices.Concat([][]byte{o.ServiceSecret}, o.OlderSecrets),
		PublicURL: o.Web.PublicURL})
	if err != nil {
		return nil, err
	}
	public := publicAPI{
		sessionCalls:   sessions.NewHandlers(sessionService),
		stepCalls:      secondstep.NewHandlers(steps, sessionService.Confirmed),
		linkCalls:      verifications.NewHandlers(o.DB, o.Now, sessionService.AskConfirmation, data.Merge),
		peopleCalls:    people.NewHandlers(o.DB, o.Now, o.Files.Exists, sessionService.Confirmed),
		dataCalls:      personaldata.NewHandlers(data),
		auditCalls:     audittrail.NewHandlers(o.DB, o.Zone),
		labelCalls:     labels.NewHandlers(o.DB, o.Now),
		frontPageCalls: frontpage.NewHandlers(o.DB, o.Now, o.Zone),
		searchCalls:    search.NewHandlers(o.DB),
		forumCalls:     forum.NewHandlers(discussion),
		taxonomyCalls:  taxonomy.NewHandlers(o.DB),
		campaignCalls:  campaigns.NewHandlers(o.DB, o.Now, o.Zone, o.Files.Exists),
		draftCalls:     drafts.NewHandlers(o.DB, o.Now, o.Zone),
		uploadCalls: uploads.NewHandlers(uploads.Options{DB: o.DB, Put: o.Files.PutImage, Live: sessionService.Live,
			Now: o.Now, Zone: o.Zone}),
		rewardCalls:     rewards.NewHandlers(o.DB, o.Now, o.Files.Exists),
		variationCalls:  variations.NewHandlers(o.DB, o.Now, hasher, o.Files.Exists),
		overviewCalls:   overview.NewHandlers(o.DB, o.Now, o.Zone),
		postCalls:       posts.NewHandlers(o.DB, o.Now),
		letterCalls:     letters.NewHandlers(o.DB, links.Letters, o.Now),
		videoCalls:      videos.NewHandlers(lookup),
		pledgeCalls:     pledges.NewHandlers(support, tokens, sessionService.MayMailOrders),
		claimCalls:      claims.NewHandlers(claims.New(o.DB, o.Now, o.Zone), sessionService.Confirmed),
		supportCalls:    subscriptions.NewHandlers(monthly, tokens),
		backingCalls:    backing.NewHandlers(support, monthly),
		ownMenuCalls:    ownmenu.NewHandlers(o.DB, o.Now),
		calendarCalls:   moneycalendar.NewHandlers(calendar),
		experimentCalls: experiments.NewHandlers(o.DB, o.Now, o.Files.Exists),
		placeCalls:      placeCalls,
		editingCalls:    editing.NewHandlers(o.DB, o.Now, o.Zone),
		orderLinkCalls:  orderlinks.NewHandlers(o.DB, sessionService.MayMailOrders),
		reminderCalls:   reminders.NewHandlers(o.DB, payments, links.Reminders, o.Now),
		recommendCalls:  recommend.NewHandlers(o.DB, o.Now, o.Zone),
		reviewCalls:     review.NewHandlers(o.DB, o.Now, o.Zone),
		hostedPageCalls: hostedpages.NewHandlers(payments),
		limitCalls:      spendinglimits.NewHandlers(payments, sessionService.Confirmed),
		teamCalls:       team.NewHandlers(o.DB, o.Now),
	}
	metrics := prometheus.NewRegistry()
	if err := dbx.RegisterPool(metrics, o.DB, "content"); err != nil {
		return nil, err
	}
	replica := newReplicaReads(o.Replica, metrics)
	e := httpx.New(httpx.Options{
		Metrics: metrics, Security: security,
		Uploads: publicContract.Uploads(),
		Log:     o.Log, Now: o.Now, Name: "content", CORSOrigins: o.CORSOrigins, TrustedProxies: o.TrustedProxies,
		Begins:   begins,
		Classify: classify, PublicURL: o.Web.PublicURL, Ready: []httpx.Check{{Name: "database", Run: pingOf(o.DB)}},
	})
	pages, err := newPages(e, o)
	if err != nil {
		return nil, err
	}
	compress := newCompressor().middleware
	outer := []echo.MiddlewareFunc{compress, pages.serveFirst, addressLimit}
	inner := []echo.MiddlewareFunc{
		session.Authenticate(session.NewVerifier(signer.Keys(), o.Now)), sessionService.RequireLive, personLimit,
		holders.Guard(o.DB, tokens), sessions.Devices}
	routePublic(e, publicContract, public, outer, inner, replica.middleware, o)
	internal := internalAPI{pledges.NewInternalHandlers(support), subscriptions.NewInternalHandlers(monthly),
		holders.NewInternalHandlers(o.DB, sessionService), accounts.NewInternalHandlers(o.DB)}
	if err := routeInternal(e, internal, o); err != nil {
		return nil, err
	}
	routeFiles(e, o)
	routePages(e, compress, pages, publicContract)
	return e, nil
}

// begins are the calls that make what a trace is about.
var begins = []string{"POST /campaigns/:campaign_id/pledges", "POST /campaigns/:campaign_id/subscriptions"}

// likersOfAddress is the rate limit of likes from one address, in multiples of one person's.
const likersOfAddress = 5

// byPerson is the key of rate limits by signed-in person.
func byPerson(ctx context.Context) string {
	who, ok := session.From(ctx)
	if !ok {
		return ""
	}
	return fmt.Sprintf("user:%d", who.UserID)
}

func loadContract(spec func() ([]byte, error)) (*contract.Contract, error) {
	text, err := spec()
	if err != nil {
		return nil, fmt.Errorf("read contract: %w", err)
	}
	return contract.Load(text)
}

// newPages reads the built app; without one every page says how to build it.
func newPages(e *echo.Echo, o Options) (pages, error) {
	shell, err := web.NewShell(o.WebDir, o.Web, e, o.Files.SharePath)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		o.Log.Warn("pages are not served", "error", err)
		return pages{handle: web.Unbuilt, sitemap: web.NewSitemap(o.Web.PublicURL, e, o.Now)}, nil
	case err != nil:
		return pages{}, err
	}
	return pages{handle: shell.Handle, shell: shell, sitemap: web.NewSitemap(o.Web.PublicURL, e, o.Now)}, nil
}
