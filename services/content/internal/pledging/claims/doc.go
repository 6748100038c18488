// Package claims is what backers ask for after a campaign when a reward has not come, is broken or is not what was promised, and the money
// that creators and staff give back. It owns the tables claims, claim_messages and agreed_refunds.
//
// Invariants:
//   - a claim moves only in Service.move, as the table transitions allows, with a row in claim_messages;
//   - one claim of a pledge is open at a time (index claims_one_open); a pledge is locked before its claim;
//   - whoever does not answer in time loses no money by it: silence of the creator brings the claim to staff, silence of the backer takes
//     what is offered;
//   - money goes back by a row of agreed_refunds that is written with the step, and a message of the outbox about it (KindRefund): the
//     payment service begins one refund for a row, never of more than is left of the charge. What is back it tells package pledges.
package claims
