package officialclient

import (
	"net/http/httptest"
	"os"
	"os/exec"
	"testing"

	"talkoot.fi/sandbox/mangopay"
)

// The walk is check.mjs. It needs the client, which make clients installs: it is no part of the platform, and without it there is nothing to run.
func TestOfficialClient_AgreesWithTheStandIn(t *testing.T) {
	if os.Getenv("OFFICIAL_CLIENT") == "" {
		t.Skip("make clients runs it")
	}
	server := httptest.NewUnstartedServer(nil)
	at := "http://" + server.Listener.Addr().String()
	s, err := mangopay.New(mangopay.Options{ClientID: "talkoot", APIKey: "key-of-tests", InMemory: true, PublicURL: at})
	if err != nil {
		t.Fatal(err)
	}
	server.Config.Handler = s.Handler()
	server.Start()
	t.Cleanup(func() {
		server.Close()
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	for _, args := range [][]string{{"check.mjs", at, "talkoot", "key-of-tests"}, {"shapes.mjs", "--check"}} {
		out, err := exec.CommandContext(t.Context(), "node", args...).CombinedOutput()
		t.Logf("%s", out)
		if err != nil {
			t.Errorf("%s: %v", args[0], err)
		}
	}
}
