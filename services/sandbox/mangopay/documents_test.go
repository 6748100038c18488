package mangopay_test

import (
	"net/http"
	"slices"
	"testing"
	"time"

	"talkoot.fi/sandbox/mangopay"
)

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
		if status, out := w.call(http.MethodPost, at+id(d)+"/pages/", object{"File": "aGVp"}); status != http.StatusNoContent || out != nil {
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
	if status, _ := w.call(http.MethodPost, at+"/"+id(d)+"/pages", object{"File": "aGVp"}); status != http.StatusNoContent {
		t.Errorf("%d", status)
	}
	w.ok(http.MethodPut, at+"/"+id(d), object{"Status": "VALIDATION_ASKED"})
	w.pass(time.Minute)
	if all, _ := w.list(at); len(all) != 1 || all[0]["Status"] != "VALIDATED" {
		t.Errorf("%v", all)
	}
	w.ok(http.MethodPut, "/disputes/"+dispute+"/submit", nil)
	w.refuses(http.MethodPost, at, object{"Type": "INVOICE"}, 400, "param_error", "Status")
}
