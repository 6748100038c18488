package httpx

import (
	"context"
	"log/slog"
	"net/http"
	"net/netip"
	"slices"
	"sync/atomic"

	"github.com/labstack/echo/v4"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/session"
)

// Security says which requests are security events: each is one line of the log, with a fixed name and no more of a person than the
// number of their account.
type Security struct {
	// Named are the events of calls, by "POST /users/tokens": their names when they are done, with _refused behind when they are not allowed.
	Named map[string]string
	// IsStaff reports whether who acts is staff, whose other changes are events too.
	IsStaff func(ctx context.Context) bool
}

// Names of events that are no call's own.
const (
	eventAccessRefused  = "access_refused"
	eventWebhookRefused = "webhook_refused"
	eventStaffAct       = "staff_act"
	refusedSuffix       = "_refused"
)

type subjectKey struct{}

// NoteSubject says whose account the request of ctx is about, where its session does not.
func NoteSubject(ctx context.Context, account int64) {
	if subject, ok := ctx.Value(subjectKey{}).(*atomic.Int64); ok {
		subject.Store(account)
	}
}

// securityLog writes the events. It runs inside of observer, outside of everything that refuses.
func securityLog(log *slog.Logger, s Security) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			subject := &atomic.Int64{}
			r := c.Request()
			c.SetRequest(r.WithContext(context.WithValue(r.Context(), subjectKey{}, subject)))
			err := next(c)
			ctx := c.Request().Context()
			event, reason := s.eventOf(ctx, c, err)
			if event == "" {
				return err
			}
			account := subject.Load()
			if who, ok := session.From(ctx); ok {
				account = who.UserID
			}
			line := []slog.Attr{
				slog.String("event", event), slog.String("call", c.Request().Method+" "+routeOf(c)), slog.Int64("account", account),
				slog.String("network", Network(ClientIP(ctx))), slog.String("request_id", RequestID(ctx)),
			}
			if reason != "" {
				line = append(line, slog.String("reason", reason))
			}
			log.LogAttrs(ctx, slog.LevelInfo, "security event", line...)
			return err
		}
	}
}

// eventOf is a request's event and why it was refused; "" for none.
func (s Security) eventOf(ctx context.Context, c echo.Context, err error) (event, reason string) {
	method := c.Request().Method
	named := s.Named[method+" "+c.Path()]
	if err == nil {
		changes := method != http.MethodGet && method != http.MethodHead && method != http.MethodOptions
		if c.Response().Status >= http.StatusBadRequest {
			return "", ""
		}
		if named == "" && changes && s.IsStaff != nil && s.IsStaff(ctx) {
			named = eventStaffAct
		}
		return named, ""
	}
	e := toCatalogue(ctx, err, nil)
	switch status := e.HTTP(); {
	case e.Status == apperr.WebhookSignatureInvalid:
		event = eventWebhookRefused
	case named != "" && (status == http.StatusUnauthorized || status == http.StatusForbidden || status == http.StatusTooManyRequests):
		event = named + refusedSuffix
	case named != "" && slices.ContainsFunc(e.Fields, func(f apperr.Field) bool { return f.Rule == apperr.RulePasswordWrong }):
		return named + refusedSuffix, apperr.RulePasswordWrong
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		event = eventAccessRefused
	default:
		return "", ""
	}
	return event, string(e.Status)
}

// Prefixes of what is told of an address: enough to see that attempts belong together, not which household it is.
const (
	network4 = 24
	network6 = 64
)

// Network is the network of an address: of IPv4 its /24, of IPv6 its /64; "" of what is no address.
func Network(ip string) string {
	address, err := netip.ParseAddr(ip)
	if err != nil {
		return ""
	}
	bits := network6
	if address = address.Unmap().WithZone(""); address.Is4() {
		bits = network4
	}
	network, err := address.Prefix(bits)
	if err != nil {
		return ""
	}
	return network.String()
}
