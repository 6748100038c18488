package mangopay_test

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"talkoot.fi/sandbox/mangopay"
)

// aFile is one of a type, with so many bytes.
func aFile(begins string, size int) string {
	return base64.StdEncoding.EncodeToString([]byte(begins + strings.Repeat("\x00", size-len(begins))))
}

var aPNG = aFile("\x89PNG\r\n\x1a\n", 2000)

func TestDocuments_AreDecidedAsTheirTagSays(t *testing.T) {
	w := start(t)
	user := id(w.post("/users/natural", ownerOrder("owner@example.com")))
	at := "/users/" + user + "/KYC/documents/"
	for tag, want := range map[string][3]any{"refuse_expired": {"REFUSED", "DOCUMENT_HAS_EXPIRED", "LIGHT"}, "someone decides": {"VALIDATION_ASKED", nil, "LIGHT"},
		"accept": {"VALIDATED", nil, "REGULAR"}} {
		w.must(w.s.SetKYC(user, "LIGHT"))
		d := w.post(at, object{"Type": "IDENTITY_PROOF", "Tag": tag})
		w.refuses(http.MethodPut, at+id(d), object{"Status": "VALIDATION_ASKED"}, 400, "param_error", "Pages")
		w.refuses(http.MethodPost, at+id(d)+"/pages", object{"File": "***"}, 400, "param_error", "File")
		if status, out := w.call(http.MethodPost, at+id(d)+"/pages/", object{"File": aPNG}); status != http.StatusNoContent || out != nil {
			t.Errorf("%d %v", status, out)
		}
		w.ok(http.MethodPut, at+id(d), object{"Status": "VALIDATION_ASKED"})
		w.pass(time.Minute)
		got := w.get("/kyc/documents/" + id(d))
		if got["Status"] != want[0] || got["RefusedReasonType"] != want[1] || w.get("/users/" + user)["KYCLevel"] != want[2] {
			t.Errorf("%s: %v", tag, got)
		}
		if tag == "accept" {
			if told := w.told(); !slices.Contains(told, "KYC_SUCCEEDED "+id(d)) || !slices.Contains(told, "USER_KYC_REGULAR "+user) {
				t.Errorf("%v", told)
			}
		}
	}
	if all, _ := w.list(at); len(all) != 3 {
		t.Errorf("%d", len(all))
	}
}

func TestEvidence_IsHandedInWhileADisputeWaitsForUs(t *testing.T) {
	w := start(t)
	_, wallet := w.creator()
	dispute, err := w.s.OpenDispute(mangopay.DisputeOrder{PayIn: w.paid(w.payer("Maija"), wallet, 1000, 0)})
	w.must(err)
	at := "/disputes/" + dispute + "/documents"
	d := w.post(at, object{"Type": "DELIVERY_PROOF", "Tag": "accept"})
	if status, _ := w.call(http.MethodPost, at+"/"+id(d)+"/pages", object{"File": aPNG}); status != http.StatusNoContent {
		t.Errorf("%d", status)
	}
	w.ok(http.MethodPut, at+"/"+id(d), object{"Status": "VALIDATION_ASKED"})
	w.pass(time.Minute)
	if all, _ := w.list(at); len(all) != 1 || all[0]["Status"] != "VALIDATED" {
		t.Errorf("%v", all)
	}
	w.refuses(http.MethodPut, "/disputes/"+dispute+"/submit", nil, 400, "param_error", "ContestedFunds")
	w.ok(http.MethodPut, "/disputes/"+dispute+"/submit", object{"ContestedFunds": eur(1000)})
	w.refuses(http.MethodPost, at, object{"Type": "INVOICE"}, 400, "param_error", "Status")
}

// A page is a PDF, a JPEG or a PNG of some size; whoever has handed it in can look at it for ten minutes.
func TestPages_AreFilesOfThreeTypes_AndCanBeConsulted(t *testing.T) {
	w := start(t)
	_, wallet := w.creator()
	dispute, err := w.s.OpenDispute(mangopay.DisputeOrder{PayIn: w.paid(w.payer("Maija"), wallet, 1000, 0), Type: "RETRIEVAL"})
	w.must(err)
	d := id(w.post("/disputes/"+dispute+"/documents", object{"Type": "OTHER"}))
	at := "/disputes/" + dispute + "/documents/" + d + "/pages"
	for what, file := range map[string]string{"a GIF": aFile("GIF89a", 2000), "a text": aFile("hello", 2000), "small": aFile("%PDF-1.7", 900), "large": aFile("%PDF-1.7", 8<<20)} {
		t.Log(what)
		w.refuses(http.MethodPost, at, object{"File": file}, 400, "param_error", "File")
	}
	for _, file := range []string{aPNG, aFile("%PDF-1.7", 7<<20), aFile("\xff\xd8\xff\xe0", 2000)} {
		if status, out := w.call(http.MethodPost, at, object{"File": file}); status != http.StatusNoContent {
			t.Errorf("%d %v", status, out)
		}
	}
	links := func() (to []string) {
		_, _, raw := w.raw(http.MethodPost, base+"/dispute-documents/"+d+"/consult", "", http.Header{"Authorization": {"Bearer " + w.token}})
		var list []struct {
			URL string `json:"Url"`
		}
		w.must(json.Unmarshal(raw, &list))
		for _, one := range list {
			to = append(to, one.URL)
		}
		return to
	}
	to := links()
	if len(to) != 3 {
		t.Fatalf("%v", to)
	}
	see := func(address string) (int, string) {
		status, header, _ := w.raw(http.MethodGet, address, "", nil)
		return status, header.Get("Content-Type")
	}
	if status, kind := see(to[0]); status != http.StatusOK || kind != "image/png" {
		t.Errorf("%d %s", status, kind)
	}
	w.pass(11 * time.Minute)
	if status, _ := see(to[0]); status != http.StatusNotFound {
		t.Errorf("a link that is over: %d", status)
	}
	w.refuses(http.MethodPut, "/disputes/"+dispute+"/submit", object{"ContestedFunds": eur(1000)}, 400, "param_error", "ContestedFunds")
	w.ok(http.MethodPut, "/disputes/"+dispute+"/submit", object{})
}

// A dispute that is opened again has its new time: the first one does not end it.
func TestDispute_OpenedAgain_HasNewTime(t *testing.T) {
	w := start(t)
	_, wallet := w.creator()
	dispute, err := w.s.OpenDispute(mangopay.DisputeOrder{PayIn: w.paid(w.payer("Maija"), wallet, 1000, 0)})
	w.must(err)
	w.ok(http.MethodPut, "/disputes/"+dispute+"/submit", object{"ContestedFunds": eur(1000)})
	w.pass(10 * 24 * time.Hour)
	w.must(w.s.ReopenDispute(dispute, "The slip cannot be read"))
	w.pass(5 * 24 * time.Hour)
	w.ends(w.get("/disputes/"+dispute), "REOPENED_PENDING_CLIENT_ACTION", "")
	w.pass(10 * 24 * time.Hour)
	w.ends(w.get("/disputes/"+dispute), "CLOSED", "LOST")
}
