package mail

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	bolt "go.etcd.io/bbolt"
)

// Kept is how many messages are held; older ones are forgotten.
const Kept = 5000

const (
	bucketMessages = "messages"
	keyBytes       = 8
)

// Message is one caught mail.
type Message struct {
	ID         string    `json:"id"`
	ReceivedAt time.Time `json:"received_at"`
	From       string    `json:"from"` // envelope sender
	To         []string  `json:"to"`   // envelope receivers
	Subject    string    `json:"subject"`
	Language   string    `json:"language"` // Content-Language, if the mail names one
	Text       string    `json:"text"`
	HTML       string    `json:"html"`
	Headers    []Header  `json:"headers"`
}

// Header is one header field, decoded, in the mail's order.
type Header struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type store struct{ db *bolt.DB }

func openStore(dir string, sync bool) (*store, error) {
	db, err := bolt.Open(filepath.Join(dir, "mail.db"), 0o600, &bolt.Options{Timeout: 5 * time.Second, NoFreelistSync: true})
	if err != nil {
		return nil, fmt.Errorf("open mail in %s: %w", dir, err)
	}
	db.NoSync = !sync
	err = db.Update(func(tx *bolt.Tx) error {
		_, err := tx.CreateBucketIfNotExists([]byte(bucketMessages))
		return err
	})
	if err != nil {
		return nil, errors.Join(fmt.Errorf("create bucket: %w", err), db.Close())
	}
	return &store{db: db}, nil
}

// add stores the message under the next number, sets its ID and forgets what is too old.
func (s *store) add(m *Message) error {
	return s.db.Update(func(tx *bolt.Tx) error {
		bucket := tx.Bucket([]byte(bucketMessages))
		n, err := bucket.NextSequence()
		if err != nil {
			return err
		}
		m.ID = strconv.FormatUint(n, 10)
		raw, err := json.Marshal(m)
		if err != nil {
			return fmt.Errorf("encode message: %w", err)
		}
		if err := bucket.Put(binary.BigEndian.AppendUint64(nil, n), raw); err != nil {
			return err
		}
		if n > Kept { // the numbers have no gaps, so this leaves Kept messages
			return bucket.Delete(binary.BigEndian.AppendUint64(nil, n-Kept))
		}
		return nil
	})
}

// get returns nil when there is no such message.
func (s *store) get(id string) (*Message, error) {
	n, err := strconv.ParseUint(id, 10, 64)
	if err != nil {
		return nil, nil
	}
	var m *Message
	err = s.db.View(func(tx *bolt.Tx) error {
		raw := tx.Bucket([]byte(bucketMessages)).Get(binary.BigEndian.AppendUint64(nil, n))
		if raw == nil {
			return nil
		}
		m = &Message{}
		return json.Unmarshal(raw, m)
	})
	return m, err
}

// list returns the newest messages first; to, when given, must be one of a message's receivers.
func (s *store) list(to string, limit int) ([]*Message, error) {
	out := []*Message{}
	err := s.db.View(func(tx *bolt.Tx) error {
		cursor := tx.Bucket([]byte(bucketMessages)).Cursor()
		for key, raw := cursor.Last(); len(key) == keyBytes && len(out) < limit; key, raw = cursor.Prev() {
			m := &Message{}
			if err := json.Unmarshal(bytes.Clone(raw), m); err != nil {
				return fmt.Errorf("read message: %w", err)
			}
			if to == "" || m.isFor(to) {
				out = append(out, m)
			}
		}
		return nil
	})
	return out, err
}

func (s *store) clear() error {
	return s.db.Update(func(tx *bolt.Tx) error {
		cursor := tx.Bucket([]byte(bucketMessages)).Cursor()
		for key, _ := cursor.First(); key != nil; key, _ = cursor.Next() {
			if err := cursor.Delete(); err != nil {
				return err
			}
		}
		return nil
	})
}

func (m *Message) isFor(address string) bool {
	for _, to := range m.To {
		if strings.EqualFold(to, address) {
			return true
		}
	}
	return false
}
