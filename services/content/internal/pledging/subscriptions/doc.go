// Package subscriptions is monthly support: who supports a campaign, with how much a month, and what has been paid.
//
// It owns the subscriptions table, its transitions and charges, and the inbox of events about them. When a month is charged,
// with which card, and what follows a refusal is decided by the payment service, which tells what has become of it: by
// events of a subscription (changed.go) and of the payments of its months (paid.go). Here they become the campaign's
// totals, receipts and mails.
//
// Invariants, each kept in one transaction with the change that could break it:
//   - a subscription's status and amount change only in move, and every change leaves a row behind;
//   - a campaign's totals are the sum of contribution over its subscriptions;
//   - an event has its effect once, and a repeat gets the first answer; of a subscription's events the one with the highest
//     sequence counts, in whatever order they come;
//   - a month is paid once, and its receipt number is given with the money;
//   - money of a first or later month is accepted only while its campaign takes support: the stage is held until the charge is
//     committed;
//   - a subscription that we have ended ourselves (closed_at: campaign closed, person blocked or erased) never lives again, and a
//     message tells the payment service (package closing).
package subscriptions
