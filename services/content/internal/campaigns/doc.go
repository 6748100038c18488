// Package campaigns is what people raise money for: its stages, texts, totals and the lists it appears in.
//
// It owns the tables campaigns, campaign_* and subscription_goals. Invariants:
//   - a stage changes only in MoveStage, along the table stageMoves, and leaves a row in audit_log;
//   - campaign_previews says at every commit what its sources say: whoever changes a source calls RefreshPreviews (texts,
//     dates, tags) or AddToTotals (numbers) in the same transaction;
//   - who may see and change a campaign is decided in aclOf; a draft is not there for those who may not edit it;
//   - every list is total in its order, so that pages never overlap;
//   - totals are derived from pledges and likes; Recompute finds any drift, of which there must be none.
//
// Lists read the previews and never join. Public lists are kept in memory for a second and shared by all
// readers (their counts for five); nothing else of a campaign is. Rewards, posts and pledges have packages of their own.
package campaigns
