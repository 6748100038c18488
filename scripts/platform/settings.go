//go:build unix

package platform

import (
	"errors"
	"fmt"
	"maps"
	"net"
	"strconv"
	"strings"
)

// settings are the environments of the processes, from the user's variables, the ports and the secrets.
type settings struct {
	web, content, payments, sandbox string // base addresses, without a final slash
	stripeSandbox                   bool   // else real Stripe
	mangopay                        string // the base address of its stand-in; empty with a real key of either provider
	forumSecret                     string // of the sandbox's forum; empty without it
	common                          map[string]string
	redis                           string
	databases                       databases
}

// sandboxClient is the client of the stand-in for Mangopay.
const sandboxClient = "talkoot"

func newSettings(opts Options, secret secrets, redisURL string, databases databases) (settings, error) {
	s := settings{
		web:           given(opts.Env, "PUBLIC_URL", localhost(opts.Ports.Web)),
		content:       localhost(opts.Ports.Content),
		payments:      localhost(opts.Ports.Payments),
		sandbox:       localhost(opts.Ports.Sandbox),
		stripeSandbox: opts.Env["STRIPE_SECRET_KEY"] == "",
		redis:         redisURL,
		databases:     databases,
	}
	s.common = map[string]string{
		"REDIS_URL":      redisURL,
		"PUBLIC_URL":     s.web,
		"SERVICE_SECRET": secret.ServiceSecret,
	}
	if s.stripeSandbox {
		s.common["STRIPE_SECRET_KEY"] = secret.StripeSecretKey
		s.common["STRIPE_PUBLISHABLE_KEY"] = secret.StripePublishable
		s.common["STRIPE_WEBHOOK_SECRET"] = secret.StripeWebhook
		s.common["STRIPE_API_URL"] = s.sandbox
		s.common["STRIPE_JS_URL"] = s.sandbox + "/stripe.js"
		s.common["SANDBOX"] = "1"
		s.common["SANDBOX_URL"] = s.sandbox
	} else if opts.Env["STRIPE_PUBLISHABLE_KEY"] == "" || opts.Env["STRIPE_WEBHOOK_SECRET"] == "" {
		return settings{}, errors.New("STRIPE_SECRET_KEY is set: set STRIPE_PUBLISHABLE_KEY and STRIPE_WEBHOOK_SECRET too, " +
			"or none of the three to use the sandbox")
	}
	switch hasReal := opts.Env["MANGOPAY_CLIENT_ID"] != ""; {
	case hasReal && opts.Env["MANGOPAY_API_KEY"] == "":
		return settings{}, errors.New("MANGOPAY_CLIENT_ID is set: set MANGOPAY_API_KEY too, or neither to use the sandbox")
	case s.stripeSandbox && !hasReal:
		s.mangopay = localhost(opts.Ports.Mangopay)
		s.common["MANGOPAY_CLIENT_ID"] = sandboxClient
		s.common["MANGOPAY_API_KEY"] = secret.MangopayKey
		s.common["MANGOPAY_API_URL"] = s.mangopay
		s.common["MANGOPAY_HOOK_URL"] = s.payments + "/api/webhooks/mangopay"
		s.common["MANGOPAY_CARD_URL"] = s.mangopay
	}
	if s.stripeSandbox && len(only(opts.Env, []string{"DISCOURSE_CONNECT_SECRET", "FORUM_RETURN_URLS"})) == 0 {
		s.forumSecret = secret.Forum
		s.common["DISCOURSE_CONNECT_SECRET"] = secret.Forum
		s.common["FORUM_RETURN_URLS"] = s.sandbox + "/forum/session/sso_login"
	}
	contentOnly := map[string]string{
		"BLOB_URL":    "file://" + opts.data("media"),
		"WEB_DIR":     opts.RepoRoot + "/frontend/dist",
		"DEMO_DIR":    opts.RepoRoot + "/scripts/demo",
		"SESSION_KEY": secret.SessionKey,
		"SMTP_URL":    "smtp://" + loopback(opts.Ports.SMTP),
		"MAIL_FROM":   "Talkoot <no-reply@talkoot.example>",
	}
	maps.Copy(s.common, contentOnly)
	users := only(opts.Env, everyService, contentReads, paymentsReads)
	for name := range users {
		if value, isFile := strings.CutSuffix(name, fileSuffix); isFile {
			delete(s.common, value) // a service takes one of the two
		}
	}
	maps.Copy(s.common, users)
	return s, nil
}

