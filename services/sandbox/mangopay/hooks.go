package mangopay

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	bolt "go.etcd.io/bbolt"

	"talkoot.fi/sandbox/standin"
)

// eventTypes are those that are told here.
func eventTypes() []string {
	var out []string
	for _, family := range []string{"PAYIN_NORMAL", "PAYIN_REFUND", "PAYIN_REPUDIATION", "TRANSFER_NORMAL", "TRANSFER_REFUND",
		"TRANSFER_SETTLEMENT", "PAYOUT_NORMAL", "PAYOUT_REFUND"} {
		for _, status := range []string{statusCreated, statusSucceeded, statusFailed} {
			out = append(out, family+"_"+status)
		}
	}
	for _, scope := range []string{"CONTACT_INFORMATION_UPDATE", "RECIPIENT_REGISTRATION", "TRANSFER", "VIEW_ACCOUNT_INFORMATION"} {
		out = append(out, "SCA_"+scope+"_CONSENT_GIVEN", "SCA_"+scope+"_CONSENT_REVOKED")
	}
	return append(out, "MANDATE_CREATED", "MANDATE_SUBMITTED", "MANDATE_ACTIVATED", "MANDATE_FAILED", "MANDATE_EXPIRED",
		"KYC_CREATED", "KYC_VALIDATION_ASKED", "KYC_SUCCEEDED", "KYC_FAILED", "KYC_OUTDATED", "USER_KYC_REGULAR", "USER_KYC_LIGHT",
		"USER_KYC_RENEWAL_REQUIRED", "DISPUTE_CREATED", "DISPUTE_SUBMITTED", "DISPUTE_ACTION_REQUIRED", "DISPUTE_FURTHER_ACTION_REQUIRED",
		"DISPUTE_SENT_TO_BANK", "DISPUTE_CLOSED", "DISPUTE_DOCUMENT_CREATED", "DISPUTE_DOCUMENT_VALIDATION_ASKED",
		"DISPUTE_DOCUMENT_SUCCEEDED", "DISPUTE_DOCUMENT_FAILED", "INSTANT_PAYOUT_SUCCEEDED", "INSTANT_PAYOUT_FALLBACKED", "INSTANT_PAYOUT_FAILED",
		"RECIPIENT_ACTIVE", "RECIPIENT_CANCELED", "RECIPIENT_DEACTIVATED", "SCA_ENROLLMENT_SUCCEEDED", "SCA_ENROLLMENT_FAILED",
		"SCA_ENROLLMENT_EXPIRED", "USER_ACCOUNT_VALIDATION_ASKED", "USER_ACCOUNT_ACTIVATED", "USER_ACCOUNT_CLOSED",
		"USER_CATEGORY_UPDATED_TO_OWNER", "USER_CATEGORY_UPDATED_TO_PAYER", "USER_CATEGORY_UPDATED_TO_PLATFORM",
		"USER_INFLOWS_BLOCKED", "USER_INFLOWS_UNBLOCKED", "USER_OUTFLOWS_BLOCKED", "USER_OUTFLOWS_UNBLOCKED",
		"REPORT_GENERATED", "REPORT_FAILED", "IDENTITY_VERIFICATION_PENDING", "IDENTITY_VERIFICATION_VALIDATED",
		"IDENTITY_VERIFICATION_FAILED", "IDENTITY_VERIFICATION_INCONCLUSIVE", "IDENTITY_VERIFICATION_OUTDATED", "IDENTITY_VERIFICATION_EXPIRED",
		"RECURRING_REGISTRATION_CREATED", "RECURRING_REGISTRATION_AUTH_NEEDED", "RECURRING_REGISTRATION_IN_PROGRESS", "RECURRING_REGISTRATION_ENDED")
}

const (
	hookEnabled  = "ENABLED"
	hookDisabled = "DISABLED"
	mostFailures = 100 // in a row, then a hook is disabled
)

type hookPublic struct {
	ID           string  `json:"Id"`
	Tag          *string `json:"Tag"`
	CreationDate int64   `json:"CreationDate"`
	EventType    string  `json:"EventType"`
	URL          string  `json:"Url"`
	Email        *string `json:"Email"`
	Status       string  `json:"Status"`
	Validity     string  `json:"Validity"`
}

// hook is an address that is told of events of one type.
type hook struct {
	hookPublic
	Failures int // in a row
}

// event is something that happened.
type event struct {
	eventPublic
	ID string
}

type eventPublic struct {
	ResourceID string `json:"ResourceId"`
	EventType  string `json:"EventType"`
	Date       int64  `json:"Date"`
}

// tell records events of an object, and queues them for their hooks.
func (c *call) tell(id string, types ...string) error {
	for _, eventType := range types {
		e := &event{eventPublic{id, eventType, c.now}, c.newID("event")}
		if err := events.Put(c.tx, e); err != nil {
			return err
		}
		h, err := c.hookOf(eventType)
		if err != nil {
			return err
		}
		if h == nil || h.Status != hookEnabled {
			continue
		}
		if _, err := c.unit.Enqueue(e.ID, eventType, h.ID); err != nil {
			return err
		}
	}
	return nil
}

func (c *call) hookOf(eventType string) (found *hook, err error) {
	err = each(c.tx, hooks, "type="+eventType, func(h *hook) bool { found = h; return false })
	return found, err
}

