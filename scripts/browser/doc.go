// Package browser makes the calls that the web app makes in a backer's browser: to the content service, to the payment
// service, and with the publishable key to the provider's stand-in, its challenge page and its hosted page.
//
// It owns the shapes of those calls, as far as the tools here read them, and retries with the same idempotency key
// when a response does not come. It holds no rules of the platform and reads no database: the state of a pledge is
// read with the calls of the app.
package browser
