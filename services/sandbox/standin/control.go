package standin

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
)

const maxControl = 1 << 20

// BadControl is the error of an invalid control call, answered 400.
type BadControl string

func (e BadControl) Error() string { return string(e) }

// refusal is an error of the provider's API, which a control call answers with its status.
type refusal interface {
	error
	ControlStatus() int
}

// Control is a control call. It takes JSON only, so that no page of another site can post to it.
func Control[T any](do func(T) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasPrefix(r.Header.Get("Content-Type"), "application/json") {
			WriteJSON(w, http.StatusUnsupportedMediaType, map[string]string{"error": "send application/json"})
			return
		}
		var in T
		dec := json.NewDecoder(io.LimitReader(r.Body, maxControl))
		dec.DisallowUnknownFields()
		if err := dec.Decode(&in); err != nil && !errors.Is(err, io.EOF) {
			WriteJSON(w, http.StatusBadRequest, map[string]string{"error": err.Error()})
			return
		}
		if err := do(in); err != nil {
			status := http.StatusInternalServerError
			if bad := BadControl(""); errors.As(err, &bad) {
				status = http.StatusBadRequest
			}
			if refused := refusal(nil); errors.As(err, &refused) {
				status = refused.ControlStatus()
			}
			WriteJSON(w, status, map[string]string{"error": err.Error()})
			return
		}
		WriteJSON(w, http.StatusOK, map[string]bool{"ok": true})
	}
}

// OutcomeOnly drops the result of an act, which the response over HTTP does not contain.
func OutcomeOnly[T, U any](act func(T) (U, error)) func(T) error {
	return func(in T) error {
		_, err := act(in)
		return err
	}
}

// ClockOrder is the body of the clock's control call.
type ClockOrder struct {
	AdvanceSeconds int64 `json:"advance_seconds"`
}

// CommonControls are the control calls that every stand-in has, under a path without a final slash.
func (e *Engine) CommonControls(mux *http.ServeMux, under string) {
	mux.HandleFunc("POST "+under+"/latency", Control(e.Faults.Slow))
	mux.HandleFunc("POST "+under+"/webhooks", Control(e.Hooks.SetPlan))
	mux.HandleFunc("POST "+under+"/webhooks/release", Control(func(struct{}) error { return e.Hooks.Release() }))
	mux.HandleFunc("POST "+under+"/webhooks/retry", Control(func(struct{}) error { return e.Hooks.Retry() }))
	mux.HandleFunc("POST "+under+"/clock", Control(func(in ClockOrder) error { return e.Advance(in.AdvanceSeconds) }))
}

// WriteJSON answers a control call.
func WriteJSON(w http.ResponseWriter, status int, v any) {
	raw, err := json.Marshal(v)
	if err != nil {
		http.Error(w, "encode answer", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(raw) // a client that left needs no answer
}
