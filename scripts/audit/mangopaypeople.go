package audit

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

// Of what grows with the people who pay only the newest is read there: one page has a hundred.
const (
	pagesOfPeople = 10  // of users, and of mandates
	mostLooks     = 100 // at pay-ins, and at kept cards, each of which is a call
)

// ofMangopay is what the payment service knows of people at Mangopay.
type ofMangopay struct {
	allOwners []owner // at any provider, also those that are still made
	owners    []owner // at Mangopay
	walletsOf []walletOf
	keptCards []keptCard
	onTheWay  []onTheWay
	banks     []payeeBank
}

// payeeBank is a bank account that a creator has given us, or their provider; Payee is their account at the provider.
type payeeBank struct{ ID, Payee, Ref, State, Name, Country, LastFour string }

// onTheWay is what has left a creator's wallet for their bank and has not arrived.
type onTheWay struct {
	Wallet string
	Minor  int64
}

// owner is a creator's account, also of one whose person was erased: then User is 0.
type owner struct {
	ID, Provider, Ref, Wallet, State string
	User                             int64
	Misses                           int   // how often in a row its provider did not have it
	Number                           int64 // by which the book knows whose it is: that of the first run that was paid by it
}

// walletOf is a campaign's wallet, and the account that it belongs to.
type walletOf struct {
	Campaign   int64
	Ref, Owner string
}

// keptCard is one that is offered to its person again; Payer is theirs, "" for none.
type keptCard struct {
	Ref, Label, Fingerprint, Payer string
	User                           int64
	IsOffered                      bool
}

const (
	ownersSQL = `SELECT id, provider, ref, wallet_ref, state, coalesce(user_id, 0), misses, coalesce((SELECT r.payee_id FROM settlement_runs r
			WHERE r.provider = y.provider AND r.payee_ref = y.ref AND r.state NOT IN ('counting', 'proposed', 'void') ORDER BY r.created_at, r.id LIMIT 1), user_id, 0)
		FROM payees y ORDER BY id`
	walletsOfSQL = `SELECT w.campaign_id, w.ref, y.ref FROM campaign_wallets w JOIN payees y ON y.id = w.payee_id WHERE w.ref <> '' ORDER BY 1, 2`
	banksSQL     = `SELECT b.id, y.ref, b.ref, b.state, b.name_check, b.country, b.last_four FROM payee_banks b JOIN payees y ON y.id = b.payee_id WHERE y.provider = 'mangopay' ORDER BY b.id`
	onTheWaySQL  = `SELECT from_place, sum(amount_minor)::bigint FROM settlement_moves WHERE provider = 'mangopay' AND kind = 'payout' AND state = 'open' AND ref <> '' GROUP BY 1`
	keptCardsSQL = `SELECT k.ref, k.label, k.fingerprint, coalesce(y.ref, ''), k.user_id, k.used_at IS NOT NULL OR k.kept_at > @unproven FROM kept_cards k
		LEFT JOIN payers y ON y.owner = 'user:' || k.user_id AND y.provider = k.provider
		WHERE k.provider = 'mangopay' ORDER BY coalesce(k.used_at, k.kept_at) DESC, k.ref LIMIT 100`
)

func (s *snapshot) readOfMangopay(ctx context.Context, payments querier) (err error) {
	if s.allOwners, err = rows[owner](ctx, payments, "creators' accounts", ownersSQL); err != nil {
		return err
	}
	for _, o := range s.allOwners {
		if o.Provider == mangopayName && o.Ref != "" {
			s.owners = append(s.owners, o)
		}
	}
	if s.walletsOf, err = rows[walletOf](ctx, payments, "campaigns' wallets", walletsOfSQL); err != nil {
		return err
	}
	if s.onTheWay, err = rows[onTheWay](ctx, payments, "payouts", onTheWaySQL); err != nil {
		return err
	}
	if s.banks, err = rows[payeeBank](ctx, payments, "creators' bank accounts", banksSQL); err != nil {
		return err
	}
	s.keptCards, err = rows[keptCard](ctx, payments, "kept cards", keptCardsSQL, moments(s.now))
	return err
}

