// Package reminders knows which open campaigns nobody can pay to just now, and mails whoever asked for it once one of them can be paid again.
//
// It owns the tables unpayable_campaigns, payment_reminders and reminder_refusals. Invariants:
//   - By which methods a campaign can be paid the payment service decides; it is asked again and again (Check), so that no cause is
//     forgotten: a switch, a creator's account, another account of the campaign.
//   - An address is used for one mail and forgotten with it, or when its campaign ends. Nothing is kept of a campaign that can be paid, so
//     that nobody can have mail sent to strangers at will, and one address waits for a few campaigns at most.
//   - The answer to asking does not tell whether an address is kept. Whoever gets such a mail can refuse more of that campaign.
package reminders
