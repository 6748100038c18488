package sessions_test

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

func TestRegister_RefusesPasswordsThatAreGuessedFirst(t *testing.T) {
	w := setup(t, plenty)
	for password, want := range map[string]string{
		"password": "password_common", "Password1": "password_common", "PASSWORD2024!": "password_common", "P@ssw0rd": "password_common",
		"salasana": "password_common", "Salasana123": "password_common", "lösenord1": "password_common", "qwertyuiop": "password_common",
		"12345678": "password_common", "1234567890": "password_common", "aaaaaaaa": "password_common", "12121212": "password_common",
		"dragondragon": "password_common", "ｐａｓｓｗｏｒｄ": "password_common", "!!sunshine!!": "password_common",
		"virtanen": "password_own", "Aino.Virtanen": "password_own", "AinoVirtanen1!": "password_own", "aino.virtanen@kotiposti.fi": "password_own",
		"kotiposti99": "password_own", "virtanenaino": "password_own", "2024Aino": "password_own",
		"talkoot-demo": "password_own", "Talkoot2026!": "password_own", "Kesa2026!": "password_common", "kesä2026": "password_common",
		"Joulukuu24": "password_common", "Höst2026!": "password_common", "maanantai1": "password_common", "Autumn2026": "password_common",
		"aino likes old saunas": "", "kesällä 2026 satoi kovin": "", "blue boats at noon": "", "kolme koiraa ja kissa": "", "xK9#mQ2$vL": "", "dragon slayer of Espoo": "",
		"söpö pöllö": "", "correct horse": "", "#": "min_length", "# Source": "",
	} {
		body := fmt.Sprintf(`{"email": "aino.virtanen@kotiposti.fi", "password": %q, "first_name": "Aino", "last_name": "Virtanen"}`, password)
		a := w.call(t, "POST", "/users/", body, "")
		got := ""
		if len(a.Fields) > 0 {
			got = a.Fields[0].Rule
			if a.Fields[0].Path != "password" || a.Fields[0].Message == "" {
				t.Errorf("%q: %+v", password, a.Fields[0])
			}
		}
		if got != want || (want == "") != (a.code == 201) {
			t.Errorf("%q: %d %s, want %q", password, a.code, got, want)
		}
		if err := w.db.Exec(`DELETE FROM users`).Error; err != nil {
			t.Fatal(err)
		}
		w.advance(25 * time.Hour) // no pause
	}
}

func TestRegister_SaysInTheReadersLanguageWhatIsWrongWithAPassword(t *testing.T) {
	w := setup(t, plenty)
	for language, want := range map[string]string{"fi": "yleinen", "en": "common", "sv": "vanligt"} {
		a := w.call(t, "POST", "/users/", `{"email": "a@b.fi", "password": "password1", "first_name": "A", "last_name": "B", "language": "`+strings.ToUpper(language)+`"}`, "", "Accept-Language", language)
		if len(a.Fields) != 1 || !strings.Contains(a.Fields[0].Message, want) {
			t.Errorf("%s: %+v", language, a.Fields)
		}
	}
}
