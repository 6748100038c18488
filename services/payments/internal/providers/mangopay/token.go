package mangopay

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"
)

// renewBefore is how long before its end a token is renewed.
const renewBefore = time.Minute

// token is the access token of this process. Whoever finds none, or one that ends soon, fetches the next one, and the others wait.
// docs.mangopay.com/api-reference/overview/authentication
type token struct {
	mu    sync.Mutex
	text  string
	until time.Time
}

// drop has the next call fetch another one, unless somebody has since that one was refused.
func (t *token) drop(refused string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.text == refused {
		t.text = ""
	}
}

func (t *token) get(ctx context.Context, c *Client) (string, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	now := c.config.Now()
	if t.text != "" && now.Before(t.until) {
		return t.text, nil
	}
	call, err := http.NewRequestWithContext(ctx, http.MethodPost, c.config.URL+"/v2.01/oauth/token", strings.NewReader("grant_type=client_credentials"))
	if err != nil {
		return "", fmt.Errorf("ask for a token: %w", withoutAddress(err))
	}
	call.SetBasicAuth(c.config.ClientID, c.config.APIKey)
	call.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	answer, err := c.http.Do(call)
	if err != nil {
		return "", fmt.Errorf("ask for a token: %w", withoutAddress(err))
	}
	raw, err := read(answer)
	if err != nil {
		return "", err
	}
	if answer.StatusCode != http.StatusOK {
		f := faultOf(answer.StatusCode, answer.Header, nil)
		f.isOfToken = true
		return "", f
	}
	var got struct {
		Text    string  `json:"access_token"`
		Seconds float64 `json:"expires_in"`
	}
	if err := json.Unmarshal(raw, &got); err != nil || got.Text == "" {
		return "", errBody
	}
	t.text, t.until = got.Text, now.Add(time.Duration(got.Seconds)*time.Second-renewBefore)
	return t.text, nil
}
