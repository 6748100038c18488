// Package ledger is the double-entry book of every movement of money: accounts, transactions and their entries.
//
// It owns the three ledger tables. Invariants, all held by the database: a transaction is in one currency and its
// entries add up to nothing; a movement (kind and the provider's reference) is posted once; nothing is changed or
// removed, a wrong posting is answered by another one. Debits are positive, credits negative.
//
// The postings:
//
//	charge         the provider took a backer's money
//	               debit provider_clearing:<provider>   credit backer_funds:<campaign>
//	               (money that cannot count for its pledge, such as a second payment: credit unallocated_funds)
//	provider_fee   what the provider keeps of it; the platform bears it
//	               debit provider_fees:<provider>       credit provider_clearing:<provider>
//	refund         the provider accepted a refund, and takes it from our balance at once
//	               debit backer_funds:<campaign>        credit provider_clearing:<provider>
//	               (or debit unallocated_funds)
//	refund_failed  an accepted refund did not reach the backer and came back
//	               debit provider_clearing:<provider>   credit backer_funds:<campaign>
//	dispute        the backer's bank took the money back, for now or for good
//	               debit backer_funds:<campaign>        credit provider_clearing:<provider>
//	               (or debit unallocated_funds)
//	dispute_fee    what the provider keeps for it; the platform bears it
//	               debit provider_fees:<provider>       credit provider_clearing:<provider>
//	dispute_reversal, dispute_fee_reversal
//	               the dispute was won and the money, or the fee, came back: the same the other way round
//
// So provider_clearing is what the provider should hold for us, and backer_funds:<campaign> what we owe on behalf of
// a campaign's backers. When to post is decided by the packages that change a payment, in their own transaction.
package ledger
