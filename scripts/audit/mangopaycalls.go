package audit

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// mangopayCaller calls the API.
type mangopayCaller struct {
	Mangopay
	client *http.Client
	token  string
}

func (c *mangopayCaller) at(path string) string { return "/v2.01/" + url.PathEscape(c.ClientID) + path }

// list walks all pages of a list.
func (c *mangopayCaller) list(ctx context.Context, path string, visit func(json.RawMessage) error) error {
	_, err := c.pages(ctx, path, "", math.MaxInt, visit)
	return err
}

// pages walks as many pages of a list, and tells whether that was all of it.
func (c *mangopayCaller) pages(ctx context.Context, path, order string, most int, visit func(json.RawMessage) error) (isWhole bool, err error) {
	for page := 1; page <= most; page++ {
		var list []json.RawMessage
		if err := c.call(ctx, http.MethodGet, c.at(fmt.Sprintf("%s?per_page=100&page=%d%s", path, page, order)), "", &list); err != nil {
			return false, err
		}
		for _, one := range list {
			if err := visit(one); err != nil {
				return false, fmt.Errorf("list %s: %w", path, err)
			}
		}
		if len(list) < 100 {
			return true, nil
		}
	}
	return false, nil
}

// statusError is an answer that is none.
type statusError int

func (e statusError) Error() string { return "answered " + strconv.Itoa(int(e)) }

func (c *mangopayCaller) call(ctx context.Context, method, path, body string, out any) (err error) {
	r, err := http.NewRequestWithContext(ctx, method, strings.TrimSuffix(c.URL, "/")+path, strings.NewReader(body))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/json")
	if r.Header.Set("Authorization", "Bearer "+c.token); c.token == "" {
		r.SetBasicAuth(c.ClientID, c.Key)
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	answer, err := c.client.Do(r)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, answer.Body.Close()) }()
	raw, err := io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode != http.StatusOK {
		return fmt.Errorf("%s %s: %w: %.300s", method, path, statusError(answer.StatusCode), raw)
	}
	if err == nil {
		err = json.Unmarshal(raw, out)
	}
	return err
}
