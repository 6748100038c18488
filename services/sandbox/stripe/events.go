package stripe

import (
	_ "embed"
	"encoding/json"
	"net/url"
	"regexp"
	"slices"
	"strings"

	bolt "go.etcd.io/bbolt"
)

// The event types of API version 2023-10-16.
//
//go:embed event_types.txt
var eventTypes string

func knownEventTypes() map[string]bool {
	known := map[string]bool{"*": true}
	for line := range strings.Lines(eventTypes) {
		known[strings.TrimSpace(line)] = true
	}
	return known
}

// platformEvents are what the configured endpoint subscribes to.
func platformEvents() []string {
	return []string{
		"payment_intent.succeeded", "payment_intent.processing", "payment_intent.requires_action",
		"payment_intent.payment_failed", "payment_intent.canceled", "payment_intent.amount_capturable_updated",
		"charge.refunded", "charge.refund.updated", "refund.created", "refund.updated",
		"charge.dispute.created", "charge.dispute.updated", "charge.dispute.closed",
		"charge.dispute.funds_withdrawn", "charge.dispute.funds_reinstated",
		"radar.early_fraud_warning.created", "radar.early_fraud_warning.updated",
		"checkout.session.completed", "checkout.session.expired",
		"checkout.session.async_payment_succeeded", "checkout.session.async_payment_failed",
		"payment_method.detached", "payment_method.automatically_updated", "customer.deleted", "mandate.updated",
		"setup_intent.succeeded", "setup_intent.setup_failed", "transfer.created", "transfer.reversed",
		"payout.created", "payout.paid", "payout.failed", "payout.canceled",
	}
}

// connectEvents are what the configured endpoint for connected accounts subscribes to.
func connectEvents() []string {
	return []string{"account.updated", "account.application.authorized", "account.application.deauthorized", "account.external_account.created",
		"account.external_account.updated", "account.external_account.deleted", "capability.updated", "person.updated",
		"payout.created", "payout.updated", "payout.paid", "payout.failed", "payout.canceled"}
}

const (
	configuredEndpoint = "we_configured"
	configuredConnect  = "we_configured_connect"
)

// keepConfiguredEndpoint makes the endpoints of the options exist as they say, or not at all: of one address and secret there are two, one of
// which hears of connected accounts alone.
func (s *Sandbox) keepConfiguredEndpoint(tx *bolt.Tx) error {
	if err := s.keepEndpoint(tx, configuredEndpoint, platformEvents()); err != nil {
		return err
	}
	return s.keepEndpoint(tx, configuredConnect, connectEvents())
}

func (s *Sandbox) keepEndpoint(tx *bolt.Tx, id string, heard []string) error {
	old, err := endpoints.Find(tx, id)
	if err != nil {
		return err
	}
	if s.opts.WebhookURL == "" {
		if old != nil {
			return endpoints.Remove(tx, old)
		}
		return nil
	}
	version := APIVersion
	created := s.now()
	if old != nil {
		created = old.Created
	}
	return endpoints.Put(tx, &webhookEndpoint{
		ID: id, Object: "webhook_endpoint", APIVersion: &version, Created: created, Connect: id == configuredConnect,
		Description: optional("Set by the sandbox's configuration"), EnabledEvents: heard,
		Metadata: map[string]string{}, Secret: s.opts.WebhookSecret, Status: "enabled", URL: s.opts.WebhookURL,
	})
}

// publish stores the event with one pending delivery per endpoint that subscribes to it.
func (c *call) publish(e *event) error {
	subscribers, _, err := endpoints.page(c.tx, pageQuery{limit: 100}, func(w *webhookEndpoint) bool {
		return w.Status == "enabled" && w.Connect == (e.Account != "") && (slices.Contains(w.EnabledEvents, e.Type) || slices.Contains(w.EnabledEvents, "*"))
	})
	if err != nil {
		return err
	}
	e.PendingWebhooks = len(subscribers)
	if err := events.Put(c.tx, e); err != nil {
		return err
	}
	for _, w := range subscribers {
		if _, err := c.unit.Enqueue(e.ID, e.Type, w.ID); err != nil {
			return err
		}
	}
	return nil
}

func getEvent(c *call) (any, error) { return events.get(c.tx, c.id, "id") }

func listEvents(c *call) (any, error) {
	passes, types := c.p.createdFilter(), c.p.texts("types")
	index := ""
	if t := c.p.text("type"); t != "" {
		if len(types) > 0 {
			return nil, invalidParam("type", "", "You may pass type or types, not both.")
		}
		if prefix, isFamily := strings.CutSuffix(t, "*"); isFamily {
			return listPage(c, events, "", func(e *event) bool {
				return passes(e.Created) && strings.HasPrefix(e.Type, prefix)
			})
		}
		index = "type=" + t
	}
	return listPage(c, events, index, func(e *event) bool {
		return passes(e.Created) && (len(types) == 0 || slices.Contains(types, e.Type)) &&
			(!c.p.has("delivery_success") || c.p.yes("delivery_success") == (e.PendingWebhooks == 0))
	})
}

