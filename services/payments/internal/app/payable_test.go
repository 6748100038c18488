package app_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"talkoot.fi/kit/servicetoken"
	"talkoot.fi/payments/internal/paymentstest"
)

// The content service asks about 500 campaigns at a time, which are more values than other calls may have.
func TestQuestionAboutAsManyCampaignsAsTheContractAllows_IsAnswered(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	list := make([]string, 500)
	for i := range list {
		list[i] = fmt.Sprintf(`{"campaign_id": %d, "currency": "EUR", "is_monthly": false}`, i+1)
	}
	status, answer := w.Tell("/internal/campaigns/payable", `{"campaigns": [`+strings.Join(list, ", ")+`]}`, servicetoken.Payments)
	if status != http.StatusOK || strings.Count(string(answer), ",") != len(list)-1 {
		t.Errorf("%d %.200s", status, answer)
	}
}
