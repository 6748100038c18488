package payees

import (
	"context"
	"fmt"
	"slices"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/payments/internal/provider"
)

// Hold is why nothing can be sent to a campaign's creator.
type Hold string

// The holds.
const (
	HoldNone       Hold = ""           // it can be sent
	HoldUnlinked   Hold = "unlinked"   // the campaign names no account at the provider
	HoldUnknown    Hold = "unknown"    // it names one that we have not made
	HoldBegun      Hold = "begun"      // its creator has something to do
	HoldChecking   Hold = "checking"   // the provider has
	HoldRestricted Hold = "restricted" // it was ready, and is not any more
	HoldOutflows   Hold = "outflows"   // the provider takes money for them and sends none
	HoldRejected   Hold = "rejected"   // the provider does not take them
	HoldMissing    Hold = "missing"    // the provider says that it does not have it, which is not believed yet
	HoldClosed     Hold = "closed"     // the account is gone; the campaign needs another
)

// Standing is whether a campaign's money can be sent to its creator at a provider, and by which account.
type Standing struct {
	PayeeID string // "" without an account that we have made
	UserID  *int64 // nil once the person has erased themselves
	Ref     string // the provider's id of the account; "" while the campaign names none
	Hold    Hold   // HoldNone when it can be sent
	Needs   Needs  // what is missing
	// LookedAt is when the provider was asked last; nil when it never was.
	LookedAt *time.Time
}

// IsReady says that money can be sent.
func (s Standing) IsReady() bool { return s.Hold == HoldNone }

// Standing tells how a campaign's account at a provider was when the provider was asked last. It asks nobody, so it may run in a caller's
// transaction.
func (s *Service) Standing(ctx context.Context, db *gorm.DB, campaignID int64, name string) (Standing, error) {
	_, standing, err := s.standing(ctx, db, campaignID, name)
	return standing, err
}

// StandingNow is Standing after the provider was asked: before something is sent. Errors: those of the provider.
func (s *Service) StandingNow(ctx context.Context, campaignID int64, name string) (Standing, error) {
	p, standing, err := s.standing(ctx, s.db, campaignID, name)
	if err != nil || p.Ref == "" || p.State == Closed {
		return standing, err
	}
	if _, err := s.Look(ctx, p); err != nil {
		return standing, err
	}
	return s.Standing(ctx, s.db, campaignID, name)
}

func (s *Service) standing(ctx context.Context, db *gorm.DB, campaignID int64, name string) (Payee, Standing, error) {
	var ref string
	err := db.WithContext(ctx).Raw(`SELECT account_ref FROM campaign_accounts WHERE campaign_id = ? AND provider = ?`, campaignID, name).Scan(&ref).Error
	if err != nil {
		return Payee{}, Standing{}, fmt.Errorf("read by which account campaign %d is paid: %w", campaignID, err)
	}
	if ref == "" {
		return Payee{}, Standing{Hold: HoldUnlinked}, nil
	}
	list, err := read(ctx, db, `WHERE provider = ? AND ref = ?`, name, ref)
	if err != nil {
		return Payee{}, Standing{}, err
	}
	p := first(list)
	if p.ID == "" {
		return p, Standing{Ref: ref, Hold: HoldUnknown}, nil
	}
	return p, Standing{PayeeID: p.ID, UserID: p.UserID, Ref: p.Ref, Hold: p.hold(), Needs: p.Needs, LookedAt: p.LookedAt}, nil
}

// hold is why nothing can be sent to an account.
func (p Payee) hold() Hold {
	has := func(code string) bool { return slices.Contains(p.Needs.codes(), code) }
	switch {
	case p.State == Closed:
		return HoldClosed
	case p.Misses > 0:
		return HoldMissing
	case has(provider.NeedRejected):
		return HoldRejected
	case p.State == Restricted:
		return HoldRestricted
	case p.State == Checking:
		return HoldChecking
	case p.State != Ready:
		return HoldBegun
	case has(provider.NeedOutflows):
		return HoldOutflows
	}
	return HoldNone
}
