// Package desk is the operator's desk over HTTP: what people who answer for money see and mend without SQL.
//
// It owns who the operators are, and nothing else: it reads the other packages' tables, and each act is one of theirs, the same that the command
// line has. Every call is for admins, as the content service says of the session; an act is for those of them who are operators, who have just
// shown that it is them, and say why. Two accounts of one person have one name here, so nobody is their own second person.
package desk

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/labstack/echo/v4"
	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/ratelimit"
	"talkoot.fi/kit/typed"
	"talkoot.fi/payments/internal/charging/holders"
	"talkoot.fi/payments/internal/charging/payments"
	"talkoot.fi/payments/internal/charging/routing"
	"talkoot.fi/payments/internal/charging/subscriptions"
	"talkoot.fi/payments/internal/contentclient"
	"talkoot.fi/payments/internal/moneyback/disputes"
	"talkoot.fi/payments/internal/moneyback/refunds"
	"talkoot.fi/payments/internal/moneyback/warnings"
	"talkoot.fi/payments/internal/payout/payees"
	"talkoot.fi/payments/internal/payout/settlements"
	"talkoot.fi/payments/internal/provider"
	"talkoot.fi/payments/internal/watching/webhooks"
)

// Options are the parts of the desk; all are needed.
type Options struct {
	DB    *gorm.DB
	Whose holders.Whose
	// Holds reports whether an order is the person's whose session it is.
	Holds       func(ctx context.Context, kind, id, authorization string) (bool, error)
	Content     *contentclient.Client
	Payments    *payments.Service
	Settlements *settlements.Service
	// Support is monthly support.
	Support  *subscriptions.Service
	Webhooks *webhooks.Service
	Routes   *routing.Routes
	// Providers are the names of those that we have a key of.
	Providers []string
	// Contests are those of them that take evidence by a call.
	Contests  map[string]provider.Contests
	PublicURL string
	// Bank is the bank account to which a creator's money is paid out from their account at a provider; none without one.
	Bank func(ctx context.Context, db *gorm.DB, provider, ref string) (payees.Bank, error)
	// TaxMissingBy is from when payouts to an account at a provider wait for what the law asks of its owner; nil when nothing is missing.
	TaxMissingBy func(ctx context.Context, db *gorm.DB, provider, ref string) (*time.Time, error)
	// TaxReport writes what is reported of all creators for a year; of one account, when it is named.
	TaxReport func(c echo.Context, year int, language string, userID int64) error
	Now       func() time.Time
}

// Handlers answers the desk's calls.
type Handlers struct{ Options }

// NewHandlers makes the handlers; Rules belong before them.
func NewHandlers(o Options) *Handlers {
	o.Providers = slices.Sorted(slices.Values(o.Providers))
	return &Handlers{o}
}

// page is how many rows a list gives at once.
const page = 50

const root = "/api/admin/money/"

// Rules are the limits by address: an operator's browser reads often, and acts seldom.
func Rules() ratelimit.Rules {
	reads := []ratelimit.Rule{{Name: "desk_address", Limit: ratelimit.Per(600, time.Minute)}}
	acts := []ratelimit.Rule{{Name: "desk_acts_address", Limit: ratelimit.Per(60, time.Minute)}}
	rules := ratelimit.Rules{}
	for _, path := range []string{"overview", "payments/:payment_id", "anomalies", "anomalies/:anomaly_id", "balances", "runs", "runs/:run_id", "runs/:run_id/lines",
		"webhooks", "switches", "refunds", "journal", "vat", "disputes/:dispute_id", "warnings/:warning_id"} {
		rules["GET "+root+path] = reads
	}
	for _, path := range []string{"tax-report", "anomalies/:anomaly_id/mended", "runs", "runs/:run_id/approval", "runs/:run_id/resume", "runs/:run_id/cancel", "webhooks/replay",
		"switches", "refunds/:refund_id/repeat", "disputes/:dispute_id/evidence", "warnings/:warning_id/refund", "warnings/:warning_id/dismissal", "warnings/:warning_id/reopening"} {
		rules["POST "+root+path] = acts
	}
	rules["POST "+root+"search"] = reads
	return rules
}

