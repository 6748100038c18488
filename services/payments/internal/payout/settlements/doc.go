// Package settlements has the money of campaigns that ended well reach their creators.
//
// It owns settlement_rates, settlement_runs, settlement_lines, settlement_approvals, settlement_moves, settlement_returns, settlement_steps,
// settlement_reserves, transfer_reversals and debt_write_offs. A run is the money of one campaign, or of a month of its support, at one provider: a person proposes it (of what an earlier run was made without, the worker does), its lines are frozen with a hash, others approve the hash, and only then a
// worker books and sends it. State, Next and package doc proto-docs/flows/settlement.md say how. Invariants:
//   - Nothing is booked or sent that was not approved: a line whose charge has changed since leaves the run, and another account stops it.
//   - A line is booked once (its reference in the ledger), a run is sent once (index settlement_moves_sent), and a creator is sent one thing
//     at a time (index settlement_moves_open).
//   - What is asked of a provider is written first, with its key. After an answer that was lost, the provider is asked what it has made;
//     another key is made only when that was refused, or when a key is of no use any more and nothing was made by it for a while.
//   - What a run keeps back pays its creator's debts, or is released on its day and sent once, by another run (settlement_reserves).
//   - What creators owe us is paid once, by whoever asks debtsOf first: what is being taken back from their account is nobody else's to pay.
//   - Before anything is sent, the provider's own balances are compared with the book, and a difference stops it.
package settlements