// mangopayPeople is who and what pays and is paid there.
type mangopayPeople struct {
	users    map[string]mangopayUser // by id, as the rest
	mandates map[string]mangopayMandate
	payIns   map[string]mangopayPayIn
	cards    map[string]mangopayCard
	walletOf map[string]mangopayWallet // without those that the owner does not let us read
	banks    map[string]mangopayBank
	hooks    []mangopayHook
	hookURL  string
	// Whether all users, mandates and tags were read, and not only the newest.
	areUsersWhole, areMandatesWhole, areTagsWhole bool
}

func newMangopayPeople() mangopayPeople {
	return mangopayPeople{users: map[string]mangopayUser{}, mandates: map[string]mangopayMandate{}, payIns: map[string]mangopayPayIn{},
		cards: map[string]mangopayCard{}, walletOf: map[string]mangopayWallet{},
		banks: map[string]mangopayBank{}}
}

type mangopayUser struct{ ID, Tag, UserCategory, KYCLevel, UserStatus string }

type mangopayMandate struct{ ID, UserID, Status string }

type mangopayPayIn struct{ ID, Tag, AuthorID, Status, PaymentType, ExecutionType, CardID, MandateID string }

type mangopayCard struct {
	ID, UserID, Alias, Fingerprint string
	Active                         bool
}

type mangopayWallet struct {
	Owners        []string
	Tag, Currency string
	Balance       struct{ Amount int64 }
}

// mangopayBank is what Mangopay calls a recipient.
type mangopayBank struct {
	ID, UserID, Status, Tag, Country string
	LocalBankTransfer                struct{ EUR struct{ IBAN string } }
}

type mangopayHook struct{ EventType, URL, Status, Validity string }

// readPeople reads people and what they pay with: lists by pages, and single objects that the snapshot has, as many as are bounded by the
// number of creators and campaigns, or by mostLooks.
func (m *mangopayState) readPeople(ctx context.Context, c *mangopayCaller, s *snapshot) (err error) {
	const newest = "&Sort=CreationDate:DESC"
	m.areUsersWhole, err = c.pages(ctx, "/users", newest, pagesOfPeople, keepIn(m.users, func(u mangopayUser) string { return u.ID }))
	if err != nil {
		return err
	}
	m.areMandatesWhole, err = c.pages(ctx, "/mandates", newest, pagesOfPeople, keepIn(m.mandates, func(o mangopayMandate) string { return o.ID }))
	if err != nil {
		return err
	}
	if m.hookURL = c.HookURL; m.hookURL != "" {
		err = c.list(ctx, "/hooks", func(raw json.RawMessage) error {
			var h mangopayHook
			err := json.Unmarshal(raw, &h)
			m.hooks = append(m.hooks, h)
			return err
		})
		if err != nil {
			return err
		}
	}
	wallets := []string{}
	for _, o := range s.owners {
		if _, known := m.users[o.Ref]; !known && !m.areUsersWhole {
			if err := readOne(ctx, c, "/users/", o.Ref, m.users); err != nil {
				return err
			}
		}
		wallets = append(wallets, o.Wallet)
		err := c.list(ctx, "/users/"+url.PathEscape(o.Ref)+"/recipients", keepIn(m.banks, func(b mangopayBank) string { return b.ID }))
		if err != nil && !isGone(err) {
			return err
		}
	}
	for _, w := range s.walletsOf {
		wallets = append(wallets, w.Ref)
	}
	for _, id := range wallets {
		if id != "" && m.wallets[id] == nil {
			if err := m.readWallet(ctx, c, id); err != nil && !isGone(err) {
				return err
			}
		}
	}
	for _, k := range s.keptCards {
		if err := readOne(ctx, c, "/cards/", strings.TrimPrefix(k.Ref, "cards/"), m.cards); err != nil {
			return err
		}
	}
	for _, a := range s.newestAtMangopay() {
		if err := readOne(ctx, c, "/payins/", a.Money, m.payIns); err != nil {
			return err
		}
	}
	return nil
}

