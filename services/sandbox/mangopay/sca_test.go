package mangopay_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestOwners_SetUpStrongAuthenticationOnAPage(t *testing.T) {
	w := start(t)
	u := w.post("/sca/users/natural", ownerOrder("owner@example.com"))
	if u["UserStatus"] != "PENDING_USER_ACTION" || u["KYCLevel"] != "LIGHT" {
		t.Fatalf("%v", u)
	}
	page := u["PendingUserAction"].(map[string]any)["RedirectUrl"].(string) + "&returnUrl=" + url.QueryEscape("https://shop.test/done")
	if back := w.visit(page, url.Values{"outcome": {"fail"}}); back != "https://shop.test/done" {
		t.Error(back)
	}
	status := w.get("/sca/users/" + id(u) + "/sca-status")
	if status["IsEnrolled"] != false || status["UserStatus"] != "PENDING_USER_ACTION" {
		t.Errorf("%v", status)
	}
	page = w.post("/sca/users/"+id(u)+"/enrollment", nil)["PendingUserAction"].(map[string]any)["RedirectUrl"].(string)
	w.visit(page, url.Values{"outcome": {"pass"}, "ViewAccountInformation": {"on"}})
	status = w.get("/sca/users/" + id(u) + "/sca-status")
	scope := status["ConsentScope"].(map[string]any)
	if status["IsEnrolled"] != true || status["UserStatus"] != "ACTIVE" || scope["ViewAccountInformation"] != "ACTIVE" || scope["Transfer"] != "INACTIVE" ||
		status["LastEnrollmentDate"] == nil || status["LastConsentCollectionDate"] == nil {
		t.Errorf("%v", status)
	}
	told := w.told()
	for _, want := range []string{"SCA_ENROLLMENT_FAILED", "SCA_ENROLLMENT_SUCCEEDED", "USER_ACCOUNT_ACTIVATED", "SCA_VIEW_ACCOUNT_INFORMATION_CONSENT_GIVEN"} {
		if !slices.Contains(told, want+" "+id(u)) {
			t.Errorf("%v lacks %s", told, want)
		}
	}
}

func TestOwners_WithTheTestersWordSkipIt(t *testing.T) {
	w := start(t)
	if u := w.post("/sca/users/natural", ownerOrder("accept@example.com")); u["UserStatus"] != "ACTIVE" || u["PendingUserAction"] != nil {
		t.Errorf("%v", u)
	}
}

// Of a user whom nobody has asked to set it up there is no status.
func TestScaStatus_IsThereOnceItWasAskedFor(t *testing.T) {
	w := start(t)
	w.refuses(http.MethodGet, "/sca/users/"+w.payer("Maija")+"/sca-status", nil, 404, "ressource_not_found")
	user := id(w.post("/users/natural", ownerOrder("owner@example.com")))
	w.refuses(http.MethodGet, "/sca/users/"+user+"/sca-status", nil, 404, "ressource_not_found")
	w.post("/sca/users/"+user+"/enrollment", nil)
	status := w.get("/sca/users/" + user + "/sca-status")
	if status["IsEnrolled"] != false || status["LastEnrollmentDate"] != nil || status["LastConsentCollectionDate"] != nil {
		t.Errorf("%v", status)
	}
}

func TestUsers_BecomeOwnersAndNeverPayersAgain(t *testing.T) {
	w := start(t)
	payer := w.payer("Maija")
	change := ownerOrder("owner+accept@example.com")
	delete(change, "FirstName")
	delete(change, "LastName")
	w.refuses(http.MethodPut, "/sca/users/natural/"+payer+"/category", object{"UserCategory": "OWNER"}, 400, "param_error", "Birthday")
	if u := w.ok(http.MethodPut, "/sca/users/natural/"+payer+"/category", change); u["UserCategory"] != "OWNER" || u["UserStatus"] != "ACTIVE" {
		t.Errorf("%v", u)
	}
	w.refuses(http.MethodPut, "/users/natural/"+payer, object{"UserCategory": "PAYER"}, 400, "param_error", "UserCategory")
	if u := w.ok(http.MethodPut, "/users/natural/"+payer, object{"Tag": "9"}); u["Tag"] != "9" || u["LastName"] != "Meikäläinen" {
		t.Errorf("%v", u)
	}
}

