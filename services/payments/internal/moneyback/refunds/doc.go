// Package refunds gives money of a charge back.
//
// It owns the refunds: their rows, what they do to the ledger, and sending them. Invariants: a row is written before
// the provider is asked, its idempotency key comes from it, and one row is one object at the provider; a failed refund
// is repeated by another row that takes its place, once; a refund's sum is in owed_to_backers from the moment it is
// begun until the provider takes it from our balance, except while a bank's dispute has the charge; when that is over,
// what is owed of a charge is what its open refunds want (Agree).
//
// Its functions work in the transaction of whoever has the payment locked; what a refund means for the payment and its
// events is left to package payments.
package refunds