// readTags reads what we wrote on the newest pay-ins and refunds: a report does not have it.
func (m *mangopayState) readTags(ctx context.Context, c *mangopayCaller) error {
	refunds := map[string]struct{ Tag, InitialTransactionID string }{}
	m.areTagsWhole = true
	for _, kind := range []string{"charge", "refund"} {
		var at []int
		for i, l := range m.lines {
			if l.is(kind) {
				at = append(at, i)
			}
		}
		slices.SortFunc(at, func(a, b int) int { return m.lines[b].at.Compare(m.lines[a].at) })
		m.areTagsWhole = m.areTagsWhole && len(at) <= mostLooks
		for _, i := range at[:min(len(at), mostLooks)] {
			l := &m.lines[i]
			in, known := m.payIns[l.ref]
			tag, err := in.Tag, error(nil)
			switch {
			case kind == "refund":
				err = readOne(ctx, c, "/refunds/", l.ref, refunds)
				tag, l.of = refunds[l.ref].Tag, refunds[l.ref].InitialTransactionID
			case !known:
				err = readOne(ctx, c, "/payins/", l.ref, m.payIns)
				tag = m.payIns[l.ref].Tag
			}
			if err != nil {
				return err
			}
			l.tag, _ = url.ParseQuery(tag)
			l.isOurs = l.isOurs || l.tag.Get("payment") != ""
		}
	}
	return nil
}

// newestAtMangopay are the newest attempts of which the pay-ins are looked at: those that took money, and those that are on their way.
func (s *snapshot) newestAtMangopay() (list []attempt) {
	for _, a := range s.attempts {
		if a.Provider == mangopayName && (a.tookMoney() || a.Status == "open") {
			list = append(list, a)
		}
	}
	slices.SortFunc(list, func(a, b attempt) int { return int(b.ID - a.ID) })
	return list[:min(len(list), mostLooks)]
}

// keepIn collects what a list has, by its id.
func keepIn[T any](into map[string]T, id func(T) string) func(json.RawMessage) error {
	return func(raw json.RawMessage) error {
		var one T
		err := json.Unmarshal(raw, &one)
		into[id(one)] = one
		return err
	}
}

// readOne reads an object; one that is not there is left out.
func readOne[T any](ctx context.Context, c *mangopayCaller, path, id string, into map[string]T) error {
	var one T
	err := c.call(ctx, http.MethodGet, c.at(path+url.PathEscape(id)), "", &one)
	if err == nil {
		into[id] = one
	} else if isGone(err) {
		err = nil
	}
	return err
}

func isGone(err error) bool {
	status := statusError(0)
	return errors.As(err, &status) && status == http.StatusNotFound
}

// mangopayEvents are the types of events that we have to be told of: what decides money, and who may be paid.
func mangopayEvents() (types []string) {
	for family, all := range map[string]string{
		"PAYIN_NORMAL_": "SUCCEEDED FAILED", "PAYIN_REFUND_": "SUCCEEDED FAILED", "PAYOUT_NORMAL_": "SUCCEEDED FAILED", "PAYOUT_REFUND_": "SUCCEEDED FAILED",
		"MANDATE_":  "SUBMITTED ACTIVATED FAILED EXPIRED",
		"DISPUTE_":  "CREATED SUBMITTED ACTION_REQUIRED FURTHER_ACTION_REQUIRED SENT_TO_BANK CLOSED",
		"USER_KYC_": "REGULAR LIGHT RENEWAL_REQUIRED", "USER_ACCOUNT_": "VALIDATION_ASKED ACTIVATED CLOSED", "USER_INFLOWS_": "BLOCKED UNBLOCKED",
		"USER_OUTFLOWS_": "BLOCKED UNBLOCKED", "IDENTITY_VERIFICATION_": "VALIDATED FAILED OUTDATED", "SCA_ENROLLMENT_": "SUCCEEDED FAILED EXPIRED",
		"RECIPIENT_": "ACTIVE CANCELED DEACTIVATED",
	} {
		for what := range strings.FieldsSeq(all) {
			types = append(types, family+what)
		}
	}
	slices.Sort(types)
	return types
}

// isKept tells that Mangopay still has to have what happened then.
func (s *snapshot) isKept(at time.Time) bool { return at.After(s.now.AddDate(0, -mangopayKept, 1)) }

// happenedAt is when a movement of Mangopay's happened, as the ledger has it.
func (s *snapshot) happenedAt(kind, reference string) (at time.Time) {
	for _, m := range s.movements {
		if m.provider == mangopayName && m.kind == kind && m.reference == reference {
			return m.happened
		}
	}
	return at
}
