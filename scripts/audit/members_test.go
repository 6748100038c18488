//go:build unix

package audit_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
)

// member makes an account and returns its session's token.
func (w *world) member(name string) string {
	w.t.Helper()
	var made struct {
		Token json.RawMessage
	}
	w.call(w.content.Handler(), "POST", "/users/", object{"email": name + "@example.org", "first_name": "Jäsen", "last_name": "Testinen",
		"password": "pitkä salasana " + name}, http.StatusCreated, &made)
	w.names[name+"_user"] = w.number(`SELECT id FROM users WHERE email = $1`, name+"@example.org")
	var token struct{ String string }
	w.must(json.Unmarshal(made.Token, &token))
	return token.String
}

func (w *world) number(sql string, args ...any) (value int64) {
	w.t.Helper()
	err := w.db.QueryRow(w.ctx(), sql, args...).Scan(&value)
	w.want(err == nil, "%s %v: %v", sql, args, err)
	return value
}

// signedIn sends a request to the content service in a session.
func (w *world) signedIn(token, method, path string, body any, want int, into any) {
	w.t.Helper()
	raw, err := json.Marshal(body)
	w.must(err)
	r := httptest.NewRequestWithContext(w.ctx(), method, path, bytes.NewReader(raw))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer "+token)
	answer := httptest.NewRecorder()
	w.content.Handler().ServeHTTP(answer, r)
	w.want(answer.Code == want, "%s %s: %d %s", method, path, answer.Code, answer.Body)
	if into != nil {
		w.must(json.Unmarshal(answer.Body.Bytes(), into))
	}
}

// members are two people with accounts and spending limits: the saver's second month is held, what the giver gives fits.
func (w *world) members() {
	w.t.Helper()
	limit := func(token string, amount int, countsPledges bool) {
		w.signedIn(token, "PUT", "/users/me/spending-limits/EUR/", object{"amount": amount, "counts_pledges": countsPledges}, http.StatusOK, nil)
	}
	saver, giver := w.member("saver"), w.member("giver")
	w.supports("saver", saver, 10)
	limit(saver, 5, false)
	limit(giver, 60, true)
	w.supports("giver", giver, 10)
	w.names["giver_token"] = giver
	var made struct {
		Pledge struct {
			ID string `json:"pledge_id"`
		}
	}
	w.signedIn(giver, "POST", fmt.Sprintf("/campaigns/%d/pledges/", w.campaign.ID), object{"amount": 25, "reward_id": w.campaign.RewardIDs[0],
		"pledge_meta": object{"email": "giver@example.org", "first_name": "Jäsen", "last_name": "Testinen", "added_cost": 0}}, http.StatusCreated, &made)
	w.names["given"] = made.Pledge.ID
	_, err := w.sandbox.ConfirmIntent(w.setUp("given"), goodCard)
	w.must(err)
	w.rest()
	w.learn("given")
}
