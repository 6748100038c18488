// Package httpx is the HTTP edge that both services share: one Echo instance with the same middlewares, one way from
// any error to the answer on the wire, health and metrics endpoints, and a server that starts with limits and stops
// without cutting a request.
//
// Invariants: every answer carries X-Request-Id; every answer from status 400 on has the body
// {status, code?, message, fields?, request_id} of the error catalogue; a failure of ours (5xx) is logged exactly once,
// here, with its cause, and the cause never reaches the client; logs hold ids and route patterns, never query strings,
// headers or bodies.
//
// It leaves to others: what a request must look like (package contract), who is asking (session, servicetoken), and
// how a database error reads (Options.Classify).
package httpx
