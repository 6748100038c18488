// Package session makes and checks the access tokens of signed-in people: JWTs signed with Ed25519 (EdDSA, RFC 8037),
// valid for 12 hours, that name the user and the session, but no rights.
//
// Invariants: only EdDSA is accepted, whatever a token's header says; issuer, audience and expiry are always checked;
// an identity in a context comes from a verified token. The content service holds the
// private key and publishes the public one (JWKS, RFC 7517); every other service verifies offline.
//
// It leaves to others: passwords, and the table of sessions.
package session
