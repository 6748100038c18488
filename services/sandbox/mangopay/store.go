package mangopay

import (
	bolt "go.etcd.io/bbolt"

	"talkoot.fi/sandbox/standin"
)

// The buckets besides those of the kinds.
const (
	bucketResponses = "responses" // by idempotency key
	bucketTokens    = "tokens"    // to when they are good
	bucketPages     = "pages"     // by the secret in their address
	bucketSerials   = "tokenised" // what a browser was answered about a card, by that answer
)

func plainBuckets() []string {
	return []string{bucketResponses, bucketTokens, bucketPages, bucketSerials, bucketDocumentPages}
}

// The kinds describe how objects are stored. They are read-only.
var (
	users = standin.Kind[user]{Bucket: "users", ID: func(o *user) string { return o.ID },
		Index: func(o *user) []string { return []string{"type=" + o.PersonType} }}
	wallets = standin.Kind[wallet]{Bucket: "wallets", ID: func(o *wallet) string { return o.ID },
		Index: func(o *wallet) []string {
			if len(o.Owners) == 0 {
				return []string{"client"}
			}
			return []string{"user=" + o.Owners[0]}
		}}
	registrations = standin.Kind[registration]{Bucket: "card_registrations", ID: func(o *registration) string { return o.ID },
		Index: func(o *registration) []string { return []string{"data=" + o.PreregistrationData} }}
	cards = standin.Kind[card]{Bucket: "cards", ID: func(o *card) string { return o.ID },
		Index: func(o *card) []string { return []string{"user=" + o.UserID} }}
	accounts = standin.Kind[account]{Bucket: "bank_accounts", ID: func(o *account) string { return o.ID },
		Index: func(o *account) []string { return []string{"user=" + o.UserID} }}
	mandates = standin.Kind[mandate]{Bucket: "mandates", ID: func(o *mandate) string { return o.ID },
		Index: func(o *mandate) []string { return []string{"user=" + o.UserID, "account=" + o.BankAccountID} }}
	transactions = standin.Kind[transaction]{Bucket: "transactions", ID: func(o *transaction) string { return o.ID },
		Index: (*transaction).entries}
	disputes = standin.Kind[dispute]{Bucket: "disputes", ID: func(o *dispute) string { return o.ID },
		Index: func(o *dispute) []string {
			return []string{"payin=" + o.InitialTransactionID, "wallet=" + o.Wallet, "user=" + o.User}
		}}
	recipients = standin.Kind[recipient]{Bucket: "recipients", ID: func(o *recipient) string { return o.ID },
		Index: func(o *recipient) []string { return []string{"user=" + o.UserID} }}
	verifications = standin.Kind[verification]{Bucket: "identity_verifications", ID: func(o *verification) string { return o.ID },
		Index: func(o *verification) []string { return []string{"user=" + o.UserID} }}
	documents = standin.Kind[document]{Bucket: "documents", ID: func(o *document) string { return o.ID },
		Index: func(o *document) []string {
			if o.DisputeID != nil {
				return []string{"evidence", "dispute=" + *o.DisputeID}
			}
			return []string{"proof", "user=" + value(o.UserID)}
		}}
	recurrings = standin.Kind[recurring]{Bucket: "recurring_registrations", ID: func(o *recurring) string { return o.ID },
		Index: func(o *recurring) []string { return []string{"user=" + o.AuthorID} }}
	reports = standin.Kind[report]{Bucket: "reports", ID: func(o *report) string { return o.ID }, Index: func(*report) []string { return nil }}
	hooks   = standin.Kind[hook]{Bucket: "hooks", ID: func(o *hook) string { return o.ID },
		Index: func(o *hook) []string { return []string{"type=" + o.EventType} }}
	events = standin.Kind[event]{Bucket: "events", ID: func(o *event) string { return o.ID },
		Index: func(*event) []string { return nil }}
)

func objectBuckets() []string {
	return []string{users.Bucket, wallets.Bucket, registrations.Bucket, cards.Bucket, accounts.Bucket, mandates.Bucket,
		transactions.Bucket, disputes.Bucket, recipients.Bucket, verifications.Bucket, recurrings.Bucket, reports.Bucket, documents.Bucket, hooks.Bucket, events.Bucket}
}

// get returns the object, or that there is none.
func get[T any](tx *bolt.Tx, k standin.Kind[T], noun, id string) (*T, error) {
	o, err := k.Find(tx, id)
	if err == nil && o == nil {
		err = notFound(noun, id)
	}
	return o, err
}

// each visits the objects under an index entry, oldest first, until visit says stop.
func each[T any](tx *bolt.Tx, k standin.Kind[T], index string, visit func(*T) (goOn bool)) error {
	return k.Walk(tx, index, nil, true, func(id []byte) (bool, error) {
		o, err := k.Find(tx, string(id))
		if err != nil || o == nil {
			return err == nil, err
		}
		return visit(o), nil
	})
}

func optional(v string) *string {
	if v == "" {
		return nil
	}
	return &v
}

func value(v *string) string {
	if v == nil {
		return ""
	}
	return *v
}
