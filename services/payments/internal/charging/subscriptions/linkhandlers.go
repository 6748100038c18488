package subscriptions

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"talkoot.fi/payments/internal/api"
	"talkoot.fi/payments/internal/charging/payments"
	"talkoot.fi/payments/internal/contentclient"
)

// LookAtSubscriptionLink says what the link of a mail would do.
func (h *Handlers) LookAtSubscriptionLink(c echo.Context) error {
	var body api.LinkToken
	if err := c.Bind(&body); err != nil {
		return err
	}
	link, err := h.link(c, body.Token)
	if err != nil {
		return err
	}
	answer, err := h.subscriptions.LookAtLink(c.Request().Context(), link)
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, api.SubscriptionLinkAnswer{Link: answer})
}

// SetupSubscriptionLink is what the form needs of a link that pays, or changes the card.
func (h *Handlers) SetupSubscriptionLink(c echo.Context) error {
	var body api.LinkToken
	if err := c.Bind(&body); err != nil {
		return err
	}
	link, err := h.link(c, body.Token)
	if err != nil {
		return err
	}
	ctx := c.Request().Context()
	answer, err := h.subscriptions.SetupLink(ctx, link, payments.NetworkOf(ctx))
	if err != nil {
		return payments.OnWire(err)
	}
	return c.JSON(http.StatusOK, answer)
}

// FollowSubscriptionLink does what the link of a mail allows.
func (h *Handlers) FollowSubscriptionLink(c echo.Context) error {
	var body api.LinkUse
	if err := c.Bind(&body); err != nil {
		return err
	}
	link, err := h.link(c, body.Token)
	if err != nil {
		return err
	}
	setup := ""
	if body.SetupIntent != nil {
		setup = *body.SetupIntent
	}
	answer, err := h.subscriptions.UseLink(c.Request().Context(), link, setup)
	if err != nil {
		return payments.OnWire(err)
	}
	return c.JSON(http.StatusOK, api.SubscriptionLinkAnswer{Link: answer})
}

// link reads what a token allows, within the limit of its subscription.
func (h *Handlers) link(c echo.Context, token string) (contentclient.SubscriptionLink, error) {
	ctx := c.Request().Context()
	link, err := h.subscriptions.readLink(ctx, token)
	if err == nil {
		_, err = h.subscriptions.payments.Admit(ctx, link.SubscriptionID, h.perSubscription)
	}
	return link, err
}
