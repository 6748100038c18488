package payments

import (
	"context"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/money"
	"talkoot.fi/payments/internal/provider"
)

// Way is how an attempt is to be paid. It decides who takes it.
type Way struct {
	Method     Method
	Currency   money.Currency
	CampaignID int64
}

// Router names the provider of what begins now.
type Router func(Way) string

// Provider is what is asked of a payment provider here.
type Provider interface {
	Name() string
	Traits() provider.Traits
	provider.Payments
	provider.MoneyBack
	ChargeInstrument(ctx context.Context, o provider.ChargeOrder) (provider.Snapshot, error)
}

// provider finds one by its name. Error: ConfigurationError (provider_off).
func (s *Service) provider(name string) (Provider, error) {
	if p, on := s.providers[name]; on {
		return p, nil
	}
	return nil, apperr.New(apperr.ConfigurationError).WithCode("provider_off")
}

// route names the provider of a payment's next attempt. A month stays where its payer's card is kept.
func (s *Service) route(p Payment, method Method) string {
	if p.Subject.Period > 0 {
		return p.Provider
	}
	return s.router(Way{Method: method, Currency: p.Amount.Currency, CampaignID: p.CampaignID})
}

// Recurring names the provider of monthly support that begins now.
func (s *Service) Recurring(campaignID int64, currency money.Currency) string {
	return s.router(Way{Method: provider.MethodCard, Currency: currency, CampaignID: campaignID})
}
