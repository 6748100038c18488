package simulate

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"talkoot.fi/sandbox/mangopay"
)

// People with an account in runs about pledges: one who pledges, and the creator whose campaigns provider B takes money for.
const (
	member  = 1
	creator = 2
)

// site is where the web app is.
const site = "https://talkoot.example"

// register makes a person with an account, who is signed in and has confirmed their address.
func (sim *simulation) register(ctx context.Context, person int) (id int64, err error) {
	var answer struct{ Token struct{ String string } }
	if status := sim.ask(ctx, sim.content, http.MethodPost, "/users/", map[string]any{"email": memberAddress(person),
		"password": membersPassword, "first_name": "Jäsen", "last_name": "Testinen"}, &answer); status != http.StatusCreated {
		return 0, fmt.Errorf("register a member: %d", status)
	}
	sim.sessions[person] = answer.Token.String
	// As the link of a mail does, which nobody reads here.
	ids, err := query[int64](ctx, sim.runner.content, `UPDATE users SET verified = true WHERE email = $1 RETURNING id`, memberAddress(person))
	if err != nil {
		return 0, err
	}
	return ids[0], nil
}

// becomePayee has the creator verified at provider B, whose hooks are kept from then on.
func (sim *simulation) becomePayee(ctx context.Context, id int64) error {
	if err := sim.payments.current.payments.KeepHooks(ctx); err != nil {
		return fmt.Errorf("keep hooks: %w", err)
	}
	var account struct{ UserID, WalletID string }
	sim.as(ctx, creator, func(ctx context.Context) {
		sim.ask(ctx, sim.payments, http.MethodPost, "/api/users/mangopay/create-creator-account", map[string]any{"type": "natural", "userId": id,
			"owner": map[string]any{"first_name": "Maija", "last_name": "Meri", "birthdate": "1980-05-01", "nationality": "FI",
				"residence_country": "FI", "terms_accepted": true, "return_url": site + "/profile/me/payouts/"}}, &account)
	})
	sim.payee, sim.payeeWallet = account.UserID, account.WalletID
	if err := errors.Join(sim.mangopay.Enrol(sim.payee, true), sim.mangopay.SetKYC(sim.payee, "REGULAR")); err != nil {
		return fmt.Errorf("verify the creator: %w", err)
	}
	sim.everyStep(ctx)
	return nil
}

// payAt has a campaign paid by the creator's accounts at the providers.
func (sim *simulation) payAt(ctx context.Context, campaign int64, atA, atB bool) (err error) {
	body := map[string]any{}
	if atB {
		body["mangopay_user_id"], body["mangopay_wallet_id"] = sim.payee, sim.payeeWallet
	}
	if atA && sim.payeeA == "" {
		if sim.payeeA, err = sim.onboard(ctx); err != nil {
			return err
		}
	}
	if atA {
		body["stripe_account_id"] = sim.payeeA
	}
	status := 0
	sim.as(ctx, creator, func(ctx context.Context) {
		status = sim.ask(ctx, sim.content, http.MethodPost, fmt.Sprintf("/campaigns/%d/set_payment_account/", campaign), body, nil)
	})
	if status != http.StatusOK {
		return fmt.Errorf("say how campaign %d is paid: %d", campaign, status)
	}
	return nil
}

// onboard makes the creator's account at provider A.
func (sim *simulation) onboard(ctx context.Context) (account string, err error) {
	var made struct{ Account struct{ ID string } }
	sim.as(ctx, creator, func(ctx context.Context) {
		sim.ask(ctx, sim.payments, http.MethodPost, "/api/users/stripe/onboard", map[string]any{"account": map[string]any{"country": "FI", "type": "individual",
			"url": site + "/profile/1/"}}, &made)
	})
	if err := sim.sandbox.OnboardAccount(made.Account.ID); err != nil {
		return "", fmt.Errorf("onboard the creator at provider A: %w", err)
	}
	sim.everyStep(ctx)
	return made.Account.ID, nil
}

// unverify has provider B find that the creator is not verified any more.
func (sim *simulation) unverify(_ context.Context, _ operation) { sim.verify("LIGHT") }

// verifyAgain has it find that they are.
func (sim *simulation) verifyAgain(_ context.Context, _ operation) { sim.verify("REGULAR") }

func (sim *simulation) verify(level string) {
	sim.noteResult(level, sim.mangopay.SetKYC(sim.payee, level))
	sim.count("creators", level)
}

// sweepPayees asks about creators' accounts; it may fail when the provider does: it is run again later.
func (sim *simulation) sweepPayees(ctx context.Context, _ operation) {
	if err := sim.payments.do(func(p *process) error { return p.payments.SweepPayees(ctx) }); err != nil {
		sim.note("%v", err)
	}
}

// keepHooks may fail in the same way.
func (sim *simulation) keepHooks(ctx context.Context, _ operation) {
	if err := sim.payments.do(func(p *process) error { return p.payments.KeepHooks(ctx) }); err != nil {
		sim.note("%v", err)
	}
}

// switchProvider has an operator switch a provider off, or on.
func (sim *simulation) switchProvider(ctx context.Context, o operation) {
	name, isOn := []string{providerA, providerB, providerB}[o.n[0]%3], o.n[1]%2 == 0
	sim.switchTo(ctx, name, isOn)
}

func (sim *simulation) switchTo(ctx context.Context, name string, isOn bool) {
	sim.note("%s %v", name, isOn)
	sim.operate(fmt.Sprintf("%s switched to %v", name, isOn), func(p *process) error { return p.payments.Switch(ctx, name, isOn, operator) })
}

// readMethods asks how a campaign can be paid.
func (sim *simulation) readMethods(ctx context.Context, o operation) {
	c, _ := pick(sim.campaigns, o.n[0])
	sim.ask(ctx, sim.payments, http.MethodGet, fmt.Sprintf("/api/campaigns/%d/methods", c.ID), nil, nil)
}

// failCallToB makes the next calls to provider B fail, all of them or those of one kind.
func (sim *simulation) failCallToB(_ context.Context, o operation) {
	kind := []string{"401", "403", "404", "409", "429", "500", "500_after", "500_after", "500_stored", "503", "cut_before", "cut_before", "cut_after",
		"cut_after", "cut_after"}[o.n[0]%15]
	target := []struct{ method, path string }{
		{"", ""}, {"POST", ""}, {"POST", "/payins/"}, {"POST", "/payins/card/direct"}, {"POST", "/payins/directdebit/direct"}, {"GET", "/payins/"},
		{"POST", "/cardregistrations"}, {"POST", "/users"}, {"POST", "/mandates"}, {"POST", "/repudiations"}, {"GET", "/events"},
		{"", "/oauth/token"}, {"", "/reporting/"}, {"GET", "/disputes"}, {"GET", "/users/"},
	}[o.n[1]%15]
	times := 1 + int(o.n[2]%6)
	if err := sim.mangopay.AddFault(mangopay.FaultRule{Kind: kind, Times: times, Method: target.method, Path: target.path}); err != nil {
		sim.find("the simulation works", "%v", err)
	}
	sim.note("%s, %d times, %s %s", kind, times, target.method, target.path)
	sim.count("faults", "provider B "+kind)
}
