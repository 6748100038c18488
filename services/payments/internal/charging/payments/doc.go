// Package payments takes the payment of a subject from its first setup to its end.
//
// It owns the payments (with their copy of what is to be paid), their attempts, and every rule about their states. What
// a subject is, what it costs and whether it still wants the money is the content service's; the provider is behind an
// interface; refunds and disputes have packages of their own, whose functions work inside this one's transactions. A
// payment has one row per subject and period; its attempts are objects at the provider: a form on our page, a card or
// bank account that was registered before, a hosted page. Attempts of several methods may be open at once.
//
// A browser's call comes in by handlers.go, or by package payins, and goes on in setup.go (the form), page.go (the
// hosted page), or register.go, pay.go and debits.go (what was registered before). order.go has what is to be paid,
// route.go who takes it, attempt.go says which attempt it is, make.go has the provider make it; advance.go asks what
// became of it, and change.go writes that.
//
// Invariants:
//   - Every signal (webhook, browser, sweeper, a repeated setup) ends in Advance, which asks the provider outside of
//     any transaction, about each attempt on its own, and then, with the payment's row locked, moves it by the table in
//     status.go. A late, repeated or reordered signal changes nothing in the end.
//   - What a change causes (transition row, ledger postings, events to content, refunds to make) is written in its
//     transaction, by type change.
//   - Exactly one success counts; money of any other goes back with the reason duplicate. Money that does not fit its
//     payment is held for a person and never counts silently.
//   - A row is written before the provider is asked to make anything, and the idempotency key comes from the row.
//   - A payment whose time is over lets no attempt begin, and each live attempt has a time at which a worker ends it.
//
// It leaves to others: storing webhooks (package webhooks), and walking the provider's own lists (package reconcile).
package payments
