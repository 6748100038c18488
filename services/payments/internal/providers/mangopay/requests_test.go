package mangopay

import (
	"flag"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	sandbox "talkoot.fi/sandbox/mangopay"
	"talkoot.fi/sandbox/mangopay/officialclient"
)

// withBodies are the calls that send something, of which the tests make each.
var withBodies = strings.Split(`POST cardregistrations
POST disputes/{dispute}/documents
POST disputes/{dispute}/documents/{id}/pages
POST hooks
POST mandates/directdebit/web
POST payins/card/direct
POST payins/card/web
POST payins/directdebit/direct
POST payins/{id}/refunds
POST payouts/bankwire
POST reporting/reports
POST repudiations/{id}/settlementtransfer
POST sca/users/legal
POST sca/users/natural
POST sca/users/{id}/consent
POST sca/users/{id}/enrollment
POST transfers
POST transfers/{id}/refunds
POST users/natural
POST users/{user}/bankaccounts/iban
POST users/{user}/identity-verifications
POST users/{user}/recipients
POST wallets
PUT cardregistrations/{id}
PUT cards/{id}
PUT disputes/{dispute}/documents/{id}
PUT disputes/{id}/submit
PUT hooks/{id}
PUT mandates/{id}/cancel
PUT recipients/{id}
PUT users/{user}/bankaccounts/{id}`, "\n")

// spoiled are the calls that were sent with everything wrong that can be, and how often.
var spoiled = struct {
	sync.Mutex
	sent map[string]int
}{sent: map[string]int{}}

// mirrored carries requests to the stand-in, each held to the shapes that Mangopay's own client declares. At the end of its test, what was
// accepted of a call that no test had before is sent once more for each thing that can be wrong with it: the stand-in refuses that.
func mirrored(t *testing.T, at *sandbox.Sandbox) http.RoundTripper {
	t.Helper()
	mirror := officialclient.NewMirror(at.Transport(), func(fault string) { t.Error(fault) })
	t.Cleanup(func() {
		if err := at.Calm(); err != nil {
			t.Error(err)
		}
		for _, call := range mirror.Calls() {
			spoiled.Lock()
			isDone := spoiled.sent[call] > 0
			spoiled.Unlock()
			if isDone {
				continue
			}
			sent, taken, err := mirror.Spoil(call, func(r *http.Request) { r.SetBasicAuth("talkoot", "key") })
			if err != nil || len(taken) > 0 {
				t.Error(strings.Join(taken, "\n"), err)
			}
			spoiled.Lock()
			spoiled.sent[call] = max(spoiled.sent[call], sent)
			spoiled.Unlock()
		}
	})
	return mirror
}

func TestMain(m *testing.M) {
	code := m.Run()
	if run := flag.Lookup("test.run"); code == 0 && run.Value.String() == "" {
		code = spoiledAll()
	}
	os.Exit(code)
}

// spoiledAll tells that every call was made and spoiled.
func spoiledAll() int {
	code, total := 0, 0
	for _, call := range withBodies {
		if spoiled.sent[call] == 0 {
			fmt.Println("no test makes", call)
			code = 1
		}
	}
	for call, sent := range spoiled.sent {
		total += sent
		if !slices.Contains(withBodies, call) {
			fmt.Println("a call that withBodies does not have:", call)
			code = 1
		}
	}
	fmt.Printf("%d calls, %d requests with one thing wrong\n", len(spoiled.sent), total)
	return code
}
