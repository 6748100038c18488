// Package sessions is authentication: registering, signing in and out, new passwords, and operators' changes of scopes.
//
// It owns the tables sessions, password_failures and password_resets, and of users the password, scope and blocked_at. A
// session is a row; its token is a JWT that names the row, valid for 12 hours. RequireLive reads the row on every signed-in
// request, so a sign-out, a block or a changed scope works at once. Staff have their scope only in sessions that were
// begun with a second step (package secondstep). Passwords are stored as argon2id hashes only, links for new ones as
// hashes. Answers and their timing do not reveal whether an account exists.
package sessions
