package sessions

import (
	"context"
	"net/http"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/labstack/echo/v4"

	"talkoot.fi/kit/ids"
)

// A device that has signed in, or on which a mailed link was used, gets a cookie with a mark for each account: a random
// number and an HMAC over number and account. It does not sign anybody in; it only lets wrong passwords be counted
// separately for known devices (begin).
const (
	deviceCookie   = "talkoot_device"
	deviceLifetime = 180 * 24 * time.Hour
	// accountsOfDevice is how many accounts a cookie remembers, the latest ones.
	accountsOfDevice = 4
)

// deviceOf is the number of the cookie's valid mark for an account, empty if it has none.
func (s *Service) deviceOf(account, cookie string) string {
	for _, mark := range marksIn(cookie) {
		if number, _, _ := strings.Cut(mark, "."); s.mark(account, number) == mark {
			return number
		}
	}
	return ""
}

// deviceCookieFor is the cookie for a device that has just signed in: a new mark for the account, and the other accounts' marks.
func (s *Service) deviceCookieFor(account, cookie string) string {
	marks := []string{s.mark(account, ids.New())}
	for _, mark := range marksIn(cookie) {
		if number, _, _ := strings.Cut(mark, "."); s.mark(account, number) != mark && len(marks) < accountsOfDevice {
			marks = append(marks, mark)
		}
	}
	return strings.Join(marks, "~")
}

// knownDevice is the cookie for a device that has just signed in. Only who has confirmed the address gets a mark: with an
// account that somebody else registered with it, they would guess the owner's password apart from all others.
func (s *Service) knownDevice(p Person, at Origin) string {
	if !p.Verified {
		return ""
	}
	return s.deviceCookieFor(accountKey(p.Email), at.Device)
}

// provenKey stands for an account whose password was set on the device by a mailed link. That shows whose the mailbox is,
// but not that second steps are theirs, too.
func provenKey(account string) string { return "mailbox " + account }

func (s *Service) mark(account, number string) string {
	return number + "." + s.hmacOf("device of confirmed "+account+" is "+number)
}

// marksIn splits a cookie into its marks. A cookie that is too long cannot be ours and has none.
func marksIn(cookie string) []string {
	const longest = accountsOfDevice * 60
	if cookie == "" || len(cookie) > longest {
		return nil
	}
	return strings.Split(cookie, "~")
}

// device is the request's cookie, the one to set in the answer, and what the browser says of itself.
type device struct{ has, gets, agent string }

type deviceKey struct{}

// Devices is a middleware that passes the device's cookie to the handlers and sets the new one.
func Devices(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		r := c.Request()
		if r.Method != http.MethodPost || !strings.HasPrefix(c.Path(), "/users") {
			return next(c)
		}
		d := &device{agent: agentOf(r)}
		if cookie, err := c.Cookie(deviceCookie); err == nil {
			d.has = cookie.Value
		}
		c.SetRequest(r.WithContext(context.WithValue(r.Context(), deviceKey{}, d)))
		c.Response().Before(func() {
			if d.gets != "" {
				c.SetCookie(&http.Cookie{Name: deviceCookie, Value: d.gets, Path: "/", MaxAge: int(deviceLifetime.Seconds()),
					Secure: true, HttpOnly: true, SameSite: http.SameSiteStrictMode})
			}
		})
		return next(c)
	}
}

// agentOf is the request's User-Agent as PostgreSQL takes it, cut.
func agentOf(r *http.Request) string {
	const longest = 300
	agent := strings.ToValidUTF8(strings.ReplaceAll(r.UserAgent(), "\x00", ""), "")
	for len(agent) > longest {
		_, size := utf8.DecodeLastRuneInString(agent)
		agent = agent[:len(agent)-size]
	}
	return agent
}

func deviceIn(ctx context.Context) *device {
	if d, ok := ctx.Value(deviceKey{}).(*device); ok {
		return d
	}
	return &device{}
}
