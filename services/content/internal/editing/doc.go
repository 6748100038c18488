// Package editing is what a campaign's team and the platform's staff see while they edit it: everything as it is written,
// in each language and without fallback, with its team, its invitations and its review; and the list of one's own
// campaigns with what waits for their team. It owns no tables: packages campaigns, team, review and accounts keep what is
// read and changed here.
package editing
