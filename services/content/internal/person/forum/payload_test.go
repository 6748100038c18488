package forum

import (
	"encoding/base64"
	"encoding/hex"
	"net/url"
	"slices"
	"strings"
	"testing"
)

// published is the worked example of Discourse's description of the protocol, https://meta.discourse.org/t/13045.
var published = struct{ secret, nonce, sso, sig, answer, answerSig string }{
	secret: "d836444a9e4084d5b224a60c208dce14",
	nonce:  "cb68251eefb5211e58c00ff1395f0c0b",
	sso:    "bm9uY2U9Y2I2ODI1MWVlZmI1MjExZTU4YzAwZmYxMzk1ZjBjMGI=\n",
	sig:    "2828aa29899722b35a2f191d34ef9b3ce695e0e6eeec47deb46d588d70c7cb56",
	answer: "bm9uY2U9Y2I2ODI1MWVlZmI1MjExZTU4YzAwZmYxMzk1ZjBjMGImbmFtZT1zYW0mdXNlcm5hbWU9c2Ftc2FtJmVtYWlsPXRlc3QlNDB0" +
		"ZXN0LmNvbSZleHRlcm5hbF9pZD1oZWxsbzEyMyZyZXF1aXJlX2FjdGl2YXRpb249dHJ1ZQ==",
	answerSig: "3d7e5ac755a87ae3ccf90272644ed2207984db03cf020377c8b92ff51be3abc3",
}

var example = Config{Secret: []byte(published.secret),
	ReturnURLs: []string{"https://forum.example/session/sso_login", "https://other.example/session/sso_login"}}

func TestRead_TakesThePublishedRequest(t *testing.T) {
	got, err := example.read(published.sso, published.sig)
	if want := (request{nonce: published.nonce, returnURL: example.ReturnURLs[0]}); err != nil || got != want {
		t.Errorf("%+v, %v, want %+v", got, err, want)
	}
}

func TestSigned_IsThePublishedAnswer(t *testing.T) {
	payload := encode([]field{{"nonce", published.nonce}, {"name", "sam"}, {"username", "samsam"}, {"email", "test@test.com"},
		{"external_id", "hello123"}, {"bio", ""}, {"require_activation", "true"}})
	if payload != published.answer {
		t.Errorf("payload %s, want %s", payload, published.answer)
	}
	query, err := url.ParseQuery(example.signed(payload))
	if err != nil || query.Get("sso") != published.answer || query.Get("sig") != published.answerSig {
		t.Errorf("%v, %v", query, err)
	}
}

// sign is a request of the forum.
func sign(c Config, payload string) (sso, sig string) {
	sso = base64.StdEncoding.EncodeToString([]byte(payload))
	return sso, hex.EncodeToString(c.mac(sso))
}

func TestRead_TakesConfiguredReturnAddressesAndFieldsItDoesNotKnow(t *testing.T) {
	for _, address := range example.ReturnURLs {
		sso, sig := sign(example, "nonce=a%2Bb&return_sso_url="+url.QueryEscape(address)+"&logout=false&new=1")
		got, err := example.read(sso, sig)
		if want := (request{nonce: "a+b", returnURL: address}); err != nil || got != want {
			t.Errorf("%s: %+v, %v", address, got, err)
		}
	}
}

func TestRead_RefusesWhatIsSignedAndWrong(t *testing.T) {
	for _, payload := range []string{
		"", "nonce=", "return_sso_url=https://forum.example/session/sso_login", "nonce=a&nonce=b", "nonce=a&nonce=a", "nonce=a;b", "nonce=%zz",
		"nonce=a&x=1&x=2",
		"nonce=a&return_sso_url=https://forum.example/session/sso_login&return_sso_url=https://evil.example/",
		"nonce=a&return_sso_url=", "nonce=a&return_sso_url=https://evil.example/session/sso_login",
		"nonce=a&return_sso_url=http://forum.example/session/sso_login", "nonce=a&return_sso_url=https://forum.example/",
		"nonce=a&return_sso_url=https://forum.example/session/sso_login/", "nonce=a&return_sso_url=https://forum.example/session/sso_login?next=//evil.example",
		"nonce=a&return_sso_url=https://forum.example/session/sso_login%23x", "nonce=a&return_sso_url=https://forum.example@evil.example/session/sso_login",
		"nonce=a&return_sso_url=https://forum.example.evil.example/session/sso_login", "nonce=a&return_sso_url=https://FORUM.example/session/sso_login",
		"nonce=a&return_sso_url=https://forum.example:443/session/sso_login", "nonce=a&return_sso_url=//forum.example/session/sso_login",
		"nonce=a&return_sso_url=javascript:alert(1)", "nonce=a&return_sso_url=https://forum.example/session/../session/sso_login",
	} {
		sso, sig := sign(example, payload)
		if got, err := example.read(sso, sig); err == nil {
			t.Errorf("%q is read as %+v", payload, got)
		}
	}
	for _, sso := range []string{"no base64!", "bm9uY2U9YQ", "\x00"} {
		if got, err := example.read(sso, hex.EncodeToString(example.mac(sso))); err == nil {
			t.Errorf("%q is read as %+v", sso, got)
		}
	}
}

