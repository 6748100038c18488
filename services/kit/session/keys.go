package session

import (
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"
)

// KeySet is a JSON Web Key Set (RFC 7517) of Ed25519 keys.
type KeySet struct {
	Keys []Key `json:"keys"`
}

// Key is one public key (RFC 8037).
type Key struct {
	KeyType   string `json:"kty"`
	Curve     string `json:"crv"`
	X         string `json:"x"`
	KeyID     string `json:"kid"`
	Use       string `json:"use"`
	Algorithm string `json:"alg"`
}

// ErrUnknownKey says that no published key has the token's key id.
var ErrUnknownKey = errors.New("unknown signing key")

// KeySource finds public keys by key id. Errors: ErrUnknownKey; anything else means that the keys cannot be had now.
type KeySource interface {
	Key(ctx context.Context, keyID string) (ed25519.PublicKey, error)
}

// StaticKeys are keys known from the start.
type StaticKeys map[string]ed25519.PublicKey

// Key finds a key.
func (k StaticKeys) Key(_ context.Context, keyID string) (ed25519.PublicKey, error) {
	key, ok := k[keyID]
	if !ok {
		return nil, ErrUnknownKey
	}
	return key, nil
}

const (
	// refreshEvery is how old the cached keys may get before they are fetched again: how fast a withdrawn key is forgotten.
	refreshEvery = 10 * time.Minute
	// refreshAtMost keeps forged key ids, and an issuer that is down, from causing a fetch for each request.
	refreshAtMost = 10 * time.Second
	// fetchTimeout bounds one fetch; requests with a token wait for it.
	fetchTimeout = 3 * time.Second
	maxJWKSBytes = 64 << 10
)

// RemoteKeys fetches a key set when it first needs it and keeps it. An unknown key id or old keys cause a fetch, at most
// one every 10 s and never two at once; while the issuer cannot be reached, the keys it published last go on working.
type RemoteKeys struct {
	url    string
	client *http.Client
	now    func() time.Time
	flight singleflight.Group

	mu      sync.RWMutex
	keys    StaticKeys
	fetched time.Time // last success
	tried   time.Time // last attempt
	failure error     // of the last attempt
}

// NewRemoteKeys reads keys from a JWKS address. The client's own timeout is shortened to 3 s for each fetch.
func NewRemoteKeys(url string, client *http.Client, now func() time.Time) *RemoteKeys {
	return &RemoteKeys{url: url, client: client, now: now}
}

// Key finds a key, fetching when needed.
func (r *RemoteKeys) Key(ctx context.Context, keyID string) (ed25519.PublicKey, error) {
	key, fetch := r.lookUp(keyID)
	if fetch {
		// The fetch is shared by all who wait, so it must not end with the one request that began it.
		_, _, _ = r.flight.Do("", func() (any, error) { r.refresh(context.WithoutCancel(ctx)); return nil, nil })
		key, _ = r.lookUp(keyID)
	}
	if key != nil {
		return key, nil
	}
	r.mu.RLock()
	defer r.mu.RUnlock()
	if r.failure != nil {
		return nil, fmt.Errorf("signing keys: %w", r.failure)
	}
	return nil, ErrUnknownKey
}

// lookUp reports the key, nil when it is not known, and whether a fetch is due.
func (r *RemoteKeys) lookUp(keyID string) (key ed25519.PublicKey, fetch bool) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	now := r.now()
	key = r.keys[keyID]
	wanted := key == nil || now.Sub(r.fetched) >= refreshEvery
	return key, wanted && (r.tried.IsZero() || now.Sub(r.tried) >= refreshAtMost)
}

// refresh fetches unless another fetch has just ended.
func (r *RemoteKeys) refresh(ctx context.Context) {
	r.mu.RLock()
	recent := !r.tried.IsZero() && r.now().Sub(r.tried) < refreshAtMost
	r.mu.RUnlock()
	if recent {
		return
	}
	keys, err := r.fetch(ctx)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.tried, r.failure = r.now(), err
	if err == nil {
		r.keys, r.fetched = keys, r.tried
	}
}

func (r *RemoteKeys) fetch(ctx context.Context) (StaticKeys, error) {
	ctx, cancel := context.WithTimeout(ctx, fetchTimeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, r.url, nil)
	if err != nil {
		return nil, fmt.Errorf("fetch %s: %w", r.url, err)
	}
	res, err := r.client.Do(req)
	if err != nil {
		return nil, fmt.Errorf("fetch %s: %w", r.url, err)
	}
	defer func() { _ = res.Body.Close() }()
	if res.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("fetch %s: HTTP %d", r.url, res.StatusCode)
	}
	var set KeySet
	if err := json.NewDecoder(io.LimitReader(res.Body, maxJWKSBytes)).Decode(&set); err != nil {
		return nil, fmt.Errorf("read %s: %w", r.url, err)
	}
	return set.ed25519Keys()
}

// ed25519Keys are the set's usable keys; keys of other kinds are skipped, as RFC 7517 wants.
func (s KeySet) ed25519Keys() (StaticKeys, error) {
	keys := StaticKeys{}
	for _, k := range s.Keys {
		if k.KeyType != "OKP" || k.Curve != "Ed25519" || k.KeyID == "" {
			continue
		}
		x, err := base64.RawURLEncoding.DecodeString(k.X)
		if err != nil || len(x) != ed25519.PublicKeySize {
			return nil, fmt.Errorf("key %q is not an Ed25519 public key", k.KeyID)
		}
		keys[k.KeyID] = x
	}
	if len(keys) == 0 {
		return nil, errors.New("key set without an Ed25519 key")
	}
	return keys, nil
}
