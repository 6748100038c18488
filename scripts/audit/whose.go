package audit

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

// ownerChecks compare whose a payment and a subscription are, in both services.
var ownerChecks = []comparison{
	{"money is from its order's backer", sameBacker},
	{"money is for its campaign's creator", samePayee},
}

// addressChecks are about whose an address is, in the content service's database alone. Those from before addresses were written so, that
// somebody has in both forms, are for a person: by which of the accounts its owner signs in only they can tell.
var addressChecks = []query{
	{"an address is written at the host that mail for it is sent to", `
		SELECT format('%s %s has an address at %s, not at %s', place, id, split_part(is_written, '@', -1), split_part(should_be, '@', -1))
		FROM mail_addresses WHERE is_written <> should_be`},
}

// payerChecks compare with the provider whose card was charged, and whose card will be.
var payerChecks = []comparison{
	{"a month is charged to its payer's card", sameCard},
	{"a subscription's card is its payer's", ownCards},
	{"a payer is whom they were made for", ownPayers},
}

// payer is who pays a subscription that goes on, as the payment service knows them.
type payer struct {
	Subscription, Provider string
	Backer, Payee          int64 // 0 for none
	Campaign               int64
	Customer, Card         string // the provider's
}

// charged is how a payment was taken.
type charged struct {
	Payment  string
	Backer   int64
	Payee    int64
	Customer string
	Card     string // of the try that took a month's money, "" when it was paid in a form
	PaidCard string // that is kept of a month, "" of one from before that was kept
}

// creator is somebody who is, or has been, the first of a campaign's team, whom its money is for.
type creator struct{ Campaign, User int64 }

// merge is an account that was brought into another one of the same person, and when.
type merge struct {
	From, Into int64
	At         time.Time
}

// madeFor is a payer at a provider whom we have for an owner: user:N, subscription:ID or pledge:ID.
type madeFor struct{ Owner, Provider, Ref string }

type whose struct {
	madeFor  []madeFor
	payers   []payer
	charged  map[string]charged // by payment
	backers  map[string]int64   // by pledge; those that have an account
	creators map[creator]bool
	merges   []merge
}

const (
	payersSQL = `SELECT id, provider, coalesce(backer_user_id, 0), coalesce(payee_user_id, 0), campaign_id, customer_ref, card_ref FROM subscriptions
		WHERE status IN ` + livingSubscription + ` ORDER BY id`
	madeForSQL = `SELECT owner, provider, ref FROM payers WHERE ref <> '' ORDER BY owner, provider`
	chargedSQL = `SELECT p.id, coalesce(p.backer_user_id, 0), coalesce(p.payee_user_id, 0), p.customer_ref, coalesce(t.card_ref, ''),
		coalesce(m.paid_card, '') FROM payments p LEFT JOIN subscription_periods m ON m.payment_id = p.id
		LEFT JOIN subscription_tries t ON (t.subscription_id, t.period, t.outcome) = (p.subject_id, p.period, 'taken') AND p.subject_kind = 'subscription'`
	backersSQL  = `SELECT id, user_id FROM pledges WHERE user_id IS NOT NULL`
	creatorsSQL = `SELECT campaign_id, user_id FROM campaign_team WHERE position = 0
		UNION SELECT entity_id::bigint, (before -> 'team' ->> 0)::bigint FROM audit_log WHERE entity = 'campaign' AND before -> 'team' ->> 0 IS NOT NULL`
	mergesSQL = `SELECT (before ->> 'account')::bigint, (after ->> 'account')::bigint, at FROM audit_log WHERE entity = 'user' AND action = 'merge_accounts'`
)

func (s *snapshot) readWhose(ctx context.Context, contentDB, paymentsDB querier) (err error) {
	if s.payers, err = rows[payer](ctx, paymentsDB, "payers", payersSQL); err != nil {
		return err
	}
	if s.madeFor, err = rows[madeFor](ctx, paymentsDB, "payers' owners", madeForSQL); err != nil {
		return err
	}
	took, err := rows[charged](ctx, paymentsDB, "charges", chargedSQL)
	if err != nil {
		return err
	}
	backers, err := rows[struct {
		Pledge string
		User   int64
	}](ctx, contentDB, "backers", backersSQL)
	if err != nil {
		return err
	}
	creators, err := rows[creator](ctx, contentDB, "creators", creatorsSQL)
	if err != nil {
		return err
	}
	if s.merges, err = rows[merge](ctx, contentDB, "merged accounts", mergesSQL); err != nil {
		return err
	}
	s.charged, s.backers, s.creators = map[string]charged{}, map[string]int64{}, map[creator]bool{}
	for _, c := range took {
		s.charged[c.Payment] = c
	}
	for _, b := range backers {
		s.backers[b.Pledge] = b.User
	}
	for _, c := range creators {
		s.creators[c] = true
	}
	return nil
}

