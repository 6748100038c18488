package sessions

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/crypto/argon2"
	"golang.org/x/text/unicode/norm"

	"talkoot.fi/kit/apperr"
)

// Cost of a password hash: OWASP's second choice for argon2id (Password Storage Cheat Sheet), which needs little memory
// so that several people can sign in at once within the service's bounds.
const (
	argonMemoryKiB = 19 * 1024
	argonTime      = 2
	argonThreads   = 1
	saltBytes      = 16
	keyBytes       = 32
	// hashesAtOnce bounds memory: 4 × 19 MiB.
	hashesAtOnce = 4
	// hashesWaiting bounds the queue, whose last waits a second or two. Further sign-ins get ErrBusy with a Retry-After,
	// which is shorter than a longer queue.
	hashesWaiting = 60
	// hashQueueTimeout is the timeout in the queue.
	hashQueueTimeout = 5 * time.Second
	hashRetry        = 3 * time.Second
)

// ErrBusy: too many passwords are waiting to be hashed.
var ErrBusy = apperr.New(apperr.Busy).RetryAfter(hashRetry)

var errHashFormat = errors.New("password hash is not an argon2id PHC string")

// hasher makes and checks password hashes, at most hashesAtOnce at a time.
type hasher struct {
	slots   chan struct{}
	waiting atomic.Int64
	done    atomic.Int64 // hashes since the start, by which tests compare work
	// key and free are argon2.IDKey and debug.FreeOSMemory, but in tests of what goes on around them.
	key  func(password, salt []byte, rounds, memory uint32, threads uint8, keyBytes uint32) []byte
	free func()
}

func newHasher() *hasher {
	return &hasher{slots: make(chan struct{}, hashesAtOnce), key: argon2.IDKey, free: debug.FreeOSMemory}
}

// HashPassword makes the hash of a password, for accounts that the demo content makes.
func HashPassword(ctx context.Context, password string) (string, error) {
	return newHasher().hash(ctx, newSetting(), password)
}

// setting is a password hash without its key: the cost and the salt, $argon2id$v=19$m=…,t=…,p=…$salt.
type setting string

// newSetting has a random salt.
func newSetting() setting {
	salt := make([]byte, saltBytes)
	_, _ = rand.Read(salt) // which never fails
	return settingWith(salt)
}

func settingWith(salt []byte) setting {
	return setting(fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s", argon2.Version, argonMemoryKiB, argonTime, argonThreads,
		base64.RawStdEncoding.EncodeToString(salt)))
}

// settingOf is that of a hash.
func settingOf(hash string) setting { return setting(hash[:max(strings.LastIndexByte(hash, '$'), 0)]) }

// hash makes the PHC string of a password. Errors: errHashFormat; those of derive.
func (h *hasher) hash(ctx context.Context, with setting, password string) (string, error) {
	var version int
	var memory, rounds uint32
	var threads uint8
	var salt string
	n, err := fmt.Sscanf(string(with), "$argon2id$v=%d$m=%d,t=%d,p=%d$%s", &version, &memory, &rounds, &threads, &salt)
	if err != nil || n != 5 || version != argon2.Version {
		return "", errHashFormat
	}
	decoded, err := base64.RawStdEncoding.DecodeString(salt)
	if err != nil {
		return "", errors.Join(errHashFormat, err)
	}
	key, err := h.derive(ctx, password, decoded, memory, rounds, threads)
	if err != nil {
		return "", err
	}
	return string(with) + "$" + base64.RawStdEncoding.EncodeToString(key), nil
}

// matches reports whether a password has the hash. It compares in constant time.
func (h *hasher) matches(ctx context.Context, hash, password string) (bool, error) {
	got, err := h.hash(ctx, settingOf(hash), password)
	if err != nil {
		return false, err
	}
	return subtle.ConstantTimeCompare([]byte(got), []byte(hash)) == 1, nil
}

// derive is argon2id of a password in Unicode's NFC (RFC 8265, OpaqueString), because keyboards write the same letter in
// different ways. Errors: those of enter.
func (h *hasher) derive(ctx context.Context, password string, salt []byte, memory, rounds uint32, threads uint8) ([]byte, error) {
	if err := h.enter(ctx); err != nil {
		return nil, err
	}
	defer h.leave()
	h.done.Add(1)
	return h.key(norm.NFC.Bytes([]byte(password)), salt, rounds, memory, threads, keyBytes), nil
}

// enter waits for a slot. Errors: ErrBusy, the context's.
func (h *hasher) enter(ctx context.Context) error {
	select {
	case h.slots <- struct{}{}:
		return nil
	default:
	}
	defer h.waiting.Add(-1)
	if h.waiting.Add(1) > hashesWaiting {
		return ErrBusy
	}
	timeout := time.NewTimer(hashQueueTimeout)
	defer timeout.Stop()
	select {
	case h.slots <- struct{}{}:
		return nil
	case <-timeout.C:
		return ErrBusy
	case <-ctx.Done():
		return ctx.Err()
	}
}

// leave frees the slot and, after the last of a burst, returns the memory to the system, which the garbage collector
// alone would keep for minutes. That takes a few milliseconds; a sign-in takes tens.
func (h *hasher) leave() {
	<-h.slots
	if len(h.slots) == 0 {
		h.free()
	}
}