// forContent is the environment of the content service's processes; addr is empty for those that do not serve.
func (s settings) forContent(addr string) map[string]string {
	return s.with(contentReads, map[string]string{
		"DATABASE_URL": s.databases.content, "REDIS_URL": s.redis, "PAYMENTS_URL": s.payments, "ADDR": addr,
	})
}

// forPayments is the environment of the payment service's processes. Their DATABASE_URL is not the owner's.
func (s settings) forPayments(addr string) map[string]string {
	return s.with(paymentsReads, map[string]string{
		"DATABASE_URL": s.databases.paymentsService, "REDIS_URL": s.redis, "CONTENT_URL": s.content, "ADDR": addr,
	})
}

// forPaymentsMigration is the environment of the migration, which connects to the payments database as its owner.
func (s settings) forPaymentsMigration() map[string]string {
	env := s.forPayments("")
	env["DATABASE_URL"] = s.databases.payments
	return env
}

func (s settings) forSandbox(opts Options) map[string]string {
	env := map[string]string{
		"ADDR":                     loopback(opts.Ports.Sandbox),
		"STATE_DIR":                opts.data("sandbox"),
		"DEMO_DIR":                 opts.RepoRoot + "/scripts/demo",
		"SMTP_ADDR":                loopback(opts.Ports.SMTP),
		"PUBLIC_URL":               s.sandbox,
		"STRIPE_WEBHOOK_URL":       s.payments + "/api/webhooks/stripe",
		"STRIPE_WEBHOOK_SECRET":    s.common["STRIPE_WEBHOOK_SECRET"],
		"DISCOURSE_CONNECT_SECRET": s.forumSecret,
		"SITE_URL":                 s.web,
	}
	if s.mangopay != "" { // its hooks are made by the payment service's worker
		env["MANGOPAY_ADDR"], env["MANGOPAY_PUBLIC_URL"] = loopback(opts.Ports.Mangopay), s.mangopay
		env["MANGOPAY_CLIENT_ID"], env["MANGOPAY_API_KEY"] = s.common["MANGOPAY_CLIENT_ID"], s.common["MANGOPAY_API_KEY"]
		env["MANGOPAY_RATE_TIMES"] = opts.Env["MANGOPAY_RATE_TIMES"]
	}
	return env
}

func (s settings) forDemoPledges(opts Options) map[string]string {
	return map[string]string{
		"PAID_FILE":   opts.data("seeded", "paid.txt"),
		"CONTENT_URL": s.content, "PAYMENTS_URL": s.payments, "SANDBOX_URL": s.sandbox, "DEMO_DIR": s.common["DEMO_DIR"],
		"PUBLIC_URL": s.web,
	}
}

func (s settings) forEdge(opts Options) map[string]string {
	return map[string]string{
		"ADDR":         net.JoinHostPort(given(opts.Env, "WEB_HOST", "127.0.0.1"), strconv.Itoa(opts.Ports.Web)),
		"CONTENT_URL":  s.content,
		"PAYMENTS_URL": s.payments,
		"DRILL":        opts.Env["DRILL"],
		"LATE_ANSWERS": opts.Env["LATE_ANSWERS"],
	}
}

// with combines those of the common variables that a service reads with its own ones.
func (s settings) with(reads []string, own map[string]string) map[string]string {
	env := only(s.common, everyService, reads)
	maps.Copy(env, own)
	if env["ADDR"] == "" {
		delete(env, "ADDR")
	}
	return env
}

func given(env map[string]string, name, otherwise string) string {
	if value := env[name]; value != "" {
		return value
	}
	return otherwise
}

func localhost(port int) string { return fmt.Sprintf("http://localhost:%d", port) }
