package standin

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	bolt "go.etcd.io/bbolt"
)

// Kind describes how objects of one type are stored: the object under its id, its creation order,
// and the index entries ("field=value") under which lists find it without a scan.
type Kind[T any] struct {
	Bucket string
	ID     func(*T) string
	Index  func(*T) []string
}

// The buckets of a kind besides its own: ids by creation, and by index entry. SeqBytes begin each stored object: its
// place in the order.
const (
	OrderSuffix = ".order"
	IndexSuffix = ".index"
	SeqBytes    = 8
)

// inMemoryMap is the initial size in bytes of the memory map of a state in memory, so that it seldom has to grow; its
// pages take memory only once they are written.
const inMemoryMap = 64 << 20

func openStore(opts Options, dir string) (*bolt.DB, error) {
	how := bolt.Options{
		Timeout: 5 * time.Second, NoFreelistSync: true, FreelistType: bolt.FreelistMapType, NoSync: !opts.Sync,
	}
	if opts.InMemory { // nothing outlives the process, so nothing needs to be synced
		how.NoGrowSync, how.InitialMmapSize = true, inMemoryMap
	}
	db, err := bolt.Open(filepath.Join(dir, opts.Name+".db"), 0o600, &how)
	if err != nil {
		return nil, fmt.Errorf("open state in %s: %w", dir, err)
	}
	if err := db.Update(opts.createBuckets); err != nil {
		return nil, errors.Join(fmt.Errorf("create buckets: %w", err), db.Close())
	}
	return db, nil
}

func (o Options) buckets() []string {
	names := append([]string{bucketPending, bucketSchedule, Settings}, o.Plain...)
	for _, b := range append([]string{Deliveries.Bucket}, o.Objects...) {
		names = append(names, b, b+OrderSuffix, b+IndexSuffix)
	}
	return names
}

func (o Options) createBuckets(tx *bolt.Tx) error {
	for _, name := range o.buckets() {
		if _, err := tx.CreateBucketIfNotExists([]byte(name)); err != nil {
			return err
		}
	}
	return nil
}

// Put inserts the object or replaces the one with the same id, keeping its place in the order.
func (k Kind[T]) Put(tx *bolt.Tx, obj *T) error {
	id := []byte(k.ID(obj))
	main := tx.Bucket([]byte(k.Bucket))
	var seq []byte
	var oldIndex []string
	if old := main.Get(id); old != nil {
		seq = append([]byte(nil), old[:SeqBytes]...)
		var before T
		if err := json.Unmarshal(old[SeqBytes:], &before); err != nil {
			return fmt.Errorf("read stored %s: %w", id, err)
		}
		oldIndex = k.Index(&before)
	} else {
		n, err := main.NextSequence()
		if err != nil {
			return err
		}
		seq = binary.BigEndian.AppendUint64(nil, n)
		if err := tx.Bucket([]byte(k.Bucket+OrderSuffix)).Put(seq, id); err != nil {
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
	return k.reindex(tx, oldIndex, k.Index(obj), seq, id)
}

func (k Kind[T]) reindex(tx *bolt.Tx, before, after []string, seq, id []byte) error {
	index := tx.Bucket([]byte(k.Bucket + IndexSuffix))
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

// Find returns the object, or nil when there is none with this id.
func (k Kind[T]) Find(tx *bolt.Tx, id string) (*T, error) {
	raw := tx.Bucket([]byte(k.Bucket)).Get([]byte(id))
	if raw == nil {
		return nil, nil
	}
	obj := new(T)
	if err := json.Unmarshal(raw[SeqBytes:], obj); err != nil {
		return nil, fmt.Errorf("read stored %s: %w", id, err)
	}
	return obj, nil
}

// Raw returns the object's stored JSON, which lives as long as tx, or nil.
func (k Kind[T]) Raw(tx *bolt.Tx, id []byte) []byte {
	if held := tx.Bucket([]byte(k.Bucket)).Get(id); held != nil {
		return held[SeqBytes:]
	}
	return nil
}

// Remove deletes the object with its order and index entries.
func (k Kind[T]) Remove(tx *bolt.Tx, obj *T) error {
	id := []byte(k.ID(obj))
	raw := tx.Bucket([]byte(k.Bucket)).Get(id)
	if raw == nil {
		return nil
	}
	seq := append([]byte(nil), raw[:SeqBytes]...)
	if err := k.reindex(tx, k.Index(obj), nil, seq, id); err != nil {
		return err
	}
	if err := tx.Bucket([]byte(k.Bucket + OrderSuffix)).Delete(seq); err != nil {
		return err
	}
	return tx.Bucket([]byte(k.Bucket)).Delete(id)
}

// PutJSON stores a record that the API does not list.
func PutJSON(tx *bolt.Tx, bucket, key string, v any) error {
	body, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("encode %s/%s: %w", bucket, key, err)
	}
	return tx.Bucket([]byte(bucket)).Put([]byte(key), body)
}

// GetJSON reads what PutJSON stored.
func GetJSON(tx *bolt.Tx, bucket, key string, v any) (found bool, err error) {
	raw := tx.Bucket([]byte(bucket)).Get([]byte(key))
	if raw == nil {
		return false, nil
	}
	if err := json.Unmarshal(raw, v); err != nil {
		return false, fmt.Errorf("read stored %s/%s: %w", bucket, key, err)
	}
	return true, nil
}

// Walk visits ids in creation order (newer) or against it, strictly beyond from.
func (k Kind[T]) Walk(tx *bolt.Tx, index string, from []byte, newer bool, visit func(id []byte) (bool, error)) error {
	bucket, prefix := tx.Bucket([]byte(k.Bucket+OrderSuffix)), []byte(nil)
	if index != "" {
		bucket, prefix = tx.Bucket([]byte(k.Bucket+IndexSuffix)), append([]byte(index), 0)
	}
	cursor := bucket.Cursor()
	step := cursor.Prev
	var key, id []byte
	if newer {
		step = cursor.Next
		key, id = cursor.Seek(append(bytes.Clone(prefix), afterSeq(from)...))
	} else {
		key, id = seekBelow(cursor, prefix, from)
	}
	for key != nil && bytes.HasPrefix(key, prefix) {
		goOn, err := visit(id)
		if err != nil || !goOn {
			return err
		}
		key, id = step()
	}
	return nil
}

func afterSeq(seq []byte) []byte {
	if seq == nil {
		return nil
	}
	return binary.BigEndian.AppendUint64(nil, binary.BigEndian.Uint64(seq)+1)
}

// seekBelow stands on the greatest key under prefix that is smaller than prefix+from.
func seekBelow(cursor *bolt.Cursor, prefix, from []byte) (key, value []byte) {
	end := bytes.Clone(prefix)
	if from != nil {
		end = append(end, from...)
	} else {
		end = append(end, bytes.Repeat([]byte{0xff}, SeqBytes+1)...)
	}
	if key, _ := cursor.Seek(end); key == nil {
		return cursor.Last()
	}
	return cursor.Prev()
}

// Count tells how many objects there are.
func (k Kind[T]) Count(tx *bolt.Tx) int { return Count(tx, k.Bucket) }

// Count tells how many objects the kind of that bucket has.
func Count(tx *bolt.Tx, bucket string) int {
	return tx.Bucket([]byte(bucket + OrderSuffix)).Stats().KeyN
}
