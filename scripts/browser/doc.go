// Package browser makes the calls that the web app makes in a backer's browser: to the content service, to the payment
// service, and with the publishable key to the provider's stand-in, its challenge page and its hosted page.
//
// It owns the shapes of those calls, as far as the tools here read them, and what a patient browser does when an answer
// does not come: ask again with the same idempotency key. It holds no rules of the platform and looks into no database;
// whoever wants to know what became of a pledge asks for it as a person would.
package browser