func TestPages_AreUsedOnce(t *testing.T) {
	w := start(t)
	user, _ := w.enrolled()
	page := w.post("/sca/users/"+user+"/consent", nil)["PendingUserAction"].(map[string]any)["RedirectUrl"].(string)
	form := url.Values{"outcome": {"pass"}, "Transfer": {"on"}}
	w.visit(page, form)
	w.must(w.s.RevokeConsents(user))
	w.raw(http.MethodPost, page, form.Encode(), http.Header{"Content-Type": {"application/x-www-form-urlencoded"}})
	if scope := w.get("/sca/users/" + user + "/sca-status")["ConsentScope"].(map[string]any); scope["Transfer"] != "INACTIVE" {
		t.Errorf("a page that was used gives consent again: %v", scope)
	}
}

func legalOwner(sca bool) object {
	home := object{"AddressLine1": "Katu 1", "City": "Helsinki", "PostalCode": "00100", "Country": "FI"}
	out := object{"Name": "Yhdistys ry", "Email": "ry@example.com", "UserCategory": "OWNER", "LegalPersonType": "ORGANIZATION",
		"HeadquartersAddress": home, "TermsAndConditionsAccepted": true}
	rep := object{"FirstName": "Riitta", "LastName": "R", "Birthday": 315532800, "Nationality": "FI", "CountryOfResidence": "FI"}
	if sca {
		rep["Email"] = "riitta@example.com"
		out["LegalRepresentative"] = rep
		return out
	}
	for name, v := range rep {
		out["LegalRepresentative"+name] = v
	}
	return out
}

func TestLegalUsers_NestTheirRepresentativeInTheNewerCallsOnly(t *testing.T) {
	w := start(t)
	u := w.post("/users/legal", legalOwner(false))
	if u["LegalRepresentativeFirstName"] != "Riitta" || u["PersonType"] != "LEGAL" {
		t.Errorf("%v", u)
	}
	s := w.post("/sca/users/legal", legalOwner(true))
	if s["LegalRepresentative"].(map[string]any)["FirstName"] != "Riitta" || s["UserStatus"] != "PENDING_USER_ACTION" {
		t.Errorf("%v", s)
	}
	w.refuses(http.MethodPost, "/users/legal", legalOwner(true), 400, "param_error", "LegalRepresentative", "LegalRepresentativeFirstName")
	w.refuses(http.MethodGet, "/users/natural/"+id(u), nil, 404, "ressource_not_found")
	silent := legalOwner(true)
	delete(silent["LegalRepresentative"].(object), "Email")
	w.refuses(http.MethodPost, "/sca/users/legal", silent, 400, "param_error", "LegalRepresentative.Email")
	business := legalOwner(false)
	business["LegalPersonType"] = "BUSINESS"
	w.refuses(http.MethodPost, "/users/legal", business, 400, "param_error", "CompanyNumber")
}

func TestWallets_OfOwnersAreReadWithConsentOrARecentAuthentication(t *testing.T) {
	w := start(t)
	creator, wallet := w.enrolled()
	absent := "?ScaContext=USER_NOT_PRESENT"
	w.get("/wallets/" + wallet)
	w.get("/wallets/" + wallet + absent)
	w.must(w.s.RevokeConsents(creator))
	for _, path := range []string{"/wallets/" + wallet, "/wallets/" + wallet + "/transactions", "/users/" + creator + "/wallets"} {
		w.refuses(http.MethodGet, path+absent, nil, 403, "forbidden_ressource")
	}
	w.pass(180 * 24 * time.Hour)
	status, header, _ := w.raw(http.MethodGet, base+"/wallets/"+wallet, "", http.Header{"Authorization": {"Bearer " + w.token}})
	page, isGiven := strings.CutPrefix(header.Get("WWW-Authenticate"), "PendingUserAction RedirectUrl=")
	if status != http.StatusUnauthorized || !isGiven || !strings.Contains(page, "/sca?token=") {
		t.Errorf("half a year later: %d %v", status, header)
	}
	w.visit(page, url.Values{"outcome": {"pass"}, "ViewAccountInformation": {"on"}})
	w.get("/wallets/" + wallet)
	w.get("/wallets/" + wallet + absent)
	payer := w.payer("Maija")
	w.get("/wallets/" + w.wallet(payer) + absent)
}
