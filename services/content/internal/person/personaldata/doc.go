// Package personaldata gives people what the platform holds about them (Service.Export), and erases it (Service.Erase). It owns
// no tables: each domain erases its own rows, here is the order, and proto-docs/personal-data.md has the table of what
// goes, what stays and why. A test compares that table with the database.
//
// Invariants:
//   - erasing is one transaction: it happens whole or not at all, and a second one finds nobody;
//   - locks are taken in the order of the other domains: the address, pledges, monthly support, campaigns,
//     experiments, people;
//   - nothing is erased while something is open that needs the person: a campaign of theirs that collects or whose money
//     is not settled, a payment that a bank decides about, rights of staff;
//   - what the law keeps of a receipt is in kept_receipts alone, which no screen and no mail reads;
//   - what belongs to an address is theirs only if they have confirmed it: another one may be a stranger's;
//   - a request of the person that was under way meanwhile changes nothing that has a history (package changes refuses it);
//     it may still make a pledge, which Tidy, a job, erases;
//   - no file holds a connection to the database while it is sent.
package personaldata
