package stripe

import (
	"context"
	"fmt"

	sdk "github.com/stripe/stripe-go/v76"

	"talkoot.fi/payments/internal/provider"
)

// BeginSetup makes a setup intent, or gives the one that the key made before, as it is now.
func (c *Client) BeginSetup(ctx context.Context, o provider.SetupOrder) (provider.Setup, error) {
	if o.Kind != provider.KindCard {
		return provider.Setup{}, fmt.Errorf("a setup of a %s: %w", o.Kind, provider.ErrFinal)
	}
	var made *sdk.SetupIntent
	err := c.call(ctx, "begin a setup", func(ctx context.Context) (err error) {
		params := &sdk.SetupIntentParams{
			Customer: sdk.String(o.Payer), Usage: sdk.String(offSession),
			PaymentMethodTypes: sdk.StringSlice([]string{"card"}),
			Metadata:           map[string]string{"subject": o.Subject},
		}
		params.Context, params.IdempotencyKey = ctx, sdk.String(o.Key)
		made, err = c.setups.New(params)
		return err
	})
	switch {
	case err != nil:
		return provider.Setup{}, err
	case isReplayed(made.LastResponse):
		return c.LookSetup(ctx, made.ID)
	}
	return setupOf(made), nil
}

// LookSetup reads a setup intent with the card that it keeps.
func (c *Client) LookSetup(ctx context.Context, ref string) (provider.Setup, error) {
	var seen *sdk.SetupIntent
	err := c.call(ctx, "read "+ref, func(ctx context.Context) (err error) {
		params := &sdk.SetupIntentParams{Expand: sdk.StringSlice([]string{"payment_method"})}
		params.Context = ctx
		seen, err = c.setups.Get(ref, params)
		return err
	})
	if err != nil {
		return provider.Setup{}, err
	}
	return setupOf(seen), nil
}

// EndSetup cancels a setup intent.
func (c *Client) EndSetup(ctx context.Context, ref string) error {
	key := onceKey("cancel", ref)
	return c.call(ctx, "cancel "+ref, func(ctx context.Context) error {
		params := &sdk.SetupIntentCancelParams{CancellationReason: sdk.String("abandoned")}
		params.Context, params.IdempotencyKey = ctx, sdk.String(key)
		_, err := c.setups.Cancel(ref, params)
		return err
	})
}

func setupOf(s *sdk.SetupIntent) provider.Setup {
	out := provider.Setup{Ref: s.ID, State: provider.Open, Next: provider.NextSecret(s.ClientSecret)}
	if s.Customer != nil {
		out.Payer = s.Customer.ID
	}
	switch s.Status {
	case sdk.SetupIntentStatusRequiresAction:
		out.State = provider.NeedsPayer
	case sdk.SetupIntentStatusSucceeded:
		out.State, out.Instrument = provider.Succeeded, keptCard(s.PaymentMethod)
	case sdk.SetupIntentStatusCanceled:
		out.State = provider.Ended
	case sdk.SetupIntentStatusProcessing, // of methods that are no cards
		sdk.SetupIntentStatusRequiresPaymentMethod, sdk.SetupIntentStatusRequiresConfirmation:
	}
	if s.LastSetupError != nil {
		out.FailureCode = failureCode(s.LastSetupError)
	}
	return out
}
