//go:build unix

package people_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/contenttest"
)

func admin(w *contenttest.World, name string) int64 { return w.Person(name, "view", "edit", "admin") }

func accountPath(id int64) string { return fmt.Sprintf("/users/%d/admin/", id) }

func TestAdmin_SearchesAccountsByNameAndEmail_AndByState(t *testing.T) {
	w := contenttest.New(t)
	boss := admin(w, "Boss")
	aino, bo := w.Person("Áile"), w.Person("Bo")
	w.Exec(`UPDATE users SET email = 'secret@hidden.example', verified = false WHERE id = ?`, aino)
	w.Exec(`UPDATE users SET blocked_at = now() WHERE id = ?`, bo)
	for query, want := range map[string]string{"": "Bo Áile Boss", "?keyword=aile": "Áile", "?keyword=hidden.ex": "Áile", "?keyword=testinen&limit=1": "Bo",
		"?state=blocked": "Bo", "?state=staff": "Boss", "?state=verified": "", "?keyword=aile&state=blocked": ""} {
		var answer api.PeopleAdminAnswer
		w.Get("/users/admin/"+query, boss).JSON(&answer)
		var names []string
		for _, p := range answer.People {
			names = append(names, p.FirstName)
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("%s: %s, want %s", query, got, want)
		}
	}
	if got := w.Get(accountPath(999999), boss).Status; got != http.StatusNotFound {
		t.Errorf("nobody's account: %d", got)
	}
}

func TestAdmin_VerifiesBlocksWithAReasonAndChangesScope_EachInTheLog(t *testing.T) {
	w := contenttest.New(t)
	boss, id := admin(w, "Boss"), introduce(w, w.Person("Aino"), "Virta", "x")
	var person api.PersonAdminAnswer
	for _, body := range []string{`{"settings": {"verified": true}}`, `{"scope": ["edit"], "reason": "Auttaa toimituksessa"}`, `{"blocked": true, "reason": " Roskaa\u202e "}`} {
		w.Patch(accountPath(id), body, boss).JSON(&person)
	}
	p := person.Person
	if !p.Settings.Verified || fmt.Sprint(p.Scope) != "[view edit]" || p.Blocked == nil || p.Blocked.Reason != "Roskaa" || !p.Blocked.At.Equal(w.Now()) {
		t.Errorf("%+v", p)
	}
	if got := publicPage(w, id, 0).Status; got != http.StatusNotFound {
		t.Errorf("page of who is blocked: %d", got)
	}
	person = api.PersonAdminAnswer{}
	w.Patch(accountPath(id), `{"blocked": false, "reason": "Erehdys"}`, boss).JSON(&person)
	if person.Person.Blocked != nil || publicPage(w, id, 0).Status != http.StatusOK {
		t.Errorf("unblocked: %+v", person.Person)
	}
	var trail api.AuditAnswer
	w.Get(fmt.Sprintf("/audit/?entity=user&entity_id=%d", id), boss).JSON(&trail)
	if trail.Total != 4 {
		t.Fatalf("%d entries", trail.Total)
	}
	var said []string
	for _, e := range trail.Entries {
		for _, f := range e.Fields {
			said = append(said, fmt.Sprintf("%s: %v to %v", f.Path, f.Before, f.After))
		}
		if e.By.UserID == nil || *e.By.UserID != boss || e.By.Name != "Boss Testinen" {
			t.Errorf("by %+v", e.By)
		}
	}
	want := "blocked: true to false, reason:  to Erehdys, blocked: false to true, reason:  to Roskaa, " +
		"reason:  to Auttaa toimituksessa, scope: [view] to [view edit], settings.verified: false to true"
	if got := strings.Join(said, ", "); got != want {
		t.Errorf("log: %s", got)
	}
}

// Where somebody was signed in, and signing in, when they were blocked, they are not after the block has been taken back.
func TestAdmin_BlockEndsSessionsForGood_OtherChangesDoNot(t *testing.T) {
	w := contenttest.New(t)
	boss, id, other := admin(w, "Boss"), w.Person("Aino"), w.Person("Bo")
	for _, person := range []int64{id, other} {
		w.Exec(`INSERT INTO sessions (id, user_id, created_at, expires_at) VALUES (?, ?, now(), now() + interval '1 hour')`, fmt.Sprint("s", person), person)
		w.Exec(`INSERT INTO second_step_challenges (token_hash, purpose, user_id, expires_at)
			VALUES (CAST(CAST(? AS text) AS bytea), 'second_step', ?, now() + interval '1 hour')`, fmt.Sprint("c", person), person)
	}
	left := func(table string) (people []int64) {
		w.DB.Raw(`SELECT user_id FROM ` + table + ` ORDER BY user_id`).Scan(&people)
		return people
	}
	for _, c := range []struct {
		body string
		want []int64
	}{{`{"settings": {"verified": true}}`, []int64{id, other}}, {`{"blocked": true, "reason": "x"}`, []int64{other}}, {`{"blocked": false}`, []int64{other}}} {
		if got := w.Patch(accountPath(id), c.body, boss).Status; got != http.StatusOK {
			t.Fatal(c.body, got)
		}
		for _, table := range []string{"sessions", "second_step_challenges"} {
			if got := left(table); !slices.Equal(got, c.want) {
				t.Errorf("%s: %s of %v are left, want of %v", c.body, table, got, c.want)
			}
		}
	}
}

