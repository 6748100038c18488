// Package campaigns is what people raise money for: its stages, texts, totals and the lists it appears in.
//
// It owns the tables campaigns, campaign_* and subscription_goals. Invariants:
//   - a stage changes only in MoveStage, along the table stageMoves, and leaves a row in audit_log; nothing that was
//     decided by a stage (HoldStage) commits after it has changed;
//   - a campaign is settled (succeeded, not reached) only when each of its pledges is decided;
//   - backers are numbered in the order of their money, and no number is given twice;
//   - campaign_listings, campaign_search and campaign_previews say at every commit what their sources say: whoever changes a
//     source calls RefreshPreviews (texts, dates, tags) or AddToTotals (numbers) in the same transaction;
//   - what people change goes through package changes, with a version and an audit row; goals and days stand once a
//     campaign has opened;
//   - who may see and change a campaign is decided by package access; a draft is not there for those who may not edit it;
//   - every list is total in its order, so that pages never overlap;
//   - totals are derived from pledges and likes; Recompute finds any drift, of which there must be none.
//
// A list is one statement, a search a few: it walks an index of campaign_listings in the list's order, stops where
// the page and the total end, and takes ready texts by primary key. Public lists are kept in memory for a second and
// shared by all readers; nothing else of a campaign is. Rewards, posts and pledges have packages of their own.
package campaigns
