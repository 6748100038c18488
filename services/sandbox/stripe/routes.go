package stripe

import (
	"net/http"
	"slices"
)

func apiCalls() []endpoint {
	return slices.Concat(
		customerCalls(), methodCalls(), intentCalls(), setupCalls(), chargeCalls(), refundCalls(), disputeCalls(), warningCalls(),
		accountCalls(), connectCalls(), balanceCalls(), payoutCalls(), transferCalls(), topupCalls(), sessionCalls(), eventCalls(), endpointCalls(),
	)
}

// routes is everything the sandbox answers.
func (s *Sandbox) routes() http.Handler {
	mux := http.NewServeMux()
	for _, ep := range apiCalls() {
		mux.HandleFunc(ep.pattern, s.serve(ep))
		s.calls[ep.pattern] = ep
	}
	mux.HandleFunc("/v1/", s.unknownCall)
	mux.HandleFunc("OPTIONS /v1/", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	s.browserRoutes(mux)
	s.controlRoutes(mux)
	return crossOrigin(mux)
}

// unknownCall answers a URL for which the sandbox has no API call.
func (s *Sandbox) unknownCall(w http.ResponseWriter, r *http.Request) {
	c := &call{requestID: s.engine.IDs.ID("req_")}
	s.send(w, r, c, s.failed(c, invalidRequest(http.StatusNotFound, "",
		"Unrecognized request URL ("+r.Method+": "+r.URL.Path+").")))
}

// crossOrigin lets scripts of any site make API calls, as Stripe does; the keys decide what they may.
func crossOrigin(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if len(r.URL.Path) >= 4 && r.URL.Path[:4] == "/v1/" {
			h := w.Header()
			h.Set("Access-Control-Allow-Origin", "*")
			h.Set("Access-Control-Allow-Methods", "GET, POST, DELETE, OPTIONS")
			h.Set("Access-Control-Allow-Headers", "Authorization, Content-Type, Idempotency-Key, Stripe-Version, Stripe-Account")
			h.Set("Access-Control-Expose-Headers", "Request-Id, Stripe-Version, Idempotent-Replayed, Stripe-Should-Retry")
			h.Set("Access-Control-Max-Age", "300")
		}
		next.ServeHTTP(w, r)
	})
}
