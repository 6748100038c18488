package audit

import (
	"context"
	"maps"
	"slices"
)

// payeeChecks are about the payment service's accounts of creators, in its database alone.
var payeeChecks = []query{
	{"a charge is in a wallet of its campaign", `
		SELECT format('%s of %s is booked to %s, which is no wallet of campaign %s', t.charge_ref, t.provider, a.name, p.campaign_id)
		FROM ledger_transactions t JOIN attempts c ON c.provider = t.provider AND c.charge_ref = t.charge_ref
		JOIN payments p ON p.id = c.payment_id AND p.paid_attempt_id = c.id JOIN ledger_entries e ON e.transaction_id = t.id
		JOIN ledger_accounts a ON a.id = e.account_id AND a.name LIKE 'provider_clearing:' || t.provider || ':%'
		WHERE t.kind = 'charge' AND EXISTS (SELECT FROM payees y WHERE y.provider = t.provider AND y.wallet_ref <> '')
			AND NOT EXISTS (SELECT FROM campaign_wallets w JOIN payees y ON y.id = w.payee_id
				WHERE w.campaign_id = p.campaign_id AND a.name = 'provider_clearing:' || y.provider || ':' || w.ref)`},
	{"nothing begins at a provider that is switched off", `
		SELECT format('attempt %s of %s was begun at %s, it was off since %s', t.id, t.provider, t.created_at, s.at)
		FROM (SELECT provider, is_on, at, coalesce(lead(at) OVER (PARTITION BY provider ORDER BY number), 'infinity') AS until FROM provider_switches) s
		JOIN attempts t ON t.provider = s.provider AND t.created_at > s.at + @slack * interval '1 second' AND t.created_at < s.until - @slack * interval '1 second'
		JOIN payments p ON p.id = t.payment_id WHERE NOT s.is_on AND p.period = 0 AND t.method <> 'unasked'`}, // which is money that nobody asked for
	{"an account is made by a key of its own time", `
		SELECT format('account %s of %s, made at %s, has a key since %s', id, provider, created_at, keyed_at) FROM payees
		WHERE NOT (` + before("created_at", "keyed_at") + ` AND ` + before("keyed_at", "updated_at") + `)`},
	{"an account that its provider does not have is asked about until that is sure", `
		SELECT format('account %s of %s is %s, was not found %s times in a row, last at %s', y.id, y.provider, y.state, y.misses, y.missed_at) FROM payees y
		WHERE y.misses > 0 AND y.state <> 'closed' AND (y.missed_at < @yesterday OR y.misses > 5
			OR NOT EXISTS (SELECT FROM anomalies a WHERE (a.kind, a.provider, a.reference) = ('payee_missing', y.provider, y.ref)))`},
	{"a wallet is of an account that its provider has made", `
		SELECT format('wallet %s of campaign %s is of account %s, which is still made', w.ref, w.campaign_id, w.payee_id)
		FROM campaign_wallets w JOIN payees y ON y.id = w.payee_id WHERE w.ref <> '' AND y.ref = ''`},
	{"who pays has one payer at a provider", `
		SELECT format('payer %s of %s is of %s, whose payment %s is of user %s', y.ref, y.provider, y.owner, p.id, coalesce(p.backer_user_id::text, 'nobody'))
		FROM payers y LEFT JOIN payments p ON y.owner = p.subject_kind || ':' || p.subject_id AND p.period = 0
		WHERE y.owner LIKE 'pledge:%' AND (p.id IS NULL OR p.backer_user_id IS NOT NULL)
		UNION ALL
		SELECT format('payer %s of %s is of %s', ref, provider, owner) FROM payers WHERE owner !~ '^(user|pledge|subscription):.'`},
	{"who switched a provider is known, and why", `
		SELECT format('%s was switched (on: %s) at %s by "%s": "%s"', provider, is_on, at, actor, reason) FROM (
			SELECT *, lag(is_on, 1, true) OVER (PARTITION BY provider ORDER BY number) AS was FROM provider_switches) s
		WHERE trim(actor) = '' OR trim(reason) = '' OR is_on = was`},
}

