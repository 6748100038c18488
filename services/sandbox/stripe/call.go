package stripe

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	bolt "go.etcd.io/bbolt"

	"talkoot.fi/sandbox/standin"
)

// call is one unit of work on the state: an API request, a browser's step on a page, or something
// that fell due. Everything it writes commits together.
type call struct {
	s         *Sandbox
	unit      *standin.Unit
	tx        *bolt.Tx // of the unit
	p         *params
	path      string
	id        string // the {id} of the path
	secondID  string // the {second} of the path
	clientKey bool   // made with a publishable key
	requestID string
	idemKey   string
	account   string // of the header Stripe-Account: the connected one that the call is about
	now       int64
	rendered  json.RawMessage // the answer, once the handler is done
}

// write runs fn in a read-write transaction and then hands its deliveries to the dispatcher.
// An error undoes everything unless it is an apiError that commits.
func (s *Sandbox) write(c *call, fn func(*call) error) error {
	var kept error
	err := s.engine.Write(func(u *standin.Unit) error {
		kept = nil
		err := fn(s.in(u, c))
		if isCommitting(err) {
			kept = err
			return nil
		}
		return err
	})
	c.unit, c.tx = nil, nil
	if err != nil {
		return err
	}
	return kept
}

// in makes c a call within a unit of work.
func (s *Sandbox) in(u *standin.Unit, c *call) *call {
	c.s, c.unit, c.tx, c.now = s, u, u.Tx, u.Now
	return c
}

// read runs fn on a snapshot of the state.
func (s *Sandbox) read(c *call, fn func(*call) error) error {
	return s.engine.Read(func(u *standin.Unit) error { return fn(s.in(u, c)) })
}

// emit records an event about obj as it is now and queues its deliveries. before, when given, is
// the object's JSON before the change and yields previous_attributes.
func (c *call) emit(eventType string, obj any, before json.RawMessage) error {
	return c.emitOf("", eventType, obj, before)
}

// emitOf is emit about a connected account.
func (c *call) emitOf(account, eventType string, obj any, before json.RawMessage) error {
	snapshot, err := json.Marshal(obj)
	if err == nil {
		snapshot, err = withoutHidden(snapshot)
	}
	if err != nil {
		return fmt.Errorf("encode event object: %w", err)
	}
	e := &event{
		ID: c.newID("evt_"), Object: "event", Account: account, APIVersion: APIVersion, Created: c.now, Type: eventType,
		Data:    eventData{Object: snapshot},
		Request: eventRequest{ID: optional(c.requestID), IdempotencyKey: optional(c.idemKey)},
	}
	if before != nil {
		if e.Data.PreviousAttributes, err = changedFields(before, snapshot); err != nil {
			return err
		}
	}
	return c.publish(e)
}

// changedFields returns the top-level fields of before whose values differ in after.
func changedFields(before, after json.RawMessage) (map[string]json.RawMessage, error) {
	var was, is map[string]json.RawMessage
	if err := json.Unmarshal(before, &was); err != nil {
		return nil, fmt.Errorf("compare objects: %w", err)
	}
	if err := json.Unmarshal(after, &is); err != nil {
		return nil, fmt.Errorf("compare objects: %w", err)
	}
	for name, v := range was {
		if string(is[name]) == string(v) {
			delete(was, name)
		}
	}
	return was, nil
}

// snapshot is an object's JSON, to compare with later.
func snapshot(obj any) (json.RawMessage, error) {
	raw, err := json.Marshal(obj)
	if err != nil {
		return nil, fmt.Errorf("encode object: %w", err)
	}
	return raw, nil
}

// asAPIError maps anything a handler returned to an answer; what is not an apiError is a 500.
func (s *Sandbox) asAPIError(err error, requestID string) *apiError {
	var answer *apiError
	if errors.As(err, &answer) {
		return answer
	}
	s.log.Error("call failed", "request_id", requestID, "error", err)
	return internalError()
}

func badRequest(message string) *apiError {
	return invalidRequest(http.StatusBadRequest, "", message)
}

func isCommitting(err error) bool {
	var answer *apiError
	return errors.As(err, &answer) && answer.commits
}

// joinKept prefers a storage fault, which undoes everything, to the decline that would be kept.
func joinKept(declined, storage error) error {
	if storage != nil {
		return fmt.Errorf("store answer: %w", storage)
	}
	return declined
}

func (c *call) newID(prefix string) string { return c.s.engine.IDs.ID(prefix) }

func (c *call) randomText(n int) string { return c.s.engine.IDs.Text(n) }
