//go:build unix

package personaldata_test

import (
	"strings"
	"testing"
)

func TestErase_AnAddressThatIsNotConfirmedErasesNobodyElsesPledges(t *testing.T) {
	w := withAamu(t)
	w.Exec(`UPDATE users SET verified = false WHERE id = ?`, w.aamu)
	w.mustErase()
	if n := w.number(`SELECT count(*) FROM pledges WHERE email = ?`, address); n != 1 {
		t.Errorf("%d pledges have the address, want the one that was made without signing in", n)
	}
	if n := w.number(`SELECT count(*) FROM team_invitations WHERE email = ?`, address); n != 1 {
		t.Error("an invitation to a stranger's address is gone")
	}
}

// An address that nobody has confirmed may be a stranger's, who has asked for a mail meanwhile.
func TestErase_MailsToAStrangersAddressAreNeitherToldNorStopped(t *testing.T) {
	for verified, typed := range map[bool]string{true: strings.ToUpper(address), false: address} {
		w := withAamu(t)
		w.Exec(`UPDATE users SET verified = ? WHERE id = ?`, verified, w.aamu)
		w.Exec(`DELETE FROM outbox`)
		w.Exec(`INSERT INTO outbox (kind, payload) VALUES ('mail.password_reset', jsonb_build_object('email', CAST(? AS text)))`, typed)
		if told := strings.Contains(w.export(), `"mail.password_reset"`); told != verified {
			t.Errorf("confirmed %t: told %t", verified, told)
		}
		w.mustErase()
		if n := w.number(`SELECT count(*) FROM outbox WHERE kind = 'mail.password_reset'`); (n == 0) != verified {
			t.Errorf("confirmed %t: %d mails are left", verified, n)
		}
	}
}

func TestErase_AMembersUnconfirmedAddressStaysTheCampaigns(t *testing.T) {
	w := withAamu(t)
	w.joined()
	w.Exec(`UPDATE users SET verified = false WHERE id = ?`, w.aamu)
	w.Exec(`UPDATE campaigns SET contact_email = ? WHERE id = ?`, address, w.open)
	w.mustErase()
	if n := w.number(`SELECT count(*) FROM campaigns WHERE id = ? AND contact_email = ?`, w.open, address); n != 1 {
		t.Error("the campaign has lost its contact address")
	}
}

// Whoever is signed in may pledge with any address: what its owner has refused is theirs.
func TestErase_AStrangersRefusedLettersAreNeitherToldNorForgotten(t *testing.T) {
	w := withAamu(t)
	const stranger = "muukalainen@example.fi"
	w.pledge(w.aamu, stranger)
	w.Exec(`INSERT INTO letter_refusals (campaign_id, address_hash, created_at)
		SELECT ?, sha256(convert_to(address, 'UTF8')), '2026-11-02T10:11:12Z' FROM unnest(ARRAY[?, ?]) AS list (address)`, w.open, stranger, address)
	_, refused, _ := strings.Cut(w.export(), `"letters_refused"`)
	refused, _, _ = strings.Cut(refused, "]")
	if n := strings.Count(refused, `"refused_at"`); n != 1 {
		t.Errorf("the file has %d refusals, want the one of the confirmed address", n)
	}
	w.mustErase()
	if n := w.number(`SELECT count(*) FROM letter_refusals WHERE address_hash = sha256(convert_to(?, 'UTF8'))`, stranger); n != 1 {
		t.Error("a stranger's refusal is forgotten")
	}
	if n := w.number(`SELECT count(*) FROM letter_refusals`); n != 1 {
		t.Errorf("%d refusals are left", n)
	}
}
