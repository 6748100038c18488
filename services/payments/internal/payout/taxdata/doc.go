// Package taxdata keeps who is paid as a creator as the law on reporting by platforms asks for it (DAC7, Council Directive (EU) 2021/514,
// Annex V), and says once a year what was paid to whom.
//
// It owns the table tax_records, a row an account. Invariants:
//   - What a creator says of themselves is sealed before it is written, for its account and its version: no query, log, event or mail has a
//     word of it, and a row that is copied to another account does not open.
//   - Nobody reads it but its person, who has just shown that it is them, and an operator by a report that is written down first.
//   - A change names the version that it was made from; one of an older version changes nothing.
//   - Whether money waits (due.go) follows from days alone, so a key that is lost stops nobody's payout.
//   - It is not erased with its account once something was reported of it, but by the law on its keeping (keep.go).
package taxdata