// payeeComparisons are what both services know of creators' accounts.
var payeeComparisons = []comparison{
	{"a creator's account is as it was told", samePayees},
	{"a campaign is paid by the accounts that it names", sameAccounts},
	{"a campaign is paid by an account of its creator", ownAccounts},
}

// payee is a creator's account, as one of the services has it.
type payee struct {
	Provider, Ref, Wallet, State string
	User, Sequence               int64
}

// accountOf is by which account a campaign is paid at a provider.
type accountOf struct {
	Campaign      int64
	Provider, Ref string
	Number        int
}

const (
	contentPayeesSQL    = `SELECT provider, account_id, wallet_id, state, user_id, sequence FROM payout_accounts ORDER BY 1, 2`
	paymentsPayeesSQL   = `SELECT provider, ref, wallet_ref, state, user_id, event_sequence FROM payees WHERE user_id IS NOT NULL AND event_sequence > 0 ORDER BY 1, 2`
	contentAccountsSQL  = `SELECT id, provider, ref, payment_accounts_number FROM campaigns CROSS JOIN LATERAL (VALUES ('stripe', payment_account_id), ('mangopay', payment_user_id)) AS a(provider, ref) WHERE payment_accounts_number > 0 ORDER BY 1, 2`
	paymentsAccountsSQL = `SELECT campaign_id, provider, account_ref, number FROM campaign_accounts ORDER BY 1, 2`
)

// readPayees reads creators' accounts from both databases.
func (s *snapshot) readPayees(ctx context.Context, contentDB, paymentsDB querier) (err error) {
	if s.contentPayees, err = byAccount(ctx, contentDB, contentPayeesSQL); err != nil {
		return err
	}
	if s.paymentsPayees, err = byAccount(ctx, paymentsDB, paymentsPayeesSQL); err != nil {
		return err
	}
	if s.contentAccounts, err = rows[accountOf](ctx, contentDB, "campaigns' accounts", contentAccountsSQL); err != nil {
		return err
	}
	if s.paymentsAccounts, err = rows[accountOf](ctx, paymentsDB, "campaigns' accounts", paymentsAccountsSQL); err != nil {
		return err
	}
	if err := s.readMovesAtA(ctx, paymentsDB); err != nil {
		return err
	}
	return s.readOfMangopay(ctx, paymentsDB)
}

func byAccount(ctx context.Context, db querier, sql string) (map[string]payee, error) {
	list, err := rows[payee](ctx, db, "creators' accounts", sql)
	out := map[string]payee{}
	for _, one := range list {
		out[one.Provider+" "+one.Ref] = one
	}
	return out, err
}

// samePayees wants that the content service has heard how each account is.
func samePayees(s *snapshot, found func(format string, args ...any)) {
	all := maps.Clone(s.contentPayees)
	maps.Copy(all, s.paymentsPayees)
	for _, key := range slices.Sorted(maps.Keys(all)) {
		if heard, is := s.contentPayees[key], s.paymentsPayees[key]; heard != is {
			found("account %s is %+v, the content service has heard %+v", key, is, heard)
		}
	}
}

// sameAccounts wants that the payment service has heard by which accounts each campaign is paid.
func sameAccounts(s *snapshot, found func(format string, args ...any)) {
	heard := map[accountOf]bool{}
	for _, a := range s.paymentsAccounts {
		heard[a] = true
	}
	for _, a := range s.contentAccounts {
		if !heard[a] {
			found("campaign %d is paid by %q at %s (word %d), the payment service has heard something else", a.Campaign, a.Ref, a.Provider, a.Number)
		}
		delete(heard, a)
	}
	for _, a := range s.paymentsAccounts {
		if heard[a] {
			found("the payment service has heard that campaign %d is paid by %q at %s (word %d)", a.Campaign, a.Ref, a.Provider, a.Number)
		}
	}
}

