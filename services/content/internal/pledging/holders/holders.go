// Package holders decides who may see and change a pledge or monthly support. Its id never decides it.
//
// It owns no table. An order (a pledge or a subscription) is held by the account in which it was made; what was made without
// a session, by the account that has confirmed its address, once money has come for it: anybody can type an address and not
// pay. Besides, the browser in which a guest made it has its order token for a day. Guard stands before all calls with the id
// of an order in their path, so that no call can forget to ask; the payment service has its own, which asks OrderHolder.
package holders

import (
	"context"
	"fmt"
	"net/http"
	"slices"

	"github.com/labstack/echo/v4"
	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/ids"
	"talkoot.fi/kit/ordertoken"
	"talkoot.fi/kit/session"
)

// ErrNotYours: the order is not the caller's, or there is none: the two are not told apart.
var ErrNotYours = apperr.New(apperr.NotYourOrder)

// heldSQL counts the orders among @ids that a person holds, by kind. Those made without a session are theirs as in their
// own lists (pledges.ListOwn, subscriptions.ListOwn).
var heldSQL = map[string]string{ //nolint:gochecknoglobals // a constant that Go cannot have
	// A further charge of a pledge is whose the pledge is.
	ordertoken.Pledge: `
		SELECT count(*) FROM (SELECT id, id AS of FROM pledges UNION ALL SELECT id, pledge_id FROM pledge_raises) w JOIN pledges o ON o.id = w.of
		WHERE w.id IN @ids AND (o.user_id = @user
		    OR o.user_id IS NULL AND o.status NOT IN ('created', 'awaiting_payment', 'expired') AND ` + hasAddress + `)`,
	ordertoken.Subscription: `
		SELECT count(*) FROM subscriptions o WHERE o.id IN @ids AND (o.user_id = @user
		    OR o.user_id IS NULL AND (o.status NOT IN ('created', 'expired') OR o.is_processing) AND ` + hasAddress + `)`,
}

const hasAddress = `EXISTS (SELECT FROM users u WHERE u.id = @user AND u.verified AND lower(u.email) = lower(o.email))`

// Holds reports whether all of these orders of a kind are a person's.
func Holds(ctx context.Context, db *gorm.DB, userID int64, kind string, orderIDs []string) (bool, error) {
	wanted := slices.Clone(orderIDs)
	slices.Sort(wanted)
	wanted = slices.Compact(wanted)
	var held int
	err := db.WithContext(ctx).Raw(heldSQL[kind], map[string]any{"ids": wanted, "user": userID}).Scan(&held).Error
	if err != nil {
		return false, fmt.Errorf("ask who holds a %s: %w", kind, err)
	}
	return len(wanted) > 0 && held == len(wanted), nil
}

// byToken are the calls that the browser in which a guest made an order may make. Whether more than a correction before it is
// paid is possible, each call says itself.
var byToken = map[string]bool{ //nolint:gochecknoglobals // a constant that Go cannot have
	http.MethodGet + " /pledges/:pledge_id":                  true,
	http.MethodDelete + " /pledges/:pledge_id":               true,
	http.MethodGet + " /raises/:raise_id":                    true,
	http.MethodDelete + " /raises/:raise_id":                 true,
	http.MethodPost + " /pledges/:pledge_id/payment_page/:x": true,
	http.MethodGet + " /v2/subscriptions/:subscription_id":   true,
	http.MethodPost + " /v2/subscriptions/:subscription_id":  true,
}

// byPaying are those of them that the token of a mail opens, which pays.
var byPaying = map[string]bool{ //nolint:gochecknoglobals // a constant that Go cannot have
	http.MethodGet + " /raises/:raise_id":                    true,
	http.MethodDelete + " /raises/:raise_id":                 true,
	http.MethodPost + " /pledges/:pledge_id/payment_page/:x": true,
}

type tokenKey struct{}

// IsByToken reports whether a call was let through by its order token alone.
func IsByToken(ctx context.Context) bool { return ctx.Value(tokenKey{}) != nil }

// Guard is a middleware for all calls: those with the id of an order in their path are for its holder. It belongs after the
// session has been looked up. Errors: ErrNotYours for everybody else; NotAuthenticated where only a session opens.
func Guard(db *gorm.DB, keys *ordertoken.Keys) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			kind, text := ordertoken.InPath(c.ParamNames(), c.Param)
			if kind == "" {
				return next(c)
			}
			id, err := ids.Parse(text)
			if err != nil {
				return apperr.New(apperr.NotFound).Wrap(err)
			}
			r := c.Request()
			ctx := r.Context()
			call, token := r.Method+" "+c.Path(), r.Header.Get(ordertoken.Header)
			takesToken := byToken[call]
			who, err := session.Require(ctx)
			if err != nil && !takesToken {
				return err
			}
			if err == nil {
				if held, err := Holds(ctx, db, who.UserID, kind, []string{id}); err != nil || held {
					return orNext(err, next, c)
				}
			}
			if takesToken && keys.Opens(token, kind, id) || byPaying[call] && keys.Opens(token, ordertoken.Paying, id) {
				c.SetRequest(r.WithContext(context.WithValue(ctx, tokenKey{}, true)))
				return next(c)
			}
			return ErrNotYours
		}
	}
}

func orNext(err error, next echo.HandlerFunc, c echo.Context) error {
	if err != nil {
		return err
	}
	return next(c)
}
