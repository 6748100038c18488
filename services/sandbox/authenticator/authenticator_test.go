package authenticator_test

import (
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"talkoot.fi/sandbox/authenticator"
)

// The secret and the codes are those of RFC 6238, appendix B, with six digits.
const secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"

func get(t *testing.T, path string, unix int64) (int, string) {
	t.Helper()
	handler := authenticator.Handler([]authenticator.Account{{Name: "admin@talkoot.example", Secret: secret}},
		func() time.Time { return time.Unix(unix, 0) })
	got := httptest.NewRecorder()
	handler.ServeHTTP(got, httptest.NewRequestWithContext(t.Context(), "GET", path, nil))
	return got.Code, got.Body.String()
}

func TestCodes_AreThoseOfTheRFC(t *testing.T) {
	for unix, want := range map[int64]string{59: "287082", 1111111109: "081804", 20000000000: "353130"} {
		for _, path := range []string{"/authenticator/", "/authenticator/api/codes"} {
			if code, body := get(t, path, unix); code != 200 || !strings.Contains(body, want) || strings.Contains(body, secret) {
				t.Errorf("%s at %d: %d %s, want %s", path, unix, code, body, want)
			}
		}
	}
	if _, body := get(t, "/authenticator/api/codes", 59); !strings.Contains(body, `"seconds_left":1`) {
		t.Error(body)
	}
}

func TestCodes_OfATypedSecret(t *testing.T) {
	if code, body := get(t, "/authenticator/api/codes?secret=gezd+gnbv+gy3tqojqgezdgnbvgy3tqojq", 59); code != 200 || strings.Count(body, "287082") != 2 {
		t.Errorf("%d %s", code, body)
	}
	if code, _ := get(t, "/authenticator/api/codes?secret=018", 59); code != 400 {
		t.Errorf("no secret: %d", code)
	}
	if code, body := get(t, "/authenticator/?secret=%3Cscript%3E", 59); code != 200 || strings.Contains(body, "<script>") {
		t.Errorf("hostile text: %d %s", code, body)
	}
}

func TestDemo_HasTheAccountsThatTheSeedEnrols(t *testing.T) {
	list, err := authenticator.Demo("../../../scripts/demo")
	if err != nil || len(list) == 0 || list[0].Name != "admin@talkoot.example" {
		t.Errorf("%v, %v", list, err)
	}
	if list, err := authenticator.Demo(t.TempDir()); err != nil || list != nil {
		t.Errorf("without demo content: %v, %v", list, err)
	}
}
