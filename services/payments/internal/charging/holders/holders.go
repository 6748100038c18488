// Package holders decides who may act on a pledge or monthly support, and see it. Its id never decides it.
//
// The content service knows people; it is asked whose a session is, each time, so that signing out ends everything at once.
// The browser in which a guest began an order has the order token, which is checked here: a guest can pay while the content
// service is away. Guard stands before all calls with the id of an order in their path or body, so that no call can forget to ask.
package holders

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/ids"
	"talkoot.fi/kit/ordertoken"
	"talkoot.fi/kit/tracing"
	"talkoot.fi/payments/internal/contentclient"
)

const (
	contentTimeout  = 5 * time.Second
	maxContentBytes = 64 << 10
)

// opening is what an order token opens.
type opening int

const (
	nothing opening = iota
	untilPaid
	byMail // as everything, with nothing that the order's person has kept
	everything
)

// inBody is below what calls have the id of a pledge in their body, as pledgeId.
const inBody = "/api/pledges/mangopay/"

// byToken are the calls that an order token opens; all others want the session of the order's person.
var byToken = map[string]opening{ //nolint:gochecknoglobals // a constant that Go cannot have
	http.MethodPost + " /api/pledges/:pledge_id/setup":              everything,
	http.MethodGet + " /api/pledges/:pledge_id/payment":             everything,
	http.MethodPost + " /api/pledges/:pledge_id/payment-page/:x":    everything,
	http.MethodPost + " /api/subscriptions/:subscription_id/setup":  everything, // only the first month is due within its day
	http.MethodGet + " /api/subscriptions/:subscription_id":         everything,
	http.MethodGet + " /api/subscriptions/:subscription_id/payment": everything,
	http.MethodPost + " /api/subscriptions/:subscription_id/cancel": untilPaid,

	http.MethodPost + " " + inBody + "card-registration-data":   everything,
	http.MethodPost + " " + inBody + "finish-card-registration": everything,
	http.MethodPost + " " + inBody + "payin":                    everything,
	http.MethodPost + " " + inBody + "get-bank-accounts":        everything,
	http.MethodPost + " " + inBody + "create-bank-account":      everything,
	http.MethodPost + " " + inBody + "create-mandate":           everything,
	http.MethodPost + " " + inBody + "payin-direct-debit":       everything,
}

// opensBy is what the token that a call has sent opens.
func (g *Guard) opensBy(call, token, kind, id string) opening {
	opens := byToken[call]
	switch {
	case opens == nothing || g.keys.Opens(token, kind, id):
		return opens
	case kind == ordertoken.Pledge && !ofAccounts[call] && g.keys.Opens(token, ordertoken.Paying, id):
		return byMail
	}
	return nothing
}

// ofAccounts are the calls about bank accounts, which a mailed link does not open: its pledge may be of somebody with an account, whose bank
// accounts they show, and whose mandates of before they debit.
var ofAccounts = map[string]bool{ //nolint:gochecknoglobals // a constant that Go cannot have
	http.MethodPost + " " + inBody + "get-bank-accounts":   true,
	http.MethodPost + " " + inBody + "create-bank-account": true,
	http.MethodPost + " " + inBody + "create-mandate":      true,
	http.MethodPost + " " + inBody + "payin-direct-debit":  true,
}

// Grant is what a caller has shown.
type Grant struct {
	// OnlyUnpaid: by an order token, and the call is for what is not paid yet.
	OnlyUnpaid bool
	// ByMail: by a link of a mail, which others than the order's person may have. They pay with what is theirs: no card that the person has
	// kept pays for them, and none of theirs is kept for the person.
	ByMail bool
	// HasConfirmed: a person who has just shown in their session that it is them.
	HasConfirmed bool

	// Order is the id of the order that the call is about.
	Order string

	authorization string
}

type grantKey struct{}

// Of is what the caller has shown, whom Guard has let through.
func Of(ctx context.Context) Grant {
	grant, _ := ctx.Value(grantKey{}).(Grant)
	return grant
}

// Guard lets holders of orders through.
type Guard struct {
	keys    *ordertoken.Keys
	content *contentclient.Client
}

// New makes a guard.
func New(keys *ordertoken.Keys, content *contentclient.Client) *Guard { return &Guard{keys, content} }

// Middleware is for all calls: those with the id of an order in their path, or below inBody in their body, are for its holder. Errors:
// NotYourOrder for everybody else, whether there is one or not: "not found" is for holders alone, to whom it says that no payment has begun;
// TokenExpired; Unavailable while the content service, which knows people, does not answer.
func (g *Guard) Middleware(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		kind, text, err := orderOf(c)
		if err != nil {
			return err
		}
		if kind == "" {
			return next(c)
		}
		id, err := ids.Parse(text)
		if err != nil {
			return apperr.New(apperr.NotFound).Wrap(err)
		}
		grant, err := g.grant(c, kind, id)
		if err != nil {
			return err
		}
		grant.Order = id
		r := c.Request()
		ctx, end := context.WithValue(r.Context(), grantKey{}, grant), func(error) {}
		if strings.HasPrefix(c.Path(), inBody) { // else it is traced as the order's already
			ctx, end = tracing.About(ctx, r.Method+" "+c.Path(), id)
		}
		c.SetRequest(r.WithContext(ctx))
		err = next(c)
		end(err)
		return err
	}
}

