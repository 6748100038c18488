package providertest_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/labstack/echo/v4"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/payments/internal/charging/payments"
	"talkoot.fi/payments/internal/provider"
	"talkoot.fi/payments/internal/providers/mangopay"
	sandbox "talkoot.fi/sandbox/mangopay"
	"talkoot.fi/sandbox/standin"
)

// hook is anybody who calls our webhook address, and what they are answered.
func (m *mango) hook(kind, object string) (int, error) {
	m.t.Helper()
	answer := httptest.NewRecorder()
	request := httptest.NewRequestWithContext(m.t.Context(), http.MethodGet,
		fmt.Sprintf("/api/webhooks/mangopay?EventType=%s&RessourceId=%s&Date=%d", kind, object, m.now().Unix()), nil)
	err := m.webhooks.Receive(echo.New().NewContext(request, answer), mangopay.Name)
	return answer.Code, err
}

// Hooks have no id: one row a type and object is kept however often it comes, in whatever order, and each delivery is news.
func TestMangopay_HooksComeOften_OneRowEach_AndTheSameEnd(t *testing.T) {
	t.Parallel()
	m := newMango(t)
	m.pay(frictionless)
	for range 3 { // a hook that was made by hand
		if status, err := m.hook("PAYIN_NORMAL_CREATED", m.payIn()); status != http.StatusOK || err != nil {
			t.Fatal(status, err)
		}
	}
	m.work(5)
	m.want(payments.StatusSucceeded, map[string]int64{wallet(m): 4200, "backer_funds:mangopay:7": -4200})
	if len(m.hooks) < 5 || m.count("webhook_events") != 2 {
		t.Errorf("%d rows of %v", m.count("webhook_events"), m.hooks)
	}
	if n := m.count("webhook_events WHERE status = 'processed' AND convert_from(body, 'UTF8') LIKE 'Date=%'"); n != 2 {
		t.Errorf("%d are processed", n)
	}
	if n := m.count("ledger_transactions"); n != 1 {
		t.Errorf("%d movements", n)
	}
	m.compare()
}

// Nothing of a hook is believed: whoever says too early that money came only has us look, and it is looked at again when it has come.
func TestMangopay_AHookThatIsNotTrue_ChangesNothing_AndTheTrueOneIsNews(t *testing.T) {
	t.Parallel()
	m := newMango(t)
	if next := m.pay(challenged); provider.AddressOf(next) == "" {
		t.Fatalf("the bank asks %v", next)
	}
	m.loseHooks()
	tell := func() {
		t.Helper()
		if status, err := m.hook("PAYIN_NORMAL_SUCCEEDED", m.payIn()); status != http.StatusOK || err != nil {
			t.Fatalf("answered %d, %v", status, err)
		}
		m.ok(m.webhooks.Drain(t.Context()))
	}
	tell()
	m.want(payments.StatusRequiresAction, nil)
	m.ok(m.at.AnswerChallenge(m.payIn(), true))
	m.pass(time.Second)
	tell()
	m.want(payments.StatusSucceeded, map[string]int64{wallet(m): 4200, "backer_funds:mangopay:7": -4200})
}

func TestMangopay_WhatNoHookOfOursIs_IsTakenAndIgnored_OrRefused(t *testing.T) {
	t.Parallel()
	m := newMango(t)
	for _, c := range []struct {
		kind, object, stored string
		isRefused            bool
	}{
		{"PAYIN_NORMAL_SUCCEEDED", "payin_m_unknown", "processed", false},
		{"PAYIN_REFUND_SUCCEEDED", "refund_m_unknown", "processed", false},
		{"DISPUTE_CREATED", "dispute_m_unknown", "processed", false},
		{"SOMETHING_NEW", "thing_m_1", "ignored", false},
		{"PAYIN_NORMAL_SUCCEEDED", "../../users/1", "", true},
		{"", "payin_m_1", "", true},
	} {
		before := m.count("webhook_events")
		status, err := m.hook(c.kind, c.object)
		m.ok(m.webhooks.Drain(t.Context()))
		if (err != nil) != c.isRefused || err == nil && status != http.StatusOK {
			t.Errorf("%s of %s: answered %d, %v", c.kind, c.object, status, err)
		}
		if n := m.count("webhook_events WHERE event_key = ? AND status = ?", c.kind+":"+c.object, c.stored); (n == 1) == c.isRefused ||
			(m.count("webhook_events") == before) != c.isRefused {
			t.Errorf("%s of %s is not stored as %q", c.kind, c.object, c.stored)
		}
	}
	if n := m.count("payments") + m.count("anomalies"); n != 0 {
		t.Errorf("%d payments and anomalies", n)
	}
}

