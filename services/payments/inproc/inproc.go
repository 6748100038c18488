// Package inproc is the service run by hand, step by step, in the caller's own process: for simulations and tests of
// the whole platform. Production has no use for it. It holds no rules: a step is what the worker's loop would do when
// it looks.
package inproc

import (
	"context"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"gorm.io/gorm"

	"talkoot.fi/kit/conf"
	"talkoot.fi/kit/money"
	"talkoot.fi/payments/internal/app"
	"talkoot.fi/payments/internal/book/ledger"
	"talkoot.fi/payments/internal/charging/payments"
	"talkoot.fi/payments/internal/charging/routing"
	"talkoot.fi/payments/internal/desk"
	"talkoot.fi/payments/internal/moneyback/refunds"
	"talkoot.fi/payments/internal/payout/invoices"
	"talkoot.fi/payments/internal/payout/settlements"
	"talkoot.fi/payments/internal/watching/anomalies"
	"talkoot.fi/payments/migrations"
)

// Migrations of the service's database.
var Migrations = migrations.FS

// BalanceSQL is how the service reads the balance of account a of ledger_accounts, for benchmarks.
const BalanceSQL = ledger.BalanceSQL

// MangopayClient is the platform's name at provider B.
const MangopayClient = "talkoot"

// Config is what a simulated process is given.
type Config struct {
	DatabaseURL   string
	RedisURL      string // may be of one that is down
	ServiceSecret string
	WebhookSecret string
	StripeKey     string
	// MangopayKey is provider B's, which is off without one.
	MangopayKey string
	// Stripe, Mangopay and Content carry the calls to the providers and to the content service.
	Stripe, Mangopay, Content http.RoundTripper
	// MangopaySleep waits between two looks whether a report is there.
	MangopaySleep func(ctx context.Context, d time.Duration) error
	Now           func() time.Time
	Log           *slog.Logger
	Tracer        pgx.QueryTracer // nil for none
}

// Service is one process: its API and its worker.
type Service struct {
	app     *app.App
	handler http.Handler
}

// New starts a process; it does nothing by itself.
func New(ctx context.Context, c Config) (*Service, error) {
	config := app.Config{
		DatabaseURL: conf.Secret(c.DatabaseURL), RedisURL: conf.Secret(c.RedisURL),
		ServiceSecret:   conf.Secret(c.ServiceSecret),
		PublicURL:       url.URL{Scheme: "https", Host: "talkoot.example"},
		ContentURL:      url.URL{Scheme: "http", Host: "content.example"},
		StripeSecretKey: conf.Secret(c.StripeKey), StripePublishableKey: "pk_test_simulation",
		StripeAPIURL:        "http://stripe.example",
		StripeWebhookSecret: conf.Secret(c.WebhookSecret), StripeTransport: c.Stripe, ContentTransport: c.Content,
		MangopayClientID: MangopayClient, MangopayAPIKey: conf.Secret(c.MangopayKey), MangopayAPIURL: "http://mangopay.example",
		MangopayTransport: c.Mangopay,
		Tracer:            c.Tracer,
		SetupPerMinute:    1 << 20, SetupPerPledgeMinute: 1 << 20, DeclinesPerHour: 1 << 20, DatabaseConns: 4,
		WorkConcurrency: 1, Workers: 1, ChargesAtOnce: 1, SweepEvery: time.Second, PageWait: time.Millisecond,
		// The pauses and the circuit breakers of the providers' clients run on the machine's clock.
		StripePause: time.Microsecond, StripeBreakAfter: 1 << 30,
		MangopayPause: time.Microsecond, MangopayBreakAfter: 1 << 30,
		MangopayHookURL: "http://payments.example/api/webhooks/mangopay", MangopaySleep: c.MangopaySleep,
	}
	if err := config.Validate(); err != nil {
		return nil, err
	}
	a, err := app.New(ctx, config, c.Now, c.Log)
	if err != nil {
		return nil, err
	}
	handler, err := a.Handler()
	if err != nil {
		return nil, err
	}
	return &Service{app: a, handler: handler}, nil
}

// Close lets go of the database.
func (s *Service) Close() error { return s.app.Close() }

// DB is the service's pool, for looking.
func (s *Service) DB() *gorm.DB { return s.app.DB }

// Handler is the HTTP API, webhooks and internal calls included.
func (s *Service) Handler() http.Handler { return s.handler }

