package app

import (
	"github.com/labstack/echo/v4"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/payments/internal/api"
)

func (server) CardRegistrationData(echo.Context) error   { return apperr.New(apperr.NotFound) }
func (server) CreateBankAccount(echo.Context) error      { return apperr.New(apperr.NotFound) }
func (server) CreateMandate(echo.Context) error          { return apperr.New(apperr.NotFound) }
func (server) FinishCardRegistration(echo.Context) error { return apperr.New(apperr.NotFound) }
func (server) BankAccounts(echo.Context) error           { return apperr.New(apperr.NotFound) }
func (server) ForgetKeptCard(echo.Context, string) error { return apperr.New(apperr.NotFound) }
func (server) CardPayIn(echo.Context, api.CardPayInParams) error {
	return apperr.New(apperr.NotFound)
}
func (server) DebitPayIn(echo.Context, api.DebitPayInParams) error {
	return apperr.New(apperr.NotFound)
}