// sameBacker compares a pledge's account with that of its payment. An account that was erased has left the pledge.
func sameBacker(s *snapshot, found func(format string, args ...any)) {
	payments := s.bySubject()
	for _, id := range slices.Sorted(maps.Keys(payments)) {
		of := s.backers[id]
		if r, is := s.raises[id]; is {
			of = s.backers[r.Pledge]
		}
		if theirs := s.charged[payments[id].ID].Backer; of != theirs {
			found("pledge %s is of user %d, its payment %s of %d", id, of, payments[id].ID, theirs)
		}
	}
}

// samePayee requires that a payment and a subscription are for who is, or was when they began, the creator of their campaign.
func samePayee(s *snapshot, found func(format string, args ...any)) {
	for _, id := range slices.Sorted(maps.Keys(s.payments)) {
		if p := s.payments[id]; p.isOfContent() && !s.creators[creator{p.Campaign, s.charged[id].Payee}] {
			found("payment %s of campaign %d is for user %d, who is not its creator", id, p.Campaign, s.charged[id].Payee)
		}
	}
	for _, p := range s.payers {
		if !s.creators[creator{p.Campaign, p.Payee}] {
			found("subscription %s to campaign %d is for user %d, who is not its creator", p.Subscription, p.Campaign, p.Payee)
		}
	}
}

// sameCard compares each success at the provider with the payer of our payment, and a month that we charged by ourselves with
// the card that its try was made with.
func sameCard(s *snapshot, found func(format string, args ...any)) {
	for _, i := range s.intents {
		a, known := s.byMoney[i.ID]
		if i.Status != "succeeded" || !known || a.Method == "unasked" {
			continue
		}
		c := s.charged[a.Payment]
		if i.Customer != c.Customer && (a.Method == "card" || c.Customer != "") {
			found("payment %s was taken from payer %q, our payment %s is of %q", i.ID, i.Customer, a.Payment, c.Customer)
		}
		if c.Card != "" && i.Card != c.Card {
			found("payment %s was taken by card %s, our payment %s was tried with %s", i.ID, i.Card, a.Payment, c.Card)
		}
		if a.Instrument != "" && i.Card != a.Instrument {
			found("payment %s was taken by card %s, our attempt was to charge %s", i.ID, i.Card, a.Instrument)
		}
		if c.PaidCard != "" && i.Card != c.PaidCard {
			found("payment %s was taken by card %s, its month keeps %s", i.ID, i.Card, c.PaidCard)
		}
	}
}

// ownCards requires that a subscription that goes on has a payer at the provider who was made for it or for its account, and a
// card that this payer has given there.
func ownCards(s *snapshot, found func(format string, args ...any)) {
	given := map[[2]string]bool{}
	for _, i := range s.intents {
		given[[2]string{i.Customer, i.Card}] = true
	}
	for _, i := range s.setups {
		if i.Status == "succeeded" {
			given[[2]string{i.Customer, i.Card}] = true
		}
	}
	owners := s.ownersOfPayers()
	for _, p := range s.payers {
		if p.Customer != "" && !slices.ContainsFunc(s.madeFor, func(m madeFor) bool { return m.Provider == p.Provider && m.Ref == p.Customer }) {
			found("subscription %s is charged to payer %s of %s, who is nobody's", p.Subscription, p.Customer, p.Provider)
		}
		if p.Provider != providerName || p.Customer == "" { // deleted at the provider: its backer is asked for a card
			continue
		}
		owner := owners[p.Customer]
		if owner != "subscription:"+p.Subscription && !s.isAccount(owner, p.Backer) {
			found("subscription %s of user %d is charged to payer %s, who is %q", p.Subscription, p.Backer, p.Customer, owner)
		}
		if p.Card != "" && !given[[2]string{p.Customer, p.Card}] {
			found("subscription %s is charged to card %s, which its payer %s has not given", p.Subscription, p.Card, p.Customer)
		}
	}
}

// ownersOfPayers are whom the provider's payers were made for.
func (s *snapshot) ownersOfPayers() map[string]string {
	owners := map[string]string{}
	for _, c := range s.customers {
		owners[c.ID] = c.Metadata["customer_id"]
	}
	return owners
}

// ownPayers requires that whoever pays next is charged as the payer who was made for them, or for an account that was brought into
// theirs.
func ownPayers(s *snapshot, found func(format string, args ...any)) {
	owners := s.ownersOfPayers()
	for _, m := range s.madeFor {
		of := owners[m.Ref]
		user, _ := strconv.ParseInt(strings.TrimPrefix(m.Owner, "user:"), 10, 64)
		if m.Provider == providerName && of != "" && of != m.Owner && !s.isAccount(of, user) {
			found("payer %s of %s was made for %s", m.Ref, m.Owner, of)
		}
	}
}

// isAccount tells that a payer was made for a person's account, or for one that has been brought into it, also by way of others.
func (s *snapshot) isAccount(owner string, user int64) bool {
	text, ok := strings.CutPrefix(owner, "user:")
	id, err := strconv.ParseInt(text, 10, 64)
	if !ok || err != nil || user == 0 {
		return false
	}
	for range len(s.merges) + 1 {
		if id == user {
			return true
		}
		at := slices.IndexFunc(s.merges, func(m merge) bool { return m.From == id })
		if at < 0 {
			return false
		}
		id = s.merges[at].Into
	}
	return false
}
