// Package httpx is the HTTP server that both services share: an Echo instance with middlewares, one error handler,
// health and metrics endpoints, connection limits and graceful shutdown.
//
// Invariants: every answer carries X-Request-Id; every answer from status 400 on has the body
// {status, code?, message, fields?, request_id} of the error catalogue; a failure of ours (5xx) is logged exactly once,
// here, with its cause, and the cause never reaches the client; logs hold ids and route patterns, never query strings,
// headers or bodies.
//
// It leaves to others: validation (package contract), authentication (session, servicetoken), and errors of the
// database (Options.Classify).
package httpx
