package routing

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/money"
	"talkoot.fi/payments/internal/payees"
	"talkoot.fi/payments/internal/payments"
)

// Routes reads the facts and goes by them; it is safe for concurrent use.
type Routes struct {
	has map[string]bool
	now func() time.Time
}

// New makes routes between the providers that we have a key of.
func New(names []string, now func() time.Time) *Routes {
	has := map[string]bool{}
	for _, name := range names {
		has[name] = true
	}
	return &Routes{has, now}
}

// factsSQL gives a row for each provider that a campaign is paid through or that was ever switched. An account that is not known here
// takes nothing.
const factsSQL = `
	WITH linked AS (
		SELECT a.provider, coalesce(p.state, 'begun') AS state FROM campaign_accounts a
		LEFT JOIN payees p ON p.provider = a.provider AND p.ref = a.account_ref AND p.ref <> ''
		WHERE a.campaign_id = @campaign AND a.account_ref <> ''),
	switched AS (SELECT DISTINCT ON (provider) provider, is_on FROM provider_switches ORDER BY provider, number DESC)
	SELECT coalesce(l.provider, s.provider) AS provider, coalesce(l.state, '') AS state, coalesce(NOT s.is_on, false) AS is_off
	FROM linked l FULL JOIN switched s ON s.provider = l.provider`

// Facts reads what the methods of a campaign follow from.
func (r *Routes) Facts(ctx context.Context, db *gorm.DB, campaignID int64) (Facts, error) {
	var rows []struct {
		Provider string
		State    payees.State
		IsOff    bool
	}
	if err := db.WithContext(ctx).Raw(factsSQL, map[string]any{"campaign": campaignID}).Scan(&rows).Error; err != nil {
		return Facts{}, fmt.Errorf("read how campaign %d is paid: %w", campaignID, err)
	}
	f := Facts{Has: r.has, IsOff: map[string]bool{}, Accounts: map[string]payees.State{}}
	for _, row := range rows {
		f.IsOff[row.Provider] = row.IsOff
		if row.State != "" {
			f.Accounts[row.Provider] = row.State
		}
	}
	return f, nil
}

// Route names who takes what begins now; it is a payments.Router. Errors: ConfigurationError (provider_off, payee_not_ready),
// PaymentMethodUnsupported.
func (r *Routes) Route(ctx context.Context, db *gorm.DB, w payments.Way) (string, error) {
	f, err := r.Facts(ctx, db, w.CampaignID)
	if err != nil {
		return "", err
	}
	return taker(f, w.Amount, w.Method, w.IsMonthly)
}

// Switch is a word of an operator's about a provider.
type Switch struct {
	Provider      string
	IsOn          bool
	Reason, Actor string
	At            time.Time
}

// Switch turns a provider off for what begins, or on again; to say what is so already changes nothing. Errors: a provider that we have no
// key of, a word without a reason.
func (r *Routes) Switch(ctx context.Context, db *gorm.DB, s Switch) error {
	if !r.has[s.Provider] {
		return fmt.Errorf("%q is no provider of ours", s.Provider)
	}
	if strings.TrimSpace(s.Reason) == "" || strings.TrimSpace(s.Actor) == "" {
		return errors.New("say who switches it and why")
	}
	err := db.WithContext(ctx).Exec(`INSERT INTO provider_switches (provider, is_on, reason, actor, at)
		SELECT @provider, @on, @reason, @actor, @at WHERE @on <> coalesce(
			(SELECT is_on FROM provider_switches WHERE provider = @provider ORDER BY number DESC LIMIT 1), true)`,
		map[string]any{"provider": s.Provider, "on": s.IsOn, "reason": s.Reason, "actor": s.Actor, "at": r.now().UTC()}).Error
	if err != nil {
		return fmt.Errorf("switch %s: %w", s.Provider, err)
	}
	return nil
}

// Switches lists what was switched, the newest first.
func Switches(ctx context.Context, db *gorm.DB) (list []Switch, err error) {
	err = db.WithContext(ctx).Raw(`SELECT provider, is_on, reason, actor, at FROM provider_switches ORDER BY number DESC`).Scan(&list).Error
	if err != nil {
		return nil, fmt.Errorf("list what was switched: %w", err)
	}
	return list, nil
}

// zero is any sum of a currency.
func zero(currency string) money.Amount { return money.New(0, money.Currency(currency)) }
