//go:build unix

package e2e

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"talkoot.fi/kit/tracing/tracingtest"
	"talkoot.fi/scripts/browser"
)

// What one press of Pay causes is one trace, through both services, the queue, the provider and back.
func TestPaidPledgeIsOneTraceFromThePressOfPayToTheCampaignsTotal(t *testing.T) {
	s := begin(t)
	c := s.campaign()
	since := time.Now()
	v, form := stranger("en")
	made := s.pledge(v, c.ID, form)
	page, err := v.PaymentPage(s.ctx, made.ID, settles)
	s.must(err)
	s.must(v.PayPage(s.ctx, page, form.Meta.Email, browser.GoodCard))
	paid := s.await(v, made.ID, "paid")
	s.mail(form.Meta.Email, paid.ReceiptNumber)

	trace := s.wholeTrace(since, "POST /campaigns/:campaign_id/pledges",
		"content serve: INSERT pledges",
		"payments serve: POST /api/pledges/:pledge_id/payment-page/:x",
		"payments serve: content GET /internal/orders/pledge/{}",
		"content serve: GET /internal/orders/:subject_kind/:subject_id",
		"payments work: task payments:page",
		"payments work: stripe POST /v1/checkout/sessions",
		"payments work: advance payment by webhook",
		"payments work: outbox payment_event",
		"payments work: content POST /internal/payment-events",
		"content serve: POST /internal/payment-events",
		"content serve: SELECT add_to_totals()",
		"content work: outbox mail.receipt")
	hook := slices.IndexFunc(trace, func(span tracingtest.Span) bool { return span.Name == "advance payment by webhook" })
	if hook >= 0 && len(trace[hook].Links) == 0 {
		t.Errorf("the work on the webhook has no link to the request that brought it:\n%s", tracingtest.Tree(trace))
	}
	for _, span := range trace {
		for _, private := range []string{made.ID, form.Meta.Email, form.Meta.FirstName, paid.ReceiptNumber} {
			if strings.Contains(fmt.Sprint(span), private) {
				t.Errorf("%q is in %+v", private, span)
			}
		}
	}
}

// wholeTrace waits until the trace whose root content has begun since has spans of all names, each by who did it.
func (s scene) wholeTrace(since time.Time, root string, want ...string) (trace []tracingtest.Span) {
	s.Helper()
	lacks := func() []string {
		return slices.DeleteFunc(slices.Clone(want), func(name string) bool {
			return slices.ContainsFunc(trace, func(span tracingtest.Span) bool {
				return span.Service+" "+span.Process+": "+span.Name == name
			})
		})
	}
	err := s.until(func() (bool, error) { trace = traceSince(since, root); return len(trace) > 0 && len(lacks()) == 0, nil })
	if err != nil {
		s.Errorf("the trace lacks %q; it is\n%s", lacks(), tracingtest.Tree(trace))
	}
	s.Logf("the trace\n%s", tracingtest.Tree(trace))
	return trace
}

// traceSince is the trace whose root has a name and has begun since.
func traceSince(since time.Time, name string) []tracingtest.Span {
	spans := collector.Spans()
	root := slices.IndexFunc(spans, func(s tracingtest.Span) bool {
		return s.Service == "content" && s.Name == name && s.Parent == "" && !s.Start.Before(since)
	})
	if root < 0 {
		return nil
	}
	id := spans[root].Trace
	return slices.DeleteFunc(spans, func(s tracingtest.Span) bool { return s.Trace != id })
}

// Provider B's calls name the pledge in their body, so their own requests are traces of their own, with what they cause in the pledge's.
func TestProviderB_PaidPledgeIsOneTrace(t *testing.T) {
	s := begin(t)
	c, _ := s.onProviderB()
	since := time.Now()
	v, form := stranger("fi")
	made := s.pledge(v, c.ID, form)
	_, err := v.PayByRegistration(s.ctx, made.ID, browser.PlainCardB, 2500)
	s.must(err)
	s.await(v, made.ID, "paid")
	s.wholeTrace(since, "POST /campaigns/:campaign_id/pledges", "payments serve: POST /api/pledges/mangopay/payin",
		"payments serve: mangopay POST /v2.01/talkoot/payins/card/direct", "payments work: outbox payment_event",
		"content serve: SELECT add_to_totals()")
}
