package personaldata

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"time"

	"talkoot.fi/kit/apperr"

	"talkoot.fi/content/internal/paymentsclient"
	"talkoot.fi/content/internal/pledging/pledges"
	"talkoot.fi/content/internal/pledging/subscriptions"
)

const (
	decidedTimeout    = 5 * time.Second
	decidedRetryAfter = 2 * time.Second
	maxDecided        = 64 << 10
	// mostDecided is of how many payments one question is, as the contract allows.
	mostDecided = 200
)

// decided gives those of a person's payments whose money banks have taken and keep by their decision. No event says that: a lost payment stays
// disputed, and a dispute that is won ends by itself. It asks before anything is locked; what a bank takes meanwhile is in nobody's answer, and so
// undecided. Error: Unavailable.
func decided(ctx context.Context, support *pledges.Service, monthly *subscriptions.Service, payments *paymentsclient.Client,
	userID int64, address string) (list []string, err error) {
	given, err := support.Contested(ctx, userID, address)
	if err != nil {
		return nil, err
	}
	months, err := monthly.Contested(ctx, userID, address)
	if err != nil {
		return nil, err
	}
	for some := range slices.Chunk(slices.Concat(given, months), mostDecided) {
		ids, err := askDecided(ctx, payments, some)
		if err != nil {
			err = fmt.Errorf("ask which disputes of user %d are decided: %w", userID, err)
			return nil, apperr.New(apperr.Unavailable).RetryAfter(decidedRetryAfter).Wrap(err)
		}
		list = append(list, ids...)
	}
	return list, nil
}

func askDecided(ctx context.Context, payments *paymentsclient.Client, ids []string) ([]string, error) {
	ctx, cancel := context.WithTimeout(ctx, decidedTimeout)
	defer cancel()
	response, err := payments.DecidedDisputes(ctx, paymentsclient.DecidedDisputes{PaymentIds: ids})
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(io.LimitReader(response.Body, maxDecided))
	if err = errors.Join(err, response.Body.Close()); err != nil {
		return nil, err
	}
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("the payment service answered %d", response.StatusCode)
	}
	var answer struct {
		PaymentIDs *[]string `json:"payment_ids"`
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		return nil, fmt.Errorf("read the answer: %w", err)
	}
	if answer.PaymentIDs == nil { // another program answers at that address
		return nil, errors.New("the answer has no payments")
	}
	return *answer.PaymentIDs, nil
}
