package stripe

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	bolt "go.etcd.io/bbolt"
)

// kind describes how objects of one type are stored: the object under its id, its creation order,
// and the index entries ("field=value") under which lists find it without a scan.
type kind[T any] struct {
	bucket string
	noun   string // the word in "No such …"
	id     func(*T) string
	index  func(*T) []string
}

const (
	orderSuffix = ".order"
	indexSuffix = ".index"
	seqBytes    = 8
)

// The buckets besides those of the kinds.
const (
	bucketIdempotency = "idempotency"
	bucketCards       = "cards"
	bucketChallenges  = "challenges"
	bucketPending     = "deliveries.pending"
	bucketSchedule    = "schedule"
	bucketBalance     = "balance"
	bucketPaidOut     = "balance_transactions.paid_out" // transaction id → id of the automatic payout that includes it
	bucketSettings    = "settings"
)

// inMemoryMap is the initial size in bytes of the memory map of a state in memory, so that it seldom has to grow; its
// pages take memory only once they are written.
const inMemoryMap = 64 << 20

func openStore(opts Options) (*bolt.DB, error) {
	how := bolt.Options{
		Timeout: 5 * time.Second, NoFreelistSync: true, FreelistType: bolt.FreelistMapType, NoSync: !opts.Sync,
	}
	if opts.InMemory { // nothing outlives the process, so nothing needs to be synced
		how.NoGrowSync, how.InitialMmapSize = true, inMemoryMap
	}
	db, err := bolt.Open(filepath.Join(opts.StateDir, "stripe.db"), 0o600, &how)
	if err != nil {
		return nil, fmt.Errorf("open state in %s: %w", opts.StateDir, err)
	}
	if err := db.Update(createBuckets); err != nil {
		return nil, errors.Join(fmt.Errorf("create buckets: %w", err), db.Close())
	}
	return db, nil
}

func objectBuckets() []string {
	return []string{
		customers.bucket, methods.bucket, intents.bucket, setups.bucket, mandates.bucket, charges.bucket, refunds.bucket, disputes.bucket,
		transactions.bucket, payouts.bucket, topups.bucket, sessions.bucket, events.bucket, endpoints.bucket, deliveries.bucket,
	}
}

func plainBuckets() []string {
	return []string{
		bucketIdempotency, bucketCards, bucketChallenges, bucketPending, bucketSchedule,
		bucketBalance, bucketPaidOut, bucketSettings,
	}
}

func createBuckets(tx *bolt.Tx) error {
	names := plainBuckets()
	for _, b := range objectBuckets() {
		names = append(names, b, b+orderSuffix, b+indexSuffix)
	}
	for _, name := range names {
		if _, err := tx.CreateBucketIfNotExists([]byte(name)); err != nil {
			return err
		}
	}
	return nil
}

// put inserts the object or replaces the one with the same id, keeping its place in the order.
func (k kind[T]) put(tx *bolt.Tx, obj *T) error {
	id := []byte(k.id(obj))
	main := tx.Bucket([]byte(k.bucket))
	var seq []byte
	var oldIndex []string
	if old := main.Get(id); old != nil {
		seq = append([]byte(nil), old[:seqBytes]...)
		var before T
		if err := json.Unmarshal(old[seqBytes:], &before); err != nil {
			return fmt.Errorf("read stored %s: %w", id, err)
		}
		oldIndex = k.index(&before)
	} else {
		n, err := main.NextSequence()
		if err != nil {
			return err
		}
		seq = binary.BigEndian.AppendUint64(nil, n)
		if err := tx.Bucket([]byte(k.bucket+orderSuffix)).Put(seq, id); err != nil {
			return err
		}
	}
	body, err := json.Marshal(obj)
	if err != nil {
		return fmt.Errorf("encode %s: %w", id, err)
	}
	if err := main.Put(id, append(append([]byte(nil), seq...), body...)); err != nil {
		return err
	}
	return k.reindex(tx, oldIndex, k.index(obj), seq, id)
}

func (k kind[T]) reindex(tx *bolt.Tx, before, after []string, seq, id []byte) error {
	index := tx.Bucket([]byte(k.bucket + indexSuffix))
	keep := make(map[string]bool, len(after))
	for _, entry := range after {
		keep[entry] = true
	}
	had := make(map[string]bool, len(before))
	for _, entry := range before {
		had[entry] = true
		if !keep[entry] {
			if err := index.Delete(indexKey(entry, seq)); err != nil {
				return err
			}
		}
	}
	for _, entry := range after {
		if !had[entry] {
			if err := index.Put(indexKey(entry, seq), id); err != nil {
				return err
			}
		}
	}
	return nil
}

func indexKey(entry string, seq []byte) []byte {
	return append(append([]byte(entry), 0), seq...)
}

// find returns the object, or nil when there is none with this id.
func (k kind[T]) find(tx *bolt.Tx, id string) (*T, error) {
	raw := tx.Bucket([]byte(k.bucket)).Get([]byte(id))
	if raw == nil {
		return nil, nil
	}
	obj := new(T)
	if err := json.Unmarshal(raw[seqBytes:], obj); err != nil {
		return nil, fmt.Errorf("read stored %s: %w", id, err)
	}
	return obj, nil
}

// raw returns the object's stored JSON, which lives as long as tx, or nil.
func (k kind[T]) raw(tx *bolt.Tx, id []byte) []byte {
	if held := tx.Bucket([]byte(k.bucket)).Get(id); held != nil {
		return held[seqBytes:]
	}
	return nil
}

// get returns the object, or resource_missing naming param.
func (k kind[T]) get(tx *bolt.Tx, id, param string) (*T, error) {
	obj, err := k.find(tx, id)
	if err != nil {
		return nil, err
	}
	if obj == nil {
		return nil, missingResource(k.noun, id, param)
	}
	return obj, nil
}

// remove deletes the object with its order and index entries.
func (k kind[T]) remove(tx *bolt.Tx, obj *T) error {
	id := []byte(k.id(obj))
	raw := tx.Bucket([]byte(k.bucket)).Get(id)
	if raw == nil {
		return nil
	}
	seq := append([]byte(nil), raw[:seqBytes]...)
	if err := k.reindex(tx, k.index(obj), nil, seq, id); err != nil {
		return err
	}
	if err := tx.Bucket([]byte(k.bucket + orderSuffix)).Delete(seq); err != nil {
		return err
	}
	return tx.Bucket([]byte(k.bucket)).Delete(id)
}

// putJSON and getJSON store records that the API does not list.
func putJSON(tx *bolt.Tx, bucket, key string, v any) error {
	body, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("encode %s/%s: %w", bucket, key, err)
	}
	return tx.Bucket([]byte(bucket)).Put([]byte(key), body)
}

func getJSON(tx *bolt.Tx, bucket, key string, v any) (found bool, err error) {
	raw := tx.Bucket([]byte(bucket)).Get([]byte(key))
	if raw == nil {
		return false, nil
	}
	if err := json.Unmarshal(raw, v); err != nil {
		return false, fmt.Errorf("read stored %s/%s: %w", bucket, key, err)
	}
	return true, nil
}
