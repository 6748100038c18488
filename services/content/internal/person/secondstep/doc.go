// Package secondstep is what somebody shows besides a password: a code of an app (TOTP, RFC 6238), a passkey (WebAuthn),
// or a backup code. It owns the tables totp_apps, passkeys, backup_codes and second_step_challenges. An account with an
// app or a passkey has two steps; backup codes come with the first of them and go with the last.
//
// Invariants: a code of an app is taken once, and none that is older than one taken; a backup code and a challenge are
// taken once; the database alone opens no account: secrets of apps are sealed, backup codes and challenges are hashed.
// What is taken is taken in the transaction of what it allows, so that an interrupted sign-in uses up nothing.
//
// It leaves to others: sessions, how often somebody may try, and whether who changes second steps has just shown that
// it is them (package sessions).
package secondstep
