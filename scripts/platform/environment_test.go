//go:build unix

package platform

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestSettings_AServiceGetsWhatItReadsAndNothingElse(t *testing.T) {
	env := map[string]string{
		"AWS_SECRET_OF_ANOTHER": "x", "PATH": "/bin", "GITHUB_TOKEN": "x", "LD_PRELOAD": "x", "PGPASSWORD": "x",
		"RATE_LIMIT_PLEDGES": "7", "RATE_LIMIT_SETUP": "8", "CORS_ORIGINS": "https://a.example", "SMTP_URL_FILE": "/run/smtp",
	}
	s, err := newSettings(Options{Env: env, DataDir: "/data"}, secrets{SessionKey: "k", StripeSecretKey: "sk",
		StripeWebhook: "wh", ServiceSecret: "s"},
		"redis://r", databases{content: "c", payments: "p", paymentsService: "ps"})
	if err != nil {
		t.Fatal(err)
	}
	content, payments := s.forContent("a:1"), s.forPayments("a:2")
	for name := range env {
		for service, got := range map[string]map[string]string{"content": content, "payments": payments, "all": s.common} {
			wanted := map[string][]string{
				"RATE_LIMIT_PLEDGES": {"content", "all"}, "RATE_LIMIT_SETUP": {"payments", "all"},
				"CORS_ORIGINS":  {"content", "payments", "all"},
				"SMTP_URL_FILE": {"content", "all"},
			}[name]
			if _, has := got[name]; has != slices.Contains(wanted, service) {
				t.Errorf("%s has %s: %t", service, name, has)
			}
		}
	}
	for _, c := range []struct {
		env  map[string]string
		name string
		want string
	}{
		{content, "SESSION_KEY", "k"}, {payments, "SESSION_KEY", ""}, {content, "STRIPE_SECRET_KEY", ""},
		{payments, "STRIPE_SECRET_KEY", "sk"},
		{content, "STRIPE_WEBHOOK_SECRET", ""}, {content, "DATABASE_URL", "c"}, {payments, "DATABASE_URL", "ps"},
		{content, "ADDR", "a:1"},
	} {
		if got := c.env[c.name]; got != c.want {
			t.Errorf("%s is %q, want %q", c.name, got, c.want)
		}
	}
}

// The sandbox's forum is the platform's, unless the user names one of their own or real money moves.
func TestSettings_TheForumIsTheSandboxesOrTheUsersOwn(t *testing.T) {
	real := map[string]string{"STRIPE_SECRET_KEY": "sk", "STRIPE_PUBLISHABLE_KEY": "pk", "STRIPE_WEBHOOK_SECRET": "wh"}
	for name, c := range map[string]struct {
		env                map[string]string
		content, atSandbox string
	}{
		"the sandbox": {nil, "made", "made"},
		"their own":   {map[string]string{"DISCOURSE_CONNECT_SECRET": "own", "FORUM_RETURN_URLS": "https://f.example/a"}, "own", ""},
		"from a file": {map[string]string{"DISCOURSE_CONNECT_SECRET_FILE": "/run/x", "FORUM_RETURN_URLS": "https://f.example/a"}, "", ""},
		"real money":  {real, "", ""},
	} {
		opts := Options{Env: c.env, DataDir: "/data"}
		s, err := newSettings(opts, secrets{Forum: "made"}, "redis://r", databases{})
		if err != nil {
			t.Fatal(err)
		}
		content, sandbox := s.forContent(""), s.forSandbox(opts)
		if content["DISCOURSE_CONNECT_SECRET"] != c.content || sandbox["DISCOURSE_CONNECT_SECRET"] != c.atSandbox {
			t.Errorf("%s: content has %q, the sandbox %q", name, content["DISCOURSE_CONNECT_SECRET"], sandbox["DISCOURSE_CONNECT_SECRET"])
		}
		if has := s.forPayments("")["DISCOURSE_CONNECT_SECRET"] != ""; has {
			t.Errorf("%s: the payment service has the forum's secret", name)
		}
	}
}

