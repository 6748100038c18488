package contract_test

import (
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/labstack/echo/v4"

	"talkoot.fi/kit/contract"
	"talkoot.fi/kit/httpx"
)

func spec(t *testing.T) []byte {
	t.Helper()
	data, err := os.ReadFile("testdata/shop.openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// service answers POST /shops/:shop_id/orders with the body as it came, and GET with what the test sets.
func service(t *testing.T, answer func(echo.Context) error) http.Handler {
	t.Helper()
	c, err := contract.Load(spec(t))
	if err != nil {
		t.Fatal(err)
	}
	e := httpx.New(httpx.Options{Log: slog.New(slog.DiscardHandler), Now: time.Now, BodyLimit: 2500, Uploads: c.Uploads()})
	r := httpx.Routes(e, c.Middleware())
	r.POST("/shops/:shop_id/orders/", func(c echo.Context) error {
		again, err := io.ReadAll(c.Request().Body)
		if err != nil {
			return err
		}
		return c.JSON(http.StatusCreated, map[string]string{"again": string(again)})
	})
	r.GET("/shops/:shop_id/orders/", answer)
	keep := func(c echo.Context) error {
		if _, err := io.Copy(io.Discard, c.Request().Body); err != nil {
			return err
		}
		return c.NoContent(http.StatusCreated)
	}
	r.POST("/shops/:shop_id/texts/", keep)
	r.POST("/shops/:shop_id/pictures/", keep)
	return e
}

func ok(c echo.Context) error { return c.JSON(http.StatusOK, map[string]int{"total": 1}) }

func TestMiddleware_ReportsEveryFaultOfARequest(t *testing.T) {
	t.Parallel()
	const good = `{"email":"a@b.fi","lines":[{"item":"tee","count":1}]}`
	cases := []struct {
		name, call, contentType, body string
		status                        int
		contains, lacks               []string
	}{
		{"a good body", "POST /shops/1/orders/", "application/json", good, 201, []string{`\"item\":\"tee\"`}, nil},
		{"without the final slash", "POST /shops/1/orders", "application/json", good, 201, nil, nil},
		{"media type with a charset", "POST /shops/1/orders", "application/json; charset=UTF-8", good, 201, nil, nil},
		{"another charset than JSON's", "POST /shops/1/orders", "application/json; charset=utf-16", good, 415,
			[]string{"unsupported_media_type"}, nil},
		{"a media type that cannot be read", "POST /shops/1/orders", "application/json; charset", `{"admin":true}`, 415, []string{"unsupported_media_type"}, nil},
		{"open maps take any name", "POST /shops/1/orders", "application/json", `{"email":"a@b.fi","lines":[{"item":"tee","count":1}],"answers":{"any":"x"}}`, 201, nil, nil},
		{"open maps still have types", "POST /shops/1/orders", "application/json", `{"email":"a@b.fi","lines":[{"item":"tee","count":1}],"answers":{"any":1}}`, 400, []string{"malformed_body", `"path":"answers.any"`}, nil},
		{"no body", "POST /shops/1/orders", "application/json", "", 400, []string{"malformed_body"}, nil},
		{"blank body", "POST /shops/1/orders", "application/json", " \n", 400, []string{"malformed_body"}, nil},
		{"broken JSON", "POST /shops/1/orders", "application/json", `{"email":`, 400, []string{"malformed_body"}, []string{"unexpected"}},
		{"trailing garbage", "POST /shops/1/orders", "application/json", good + "x", 400, []string{"malformed_body"}, nil},
		{"two values", "POST /shops/1/orders", "application/json", good + good, 400, []string{"malformed_body"}, nil},
		{"a field twice", "POST /shops/1/orders", "application/json", `{"email":"x@y.fi",` + good[1:], 400, []string{"malformed_body"}, nil},
		{"too deep", "POST /shops/1/orders", "application/json", strings.Repeat("[", 500), 400, []string{"malformed_body"},
			nil},
		{"not JSON", "POST /shops/1/orders", "text/plain", good, 415, []string{"unsupported_media_type"}, nil},
		{"no media type", "POST /shops/1/orders", "", good, 415, []string{"unsupported_media_type"}, nil},
		{"too large", "POST /shops/1/orders", "application/json", `{"email":"` + strings.Repeat("a", 3000) + `"}`, 413, []string{"body_too_large"}, nil},
		{"wrong types, all of them", "POST /shops/1/orders", "application/json", `{"email":7,"lines":[{"item":"tee","count":"1"}]}`, 400,
			[]string{"malformed_body", `"path":"email","rule":"type"`, `"path":"lines[0].count","rule":"type"`}, nil},
		{"unknown fields, all of them", "POST /shops/1/orders", "application/json", `{"email":"a@b.fi","admin":true,"lines":[{"item":"tee","count":1,"price":0}]}`, 400,
			[]string{"unknown_field", `"path":"admin"`, `"path":"lines[0].price"`}, []string{`"path":"email"`}},
		{"field names are exact", "POST /shops/1/orders", "application/json", `{"Email":"a@b.fi","lines":[{"item":"tee","count":1}]}`, 400,
			[]string{"unknown_field", `"path":"Email"`}, nil},
		{"broken rules, all of them", "POST /shops/1/orders", "application/json", `{"email":"","lines":[{"item":"this is far too long","count":0},{"count":1}],"kind":"x","day":"2026-13-01"}`, 422,
			[]string{"invalid_fields", `"path":"email","rule":"required"`, `"path":"lines[0].item","rule":"max_length","params":{"max":10}`, `"path":"lines[0].count","rule":"min_value"`,
				`"path":"lines[1].item","rule":"required"`, `"path":"kind","rule":"one_of"`, `"path":"day","rule":"date"`, "At most 10 characters."}, []string{"{max}"}},
		{"a day that no calendar has", "POST /shops/1/orders", "application/json", good[:len(good)-1] + `,"day":"2026-02-30"}`, 422, []string{`"path":"day","rule":"date"`}, nil},
		{"a day of the year that the database has not", "POST /shops/1/orders", "application/json", good[:len(good)-1] + `,"day":"0000-01-01"}`, 422, []string{`"path":"day","rule":"date"`}, nil},
		{"an empty list", "POST /shops/1/orders", "application/json", `{"email":"a@b.fi","lines":[]}`, 422, []string{`"path":"lines"`}, nil},
		{"null where a value is needed", "POST /shops/1/orders", "application/json", `{"email":null,"lines":[{"item":"tee","count":1}]}`, 422, []string{`"path":"email","rule":"required"`}, nil},
		{"rules of the parts of an allOf", "POST /shops/1/orders", "application/json", `{"email":"a@b.fi","lines":[{"item":"tee","count":1}],"gift":{"to":"","card":"far too long for a card"}}`, 422,
			[]string{`"path":"gift.to","rule":"required"`, `"path":"gift.card","rule":"max_length"`}, []string{"unknown_field"}},
		{"unknown fields beside an allOf", "POST /shops/1/orders", "application/json", `{"email":"a@b.fi","lines":[{"item":"tee","count":1}],"gift":{"to":"x","ribbon":1}}`, 400,
			[]string{"unknown_field", `"path":"gift.ribbon"`}, nil},
		{"a path parameter no shop has", "POST /shops/x/orders", "application/json", good, 404, []string{"not_found"}, nil},
		{"a path parameter below its minimum", "GET /shops/0/orders", "", "", 404, []string{"not_found"}, nil},
		{"an escaped path parameter", "GET /shops/%31/orders/", "", "", 200, nil, nil},
		{"query", "GET /shops/1/orders?limit=5&stages=1,2", "", "", 200, nil, nil},
		{"unknown query parameters are ignored", "GET /shops/1/orders?utm_source=x", "", "", 200, nil, nil},
		{"query faults, all of them", "GET /shops/1/orders?limit=x&stages=1,9", "", "", 422, []string{`"path":"limit","rule":"type"`, `"path":"stages[1]","rule":"max_value"`}, nil},
		{"a call outside the contract", "GET /nowhere", "", "", 404, []string{"not_found"}, nil},
	}
	h := service(t, ok)
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			method, target, _ := strings.Cut(tc.call, " ")
			req := httptest.NewRequest(method, target, strings.NewReader(tc.body))
			req.Header.Set("Accept-Language", "en")
			if tc.contentType != "" {
				req.Header.Set("Content-Type", tc.contentType)
			}
			res := httptest.NewRecorder()
			h.ServeHTTP(res, req)
			if res.Code != tc.status {
				t.Errorf("status %d, want %d: %s", res.Code, tc.status, res.Body)
			}
			for _, want := range tc.contains {
				if !strings.Contains(res.Body.String(), want) {
					t.Errorf("answer lacks %s: %s", want, res.Body)
				}
			}
			for _, bad := range tc.lacks {
				if strings.Contains(res.Body.String(), bad) {
					t.Errorf("answer has %s: %s", bad, res.Body)
				}
			}
		})
	}
}

func TestMiddleware_LeavesTheBodyAsItCame(t *testing.T) {
	t.Parallel()
	body := " {\"email\":\"a@b.fi\", \"lines\":[{\"item\":\"tee\",\"count\":1.0}]}\n"
	req := httptest.NewRequest(http.MethodPost, "/shops/1/orders", io.NopCloser(strings.NewReader(body)))
	req.ContentLength = -1 // as a chunked request has it
	req.Header.Set("Content-Type", "application/json")
	res := httptest.NewRecorder()
	service(t, ok).ServeHTTP(res, req)
	var got struct{ Again string }
	if err := json.Unmarshal(res.Body.Bytes(), &got); err != nil || got.Again != body {
		t.Errorf("status %d, read again %q, want %q (%v)", res.Code, got.Again, body, err)
	}
}
