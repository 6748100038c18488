// Package review is how a campaign gets from a draft to the public: its team asks, the platform's staff approve or ask
// for changes with notes on the parts that need one. It owns the tables review_events and review_notes.
//
// Invariants:
//   - the state of a review changes only as the table moves allows, in one transaction with its event, its audit row,
//     its mails and, when approved, the campaign's stage;
//   - of two decisions at once one is made and the other one is refused;
//   - an approval is of what its reader has seen: parts that changed meanwhile are refused or stay listed as not seen, and
//     what changes afterwards is listed, or brings the campaign back into the queue (campaigns.Parts);
//   - people who are or have been in a campaign's team, or who asked for the review, cannot decide about it, whatever
//     their rights on the platform;
//   - what has to be there before a review is asked for is the checklist's to say (Checklist), when it is asked for and
//     again when it is approved, because the team may go on editing meanwhile.
//
// A campaign that was approved opens by itself on its first day: package schedule.
package review
