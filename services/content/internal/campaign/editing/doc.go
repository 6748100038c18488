// Package editing is what a campaign's team and the platform's staff see while they edit it: everything as it is
// written, in each language and without fallback, with its team, its invitations and its review; and the list of one's
// own campaigns with what waits for their team. It owns no tables: what is read and changed here belongs to packages
// campaigns, team, review, accounts and variations.
package editing
