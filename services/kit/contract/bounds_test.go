package contract_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestFaults_AreTwentyAtMost_TheSameEachTime(t *testing.T) {
	t.Parallel()
	h := service(t, ok)
	lines := strings.Repeat(`{"item":"far too long a word","count":0},`, 30)
	unknown := make([]string, 90)
	for i := range unknown {
		unknown[i] = fmt.Sprintf(`"k%d":1`, i)
	}
	for name, body := range map[string]string{
		"unknown fields": "{" + strings.Join(unknown, ",") + "}",
		"broken rules":   `{"email":"a@b.fi","lines":[` + strings.TrimSuffix(lines, ",") + "]}",
		"wrong types":    `{"email":"a@b.fi","answers":{` + strings.Join(unknown, ",") + "}}",
	} {
		var first string
		for range 3 {
			r := httptest.NewRequest(http.MethodPost, "/shops/1/orders", strings.NewReader(body))
			r.Header.Set("Content-Type", "application/json")
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			var answer struct{ Fields []struct{ Path string } }
			if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil {
				t.Fatal(err)
			}
			told := fmt.Sprint(answer.Fields)
			if len(answer.Fields) != 20 || first != "" && told != first {
				t.Errorf("%s: %d faults %s, before %s", name, len(answer.Fields), told, first)
			}
			first = told
		}
	}
}

func TestBodies_OfManyValuesOrLevelsAreRefusedUnread(t *testing.T) {
	t.Parallel()
	h := service(t, ok)
	for name, c := range map[string]struct {
		body   string
		status int
	}{
		"brackets in texts":   {`{"email":"a@b.fi","lines":[{"item":"tee","count":1}],"answers":{"a":"[[[[[[[[[[[[[[[[[[[[,,,,,,,"}}`, 201},
		"thirty-three levels": {strings.Repeat("[", 33) + strings.Repeat("]", 33), 400},
		"too many of a list":  {"[" + strings.Repeat("1,", 1000-1) + "1,1]", 400},
	} {
		r := httptest.NewRequest(http.MethodPost, "/shops/1/orders", strings.NewReader(c.body))
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if w.Code != c.status {
			t.Errorf("%s: %d %s", name, w.Code, w.Body)
		}
	}
}

func TestBodies_OfACallThatSaysSoMayHaveMoreValuesOrBytes(t *testing.T) {
	t.Parallel()
	h := service(t, ok)
	const form = "multipart/form-data; boundary=x"
	for name, c := range map[string]struct {
		path, contentType, body string
		status                  int
	}{
		"more values":              {"texts", "application/json", "[" + strings.Repeat("1,", 1200) + "1]", 201},
		"more bytes":               {"pictures", form, strings.Repeat("x", 4999), 201},
		"too many bytes even then": {"pictures", form, strings.Repeat("x", 5001), 413},
		"more bytes of a text":     {"texts", "application/json", "[" + strings.Repeat("1,", 1300) + "1]", 413},
		"a form without boundary":  {"pictures", "multipart/form-data", "x", 400},
		"JSON instead of a form":   {"pictures", "application/json", "{}", 415},
	} {
		r := httptest.NewRequest(http.MethodPost, "/shops/1/"+c.path, strings.NewReader(c.body))
		r.Header.Set("Content-Type", c.contentType)
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if w.Code != c.status {
			t.Errorf("%s: %d %s", name, w.Code, w.Body)
		}
	}
}
