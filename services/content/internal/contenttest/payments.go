//go:build unix

package contenttest

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"

	"talkoot.fi/content/internal/paymentsclient"
	"talkoot.fi/content/internal/pledging/closing"
)

type payments struct{ w *World }

func (w *World) newPayments(secret []byte) (*paymentsclient.Client, error) {
	return closing.NewClient(closing.ClientConfig{URL: "http://payments.invalid", Secret: secret, Now: w.Now, Transport: payments{w}})
}

// RoundTrip answers for the payment service.
func (p payments) RoundTrip(r *http.Request) (*http.Response, error) {
	var asked paymentsclient.PayableQuestion
	if p.w.IsAway || r.URL.Path != "/internal/campaigns/payable" {
		return nil, errors.New("nobody answers")
	}
	if err := json.NewDecoder(r.Body).Decode(&asked); err != nil {
		return nil, err
	}
	answer := paymentsclient.PayableAnswer{CampaignIds: []int64{}}
	for _, c := range asked.Campaigns {
		if !p.w.Unpayable[c.CampaignID] {
			answer.CampaignIds = append(answer.CampaignIds, c.CampaignID)
		}
	}
	body, err := json.Marshal(answer)
	return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(strings.NewReader(string(body))), Request: r}, err
}
