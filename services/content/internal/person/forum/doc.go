// Package forum signs people in to the discussion forum with their account here, by DiscourseConnect, the single
// sign-on of the forum software Discourse: the forum sends the browser here with a signed request, and gets it back
// with a signed answer that says who the person is. It owns the table forum_nonces.
//
// Invariants: only requests signed with the shared secret are answered; an answer goes to one of the configured
// addresses; a request is answered once, however many calls bring it; the forum is told confirmed e-mail addresses only,
// because it takes them for proof of whose account there it is. Groups, admin and moderator follow the person's current
// scope at each log-in.
//
// The protocol: https://meta.discourse.org/t/13045
package forum
