package mangopay

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/payments/internal/provider"
)

// maxAnswer bounds what is read of an answer, in bytes: a page of a list with a hundred objects has a twentieth of it.
const maxAnswer = 4 << 20

// request is one call of the API.
type request struct {
	act    string // for errors
	method string
	path   string // below the client
	query  url.Values
	key    string // ours, of a POST
	body   any
	out    any
}

// keyOf puts a key of ours into Mangopay's alphabet: 16 to 36 letters, digits and dashes.
// docs.mangopay.com/api-reference/overview/idempotency
func keyOf(ours string) string {
	sum := sha256.Sum256([]byte(ours))
	return hex.EncodeToString(sum[:])[:32]
}

// get reads an object. Errors: those of translate.
func (c *Client) get(ctx context.Context, act, path string, out any) error {
	return c.call(ctx, request{act: act, method: http.MethodGet, path: path, out: out})
}

// put changes one; a repeat changes nothing.
func (c *Client) put(ctx context.Context, act, path string, body, out any) error {
	return c.call(ctx, request{act: act, method: http.MethodPut, path: path, body: body, out: out})
}

// post makes an object, once per key, and reports whether the key had made it before: then out is the object as it was first
// answered. A key that is used and has no answer yet is of a call that is on its way: that is no refusal, but not known.
func (c *Client) post(ctx context.Context, act, path, key string, body, out any) (before bool, err error) {
	err = c.call(ctx, request{act: act, method: http.MethodPost, path: path, key: keyOf(key), body: body, out: out})
	if !errors.Is(err, errKeyUsed) {
		return false, err
	}
	err = c.response(ctx, act, key, out)
	if errors.Is(err, errNoResponse) {
		err = apperr.New(apperr.ProviderUnavailable).Wrap(fmt.Errorf("%s: %v", act, err)) //nolint:errorlint // it is no ErrNotFound
	}
	return true, err
}

// errNoResponse means that there is no answer of a key.
var errNoResponse = errors.New("the key has no answer")

// response reads what a key was first answered. Errors: ErrNotFound when the key is not known, and those of that answer.
// docs.mangopay.com/api-reference/idempotency/view-response
func (c *Client) response(ctx context.Context, act, key string, out any) error {
	var first struct {
		StatusCode json.RawMessage
		Resource   json.RawMessage
	}
	err := c.get(ctx, act+", again", "/responses/"+keyOf(key), &first)
	if errors.Is(err, provider.ErrNotFound) {
		return fmt.Errorf("%w: %w", errNoResponse, err)
	}
	if err != nil {
		return err
	}
	status, err := strconv.Atoi(string(bytes.Trim(first.StatusCode, `"`)))
	if err != nil {
		return translate(act, fmt.Errorf("the status of a stored answer: %w", err))
	}
	if status >= http.StatusBadRequest {
		f := faultOf(status, http.Header{}, first.Resource)
		f.isStored = true
		return translate(act, f)
	}
	if out == nil {
		return nil
	}
	if err := json.Unmarshal(first.Resource, out); err != nil || !isWhole(out) {
		return translate(act, fmt.Errorf("decode a stored answer: %w", errBody))
	}
	return nil
}

// call makes a call, repeating what is safe to repeat.
func (c *Client) call(ctx context.Context, r request) error {
	var body []byte
	if r.body != nil {
		var err error
		if body, err = json.Marshal(r.body); err != nil {
			return fmt.Errorf("%s: encode: %w", r.act, err)
		}
	}
	isRenewed := false
	err := c.calls.Do(ctx, func(ctx context.Context) error {
		token, err := c.try(ctx, r, body)
		var f *fault
		if errors.As(err, &f) && f.status == http.StatusUnauthorized && !isRenewed { // it was revoked, or is over on their clock
			isRenewed = true
			c.token.drop(token)
			_, err = c.try(ctx, r, body)
		}
		return err
	})
	if err != nil {
		return translate(r.act, err)
	}
	return nil
}

// try makes a call once, and gives the token that it was made with.
func (c *Client) try(ctx context.Context, r request, body []byte) (token string, err error) {
	if err := c.rate.wait(ctx, c.config.Now()); err != nil {
		return "", err
	}
	if token, err = c.token.get(ctx, c); err != nil {
		return "", err
	}
	return token, c.send(ctx, r, body, token)
}

func (c *Client) send(ctx context.Context, r request, body []byte, token string) error {
	address := c.config.URL + "/v2.01/" + url.PathEscape(c.config.ClientID) + r.path
	if len(r.query) > 0 {
		address += "?" + r.query.Encode()
	}
	call, err := http.NewRequestWithContext(ctx, r.method, address, bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("make the request: %w", withoutAddress(err))
	}
	call.Header.Set("Authorization", "Bearer "+token)
	call.Header.Set("Accept", "application/json")
	if body != nil {
		call.Header.Set("Content-Type", "application/json")
	}
	if r.key != "" {
		call.Header.Set("Idempotency-Key", r.key)
	}
	answer, err := c.http.Do(call)
	if err != nil {
		return withoutAddress(err)
	}
	raw, err := read(answer)
	c.rate.see(answer.Header, answer.StatusCode, c.config.Now())
	switch {
	case err != nil:
		return err
	case answer.StatusCode == http.StatusConflict && r.key != "":
		return errKeyUsed
	case answer.StatusCode >= http.StatusMultipleChoices:
		f := faultOf(answer.StatusCode, answer.Header, raw)
		if f.isForeign && !f.isServerFault() && f.status != http.StatusUnauthorized && f.status != http.StatusTooManyRequests {
			return errBody
		}
		return f
	case r.out == nil:
		return nil
	}
	if err := json.Unmarshal(raw, r.out); err != nil || !isWhole(r.out) {
		return errBody // not its own words, which quote the answer
	}
	return nil
}

func read(answer *http.Response) (raw []byte, err error) {
	raw, err = io.ReadAll(io.LimitReader(answer.Body, maxAnswer+1))
	if err = errors.Join(err, answer.Body.Close()); err != nil {
		return nil, fmt.Errorf("read the answer: %w", err)
	}
	if len(raw) > maxAnswer {
		return nil, errBody
	}
	return raw, nil
}

// withoutAddress takes the address out of an error: it names people's objects.
func withoutAddress(err error) error {
	var call *url.Error
	if errors.As(err, &call) {
		return call.Err
	}
	return err
}

// each walks a list, newest first, and stops at fn's first error. docs.mangopay.com/api-reference/overview/pagination
func each[T any](ctx context.Context, c *Client, act, path string, query url.Values, fn func(T) error) error {
	const perPage = 100
	query.Set("per_page", strconv.Itoa(perPage))
	if query.Get("Sort") == "" {
		query.Set("Sort", "CreationDate:DESC")
	}
	for page := 1; ; page++ {
		query.Set("page", strconv.Itoa(page))
		var list []T
		if err := c.call(ctx, request{act: act, method: http.MethodGet, path: path, query: query, out: &list}); err != nil {
			return err
		}
		if list == nil || slices.ContainsFunc(list, func(one T) bool { return !isWhole(one) }) {
			return translate(act, errBody)
		}
		for _, one := range list {
			if err := fn(one); err != nil {
				return err
			}
		}
		if len(list) < perPage {
			return nil
		}
	}
}