func eventCalls() []endpoint {
	return []endpoint{
		{"GET /v1/events", listParams(fields{
			"type": text(), "types": listOf(text()), "delivery_success": boolean(),
		}), false, listEvents},
		{"GET /v1/events/{id}", nil, false, getEvent},
	}
}

var dateVersion = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}(\.[a-z]+)?$`)

func createEndpoint(c *call) (any, error) {
	w := &webhookEndpoint{
		ID: c.newID("we_"), Object: "webhook_endpoint", Created: c.now, Status: "enabled",
		Secret: "whsec_" + c.randomText(32), Metadata: c.p.mergeMetadata(nil),
	}
	if v := c.p.text("api_version"); v != "" {
		if !dateVersion.MatchString(v) {
			return nil, invalidParam("api_version", "", "Invalid API version: "+v)
		}
		w.APIVersion = &v
	}
	w.Connect = c.p.yes("connect")
	if err := c.fillEndpoint(w); err != nil {
		return nil, err
	}
	if err := endpoints.Put(c.tx, w); err != nil {
		return nil, err
	}
	out := *w
	out.Connect = false // it is not told
	return &out, nil
}

func (c *call) fillEndpoint(w *webhookEndpoint) error {
	c.p.setText("description", &w.Description)
	if c.p.has("url") {
		u, err := url.Parse(c.p.text("url"))
		if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
			return invalidParam("url", "url_invalid", "Invalid URL: An explicit scheme (such as https) must be provided.")
		}
		w.URL = c.p.text("url")
	}
	if c.p.has("enabled_events") {
		w.EnabledEvents = c.p.texts("enabled_events")
		for _, t := range w.EnabledEvents {
			if !c.s.known[t] {
				return invalidParam("enabled_events", "", "Invalid enabled_events: unknown event type "+t)
			}
		}
	}
	return nil
}

// hideSecret leaves the secret out, which only the answer to a creation shows.
func hideSecret(w *webhookEndpoint) *webhookEndpoint {
	out := *w
	out.Secret, out.Connect = "", false
	return &out
}

func getEndpoint(c *call) (any, error) {
	w, err := endpoints.get(c.tx, c.id, "webhook_endpoint")
	if err != nil {
		return nil, err
	}
	return hideSecret(w), nil
}

func updateEndpoint(c *call) (any, error) {
	w, err := endpoints.get(c.tx, c.id, "webhook_endpoint")
	if err != nil {
		return nil, err
	}
	if err := c.fillEndpoint(w); err != nil {
		return nil, err
	}
	if c.p.has("disabled") {
		w.Status = "enabled"
		if c.p.yes("disabled") {
			w.Status = "disabled"
		}
	}
	w.Metadata = c.p.mergeMetadata(w.Metadata)
	return hideSecret(w), endpoints.Put(c.tx, w)
}

func deleteEndpoint(c *call) (any, error) {
	w, err := endpoints.get(c.tx, c.id, "webhook_endpoint")
	if err != nil {
		return nil, err
	}
	return deletedObject{ID: w.ID, Object: "webhook_endpoint", Deleted: true}, endpoints.Remove(c.tx, w)
}

func listEndpoints(c *call) (any, error) {
	out, err := listPage(c, endpoints, "", nil)
	if err != nil {
		return nil, err
	}
	l := out.(list)
	for i, item := range l.Data {
		l.Data[i] = hideSecret(item.(*webhookEndpoint))
	}
	return l, nil
}

// deletedObject answers a DELETE.
type deletedObject struct {
	ID      string `json:"id"`
	Object  string `json:"object"`
	Deleted bool   `json:"deleted"`
}

func endpointCalls() []endpoint {
	base := fields{
		"description": text(), "enabled_events": listOf(text()), "metadata": metadata(), "url": text(),
	}
	return []endpoint{
		{"POST /v1/webhook_endpoints", base.with(fields{
			"api_version": text(), "connect": boolean(), "enabled_events": listOf(text()).must(), "url": text().must(),
		}), false, createEndpoint},
		{"GET /v1/webhook_endpoints", listParams(nil), false, listEndpoints},
		{"GET /v1/webhook_endpoints/{id}", nil, false, getEndpoint},
		{"POST /v1/webhook_endpoints/{id}", base.with(fields{"disabled": boolean()}), false, updateEndpoint},
		{"DELETE /v1/webhook_endpoints/{id}", nil, false, deleteEndpoint},
	}
}

// eventFor renders the body an endpoint receives, in the version it was created with.
func eventFor(e *event, w *webhookEndpoint) ([]byte, error) {
	out := *e
	if w.APIVersion != nil {
		out.APIVersion = *w.APIVersion
	}
	return json.Marshal(out)
}
