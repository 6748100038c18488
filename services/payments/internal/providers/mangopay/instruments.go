package mangopay

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"talkoot.fi/payments/internal/provider"
)

// CardType is what is registered: cards of Visa, Mastercard and CB.
const CardType = "CB_VISA_MASTERCARD"

// States of a registration and of a mandate.
const (
	registrationValid = "VALIDATED"
	registrationError = "ERROR"
	mandateSubmitted  = "SUBMITTED"
	mandateActive     = "ACTIVE"
	mandateExpired    = "EXPIRED"
)

// Names of the wire. docs.mangopay.com/api-reference/card-validations/card-registration-object
//
//nolint:revive // the wire's
type registration struct {
	Id                  string
	UserId              string
	AccessKey           string
	PreregistrationData string
	CardRegistrationURL string
	CardId              string
	Status              string
	ResultCode          string
	ResultMessage       string
}

// docs.mangopay.com/api-reference/mandates/mandate-object
//
//nolint:revive // the wire's
type mandate struct {
	Id            string
	UserId        string
	BankAccountId string
	Status        string
	ResultCode    string
	ResultMessage string
	RedirectURL   string
}

func (m mandate) isUsable() bool { return m.Status == mandateSubmitted || m.Status == mandateActive }

// docs.mangopay.com/api-reference/cards/card-object
//
//nolint:revive // the wire's
type card struct {
	Id             string
	UserId         string
	ExpirationDate string // MMYY
	Alias          string // 497010XXXXXX1119
	CardProvider   string
	Active         bool
	Fingerprint    string
}

// BeginSetup begins the registration of a card, or a mandate that its payer confirms on a page.
func (c *Client) BeginSetup(ctx context.Context, o provider.SetupOrder) (provider.Setup, error) {
	if !isID(o.Payer) {
		return provider.Setup{}, fmt.Errorf("begin %s: %w", o.Key, provider.ErrNotFound)
	}
	if o.Kind == provider.KindMandate {
		var made mandate
		before, err := c.post(ctx, "begin mandate "+o.Key, "/mandates/directdebit/web", o.Key, map[string]any{
			"BankAccountId": o.Account, "Culture": mandateCulture(o.Language), "ReturnURL": o.ReturnURL, "Tag": o.Subject}, &made)
		if err != nil {
			return provider.Setup{}, err
		}
		if before {
			return c.LookSetup(ctx, mandatesAt+made.Id)
		}
		return c.ofMandate(ctx, made)
	}
	var made registration
	before, err := c.post(ctx, "begin registration "+o.Key, "/cardregistrations", o.Key, map[string]any{
		"UserId": o.Payer, "Currency": string(o.Currency), "CardType": CardType, "Tag": o.Subject}, &made)
	if err != nil {
		return provider.Setup{}, err
	}
	if before {
		return c.LookSetup(ctx, registrationsAt+made.Id)
	}
	return c.ofRegistration(ctx, made)
}

// mandateCulture is a language of the pages of mandates, which have neither Finnish nor Swedish.
func mandateCulture(string) string { return "EN" }

// LookSetup reads a registration or a mandate.
func (c *Client) LookSetup(ctx context.Context, ref string) (provider.Setup, error) {
	if id := idAt(mandatesAt, ref); id != "" {
		var m mandate
		if err := c.get(ctx, "read mandate "+id, "/mandates/"+id, &m); err != nil {
			return provider.Setup{}, err
		}
		return c.ofMandate(ctx, m)
	}
	id := idAt(registrationsAt, ref)
	if id == "" {
		return provider.Setup{}, fmt.Errorf("a setup: %w", provider.ErrNotFound)
	}
	var r registration
	if err := c.get(ctx, "read registration "+id, "/cardregistrations/"+id, &r); err != nil {
		return provider.Setup{}, err
	}
	return c.ofRegistration(ctx, r)
}

// FinishSetup hands in what the address of a registration answered the payer's browser: "data=…" or "errorCode=…".
func (c *Client) FinishSetup(ctx context.Context, ref, answer string) (provider.Setup, error) {
	id := idAt(registrationsAt, ref)
	if id == "" {
		return provider.Setup{}, fmt.Errorf("a registration: %w", provider.ErrNotFound)
	}
	var r registration
	err := c.put(ctx, "finish registration "+id, "/cardregistrations/"+id, map[string]any{"RegistrationData": answer}, &r)
	if errors.Is(err, provider.ErrFinal) { // such as one that was finished before
		return c.LookSetup(ctx, ref)
	}
	if err != nil {
		return provider.Setup{}, err
	}
	return c.ofRegistration(ctx, r)
}

func (c *Client) ofRegistration(ctx context.Context, r registration) (provider.Setup, error) {
	out := provider.Setup{Ref: registrationsAt + r.Id, Payer: r.UserId, State: provider.Open}
	switch r.Status {
	case registrationValid:
		out.State = provider.Succeeded
		return c.withInstrument(ctx, out, cardsAt+r.CardId)
	case registrationError:
		out.State, out.FailureCode, out.Result = provider.Ended, verdictOf(r.ResultCode).code, resultOf(r.ResultCode, r.ResultMessage)
	default:
		out.Next = provider.Register{URL: r.CardRegistrationURL, Key: r.AccessKey, Data: r.PreregistrationData}
	}
	return out, nil
}

