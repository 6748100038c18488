package settlements

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"gorm.io/gorm"

	"talkoot.fi/payments/internal/book/ledger"
)

// To whom a run is paid: the account that owns what lies in its place.

// creator is who is paid for a campaign at a provider, and by which account.
type creator struct {
	UserID *int64 // nil of one who has erased themselves
	Ref    string
	State  string
	Wallet string // of their own
	Place  string // the campaign's, of our balance
}

// accountsOf lists the accounts by which a campaign is paid at a provider: first the one that it names now, then those of the same person that it
// has named before and whose wallets of it are still known. What lies in a wallet goes to whose it is.
func (s *Service) accountsOf(ctx context.Context, db *gorm.DB, campaignID int64, name string) (list []creator, err error) {
	err = db.WithContext(ctx).Raw(`SELECT p.user_id, p.ref, CASE WHEN p.misses > 0 AND p.state <> 'closed' THEN 'missing' ELSE p.state END AS state, p.wallet_ref AS wallet, coalesce(w.ref, '') AS place
		FROM campaign_accounts a JOIN payees named ON named.provider = a.provider AND named.ref = a.account_ref AND named.ref <> ''
		JOIN payees p ON p.provider = a.provider AND (p.id = named.id OR p.user_id = named.user_id)
		LEFT JOIN campaign_wallets w ON w.campaign_id = a.campaign_id AND w.payee_id = p.id
		WHERE a.campaign_id = ? AND a.provider = ? AND (p.id = named.id OR w.ref <> '')
		ORDER BY p.id = named.id DESC, p.created_at, p.id`, campaignID, name).Scan(&list).Error
	switch {
	case err != nil:
		return nil, fmt.Errorf("read whom campaign %d is paid to: %w", campaignID, err)
	case len(list) == 0:
		return nil, stop{NoAccount, "", again}
	case s.isPooled(name):
		list = list[:1]
		list[0].Place, list[0].Wallet = ledger.MainPlace, list[0].Ref
	}
	return list, nil
}

// creatorOf is whose account a run is paid to: the one that has its place, or else the one that its campaign names. It stops when that cannot be paid.
func (s *Service) creatorOf(ctx context.Context, db *gorm.DB, r Run) (creator, error) {
	list, err := s.accountsOf(ctx, db, r.CampaignID, r.Provider)
	if err != nil {
		return creator{}, err
	}
	return list[max(0, slices.IndexFunc(list, func(c creator) bool { return c.Place == r.Place }))].payable()
}

// turn is when an account's money has its turn: before is where a run was frozen.
func (c creator) turn(before string) int {
	if c.Place == before && before != "" {
		return 0
	}
	if _, err := c.payable(); err == nil {
		return 1
	}
	return 2
}

// payable stops a run whose creator cannot be paid.
func (c creator) payable() (creator, error) {
	switch {
	case c.UserID == nil || c.Place == "" || c.Wallet == "":
		return c, stop{NoAccount, "", again}
	case c.State != "ready":
		return c, stop{AccountNotReady, c.State, again}
	}
	return c, nil
}

// bookedAs is the number by which the book knows a creator: the one by which they were first paid by their account, or by another account of
// theirs at the provider. So who joins two accounts of theirs here leaves neither debts nor money behind.
func bookedAs(ctx context.Context, db *gorm.DB, name string, c creator) (payee int64, err error) {
	err = db.WithContext(ctx).Raw(`SELECT coalesce((SELECT r.payee_id FROM settlement_runs r JOIN payees p ON p.provider = r.provider AND p.ref = r.payee_ref
		WHERE r.provider = @provider AND p.user_id = @user AND r.state NOT IN ('counting', 'proposed', 'void')
		ORDER BY r.payee_ref = @ref DESC, r.created_at, r.id LIMIT 1), @user)`, map[string]any{"provider": name, "user": *c.UserID, "ref": c.Ref}).Scan(&payee).Error
	if err != nil {
		return 0, fmt.Errorf("look by which number the book knows user %d: %w", *c.UserID, err)
	}
	return payee, nil
}

// choose gives whose money a run is of, which is what lies in one place: where it was frozen before, else what the campaign's account has, else
// another one's of the same person; of one that cannot be paid only when no other has any. What lies elsewhere is for the next run. It stops when
// all is another person's.
func (f frozen) choose(accounts []creator, charges []stands, before string) (creator, error) {
	has, elsewhere := map[string]bool{}, ""
	for _, one := range charges {
		if one.Funds > 0 {
			has[one.Place], elsewhere = true, one.ChargeRef
		}
	}
	for _, k := range f.released {
		has[k.Place] = true
	}
	for _, b := range f.restored {
		has[b.Place] = true
	}
	ordered := slices.SortedStableFunc(slices.Values(accounts), func(a, b creator) int { return cmp.Compare(a.turn(before), b.turn(before)) })
	at := slices.IndexFunc(ordered, func(c creator) bool { return has[c.Place] })
	if at < 0 && elsewhere != "" {
		return creator{}, stop{MoneyElsewhere, elsewhere, again}
	}
	return ordered[max(0, at)].payable()
}
