package stripe

import (
	bolt "go.etcd.io/bbolt"

	"talkoot.fi/sandbox/standin"
)

// kind is how objects of one type are stored, with the word in "No such …".
type kind[T any] struct {
	standin.Kind[T]
	noun string
}

func newKind[T any](bucket, noun string, id func(*T) string, index func(*T) []string) kind[T] {
	return kind[T]{standin.Kind[T]{Bucket: bucket, ID: id, Index: index}, noun}
}

// deliveries is the engine's kind, to list.
var deliveries = kind[standin.StoredDelivery]{standin.Deliveries, "delivery"}

// The buckets besides those of the kinds.
const (
	bucketIdempotency = "idempotency"
	bucketCards       = "cards"
	bucketChallenges  = "challenges"
	bucketBalance     = "balance"
	bucketLinks       = "account_links"
	bucketPaidOut     = "balance_transactions.paid_out" // transaction id → id of the automatic payout that includes it
)

func objectBuckets() []string {
	return []string{
		customers.Bucket, methods.Bucket, intents.Bucket, setups.Bucket, mandates.Bucket, charges.Bucket, refunds.Bucket, disputes.Bucket, warnings.Bucket,
		transactions.Bucket, payouts.Bucket, transfers.Bucket, reversals.Bucket, topups.Bucket, sessions.Bucket, accounts.Bucket, events.Bucket, endpoints.Bucket,
	}
}

func plainBuckets() []string {
	return []string{bucketIdempotency, bucketCards, bucketChallenges, bucketBalance, bucketPaidOut, bucketLinks}
}

// get returns the object, or resource_missing naming param.
func (k kind[T]) get(tx *bolt.Tx, id, param string) (*T, error) {
	obj, err := k.Find(tx, id)
	if err != nil {
		return nil, err
	}
	if obj == nil {
		return nil, missingResource(k.noun, id, param)
	}
	return obj, nil
}