// Checked are the calls of the desk, whose requests are held to the contract.
func Checked(check []echo.MiddlewareFunc, into map[string][]echo.MiddlewareFunc) map[string][]echo.MiddlewareFunc {
	for _, call := range []string{"deskOverview", "deskSearch", "deskPayment", "deskAnomalies", "deskAnomaly", "deskBalances", "deskMended", "deskRuns", "deskPropose", "deskRun",
		"deskRunLines", "deskApprove", "deskResume", "deskCancel", "deskWebhooks", "deskReplay", "deskSwitches", "deskSwitch", "deskRefunds", "deskRepeatRefund",
		"deskJournal", "deskVat", "deskTaxReport", "deskDispute", "deskContest", "deskWarning", "deskRefundWarned", "deskDismissWarning",
		"deskReopenWarning"} {
		into[call] = check
	}
	return into
}

// staff is whose the session of a call is. Errors: those of holders.Whose; Forbidden of who is no admin.
func (h *Handlers) staff(c echo.Context) (holders.Person, error) {
	c.Response().Header().Set(echo.HeaderCacheControl, "no-store")
	who, err := h.Whose(c.Request().Context(), c.Request().Header.Get(echo.HeaderAuthorization))
	if err == nil && !who.IsAdmin {
		err = apperr.New(apperr.Forbidden)
	}
	return who, err
}

// operator is who acts by a call, with why. Errors: those of staff; NotOperator, ConfirmationRequired.
func (h *Handlers) operator(c echo.Context, note string) (payments.Operator, error) {
	who, err := h.staff(c)
	if err != nil {
		return payments.Operator{}, err
	}
	name, err := NameOf(c.Request().Context(), h.DB, who.UserID)
	switch {
	case err != nil:
		return payments.Operator{}, err
	case name == "":
		return payments.Operator{}, apperr.New(apperr.NotOperator)
	case !who.HasConfirmed:
		return payments.Operator{}, apperr.New(apperr.ConfirmationRequired)
	}
	if note = typed.Plain(note); note == "" {
		return payments.Operator{}, apperr.New(apperr.InvalidFields).WithField("note", apperr.RuleRequired)
	}
	return payments.Operator{Actor: name, Note: note}, nil
}

// refusal is an act's error in the words of the contract.
func refusal(err error) error {
	if why, waits := settlements.Waits(err); waits {
		refused := *apperr.New(apperr.NotPossibleNow).WithCode(string(why)).Wrap(err)
		return &refused
	}
	for _, one := range []struct {
		is error
		as apperr.Status
	}{
		{settlements.ErrNoRun, apperr.NotFound}, {settlements.ErrOwnProposal, apperr.OwnProposal}, {settlements.ErrOwnMoney, apperr.OwnMoney}, {warnings.ErrOwnMoney, apperr.OwnMoney},
		{settlements.ErrChanged, apperr.RunChanged}, {settlements.ErrNoOperator, apperr.NotOperator},
		{settlements.ErrNotThen, apperr.NotPossibleNow}, {settlements.ErrNoEnding, apperr.NotPossibleNow}, {refunds.ErrNotFailed, apperr.NotPossibleNow},
		{payments.ErrWaits, apperr.MoneyStandsApart}, {disputes.ErrNoDispute, apperr.NotFound}, {disputes.ErrNotContestable, apperr.NotPossibleNow},
		{disputes.ErrNotByCall, apperr.NotPossibleNow}, {warnings.ErrNone, apperr.NotFound}, {warnings.ErrEnded, apperr.NotPossibleNow}, {warnings.ErrPaidOut, apperr.NotPossibleNow},
	} {
		if errors.Is(err, one.is) {
			return apperr.New(one.as).Wrap(err)
		}
	}
	if err != nil && payments.IsRefusal(err) && !errors.Is(err, apperr.New(apperr.NotFound)) {
		return apperr.New(apperr.NotPossibleNow).Wrap(err)
	}
	return err
}
