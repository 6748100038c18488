package payees

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/payments/internal/provider"
)

const (
	// lookTimeout bounds a question to a provider that something else waits for.
	lookTimeout = 3 * time.Second
	// FreshFor is how long what a provider has said of an account is believed at checkout.
	FreshFor = 10 * time.Minute
	// ownFreshFor is the same for its own person, while they or the provider have something to do.
	ownFreshFor = 5 * time.Second
	// keyUse is how long the key of an account that is made is used; providers know it for a day. callLife is how long a call with it may be
	// on its way.
	keyUse   = 20 * time.Hour
	callLife = 2 * time.Minute
	// The sweep asks about accounts of which nothing was heard: those that wait or are missing, and those that are ready.
	askWaiting = time.Hour
	askReady   = 24 * time.Hour
	sweepBatch = 50
)

// Provider is what is asked of a payment provider here.
type Provider interface {
	Name() string
	provider.Payees
}

// Service is the domain; it is safe for concurrent use.
type Service struct {
	db         *gorm.DB
	providers  map[string]Provider
	wakeEvents func()
	now        func() time.Time
	log        *slog.Logger
}

// Options are the parts of a Service; all are needed.
type Options struct {
	DB        *gorm.DB
	Providers map[string]Provider
	// WakeEvents is called after a commit that left an event behind, and must not block.
	WakeEvents func()
	Now        func() time.Time
	Log        *slog.Logger
}

// New makes a service.
func New(o Options) *Service {
	return &Service{o.DB, o.Providers, o.WakeEvents, func() time.Time { return o.Now().UTC().Truncate(time.Microsecond) }, o.Log}
}

func (s *Service) provider(name string) (Provider, error) {
	if p, on := s.providers[name]; on {
		return p, nil
	}
	return nil, apperr.New(apperr.ConfigurationError).WithCode("provider_off")
}

// Make gives a person's account at a provider, and makes it when there is none; order is needed then. Errors: InvalidFields without an
// order that is needed, PayeeTermsNotAccepted, PayeeRefused when the provider does not take what the order says, ProviderUnavailable.
func (s *Service) Make(ctx context.Context, userID int64, name string, order *provider.PayeeOrder) (Payee, error) {
	prov, err := s.provider(name)
	if err != nil {
		return Payee{}, err
	}
	if order == nil || !order.AcceptedTerms {
		list, err := read(ctx, s.db, theirsSQL, userID, name)
		if p := first(list); err != nil || p.Ref != "" {
			return s.fresh(ctx, p, err)
		}
		if order == nil {
			return Payee{}, apperr.New(apperr.InvalidFields).WithField("owner", apperr.RuleRequired)
		}
		return Payee{}, apperr.New(apperr.PayeeTermsNotAccepted)
	}
	_, finds := prov.(provider.MadePayees)
	said := ""
	if finds {
		said = sumOf(*order)
	}
	p, err := s.own(ctx, userID, name, order.Kind, said)
	if err != nil || p.State != Making {
		return s.fresh(ctx, p, err)
	}
	order.ID, order.UserID = "payee:"+p.ID, userID
	look, made, err := s.order(ctx, prov, p, *order)
	if finds && errors.Is(err, provider.ErrBurned) { // the key hides what came of it
		if p, err = s.anotherKey(ctx, p); err == nil {
			look, made, err = s.order(ctx, prov, p, *order)
		}
	}
	switch {
	case isSpent(err):
		_, failed := s.anotherKey(ctx, p)
		as := apperr.New(apperr.PayeeRefused)
		if errors.Is(err, provider.ErrBurned) {
			as = apperr.New(apperr.ProviderUnavailable)
		}
		return Payee{}, errors.Join(as.Wrap(err), failed)
	case err != nil:
		return Payee{}, err
	}
	saving, cancel := context.WithTimeout(context.WithoutCancel(ctx), lookTimeout)
	defer cancel()
	return s.see(saving, p.ID, look, made)
}

// isSpent tells that a key makes nothing any more.
func isSpent(err error) bool {
	return errors.Is(err, provider.ErrBurned) || errors.Is(err, provider.ErrRefused)
}