// ownAccounts wants that a campaign is paid by an account of who is, or has been, its creator. Whose an account was whose person is erased
// nobody knows.
func ownAccounts(s *snapshot, found func(format string, args ...any)) {
	for _, a := range s.paymentsAccounts {
		if a.Ref == "" {
			continue
		}
		at := slices.IndexFunc(s.allOwners, func(o owner) bool { return o.Provider == a.Provider && o.Ref == a.Ref })
		if at < 0 {
			found("campaign %d is paid by account %s of %s, which nobody has", a.Campaign, a.Ref, a.Provider)
		} else if user := s.allOwners[at].User; user != 0 && !s.creators[creator{a.Campaign, user}] {
			found("campaign %d is paid by account %s of %s, which is user %d's, who is not its creator", a.Campaign, a.Ref, a.Provider, user)
		}
	}
}

// accountReminderChecks are about who is reminded of their account, in the content service's database alone.
var accountReminderChecks = []query{
	{"who is reminded of their account has a campaign that takes money", `
		SELECT format('the creator of campaign %s (stage %s) was reminded %s times, last at %s', c.id, c.stage, r.told, r.at)
		FROM payout_reminders r JOIN campaigns c ON c.id = r.campaign_id WHERE c.stage < 2 OR r.at > @ahead`},
}

// payeeAtA is a creator's account at provider A.
type payeeAtA struct {
	ID, Type         string
	DefaultCurrency  string `json:"default_currency"`
	DetailsSubmitted bool   `json:"details_submitted"`
	PayoutsEnabled   bool   `json:"payouts_enabled"`
	Capabilities     struct{ Transfers string }
	Requirements     struct {
		DisabledReason string `json:"disabled_reason"`
	}
	Metadata map[string]string
	External struct {
		Data []bankAtA
	} `json:"external_accounts"`
}

// bankAtA is a bank account that a creator has given provider A.
type bankAtA struct {
	ID, Object, Country, Currency, Last4 string
	IsDefault                            bool `json:"default_for_currency"`
}

// paysTo is the bank account to which euros are paid out.
func (a payeeAtA) paysTo() (b bankAtA, has bool) {
	for _, one := range a.External.Data {
		if one.Object == "bank_account" && one.Currency == "eur" && (!has || one.IsDefault) {
			b, has = one, true
		}
	}
	return b, has
}

// canBePaid is the rule by which one counts as ready.
func (a payeeAtA) canBePaid() bool {
	return a.DetailsSubmitted && a.PayoutsEnabled && a.Capabilities.Transfers == "active" && a.Requirements.DisabledReason == "" && a.DefaultCurrency == "eur" &&
		(a.Type == "express" || a.Type == "custom")
}

var payeesAtAChecks = []comparison{
	{"a creator has one account at provider A, which is as it is there", samePayeesAtA},
}

// samePayeesAtA wants that every account that we have made at provider A is the one of its row, and is ready here only when it is there.
func samePayeesAtA(s *snapshot, found func(format string, args ...any)) {
	rows, there := map[string]owner{}, map[string]payeeAtA{}
	for _, o := range s.allOwners {
		if o.Provider == "stripe" {
			rows["payee:"+o.ID] = o
		}
	}
	for _, a := range s.payeesAtA {
		there[a.ID] = a
		id := a.Metadata["payee_id"]
		if id == "" { // another system's
			continue
		}
		o, isKnown := rows[id]
		if !isKnown || o.Ref != a.ID && o.State != "making" || o.State == "closed" {
			found("account %s was made for %s, whose account here is %q (%s)", a.ID, id, o.Ref, o.State)
		}
	}
	for _, o := range s.allOwners {
		if o.Provider != "stripe" || o.Ref == "" || o.State == "closed" {
			continue
		}
		a, isThere := there[o.Ref]
		if !isThere && o.Misses > 0 { // which is looked into: its provider says so for some hours at most
			continue
		}
		if !isThere || (o.State == "ready") != a.canBePaid() {
			found("account %s (%s) is %s, there (%t) it can be paid: %t", o.Ref, o.ID, o.State, isThere, a.canBePaid())
		}
	}
}
