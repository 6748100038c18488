// Package variations shows some visitors of a campaign another title, tagline or cover, and tells which one brings more
// backers. proto-docs/flows/variations.md describes it in full.
//
// It owns the tables content_variations, campaign_visits and campaign_visit_counts. Invariants:
//   - a campaign has one experiment at a time: variations of one field, of a text in one language, at most
//     MostVariations beside its own;
//   - who sees what is a function of visitor, campaign and the variations that are shown, and nothing else;
//   - a visitor is kept as a keyed hash, for each campaign apart, and counted once;
//   - campaign_visit_counts has the number of rows in campaign_visits, written in the same statement.
package variations