// The stand-in for Mangopay is the platform's, unless the user names a client of their own or real money moves; the payment service has
// its key, the content service only where browsers send card numbers.
func TestSettings_MangopayIsTheSandboxesOrTheUsersOwn(t *testing.T) {
	real := map[string]string{"STRIPE_SECRET_KEY": "sk", "STRIPE_PUBLISHABLE_KEY": "pk", "STRIPE_WEBHOOK_SECRET": "wh"}
	own := map[string]string{"MANGOPAY_CLIENT_ID": "shop", "MANGOPAY_API_KEY": "own", "MANGOPAY_CARD_URL": "https://cards.example"}
	for name, c := range map[string]struct {
		env                      map[string]string
		key, url, cards, standIn string
	}{
		"the sandbox": {nil, "made", "http://localhost:8091", "http://localhost:8091", "127.0.0.1:8091"},
		"their own":   {own, "own", "", "https://cards.example", ""},
		"real money":  {real, "", "", "", ""},
	} {
		opts := Options{Env: c.env, DataDir: "/data", Ports: DefaultPorts()}
		s, err := newSettings(opts, secrets{MangopayKey: "made"}, "redis://r", databases{})
		if err != nil {
			t.Fatal(err)
		}
		payments, content, sandbox := s.forPayments(""), s.forContent(""), s.forSandbox(opts)
		if payments["MANGOPAY_API_KEY"] != c.key || payments["MANGOPAY_API_URL"] != c.url || (payments["MANGOPAY_CLIENT_ID"] == "") != (c.key == "") {
			t.Errorf("%s: payments has %v", name, payments)
		}
		if content["MANGOPAY_CARD_URL"] != c.cards || content["MANGOPAY_API_KEY"] != "" {
			t.Errorf("%s: content has %v", name, content)
		}
		if sandbox["MANGOPAY_ADDR"] != c.standIn || c.standIn != "" && (sandbox["MANGOPAY_API_KEY"] != c.key ||
			sandbox["MANGOPAY_CLIENT_ID"] != payments["MANGOPAY_CLIENT_ID"]) {
			t.Errorf("%s: the sandbox has %v", name, sandbox)
		}
		if hook := payments["MANGOPAY_HOOK_URL"]; c.standIn != "" && hook != "http://localhost:8082/api/webhooks/mangopay" {
			t.Errorf("%s: hooks go to %q", name, hook)
		}
	}
	if _, err := newSettings(Options{Env: map[string]string{"MANGOPAY_CLIENT_ID": "shop"}}, secrets{}, "redis://r", databases{}); err == nil {
		t.Error("a client without its key is taken")
	}
}

func TestSeedSteps_NoneWhereRealMoneyMoves(t *testing.T) {
	for name, c := range map[string]struct {
		env   map[string]string
		steps int
	}{
		"the sandbox": {nil, 3},
		"real keys": {map[string]string{"STRIPE_SECRET_KEY": "sk", "STRIPE_PUBLISHABLE_KEY": "pk",
			"STRIPE_WEBHOOK_SECRET": "wh"}, 0},
	} {
		s, err := newSettings(Options{Env: c.env, DataDir: "/data"}, secrets{}, "redis://r", databases{})
		if err != nil {
			t.Fatal(err)
		}
		content, backers := (&Platform{settings: s}).seedSteps()
		if steps := len(content) + len(backers); steps != c.steps {
			t.Errorf("%s: %d steps, want %d", name, steps, c.steps)
		}
	}
}

// The launcher hands a variable on to a service only when it is listed.
func TestEnvironment_ListsAllThatTheServicesRead(t *testing.T) {
	tag := regexp.MustCompile(`env:"([A-Z_0-9]+)"`)
	for file, reads := range map[string][]string{
		"../../services/content/cmd/content/config.go":   contentReads,
		"../../services/payments/internal/app/config.go": paymentsReads,
		"../../services/kit/tracing/config.go":           nil, // of both
	} {
		source, err := os.ReadFile(filepath.FromSlash(file))
		if err != nil {
			t.Fatal(err)
		}
		found := tag.FindAllSubmatch(source, -1)
		for _, match := range found {
			if name := string(match[1]); !slices.Contains(reads, name) && !slices.Contains(everyService, name) {
				t.Errorf("%s reads %s, which the launcher does not hand on", file, name)
			}
		}
		if len(found) < 10 && reads != nil || len(found) < 5 {
			t.Errorf("%s: %d variables are found", file, len(found))
		}
	}
}

// deploy/README.md has one row for each variable that the services read, which says of which; no row is of anything else.
func TestEnvironment_EachVariableHasOneRowInTheDeploymentsTable(t *testing.T) {
	text, err := os.ReadFile("../../deploy/README.md")
	if err != nil {
		t.Fatal(err)
	}
	quoted := regexp.MustCompile("`([A-Z][A-Z0-9_]+)`")
	rows := map[string][]string{} // of whom, by variable
	for _, row := range regexp.MustCompile("(?m)^\\| (`[A-Z][^|]*) \\| ([^|]+) \\| ").FindAllStringSubmatch(string(text), -1) {
		for _, name := range quoted.FindAllStringSubmatch(row[1], -1) {
			rows[name[1]] = append(rows[name[1]], row[2])
		}
	}
	var leftUnset []string // the stand-ins' and the demo's: a sentence names them
	for _, match := range quoted.FindAllStringSubmatch(regexp.MustCompile("(?m)^`SANDBOX`.*leave them unset").FindString(string(text)), -1) {
		leftUnset = append(leftUnset, match[1])
	}
	isGo := regexp.MustCompile(`^GO|_PROXY$|_proxy$`) // Go's own, but for the one that an installation sets
	for service, names := range map[string][]string{"both": everyService, "content": contentReads, "payments": paymentsReads} {
		for _, name := range names {
			of := rows[name]
			switch {
			case slices.Contains(leftUnset, name), isGo.MatchString(name) && name != "GOMEMLIMIT":
				if len(of) > 0 {
					t.Errorf("%s is told of twice", name)
				}
			case len(of) != 1 || !strings.HasPrefix(of[0], service):
				t.Errorf("%s is read by %s, and has the rows of %q", name, service, of)
			}
			delete(rows, name)
		}
	}
	for name := range rows {
		t.Errorf("a row tells of %s, which no service reads", name)
	}
}