// sumOf tells one order from another.
func sumOf(o provider.PayeeOrder) string {
	sum := sha256.Sum256([]byte(strings.Join([]string{o.Country, o.Type, o.Website, o.Email, string(o.Currency)}, "\n")))
	return hex.EncodeToString(sum[:])
}

// order sends an order for an account by the key of its row. What the provider may have made by an earlier key is looked for first.
func (s *Service) order(ctx context.Context, prov Provider, p Payee, o provider.PayeeOrder) (look int64, made provider.Payee, err error) {
	if look, err = s.askedAgain(ctx, p.ID); err != nil {
		return look, made, err
	}
	if finder, finds := prov.(provider.MadePayees); finds && p.Number > 1 {
		if made, err = finder.MadePayee(ctx, o.ID, p.CreatedAt); !errors.Is(err, provider.ErrNotFound) {
			return look, made, err
		}
	}
	o.Key = fmt.Sprintf("payee:%s:%d", p.ID, p.Number)
	made, err = prov.NewPayee(ctx, o)
	return look, made, err
}

func first(list []Payee) (p Payee) {
	if len(list) > 0 {
		p = list[0]
	}
	return p
}

// fresh asks the provider about an account of which nothing was heard for a while; without its answer the account is as it was known.
func (s *Service) fresh(ctx context.Context, p Payee, err error) (Payee, error) {
	return s.within(ctx, p, err, FreshFor)
}

func (s *Service) within(ctx context.Context, p Payee, err error, age time.Duration) (Payee, error) {
	if err != nil || p.Ref == "" || p.State == Closed || p.LookedAt != nil && s.now().Sub(*p.LookedAt) < age {
		return p, err
	}
	asking, cancel := context.WithTimeout(ctx, lookTimeout)
	defer cancel()
	now, err := s.Look(asking, p)
	if err != nil && ctx.Err() == nil {
		s.log.WarnContext(ctx, "a creator's account is as it was known", "provider", p.Provider, "error", err)
		return p, nil
	}
	return now, err
}

// Fresh is a person's accounts, asked about where nothing was heard for a while.
func (s *Service) Fresh(ctx context.Context, userID int64) ([]Payee, error) {
	list, err := s.Of(ctx, userID)
	for i, p := range list {
		age := ownFreshFor
		if p.State == Ready && !s.isBankOpen(ctx, p) {
			age = FreshFor
		}
		if list[i], err = s.within(ctx, p, err, age); err != nil {
			return nil, err
		}
		if list[i].LookedAt != p.LookedAt { // the provider was asked
			asking, cancel := context.WithTimeout(ctx, lookTimeout)
			if failed := s.lookBanks(asking, list[i]); failed != nil {
				s.log.WarnContext(ctx, "a creator's bank account is as it was known", "provider", p.Provider, "error", failed)
			}
			cancel()
		}
	}
	return list, err
}

// Look asks the provider how an account is. Errors: those of the provider; one that it does not have is closed once that is sure.
func (s *Service) Look(ctx context.Context, p Payee) (Payee, error) {
	return s.lookAfter(ctx, p, false)
}

// lookAfter is Look, after the provider has said of itself that the account was disconnected if isGone.
func (s *Service) lookAfter(ctx context.Context, p Payee, isGone bool) (Payee, error) {
	prov, err := s.provider(p.Provider)
	if err != nil {
		return p, err
	}
	look, err := s.askedAgain(ctx, p.ID)
	if err != nil {
		return p, err
	}
	seen, err := prov.Payee(ctx, p.Ref)
	if errors.Is(err, provider.ErrNotFound) {
		if seen, err = (provider.Payee{Ref: p.Ref, State: missing}), nil; isGone {
			seen.State = gone
		}
	}
	if err != nil {
		return p, err
	}
	return s.see(ctx, p.ID, look, seen)
}

// Own is a person's account at a provider, by its id there; any id is asked by "". Error: NotFound also of one that is somebody else's.
func (s *Service) Own(ctx context.Context, userID int64, name, ref string) (Payee, error) {
	list, err := read(ctx, s.db, theirsSQL, userID, name)
	for _, p := range list {
		if p.Ref != "" && (ref == "" || p.Ref == ref) {
			return p, err
		}
	}
	if err == nil {
		err = apperr.New(apperr.NotFound)
	}
	return Payee{}, err
}

