// Package campaigns is what people raise money for: its stages, texts, totals and the lists it appears in.
//
// It owns the tables campaigns, campaign_* and subscription_goals. Package drafts begins campaigns for people (Begin),
// the demo content makes them whole (Create). Invariants:
//   - a stage changes only in MoveStage, as the table stageMoves allows, with a row in audit_log; a transaction that
//     has read the stage with LockStage commits before it changes;
//   - a campaign is settled (succeeded, not reached) only when each of its pledges is decided;
//   - backers are numbered in the order in which their payments arrive, and no number is given twice;
//   - the read model (campaign_listings, campaign_search, campaign_previews) is right at every commit: whoever changes
//     one of its sources calls RefreshPreviews (texts, dates, tags) or AddToTotals (numbers) in the same transaction;
//   - a story is stored as people wrote it, with its HTML made on write; whatever could not be shown to readers is
//     refused with an error, never dropped silently;
//   - a draft's slug follows its title; from its approval on the slug stays, and its title is never empty;
//   - changes by people go through package changes, with a version and an audit row; goals and days are fixed once a
//     campaign has opened;
//   - who may see and change a campaign is decided by package access; for those who may not edit it a draft does not
//     exist;
//   - every list has a total order, so that pages never overlap;
//   - totals can be computed from pledges and likes; Recompute compares the two, and they must not differ; nor may the
//     read model and what RecomputePreviews makes.
//
// A list is one statement, a search a few: it reads an index of campaign_listings in the list's order, stops where
// page and total are complete, and takes the ready JSON by primary key. Public answers are cached for a second
// (httpx.Shared). Rewards, posts and pledges have packages of their own.
package campaigns
