//go:build unix

package letters_test

import "testing"

// account makes an account whose settings refuse letters, or not.
func (p *post) account(address string, confirmed, wantsLetters bool) int64 {
	p.t.Helper()
	id := p.Person("Account")
	p.Exec(`UPDATE users SET email = ?, verified = ? WHERE id = ?`, address, confirmed, id)
	if !wantsLetters {
		if got := p.Patch("/users/me/settings/", `{"mail": {"letters": false}}`, id); got.Status != 200 {
			p.t.Fatalf("settings: %d %s", got.Status, got.Body)
		}
	}
	return id
}

func (p *post) backedBy(address string, account int64) {
	p.t.Helper()
	p.Exec(`UPDATE pledges SET user_id = ? WHERE id = (SELECT id FROM pledges WHERE email = ? AND user_id IS NULL LIMIT 1)`, account, address)
}

func TestLetters_AreNotSentToWhoseSettingsRefuseThem(t *testing.T) {
	p := newPost(t)
	p.back("wants@a.fi fi 10", "refuses@a.fi fi 10", "unconfirmed@a.fi fi 10", "other@a.fi fi 10", "shared@a.fi fi 10", "shared@a.fi fi 10")
	p.account("wants@a.fi", true, true)
	p.account("Refuses@a.fi", true, false)
	p.account("unconfirmed@a.fi", false, false) // somebody has registered with the address, who may be a stranger
	refuser := p.account("refuser@b.fi", true, false)
	p.backedBy("other@a.fi", refuser)  // the account has backed with another address, and it alone
	p.backedBy("shared@a.fi", refuser) // and once with one that somebody else backs with too
	if got := p.change(`{}`).Letters; got.Total != 3 || got.Declined != 2 {
		t.Errorf("before: %+v", got)
	}
	p.change(`{"status": "published"}`)
	p.deliver()
	if got := p.receivers(); got != "shared@a.fi unconfirmed@a.fi wants@a.fi" {
		t.Errorf("letters went to %s", got)
	}
}

func TestLetters_ThatAreWrittenAreNotSentToWhoRefusesMeanwhile(t *testing.T) {
	p := newPost(t)
	p.back("aino@a.fi fi 10")
	aino := p.account("aino@a.fi", true, true)
	p.change(`{"status": "published"}`)
	p.batch()
	if got := p.Patch("/users/me/settings/", `{"mail": {"letters": false}}`, aino); got.Status != 200 {
		t.Fatalf("settings: %d %s", got.Status, got.Body)
	}
	p.deliver()
	if got := p.receivers(); got != "" {
		t.Errorf("a letter went to %s", got)
	}
}