func (c *Client) ofMandate(ctx context.Context, m mandate) (provider.Setup, error) {
	out := provider.Setup{Ref: mandatesAt + m.Id, Payer: m.UserId, State: provider.Ended}
	switch m.Status {
	case created:
		out.State, out.Next = provider.Open, provider.Redirect(m.RedirectURL)
	case mandateSubmitted, mandateActive:
		out.State = provider.Succeeded
		return c.withInstrument(ctx, out, mandatesAt+m.Id)
	case failed, mandateExpired:
		out.FailureCode, out.Result = verdictOf(m.ResultCode).code, resultOf(m.ResultCode, m.ResultMessage)
	default: // new to us
		out.State = provider.Processing
	}
	return out, nil
}

// withInstrument adds what a success keeps, as long as it is kept.
func (c *Client) withInstrument(ctx context.Context, out provider.Setup, ref string) (provider.Setup, error) {
	kept, err := c.Instrument(ctx, ref)
	if err == nil {
		out.Instrument = &kept
	}
	if errors.Is(err, provider.ErrNotFound) {
		err = nil
	}
	return out, err
}

// EndSetup ends nothing: a registration that is not used ends by itself within a day, a mandate within the hour.
func (c *Client) EndSetup(ctx context.Context, ref string) error {
	if _, err := c.LookSetup(ctx, ref); err != nil {
		return err
	}
	return provider.ErrState
}

// Instrument reads a card or a mandate that can be charged.
func (c *Client) Instrument(ctx context.Context, ref string) (provider.Instrument, error) {
	gone := fmt.Errorf("an instrument: %w", provider.ErrNotFound)
	if id := idAt(mandatesAt, ref); id != "" {
		var m mandate
		if err := c.get(ctx, "read mandate "+id, "/mandates/"+id, &m); err != nil {
			return provider.Instrument{}, err
		}
		if !m.isUsable() {
			return provider.Instrument{}, gone
		}
		label, err := c.accountLabel(ctx, m)
		return provider.Instrument{Kind: provider.KindMandate, Ref: ref, Payer: m.UserId, Label: label}, err
	}
	id := idAt(cardsAt, ref)
	if id == "" {
		return provider.Instrument{}, gone
	}
	kept, err := c.card(ctx, id)
	if err != nil {
		return provider.Instrument{}, err
	}
	if !kept.Active {
		return provider.Instrument{}, gone
	}
	return kept.instrument(), nil
}

func (c *Client) card(ctx context.Context, id string) (out card, err error) {
	err = c.get(ctx, "read card "+id, "/cards/"+id, &out)
	return out, err
}

func (k card) instrument() provider.Instrument {
	out := provider.Instrument{Kind: provider.KindCard, Ref: cardsAt + k.Id, Payer: k.UserId, Fingerprint: k.Fingerprint,
		Label: brand(k.CardProvider) + " ···· " + lastFour(k.Alias)}
	if month, err := strconv.Atoi(k.ExpirationDate); err == nil && len(k.ExpirationDate) == 4 {
		out.ExpMonth, out.ExpYear = month/100, 2000+month%100
	}
	return out
}

// brand is how a card's maker writes itself.
func brand(name string) string {
	switch name {
	case "VISA":
		return "Visa"
	case "MASTERCARD":
		return "Mastercard"
	case "":
		return "Card"
	}
	return name
}

func lastFour(text string) string { return text[max(0, len(text)-4):] }

// accountLabel is the account of a mandate, without what would let anybody use it.
func (c *Client) accountLabel(ctx context.Context, m mandate) (string, error) {
	var account struct{ IBAN string }
	err := c.get(ctx, "read account "+m.BankAccountId, "/users/"+m.UserId+"/bankaccounts/"+m.BankAccountId, &account)
	if err != nil && !errors.Is(err, provider.ErrNotFound) {
		return "", err
	}
	if len(account.IBAN) < 8 {
		return "SEPA", nil
	}
	return account.IBAN[:2] + " ···· " + lastFour(account.IBAN), nil
}

// ForgetInstrument makes a card or a mandate unusable for good.
func (c *Client) ForgetInstrument(ctx context.Context, ref string) error {
	var err error
	if id := idAt(mandatesAt, ref); id != "" {
		err = c.put(ctx, "end mandate "+id, "/mandates/"+id+"/cancel", struct{}{}, nil)
	} else if id := idAt(cardsAt, ref); id != "" {
		err = c.put(ctx, "end card "+id, "/cards/"+id, map[string]any{"Active": false}, nil)
	}
	if errors.Is(err, provider.ErrNotFound) || errors.Is(err, provider.ErrState) {
		return nil
	}
	if _, gone := c.Instrument(ctx, ref); err != nil && errors.Is(gone, provider.ErrNotFound) { // it was ended before
		return nil
	}
	return err
}

// ChargeInstrument charges nobody: a pay-in here is one try, which Begin makes.
func (c *Client) ChargeInstrument(context.Context, provider.ChargeOrder) (provider.Snapshot, error) {
	return provider.Snapshot{}, fmt.Errorf("charge once more: %w", provider.ErrState)
}