// A hook is answered without a call to the provider, which waits two seconds for the answer; what cannot be read then is read later.
func TestMangopay_NobodyAnswersThere_AHookIsTakenAllTheSame(t *testing.T) {
	t.Parallel()
	m := newMango(t)
	m.pay(challenged)
	m.loseHooks()
	m.ok(m.at.AnswerChallenge(m.payIn(), true))
	m.ok(m.at.AddFault(sandbox.FaultRule{Kind: "503", Times: 3, Method: http.MethodGet, Path: "/payins/"}))
	if status, err := m.hook("PAYIN_NORMAL_SUCCEEDED", m.payIn()); status != http.StatusOK || err != nil {
		t.Fatalf("answered %d, %v", status, err)
	}
	m.ok(m.webhooks.Drain(t.Context()))
	if p := m.payment(); p.Status != payments.StatusRequiresAction {
		t.Errorf("the payment is %s", p.Status)
	}
	m.pass(time.Minute)
	m.ok(m.webhooks.Drain(t.Context()))
	m.want(payments.StatusSucceeded, map[string]int64{wallet(m): 4200, "backer_funds:mangopay:7": -4200})
}

// When hooks are silent, whoever waits is asked about within minutes: what is open by the worker, what is not by the pass over what is new.
func TestMangopay_HooksAreSilent_TheWorkerAsksByItself(t *testing.T) {
	t.Parallel()
	m := newMango(t)
	m.pay(challenged)
	m.ok(m.at.AnswerChallenge(m.payIn(), true))
	m.loseHooks()
	for range 3 {
		m.pass(time.Minute)
		m.ok(m.service.CheckOpen(t.Context()))
	}
	m.want(payments.StatusSucceeded, map[string]int64{wallet(m): 4200, "backer_funds:mangopay:7": -4200})
	since := func() {
		t.Helper()
		m.loseHooks()
		m.pass(5 * time.Minute)
		if _, err := m.passes.Since(t.Context(), m.client, m.now().Add(-2*time.Hour)); err != nil {
			t.Fatal(err)
		}
	}
	m.post("/payins/"+m.payIn()+"/refunds", map[string]any{"AuthorId": m.author(), "DebitedFunds": map[string]any{"Currency": "EUR", "Amount": 1200},
		"Fees": map[string]any{"Currency": "EUR", "Amount": 0}})
	since()
	m.want(payments.StatusPartlyRefunded, map[string]int64{wallet(m): 3000, "backer_funds:mangopay:7": -3000})
	found, err := m.passes.Since(t.Context(), m.client, m.now().Add(-2*time.Hour))
	if err != nil || found.Differ != 0 || found.Foreign != 0 {
		t.Errorf("what is known is found again: %+v, %v", found, err)
	}
}

func TestMangopay_HooksAreSilent_ADisputeIsFoundByThePassOverWhatIsNew(t *testing.T) {
	t.Parallel()
	m := newMango(t)
	m.pay(frictionless)
	m.work(1)
	m.dispute("CONTESTABLE", "FRAUD")
	m.loseHooks()
	m.pass(5 * time.Minute)
	found, err := m.passes.Since(t.Context(), m.client, m.now().Add(-2*time.Hour))
	if err != nil || found.Differ != 1 {
		t.Errorf("%+v, %v", found, err)
	}
	if p := m.payment(); p.Status != payments.StatusDisputed {
		t.Errorf("the payment is %s", p.Status)
	}
}

