package payees

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/money"
	"talkoot.fi/payments/internal/provider"
)

// SetAccounts keeps by which accounts a campaign is paid, by provider, "" for none: numbers grow, and an older word changes nothing.
func (s *Service) SetAccounts(ctx context.Context, campaignID int64, number int, accounts map[string]string) error {
	return dbx.InTx(ctx, s.db, func(tx *gorm.DB) error {
		for name, ref := range accounts {
			err := tx.WithContext(ctx).Exec(`INSERT INTO campaign_accounts (campaign_id, provider, account_ref, number) VALUES (@campaign, @provider, @ref, @number)
				ON CONFLICT (campaign_id, provider) DO UPDATE SET account_ref = excluded.account_ref, number = excluded.number
				WHERE campaign_accounts.number < excluded.number`,
				map[string]any{"campaign": campaignID, "provider": name, "ref": ref, "number": number}).Error
			if err != nil {
				return fmt.Errorf("keep by which accounts campaign %d is paid: %w", campaignID, err)
			}
		}
		return nil
	})
}

// Wallet is where a campaign's money goes at a provider, and whose that is.
type Wallet struct{ Ref, Owner string }

// Wallet finds a campaign's wallet, and makes it the first time. Errors: provider.ErrRefused when the campaign has no account there that
// takes money, those of the provider.
func (s *Service) Wallet(ctx context.Context, name string, campaignID int64) (Wallet, error) {
	prov, err := s.wallets(name)
	if err != nil {
		return Wallet{}, err
	}
	known, err := dbx.Select[Wallet](ctx, s.db, `SELECT w.ref, p.ref AS owner FROM campaign_accounts a JOIN payees p ON p.provider = a.provider AND p.ref = a.account_ref
		JOIN campaign_wallets w ON w.campaign_id = a.campaign_id AND w.payee_id = p.id
		WHERE a.campaign_id = @campaign AND a.provider = @provider AND p.ref <> '' AND w.ref <> '' AND p.state = @ready AND p.looked_at > @fresh`,
		pgx.NamedArgs{"campaign": campaignID, "provider": name, "ready": Ready, "fresh": s.now().Add(-FreshFor)})
	if err != nil {
		return Wallet{}, wrap(err, campaignID)
	}
	if len(known) > 0 {
		return known[0], nil
	}
	var found struct {
		Payee  `gorm:"embedded"`
		Wallet string
	}
	err = s.db.WithContext(ctx).Raw(`SELECT `+columns+`, coalesce((SELECT w.ref FROM campaign_wallets w
			WHERE w.campaign_id = @campaign AND w.payee_id = payees.id), '') AS wallet
		FROM payees WHERE provider = @provider AND ref <> '' AND ref = (
			SELECT account_ref FROM campaign_accounts WHERE campaign_id = @campaign AND provider = @provider)`,
		map[string]any{"provider": name, "campaign": campaignID}).Scan(&found).Error
	p, err := s.fresh(ctx, found.Payee, wrap(err, campaignID))
	if err != nil {
		return Wallet{}, err
	}
	if p.State != Ready {
		return Wallet{}, fmt.Errorf("campaign %d takes no money at %s now: %w", campaignID, name, provider.ErrRefused)
	}
	if found.Wallet != "" {
		return Wallet{found.Wallet, p.Ref}, nil
	}
	row := map[string]any{"campaign": campaignID, "payee": p.ID}
	var ref string
	err = s.db.WithContext(ctx).Raw(`INSERT INTO campaign_wallets (campaign_id, payee_id) VALUES (@campaign, @payee)
		ON CONFLICT (campaign_id, payee_id) DO UPDATE SET payee_id = excluded.payee_id RETURNING ref`, row).Scan(&ref).Error
	if err != nil || ref != "" {
		return Wallet{ref, p.Ref}, wrap(err, campaignID)
	}
	tag := fmt.Sprintf("campaign:%d", campaignID)
	ref, err = prov.NewWallet(ctx, provider.WalletOrder{Key: tag + ":" + p.ID, Payee: p.Ref, Tag: tag, Description: tag, Currency: money.EUR})
	if err != nil {
		return Wallet{}, err
	}
	row["ref"] = ref
	err = s.db.WithContext(ctx).Exec(`UPDATE campaign_wallets SET ref = @ref WHERE campaign_id = @campaign AND payee_id = @payee`, row).Error
	return Wallet{ref, p.Ref}, wrap(err, campaignID)
}

// IsPaidInto tells whether money in a place of a provider's balance is a campaign's: in one of its wallets, where it has any of its own.
func (s *Service) IsPaidInto(ctx context.Context, db *gorm.DB, name, place string, campaignID int64) (is bool, err error) {
	if _, err := s.wallets(name); err != nil {
		return true, nil
	}
	err = db.WithContext(ctx).Raw(`SELECT EXISTS (SELECT FROM campaign_wallets w JOIN payees p ON p.id = w.payee_id
		WHERE w.campaign_id = ? AND p.provider = ? AND w.ref = ?)`, campaignID, name, place).Scan(&is).Error
	return is, wrap(err, campaignID)
}

func wrap(err error, campaignID int64) error {
	if err != nil {
		return fmt.Errorf("keep the wallet of campaign %d: %w", campaignID, err)
	}
	return nil
}

// wallets is the provider of a name that has wallets. Error: ConfigurationError (provider_off) when there is none.
func (s *Service) wallets(name string) (provider.Wallets, error) {
	if p, has := s.providers[name].(provider.Wallets); has {
		return p, nil
	}
	return nil, apperr.New(apperr.ConfigurationError).WithCode("provider_off")
}

// FreshToPay asks the providers about the accounts that a campaign is paid by, and those in whose wallets its money lies from before, where nothing
// was heard for a while.
func (s *Service) FreshToPay(ctx context.Context, campaignID int64) error {
	return s.freshOf(ctx, campaignID, ` OR ref <> '' AND id IN (SELECT payee_id FROM campaign_wallets WHERE campaign_id = @campaign AND ref <> '')`,
		func(string) bool { return true })
}

// FreshFor is the same for those who pay. Where money is ours until
// it is sent, a campaign is paid whatever its creator's account is, so there nobody is asked.
func (s *Service) FreshFor(ctx context.Context, campaignID int64) error {
	return s.freshOf(ctx, campaignID, "", func(name string) bool {
		_, err := s.wallets(name)
		return err == nil
	})
}

func (s *Service) freshOf(ctx context.Context, campaignID int64, orSQL string, isAsked func(provider string) bool) error {
	list, err := read(ctx, s.db, `WHERE ref <> '' AND (provider, ref) IN (SELECT provider, account_ref FROM campaign_accounts WHERE campaign_id = @campaign)`+orSQL,
		map[string]any{"campaign": campaignID})
	for _, p := range list {
		if !isAsked(p.Provider) {
			continue
		}
		if _, err := s.fresh(ctx, p, nil); err != nil {
			return err
		}
	}
	return err
}
