package contract_test

import (
	"net/http"
	"net/http/httptest"
	"reflect"
	"testing"

	"github.com/labstack/echo/v4"

	"talkoot.fi/kit/contract"
	"talkoot.fi/kit/contract/contracttest"
)

// witness is a testing.TB that counts failures.
type witness struct {
	testing.TB
	failures int
}

func (w *witness) Helper()               {}
func (w *witness) Errorf(string, ...any) { w.failures++ }

func TestRecorder_FailsForAnswersThatTheContractLacks(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name, path string
		status     int
		body       string
		failures   int
	}{
		{"as described", "/shops/1/orders/", 200, `{"total":1}`, 0},
		{"without the final slash", "/shops/1/orders", 200, `{"total":1}`, 0},
		{"a described error", "/shops/1/orders/", 404, `{"status":"not_found"}`, 0},
		{"a body of another form", "/shops/1/orders/", 200, `{"total":"1"}`, 1},
		{"a field missing", "/shops/1/orders/", 200, `{}`, 1},
		{"an error of another form", "/shops/1/orders/", 500, `{"message":"x"}`, 1},
		{"a success the contract lacks", "/shops/1/orders/", 202, `{"total":1}`, 1},
		{"the fixed path comes before the parameter", "/shops/open/orders/", 200, `{"total":1}`, 1},
		{"an error where none is described", "/shops/open/orders/", 404, `{"status":"x"}`, 1},
		{"a call the contract lacks", "/other", 200, `{}`, 1},
		{"a call nobody has", "/other", 404, `{}`, 0},
		{"health", "/healthz", 200, `{}`, 0},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			answer := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "application/json")
				w.WriteHeader(tc.status)
				_, _ = w.Write([]byte(tc.body))
			})
			w := &witness{TB: t}
			res := httptest.NewRecorder()
			contracttest.NewRecorder(w, spec(t)).Handler(answer).ServeHTTP(res, httptest.NewRequest(http.MethodGet, tc.path, nil))
			if w.failures != tc.failures {
				t.Errorf("%d failures, want %d", w.failures, tc.failures)
			}
			if res.Code != tc.status || res.Body.String() != tc.body {
				t.Errorf("the answer did not pass unchanged: %d %s", res.Code, res.Body)
			}
		})
	}
}

func TestRecorder_ChecksOverHTTP(t *testing.T) {
	t.Parallel()
	srv := httptest.NewServer(service(t, func(c echo.Context) error { return c.JSON(http.StatusOK, map[string]string{"total": "x"}) }))
	defer srv.Close()
	w := &witness{TB: t}
	client := &http.Client{Transport: contracttest.NewRecorder(w, spec(t)).RoundTripper(http.DefaultTransport)}
	res, err := client.Get(srv.URL + "/shops/1/orders/")
	if err != nil {
		t.Fatal(err)
	}
	_ = res.Body.Close()
	if w.failures != 1 {
		t.Errorf("%d failures, want 1", w.failures)
	}
}

func TestOperations_ListsEveryCall(t *testing.T) {
	t.Parallel()
	c, err := contract.Load(spec(t))
	if err != nil {
		t.Fatal(err)
	}
	want := []contract.Operation{
		{Method: "GET", Path: "/shops/open/orders/", Route: "/shops/open/orders", ID: "openOrders"},
		{Method: "GET", Path: "/shops/{shop_id}/orders/", Route: "/shops/:shop_id/orders", ID: "orders", Tags: []string{"orders"}, Params: []string{"limit", "stages"}, Beyond: true},
		{Method: "POST", Path: "/shops/{shop_id}/orders/", Route: "/shops/:shop_id/orders", ID: "order", Tags: []string{"orders"}, NeedsSession: true},
		{Method: "POST", Path: "/shops/{shop_id}/pictures/", Route: "/shops/:shop_id/pictures", ID: "picture", NeedsSession: true},
		{Method: "POST", Path: "/shops/{shop_id}/texts/", Route: "/shops/:shop_id/texts", ID: "text", NeedsSession: true},
	}
	if got := c.Operations(); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v", got)
	}
}

func TestLoad_RefusesABrokenContract(t *testing.T) {
	t.Parallel()
	if _, err := contract.Load([]byte("openapi: 3.0.3\npaths: {}")); err == nil {
		t.Error("a contract without info was taken")
	}
}