// orderOf is the order that a call is about, by its path or its body; an empty kind for none. Error: MalformedBody.
func orderOf(c echo.Context) (kind, id string, err error) {
	if kind, id = ordertoken.InPath(c.ParamNames(), c.Param); kind != "" || !strings.HasPrefix(c.Path(), inBody) {
		return kind, id, nil
	}
	r := c.Request()
	body, err := io.ReadAll(r.Body)
	if err != nil { // such as one that is too large
		return "", "", fmt.Errorf("read which order a call is about: %w", err)
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	var of struct {
		PledgeID string `json:"pledgeId"`
	}
	if err := json.Unmarshal(body, &of); err != nil {
		return "", "", apperr.New(apperr.MalformedBody).Wrap(fmt.Errorf("read which order a call is about: %w", err))
	}
	return ordertoken.Pledge, of.PledgeID, nil
}

func (g *Guard) grant(c echo.Context, kind, id string) (Grant, error) {
	r := c.Request()
	opens := g.opensBy(r.Method+" "+c.Path(), r.Header.Get(ordertoken.Header), kind, id)
	if opens == everything {
		return Grant{}, nil
	}
	if authorization := r.Header.Get(echo.HeaderAuthorization); authorization != "" {
		grant, err := g.ask(r.Context(), kind, []string{id}, authorization)
		if err == nil || opens == nothing || opens == untilPaid && !errors.Is(err, apperr.New(apperr.NotYourOrder)) {
			return grant, err
		}
	}
	switch opens {
	case untilPaid:
		return Grant{OnlyUnpaid: true}, nil
	case byMail:
		return Grant{ByMail: true}, nil
	case nothing, everything: // the latter has been let through above
	}
	return Grant{}, apperr.New(apperr.NotYourOrder)
}

// AlsoHolds is no error when whoever Guard has let through by their session holds these subscriptions too. Errors: as Middleware.
func (g *Guard) AlsoHolds(ctx context.Context, subscriptionIDs []string) error {
	if len(subscriptionIDs) == 0 {
		return nil
	}
	_, err := g.ask(ctx, ordertoken.Subscription, subscriptionIDs, Of(ctx).authorization)
	return err
}

// Holds reports whether an order is the person's whose session it is, also one that they made without an account. Errors: TokenExpired; Unavailable while
// the content service does not answer.
func (g *Guard) Holds(ctx context.Context, kind, id, authorization string) (bool, error) {
	_, err := g.ask(ctx, kind, []string{id}, authorization)
	if errors.Is(err, apperr.New(apperr.NotYourOrder)) {
		return false, nil
	}
	return err == nil, err
}

// ask asks the content service whether a session's person holds orders.
func (g *Guard) ask(ctx context.Context, kind string, orderIDs []string, authorization string) (grant Grant, err error) {
	ctx, cancel := context.WithTimeout(ctx, contentTimeout)
	defer cancel()
	response, err := g.content.OrderHolder(ctx, contentclient.OrderHolderQuestion{SubjectKind: contentclient.SubjectKind(kind),
		SubjectIds: orderIDs, Authorization: authorization})
	if err != nil {
		return Grant{}, unavailable(err)
	}
	defer func() { err = errors.Join(err, response.Body.Close()) }()
	body, err := io.ReadAll(io.LimitReader(response.Body, maxContentBytes))
	if err != nil {
		return Grant{}, unavailable(err)
	}
	if response.StatusCode == http.StatusUnprocessableEntity { // a header that no browser of ours sends
		return Grant{}, apperr.New(apperr.TokenInvalid)
	}
	if response.StatusCode != http.StatusOK {
		return Grant{}, unavailable(fmt.Errorf("content answered %d", response.StatusCode))
	}
	var answer contentclient.OrderHolder
	if err := json.Unmarshal(body, &answer); err != nil {
		return Grant{}, unavailable(err)
	}
	switch answer.Holder {
	case contentclient.Same:
		return Grant{HasConfirmed: answer.HasConfirmed, authorization: authorization}, nil
	case contentclient.SessionOver:
		return Grant{}, apperr.New(apperr.TokenExpired)
	case contentclient.Other:
	}
	return Grant{}, apperr.New(apperr.NotYourOrder)
}

func unavailable(err error) error {
	return apperr.New(apperr.Unavailable).RetryAfter(2 * time.Second).Wrap(fmt.Errorf("ask who holds an order: %w", err))
}
