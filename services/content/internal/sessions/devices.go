package sessions

import (
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"talkoot.fi/kit/ids"
)

// A device that signs in gets a cookie that says so: for each account a number of its own and our seal over both. It opens
// nothing; it keeps the device apart from strangers when passwords are guessed.
const (
	deviceCookie   = "talkoot_device"
	deviceLifetime = 180 * 24 * time.Hour
	// accountsOfDevice is how many accounts one device is known for, the latest ones.
	accountsOfDevice = 4
)

// deviceOf is the number by which a device is known for an account, empty when it is not.
func (s *Service) deviceOf(account, cookie string) string {
	for _, mark := range marksIn(cookie) {
		if number, _, _ := strings.Cut(mark, "."); s.mark(account, number) == mark {
			return number
		}
	}
	return ""
}

// known is the cookie of a device that has just signed in to an account.
func (s *Service) known(account, cookie string) string {
	marks := []string{s.mark(account, ids.New())}
	for _, mark := range marksIn(cookie) {
		if number, _, _ := strings.Cut(mark, "."); s.mark(account, number) != mark && len(marks) < accountsOfDevice {
			marks = append(marks, mark)
		}
	}
	return strings.Join(marks, "~")
}

func (s *Service) mark(account, number string) string {
	return number + "." + s.sealed("device of "+account+" is "+number)
}

// marksIn takes a cookie apart. One that nobody of ours made is as good as none.
func marksIn(cookie string) []string {
	const longest = accountsOfDevice * 60
	if cookie == "" || len(cookie) > longest {
		return nil
	}
	return strings.Split(cookie, "~")
}

// device is the cookie of a request, and the one to give it.
type device struct{ has, gets string }

type deviceKey struct{}

// Devices carries the device's cookie to the handlers and back.
func Devices(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		r := c.Request()
		if r.Method != http.MethodPost || !strings.HasPrefix(c.Path(), "/users") {
			return next(c)
		}
		d := &device{}
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

func deviceIn(ctx context.Context) *device {
	if d, ok := ctx.Value(deviceKey{}).(*device); ok {
		return d
	}
	return &device{}
}