// Money under our name that no attempt knows, because the answer that made it was lost for good, is taken up; another system's is counted.
func TestMangopay_ThePassOverWhatIsNew_TellsOursFromAnotherSystems(t *testing.T) {
	t.Parallel()
	m := newMango(t)
	m.loseAnswer()
	payer := m.post("/users/natural", map[string]any{"FirstName": "Other", "LastName": "Shop", "Email": "other@example.com", "UserCategory": "PAYER"})
	_, err := m.client.Begin(t.Context(), provider.Order{Key: "theirs", Method: provider.MethodPage, Amount: m.payment().Amount, Language: "fi", Payer: payer,
		ReturnURL: "https://shop.example/", Tag: provider.Tag{Campaign: "7"}})
	m.ok(err)
	m.loseHooks()
	found, err := m.passes.Since(t.Context(), m.client, m.now().Add(-time.Hour))
	if err != nil || found.Foreign != 1 || found.Differ != 1 {
		t.Errorf("%+v, %v", found, err)
	}
	if p := m.payment(); p.Status != payments.StatusSucceeded {
		t.Errorf("the payment is %s", p.Status)
	}
}

// The report that a day is compared by has no tags: whose a pay-in is that no attempt names, the pay-in itself tells.
func TestMangopay_TheComparisonOfADay_TellsOursFromAnotherSystems(t *testing.T) {
	t.Parallel()
	m := newMango(t)
	m.loseAnswer()
	payer := m.post("/users/natural", map[string]any{"FirstName": "Other", "LastName": "Shop", "Email": "other@example.com", "UserCategory": "PAYER"})
	theirs, err := m.client.Begin(t.Context(), provider.Order{Key: "theirs", Method: provider.MethodPage, Amount: m.payment().Amount, Language: "fi", Payer: payer,
		ReturnURL: "https://shop.example/", Tag: provider.Tag{Campaign: "7"}})
	m.ok(err)
	m.ok(m.at.SettlePayIn(theirs.Ref.Object, "000000"))
	m.loseHooks()
	found, err := m.passes.Lines(t.Context(), m.client, m.now().Add(-time.Hour), m.now().Add(time.Hour))
	if err != nil || found.Foreign != 1 {
		t.Errorf("%+v, %v", found, err)
	}
	if p := m.payment(); p.Status != payments.StatusSucceeded {
		t.Errorf("the payment is %s", p.Status)
	}
}

// loseAnswer has the payer pay, and no answer of that comes.
func (m *mango) loseAnswer() {
	m.t.Helper()
	card := m.register(frictionless)
	m.ok(m.at.AddFault(sandbox.FaultRule{Kind: standin.CutAfter, Times: 100, Method: http.MethodPost, Path: "/payins/card/direct"}))
	m.ok(m.at.AddFault(sandbox.FaultRule{Kind: "503", Times: 100, Path: "/responses/"}))
	if _, err := m.charge(card); err == nil {
		m.t.Fatal("there was an answer")
	}
	m.ok(m.at.Calm())
}

// Mangopay keeps transactions for 13 months: one that is older and asked about is no anomaly, and stays as it is.
func TestMangopay_APaymentThatIsKeptNoLongerThere_StaysAsItIs(t *testing.T) {
	t.Parallel()
	m := newMango(t)
	m.pay(frictionless)
	m.work(1)
	m.pass(14 * 31 * 24 * time.Hour)
	p, err := m.service.Advance(t.Context(), m.payment().ID, payments.SignalDispute)
	if err != nil || p.Status != payments.StatusSucceeded {
		t.Errorf("%s, %v", p.Status, err)
	}
	m.compare()
	if n := m.count("anomalies") + m.count("attempts WHERE status <> 'succeeded'"); n != 0 {
		t.Errorf("%d anomalies, or attempts that are none any more", n)
	}
}

// author is the payer of the only pay-in.
func (m *mango) author() string {
	m.t.Helper()
	for _, t := range m.at.Snapshot().Transactions {
		if t.ID == m.payIn() {
			return t.AuthorID
		}
	}
	return ""
}

// Where a kept card is not charged while its payer is away, nothing monthly begins: no payer is made there, and no month.
func TestMangopay_MonthlySupport_IsNotOffered(t *testing.T) {
	t.Parallel()
	m := newMango(t)
	users := len(m.at.Snapshot().Users)
	if _, err := m.monthly.Setup(t.Context(), m.subject.ID, ""); !errors.Is(err, apperr.New(apperr.PaymentMethodUnsupported)) {
		t.Errorf("%v", err)
	}
	if n := m.count("subscriptions") + m.count("payments"); n != 0 || len(m.at.Snapshot().Users) != users {
		t.Errorf("%d rows, %d users at Mangopay before and %d after", n, users, len(m.at.Snapshot().Users))
	}
}