func TestRead_RefusesEverySignatureButTheRightOne(t *testing.T) {
	sso, sig := sign(example, "nonce=a")
	other, _ := sign(example, "nonce=b")
	foreign := Config{Secret: []byte(strings.Repeat("x", MinSecretLength)), ReturnURLs: example.ReturnURLs}
	_, foreignSig := sign(foreign, "nonce=a")
	for name, forged := range map[string][2]string{
		"none": {sso, ""}, "another secret's": {sso, foreignSig}, "another payload's": {other, sig}, "cut": {sso, sig[:62]}, "longer": {sso, sig + "00"},
		"a digit longer": {sso, sig + "0"}, "longer by what is no hexadecimal": {sso, sig + "zz"},
		"no hexadecimal": {sso, "z" + sig[1:]}, "one digit": {sso, strings.Map(next, sig[:1]) + sig[1:]},
		"of the payload without its line break": {strings.TrimSpace(published.sso), published.sig},
	} {
		if got, err := example.read(forged[0], forged[1]); err == nil {
			t.Errorf("%s: read as %+v", name, got)
		}
	}
}

// next is another hexadecimal digit.
func next(digit rune) rune {
	if digit == '0' {
		return '1'
	}
	return '0'
}

// Whatever a signed payload holds, it is refused or asks for one nonce and a configured address; unsigned it is refused.
func FuzzRead(f *testing.F) {
	f.Add("nonce=a&return_sso_url=https%3A%2F%2Fforum.example%2Fsession%2Fsso_login", "")
	f.Add("nonce=a&nonce=b", published.sig)
	f.Add("nonce=%00&x=%zz;", "00")
	f.Fuzz(func(t *testing.T, payload, forged string) {
		sso, sig := sign(example, payload)
		if forged != sig {
			if _, err := example.read(sso, forged); err == nil && !strings.EqualFold(forged, sig) {
				t.Fatalf("%q is taken with the signature %q", payload, forged)
			}
		}
		got, err := example.read(sso, sig)
		if err != nil {
			return
		}
		fields, err := url.ParseQuery(payload)
		if err != nil || !slices.Equal(fields["nonce"], []string{got.nonce}) || got.nonce == "" || !slices.Contains(example.ReturnURLs, got.returnURL) {
			t.Fatalf("%q is read as %+v, %v", payload, got, err)
		}
		// What is told of a person comes out as it went in, whatever it holds.
		text, err := base64.StdEncoding.DecodeString(encode([]field{{"nonce", got.nonce}, {"name", payload}}))
		answer, failed := url.ParseQuery(string(text))
		if err != nil || failed != nil || answer.Get("nonce") != got.nonce || answer.Get("name") != payload || len(answer) != 2 {
			t.Fatalf("%q is told as %q: %v %v", payload, text, err, failed)
		}
	})
}

func TestConfig_IsASecretWithExactAddressesOrNothing(t *testing.T) {
	secret := []byte(published.secret)
	for name, c := range map[string]Config{
		"nothing": {}, "both": example, "on this machine": {secret, []string{"http://localhost:8090/forum/session/sso_login"}},
	} {
		if err := c.Validate(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, c := range map[string]Config{
		"no addresses": {Secret: secret}, "no secret": {ReturnURLs: example.ReturnURLs}, "short secret": {secret[:MinSecretLength-1], example.ReturnURLs},
		"in the clear": {secret, []string{"http://forum.example/session/sso_login"}}, "origin alone": {secret, []string{"https://forum.example"}},
		"query": {secret, []string{"https://forum.example/login?x=1"}}, "fragment": {secret, []string{"https://forum.example/login#x"}},
		"user": {secret, []string{"https://a@forum.example/login"}}, "no host": {secret, []string{"/login"}}, "empty": {secret, []string{""}},
		"scheme": {secret, []string{"javascript:alert(1)"}}, "one of two": {secret, []string{example.ReturnURLs[0], "https://forum.example"}},
	} {
		if c.Validate() == nil {
			t.Errorf("%s is taken", name)
		}
	}
}

func TestUsername_IsOfTheNameInLatinLetters(t *testing.T) {
	for name, want := range map[string]string{
		"Eeva Halonen": "eeva_halonen", "Päivi Mäki-Ranta": "paivi_maki_ranta", "Åke O'Brien": "ake_o_brien", "Maria del Carmen Fernández": "maria_del_carmen_fer",
		"Иван Петров": "talkoot_7", "A": "talkoot_7", "Aleksanteri Rautavaa X": "aleksanteri_rautavaa", "R2 D2": "r2_d2",
	} {
		first, last, _ := strings.Cut(name, " ")
		if got := username(person{ID: 7, FirstName: first, LastName: last}); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}