// Step is where a person goes on with what is missing at a provider; "" when there is nothing to do. It gives the account as it is then.
// Errors: NotFound without an account, or when it is gone; those of the provider.
func (s *Service) Step(ctx context.Context, userID int64, name, ref string, back provider.Back) (Payee, string, error) {
	prov, err := s.provider(name)
	if err != nil {
		return Payee{}, "", err
	}
	p, err := s.Own(ctx, userID, name, ref)
	if err != nil {
		return Payee{}, "", err
	}
	address, err := prov.PayeeStep(ctx, p.Ref, back)
	if errors.Is(err, provider.ErrNotFound) {
		_, err = s.Look(ctx, p)
		return p, "", errors.Join(apperr.New(apperr.NotFound), err)
	}
	if err != nil {
		return p, "", err
	}
	p, err = s.Look(ctx, p)
	return p, address, err
}

// Home is where a person sees to their account at a provider by themselves; "" when it is not far enough. Errors: NotFound, those of the provider.
func (s *Service) Home(ctx context.Context, userID int64, name, ref string) (string, error) {
	p, err := s.Own(ctx, userID, name, ref)
	if err != nil {
		return "", err
	}
	prov, has := s.providers[name].(provider.PayeeHomes)
	if !has {
		return "", apperr.New(apperr.ConfigurationError).WithCode("provider_off")
	}
	address, err := prov.PayeeHome(ctx, p.Ref)
	if errors.Is(err, provider.ErrNotFound) {
		_, err = s.Look(ctx, p)
		return "", errors.Join(apperr.New(apperr.NotFound), err)
	}
	return address, err
}

// Changed looks at the account that a hook is about, which says that it was disconnected if isGone; one that is not ours is none.
func (s *Service) Changed(ctx context.Context, name, object string, isGone bool) error {
	prov, on := s.providers[name]
	if !on {
		return fmt.Errorf("%s: %w", name, errNoProvider)
	}
	find := func(ref string) ([]Payee, error) {
		return read(ctx, s.db, `WHERE provider = ? AND ref = ? AND ref <> ''`, name, ref)
	}
	list, err := find(object)
	if err == nil && len(list) == 0 {
		ref := ""
		if ref, err = prov.PayeeOf(ctx, object); err == nil && ref != object {
			list, err = find(ref)
		}
	}
	if errors.Is(err, provider.ErrNotFound) || err == nil && len(list) == 0 {
		return nil
	}
	if err == nil {
		err = s.lookAll(ctx, list[0], isGone)
	}
	return err
}

// lookAll asks about an account and its bank accounts; isGone as for lookAfter.
func (s *Service) lookAll(ctx context.Context, p Payee, isGone bool) error {
	p, err := s.lookAfter(ctx, p, isGone)
	if err == nil {
		err = s.lookBanks(ctx, p)
	}
	return err
}

// isBankOpen tells whether a bank account waits for its owner or for the provider's answer.
func (s *Service) isBankOpen(ctx context.Context, p Payee) bool {
	list, err := readBanks(ctx, s.db, `WHERE payee_id = ? AND state IN ('asking', 'pending')`, p.ID)
	return err == nil && len(list) > 0
}

// Sweep asks about accounts whose hooks may have been lost, the one that was asked about longest ago first.
func (s *Service) Sweep(ctx context.Context) error {
	now := s.now()
	list, err := read(ctx, s.db, `WHERE state NOT IN ('making', 'closed') AND looked_at < CASE WHEN state = 'ready' AND misses = 0 THEN CAST(@ready AS timestamptz) ELSE CAST(@waiting AS timestamptz) END
			OR ref <> '' AND EXISTS (SELECT FROM payee_banks b WHERE b.payee_id = payees.id AND (b.state IN ('asking', 'ending')
				OR b.state = 'pending' AND b.created_at > @confirming AND payees.looked_at < @waiting))
		ORDER BY looked_at LIMIT @batch`, map[string]any{"ready": now.Add(-askReady), "waiting": now.Add(-askWaiting), "confirming": now.Add(-turnsUpFor), "batch": sweepBatch})
	for _, p := range list {
		if failed := s.lookAll(ctx, p, false); failed != nil {
			err = errors.Join(err, failed)
		}
	}
	return err
}
