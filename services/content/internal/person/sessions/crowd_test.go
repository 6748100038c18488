package sessions_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
)

// When a crowd signs in at once, some succeed, the others get a Retry-After, and nobody waits for all the others.
func TestSignIn_ACrowdIsRefusedWithRetryAfter(t *testing.T) {
	w := setupHashing(t, plenty)
	if made := w.call(t, "POST", "/users/", leena, ""); made.code != 201 {
		t.Fatal(made)
	}
	const crowd = 200
	err := w.db.Exec(`INSERT INTO users (email, password_hash, first_name, last_name, created_at)
		SELECT 'b' || i || '@example.fi', password_hash, 'B', 'B', created_at FROM users, generate_series(1, ?) AS i`, crowd).Error
	if err != nil {
		t.Fatal(err)
	}
	answers := make([]answer, crowd)
	var wait sync.WaitGroup
	for i := range crowd {
		wait.Go(func() {
			address, body := signIn, fmt.Sprintf(`{"email": "b%d@example.fi", "password": "long enough"}`, i)
			if i%2 == 0 {
				address, body = "/users/", strings.ReplaceAll(leena, "Leena@Example.fi", fmt.Sprintf("a%d@example.fi", i))
			}
			answers[i] = w.call(t, "POST", address, body, "")
		})
	}
	wait.Wait()
	in, busy := 0, 0
	for i, a := range answers {
		switch {
		case a.code == 200 || a.code == 201:
			in++
		case a.code == 503 && a.Status == "busy" && a.retryAfter != "":
			busy++
		default:
			t.Errorf("%d: %d %s, Retry-After %q", i, a.code, a.Status, a.retryAfter)
		}
	}
	if in == 0 || busy == 0 {
		t.Errorf("%d are in, %d are told to come again", in, busy)
	}
	if a := w.call(t, "POST", signIn, `{"email": "leena@example.fi", "password": "long enough"}`, ""); a.code != 200 {
		t.Errorf("after the crowd: %d %s", a.code, a.Status)
	}
}
