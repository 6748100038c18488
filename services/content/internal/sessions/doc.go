// Package sessions is how people prove who they are: registering, signing in and out.
//
// It owns the tables users (its credentials), sessions and session_revocations. A session is a row; its token is a
// signed claim about that row, good for 12 hours. The content service asks the row on every signed-in request, so a
// sign-out works at once here; the payment service verifies tokens offline and follows the feed of Revocations.
// Passwords are kept as argon2id only. Answers and their timing do not tell whether an account exists.
package sessions
