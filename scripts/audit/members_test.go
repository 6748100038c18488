//go:build unix

package audit_test

import (
	"net/http"
)

// member makes an account and returns its session's token.
func (w *world) member(name string) string {
	w.t.Helper()
	var made struct{ Token struct{ String string } }
	w.call(w.content.Handler(), "POST", "/users/", object{"email": name + "@example.org", "first_name": "Jäsen", "last_name": "Testinen",
		"password": "pitkä salasana " + name}, http.StatusCreated, &made)
	w.names[name+"_user"] = w.number(`SELECT id FROM users WHERE email = $1`, name+"@example.org")
	return made.Token.String
}

// signIn begins another session of a member: theirs does not live for weeks.
func (w *world) signIn(name string) string {
	w.t.Helper()
	var made struct{ Token struct{ String string } }
	w.call(w.content.Handler(), "POST", "/users/tokens/", object{"email": name + "@example.org", "password": "pitkä salasana " + name}, http.StatusOK, &made)
	return made.Token.String
}

func (w *world) number(sql string, args ...any) (value int64) {
	w.t.Helper()
	err := w.db.QueryRow(w.ctx(), sql, args...).Scan(&value)
	w.want(err == nil, "%s %v: %v", sql, args, err)
	return value
}

// as has an account make the calls of what is done; "" is a guest.
func (w *world) as(token string, do func()) {
	w.t.Helper()
	before := w.session
	w.session = token
	defer func() { w.session = before }()
	do()
}

// members are two people with accounts and spending limits: the saver's second month is held, what the giver gives fits.
func (w *world) members() {
	w.t.Helper()
	limit := func(amount int, countsPledges bool) {
		w.call(w.content.Handler(), "PUT", "/users/me/spending-limits/EUR/", object{"amount": amount, "counts_pledges": countsPledges}, http.StatusOK, nil)
	}
	w.as(w.member("saver"), func() {
		w.supports("saver", 10)
		limit(5, false)
	})
	w.as(w.member("giver"), func() {
		limit(60, true)
		w.supports("giver", 10)
		w.paid("given", 25, goodCard)
	})
}