func TestAdmin_RulesOfChangingAccounts(t *testing.T) {
	w := contenttest.New(t)
	boss, id, unproven := admin(w, "Boss"), w.Person("Aino"), w.Person("Unproven")
	w.Exec(`UPDATE users SET verified = false WHERE id = ?`, unproven)
	for _, c := range []struct {
		who          int64
		body, status string
	}{
		{boss, `{"scope": ["view"]}`, "409 own_account"}, {boss, `{"blocked": true, "reason": "x"}`, "409 own_account"},
		{boss, `{"settings": {"verified": true}}`, "409 own_account"},
		{id, `{"blocked": true}`, "422 required"}, {id, `{"blocked": true, "reason": " "}`, "422 required"},
		{unproven, `{"scope": ["admin"]}`, "422 unconfirmed"}, {unproven, `{"settings": {"verified": true}}`, "422 unconfirmed"},
		{id, `{"scope": []}`, "422 "}, {id, `{"scope": ["root"]}`, "422 "}, {id, `{"email": "x@y.fi"}`, "400 unknown_field"},
		{id, `{"reason": "` + strings.Repeat("x", 1001) + `"}`, "422 max_length"}, {999999, `{"blocked": false}`, "404 not_found"},
		{unproven, `{"blocked": true, "reason": "x"}`, "200 "}, {id, `{}`, "200 "}, {id, `{"scope": ["admin"]}`, "200 "},
	} {
		answer := w.Patch(accountPath(c.who), c.body, boss)
		status, word, _ := strings.Cut(c.status, " ")
		if fmt.Sprint(answer.Status) != status || !strings.Contains(string(answer.Body), word) {
			t.Errorf("%d %.60s: %d, want %s: %s", c.who, c.body, answer.Status, c.status, answer.Body)
		}
	}
	if answer := w.Patch(accountPath(id), `{"scope": ["view"]}`, boss, "If-Match", `"1"`); answer.Status != http.StatusPreconditionFailed {
		t.Errorf("of an older version: %d", answer.Status)
	}
}

// However two admins take each other's rights at once, one admin is left.
func TestAdmin_TwoWhoTakeEachOthersRights_LeaveOne(t *testing.T) {
	for range 10 {
		w := contenttest.New(t)
		a, b := admin(w, "A"), admin(w, "B")
		var both sync.WaitGroup
		for _, pair := range [][2]int64{{a, b}, {b, a}} {
			both.Go(func() { w.Patch(accountPath(pair[0]), `{"scope": ["view"]}`, pair[1]) })
		}
		both.Wait()
		var left int
		w.DB.Raw(`SELECT count(*) FROM users WHERE 'admin' = ANY(scope)`).Scan(&left)
		if left != 1 {
			t.Fatalf("%d admins are left", left)
		}
	}
}

func TestAuditTrail_IsSearchedByEntityActorAndDay_AndPaged(t *testing.T) {
	w := contenttest.New(t)
	boss := admin(w, "Boss")
	w.Exec(`UPDATE users SET email = 'boss@x.fi' WHERE id = ?`, boss)
	w.Exec(`INSERT INTO audit_log (at, actor, actor_user_id, action, entity, entity_id, version, before, after)
		SELECT TIMESTAMP '2026-11-18 22:30' AT TIME ZONE 'UTC' + i * interval '1 hour', CASE WHEN i % 2 = 0 THEN 'user' ELSE 'scheduler' END,
		       CASE WHEN i % 2 = 0 THEN ?::bigint END, 'a' || i, CASE WHEN i < 3 THEN 'campaign' ELSE 'reward' END, i, 1,
		       jsonb_build_object('title', i, 'json', repeat('x', 5000)), '{"title": "new", "json": "y"}' FROM generate_series(1, 6) i`, boss)
	for query, want := range map[string]string{
		"": "a6 a5 a4 a3 a2 a1", "?limit=2&offset=1": "a5 a4", "?entity=campaign": "a2 a1", "?entity=reward&entity_id=4": "a4",
		fmt.Sprint("?actor=", boss): "a6 a4 a2", "?actor=BOSS@x.fi": "a6 a4 a2", "?actor=scheduler": "a5 a3 a1", "?actor=nobody@x.fi": "", "?actor=what": "",
		"?from=2026-11-19": "a6 a5 a4 a3 a2 a1", "?to=2026-11-18": "", "?to=2026-11-19": "a6 a5 a4 a3 a2 a1", "?from=2026-11-20": "",
		"?actor=scheduler&entity=reward&from=2026-11-19&to=2026-11-19": "a5 a3",
	} {
		var answer api.AuditAnswer
		w.Get("/audit/"+query, boss).JSON(&answer)
		var got []string
		for _, e := range answer.Entries {
			got = append(got, e.Action)
			for _, f := range e.Fields {
				if f.Path == "json" && (!f.Long || f.Before != nil || f.After != "y") || f.Path == "title" && (f.Before == nil || f.After != "new") {
					t.Errorf("field %+v", f)
				}
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %v, want %s", query, got, want)
		}
	}
	for _, query := range []string{"?to=x", "?from=2026-02-30", "?entity=A.B", "?limit=301", "?offset=20001", "?entity_id=%27", "?entity_id=4", "?actor="} {
		if got := w.Get("/audit/"+query, boss).Status; got != http.StatusUnprocessableEntity {
			t.Errorf("%s: %d", query, got)
		}
	}
}