// Drain processes stored webhook events that are due.
func (s *Service) Drain(ctx context.Context) error { return s.app.Webhooks.Drain(ctx) }

// Tidy makes, ends, sends and asks what is due.
func (s *Service) Tidy(ctx context.Context) error { return s.app.Payments.Tidy(ctx) }

// Steps takes subscriptions that are due a step on: charges, notices, ends.
func (s *Service) Steps(ctx context.Context) error { return s.app.Subscriptions.Steps(ctx) }

// Relay delivers events that are due to the content service, at most batch of them, and returns how many it claimed.
func (s *Service) Relay(ctx context.Context, batch int) (int, error) {
	return s.app.Deliver(ctx, batch)
}

// Sweep asks about open payments, closes lapsed ones, seals the days of the book that are over, and closes its accounts: far more often than the service, so
// that balances in a short run have closings and entries behind them.
func (s *Service) Sweep(ctx context.Context) error {
	if err := s.app.Payments.CloseLapsed(ctx); err != nil {
		return err
	}
	if err := s.app.Payments.CheckOpen(ctx); err != nil {
		return err
	}
	return s.app.KeepBook(ctx, 10)
}

// RunRefunds takes a page of the refund run that waits longest, and returns how many payments it went through; 0 when none is due.
func (s *Service) RunRefunds(ctx context.Context) (int, error) { return s.app.Endings.Sweep(ctx) }

// ProposeSettlement proposes runs for the money of a campaign that ended well.
func (s *Service) ProposeSettlement(ctx context.Context, campaignID int64, op Operator) ([]SettlementRun, error) {
	return s.app.Settlements.Propose(ctx, campaignID, op.Actor, op.Note)
}

// appointed has a person answer for money, if they do not yet.
func (s *Service) appointed(ctx context.Context, name string) error {
	list, err := desk.Operators(ctx, s.app.DB)
	if err != nil || slices.ContainsFunc(list, func(o desk.Operator) bool { return o.Name == name }) {
		return err
	}
	return desk.Appoint(ctx, s.app.DB, desk.Operator{UserID: int64(900_000 + len(list)), Name: name, IsOperator: true, Actor: name, Note: "approves", At: s.app.Now()})
}

// ApproveSettlement approves what a run is now, by its hash; who does it is appointed before.
func (s *Service) ApproveSettlement(ctx context.Context, run, hash string, op Operator) error {
	if err := s.appointed(ctx, op.Actor); err != nil {
		return err
	}
	_, err := s.app.Settlements.Approve(ctx, run, hash, op.Actor, op.Note)
	return err
}

// ResumeSettlement has a run be looked at at once, also one that waits for a person.
func (s *Service) ResumeSettlement(ctx context.Context, run string, op Operator) error {
	return s.app.Settlements.Resume(ctx, run, op.Actor, op.Note)
}

// RunSettlements does the next step of the settlement run that waits longest; 0 when none is due.
func (s *Service) RunSettlements(ctx context.Context) (int, error) {
	return s.app.Settlements.Sweep(ctx)
}

// ProposeMonth proposes runs for the support that was taken until the end of a month, whose first day it is, of all campaigns.
func (s *Service) ProposeMonth(ctx context.Context, month time.Time, op Operator) ([]SettlementRun, error) {
	runs, _, err := s.app.Settlements.ProposeMonth(ctx, month, 0, op.Actor, op.Note)
	return runs, err
}

// ProposeReleased proposes runs for what was kept back, is released and is in no run.
func (s *Service) ProposeReleased(ctx context.Context, op Operator) ([]SettlementRun, error) {
	return s.app.Settlements.ProposeReleased(ctx, op.Actor, op.Note)
}

// RunReserves pays creators' debts by what is still on their accounts and by what was kept back, or releases what is due; 0 when nothing is to be done.
func (s *Service) RunReserves(ctx context.Context) (int, error) {
	return s.app.Settlements.SweepReserves(ctx)
}

// CreatorDebt is what a creator owes at a provider.
type CreatorDebt = settlements.Debt

// CreatorDebts lists what creators owe.
func (s *Service) CreatorDebts(ctx context.Context) ([]CreatorDebt, error) {
	return s.app.Settlements.Debts(ctx)
}