const configured = "hook_configured_"

// keepConfiguredHooks makes the hooks of Options.HookURL exist as it says, or not at all.
func (c *call) keepConfiguredHooks() error {
	for _, eventType := range eventTypes() {
		h, err := hooks.Find(c.tx, configured+eventType)
		switch {
		case err != nil:
			return err
		case c.s.opts.HookURL == "" && h != nil:
			err = hooks.Remove(c.tx, h)
		case c.s.opts.HookURL != "" && (h == nil || h.URL != c.s.opts.HookURL):
			err = hooks.Put(c.tx, &hook{hookPublic: hookPublic{ID: configured + eventType, CreationDate: c.now, EventType: eventType,
				URL: c.s.opts.HookURL, Status: hookEnabled, Validity: validityUnknown}})
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// post sends events as a GET with what happened in the query.
type post struct{}

func (post) Address(tx *bolt.Tx, d *standin.StoredDelivery) (func(context.Context) (*http.Request, error), error) {
	e, err := events.Find(tx, d.Event)
	if err != nil || e == nil {
		return nil, err
	}
	h, err := hooks.Find(tx, d.Endpoint)
	if err != nil || h == nil || h.Status != hookEnabled {
		return nil, err
	}
	address := withQuery(h.URL, "EventType="+url.QueryEscape(e.EventType)+"&RessourceId="+url.QueryEscape(e.ResourceID)+
		"&Date="+strconv.FormatInt(e.Date, 10))
	return func(ctx context.Context) (*http.Request, error) {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
		if err != nil {
			return nil, fmt.Errorf("address hook: %w", err)
		}
		return req, nil
	}, nil
}

// Tried counts the failures of a hook.
func (post) Tried(tx *bolt.Tx, d *standin.StoredDelivery) error {
	h, err := hooks.Find(tx, d.Endpoint)
	if err != nil || h == nil || h.Status != hookEnabled {
		return err
	}
	switch d.State {
	case standin.DeliveryDelivered:
		h.Failures, h.Validity = 0, validityValid
	case standin.DeliveryPending, standin.DeliveryFailed:
		if h.Failures++; h.Failures >= mostFailures {
			h.Validity, h.Status = validityInvalid, hookDisabled
		}
	default:
		return nil
	}
	return hooks.Put(tx, h)
}

func addHook(c *call) (any, error) {
	in, err := decode[struct {
		Tag       *string `json:"Tag" rule:"max=255"`
		EventType string  `json:"EventType" rule:"required"`
		URL       string  `json:"Url" rule:"required,url,max=255"`
		Email     *string `json:"Email" rule:"email"`
	}](c)
	if err != nil {
		return nil, err
	}
	if !slices.Contains(eventTypes(), in.EventType) {
		return nil, paramError("EventType", "The event type "+in.EventType+" is unknown.")
	}
	if old, err := c.hookOf(in.EventType); err != nil || old != nil {
		return nil, errOr(err, paramError("EventType", "A hook has already been registered for this EventType."))
	}
	h := &hook{hookPublic: hookPublic{ID: c.newID("hook"), Tag: in.Tag, CreationDate: c.now, EventType: in.EventType, URL: in.URL, Email: in.Email,
		Status: hookEnabled, Validity: validityUnknown}}
	return h.hookPublic, hooks.Put(c.tx, h)
}

func getHook(c *call) (any, error) {
	h, err := get(c.tx, hooks, "Hook", c.ids["id"])
	if err != nil {
		return nil, err
	}
	return h.hookPublic, nil
}

func changeHook(c *call) (any, error) {
	h, err := get(c.tx, hooks, "Hook", c.ids["id"])
	if err != nil {
		return nil, err
	}
	in := struct {
		Tag    *string `json:"Tag" rule:"max=255"`
		URL    string  `json:"Url" rule:"url,max=255"`
		Status string  `json:"Status" rule:"in=ENABLED|DISABLED"`
		Email  *string `json:"Email" rule:"email"`
		Type   string  `json:"EventType"`
	}{h.Tag, h.URL, h.Status, h.Email, h.EventType}
	if err := c.decodeInto(&in, true); err != nil {
		return nil, err
	}
	if in.Type != h.EventType {
		return nil, paramError("EventType", "The type of a hook stays.")
	}
	if in.Status == hookEnabled && (h.Status != hookEnabled || in.URL != h.URL) {
		h.Failures, h.Validity = 0, validityUnknown
	}
	h.Tag, h.URL, h.Status, h.Email = in.Tag, in.URL, in.Status, in.Email
	return h.hookPublic, hooks.Put(c.tx, h)
}

func listHooks(c *call) (any, error) {
	return listed(c, hooks, "", func(h *hook) (any, bool) { return h.hookPublic, true })
}

// eventLife is how far back events are listed, in seconds.
const eventLife = 45 * 24 * 3600

func listEvents(c *call) (any, error) {
	return listed(c, events, "", func(e *event) (any, bool) { return e.eventPublic, c.now-e.Date < eventLife })
}

func hookRoutes() []route {
	return []route{
		{http.MethodPost, "hooks", addHook}, {http.MethodGet, "hooks", listHooks},
		{http.MethodGet, "hooks/{id}", getHook}, {http.MethodPut, "hooks/{id}", changeHook},
		{http.MethodGet, "events", listEvents},
	}
}
