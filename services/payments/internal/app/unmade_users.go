package app

import (
	"github.com/labstack/echo/v4"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/payments/internal/api"
)

func (server) CampaignMethods(echo.Context, int64, api.CampaignMethodsParams) error {
	return apperr.New(apperr.NotFound)
}
func (server) CreateCreatorAccount(echo.Context) error { return apperr.New(apperr.NotFound) }
func (server) VerifyCreatorAccount(echo.Context) error { return apperr.New(apperr.NotFound) }
func (server) OwnPayees(echo.Context) error            { return apperr.New(apperr.NotFound) }
func (server) MangopayWebhook(echo.Context, api.MangopayWebhookParams) error {
	return apperr.New(apperr.NotFound)
}
