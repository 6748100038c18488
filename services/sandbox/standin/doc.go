// Package standin is what the stand-ins for payment providers have in common: the state on disk or in memory, a clock
// that moves forward by control, work that falls due, webhooks that are retried, faults on request, and control calls.
//
// Invariant: what Engine.Write's function wrote, its scheduled tasks and its deliveries commit together or not at all.
//
// It leaves to the stand-ins: their API's shapes, how a fault is answered, and how a delivery is addressed.
package standin
