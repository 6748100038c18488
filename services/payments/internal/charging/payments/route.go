package payments

import (
	"context"
	"errors"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/money"
	"talkoot.fi/payments/internal/provider"
)

// Way is how an attempt is to be paid. It decides who takes it.
type Way struct {
	Method     Method
	Amount     money.Amount
	CampaignID int64
	IsMonthly  bool // it is charged again while its payer is away
}

// Router names the provider of what begins now; db is the caller's transaction where it has one. Errors: ConfigurationError (provider_off,
// payee_not_ready), PaymentMethodUnsupported.
type Router func(ctx context.Context, db *gorm.DB, w Way) (string, error)

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

// route names the provider of a payment's next attempt. A month stays where its payer's card is kept. Errors: as Router.
func (s *Service) route(ctx context.Context, db *gorm.DB, p Payment, method Method) (string, error) {
	if p.Subject.Period > 0 {
		return p.Provider, nil
	}
	return s.router(ctx, db, Way{Method: method, Amount: p.Amount, CampaignID: p.CampaignID})
}

// routeFirst names the provider of a payment that begins: that of cards where they are taken. Errors: as Router.
func (s *Service) routeFirst(ctx context.Context, p *Payment) (err error) {
	p.taker, err = s.route(ctx, s.db, *p, provider.MethodCard)
	p.Provider = p.taker
	if errors.Is(err, apperr.New(apperr.PaymentMethodUnsupported)) {
		p.Provider, err = s.route(ctx, s.db, *p, provider.MethodPage)
	}
	return err
}

// Recurring names the provider of monthly support that begins now. Errors: as Router.
func (s *Service) Recurring(ctx context.Context, campaignID int64, amount money.Amount) (string, error) {
	return s.router(ctx, s.db, Way{Method: provider.MethodCard, Amount: amount, CampaignID: campaignID, IsMonthly: true})
}