// WriteOff has two people give up a sum of what a creator owes.
func (s *Service) WriteOff(ctx context.Context, of CreatorDebt, minor int64, by, approver Operator) error {
	id, err := s.app.Settlements.ProposeWriteOff(ctx, of.Provider, of.PayeeID, money.New(minor, of.Currency), by.Actor, by.Note)
	if err == nil {
		err = s.appointed(ctx, approver.Actor)
	}
	if err == nil {
		_, err = s.app.Settlements.ApproveWriteOff(ctx, id, approver.Actor, approver.Note)
	}
	return err
}

// SettlementRun is the money of a campaign at a provider on its way to its creator.
type SettlementRun = settlements.Run

// KeepHooks has providers that tell only whom they are asked to tell us of their events. Errors are those of the providers: it is run
// again later.
func (s *Service) KeepHooks(ctx context.Context) error { return s.app.KeepHooks(ctx) }

// SweepPayees asks about creators' accounts of which nothing was heard.
func (s *Service) SweepPayees(ctx context.Context) error { return s.app.Payees.Sweep(ctx) }

// Switch turns a provider off for what begins, or on again.
func (s *Service) Switch(ctx context.Context, provider string, isOn bool, op Operator) error {
	return s.app.Routes.Switch(ctx, s.app.DB, routing.Switch{Provider: provider, IsOn: isOn, Reason: op.Note, Actor: op.Actor})
}

// Reconcile runs the passes whose time has come.
func (s *Service) Reconcile(ctx context.Context) error { return s.app.Reconcile.RunDue(ctx) }

// Operator is who acts, and why.
type Operator = payments.Operator

// Anomaly is a thing for a person to look at.
type Anomaly = anomalies.Anomaly

// Anomalies lists what is open.
func (s *Service) Anomalies(ctx context.Context) ([]Anomaly, error) {
	return anomalies.List(ctx, s.app.DB, false)
}

// Refund asks for a refund of a payment; 0 is all that is left.
func (s *Service) Refund(ctx context.Context, paymentID string, amountMinor int64, key string, op Operator) error {
	_, err := s.app.Payments.RefundByOperator(ctx, paymentID, amountMinor, key, op)
	return err
}

// Note keeps an act that changes nothing, such as a report that was taken.
func (s *Service) Note(ctx context.Context, action string, op Operator, what map[string]string) error {
	return s.app.Payments.Note(ctx, action, op, what)
}

// DismissWarning leaves a charge as it is that was reported as fraud.
func (s *Service) DismissWarning(ctx context.Context, warningID int64, op Operator) error {
	return s.app.Payments.DismissWarning(ctx, warningID, op)
}

// RepeatRefund sends a failed refund anew.
func (s *Service) RepeatRefund(ctx context.Context, refundID string, op Operator) error {
	_, err := s.app.Payments.RepeatRefund(ctx, refundID, op)
	return err
}

// RefundPaidByHand notes that a person has sent a failed refund another way.
func (s *Service) RefundPaidByHand(ctx context.Context, refundID string, op Operator) error {
	return s.app.Payments.RefundPaidByHand(ctx, refundID, op)
}

// ReleaseHeld decides about held money.
func (s *Service) ReleaseHeld(ctx context.Context, provider, charge string, accept bool, op Operator) error {
	return s.app.Payments.ReleaseHeld(ctx, provider, charge, accept, op)
}

// Attach gives a charge that nothing explains to a payment.
func (s *Service) Attach(ctx context.Context, provider, charge, paymentID string, op Operator) error {
	return s.app.Payments.Attach(ctx, provider, charge, paymentID, op)
}

// Explain takes a line that nothing explains out of suspense: it was a fee, or the return of one.
func (s *Service) Explain(ctx context.Context, provider, line string, op Operator) error {
	return s.app.Payments.Explain(ctx, provider, line, op)
}

// Resolve closes an anomaly.
func (s *Service) Resolve(ctx context.Context, id int64, op Operator) error {
	return s.app.Payments.Resolve(ctx, id, op)
}

// Invoice is what a provider has billed.
type Invoice = invoices.Invoice

// BookInvoice books one.
func (s *Service) BookInvoice(ctx context.Context, i Invoice) error {
	_, err := invoices.Book(ctx, s.app.DB, i, s.app.Now())
	return err
}

// IsRefusal reports whether an error of an operator's act is a rule's word, not a fault.
func IsRefusal(err error) bool { return payments.IsRefusal(err) }

// ErrNotFailed is the refusal of repeating a refund that has not failed.
var ErrNotFailed = refunds.ErrNotFailed
