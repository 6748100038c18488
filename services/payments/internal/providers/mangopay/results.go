package mangopay

import (
	_ "embed"
	"encoding/json"
	"fmt"

	"talkoot.fi/payments/internal/provider"
)

//go:embed results.json
var resultsJSON []byte

// meaning is what a result says to people: a code of payin_failed, and whether the card that it was about is kept no longer. The web
// app has the same table.
type meaning struct {
	Code       string `json:"code"`
	ClearsCard bool   `json:"clears_card"`
}

var meanings = readMeanings() //nolint:gochecknoglobals // a part of the program

func readMeanings() map[string]meaning {
	out := map[string]meaning{}
	if err := json.Unmarshal(resultsJSON, &out); err != nil {
		panic(fmt.Sprintf("results.json: %v", err)) // it is a part of the program
	}
	return out
}

func resultOf(code, message string) provider.Result {
	return provider.Result{Code: code, Message: message, IsSpent: meanings[code].ClearsCard}
}
