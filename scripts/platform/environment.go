//go:build unix

package platform

import (
	"slices"
	"strings"
)

// What each service's binary reads of its environment. Nothing else of the user's own reaches it: a shell holds the
// secrets of other programs too, and a service of ours has no use for those of the other.
var (
	everyService = []string{
		"DATABASE_URL", "DATABASE_CONNS", "REDIS_URL", "ADDR", "WORK_ADDR", "PUBLIC_URL", "SERVICE_SECRET", "SEALING_KEY", "CORS_ORIGINS",
		"TRUSTED_PROXIES",
		"STRIPE_PUBLISHABLE_KEY", "DRAIN_PAUSE",
		"OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_PROTOCOL", "OTEL_TRACES_SAMPLER", "OTEL_TRACES_SAMPLER_ARG", "OTEL_SERVICE_NAME",
		// Go's runtime and its HTTP client.
		"GOMEMLIMIT", "GOGC", "GOMAXPROCS", "GODEBUG", "GOTRACEBACK", "GORACE",
		"HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy",
	}
	contentReads = []string{
		"DATABASE_READ_URL", "BLOB_URL", "WEB_DIR", "DEMO_DIR", "SESSION_KEY", "SMTP_URL", "MAIL_FROM", "PAYMENTS_URL", "PLEDGE_HOLD",
		"PLEDGE_FIRST_HOLD",
		"RATE_LIMIT_PLEDGES", "RATE_LIMIT_SIGN_IN", "RATE_LIMIT_LIKES", "RATE_LIMIT_DRAFTS", "RATE_LIMIT_EDITS", "RATE_LIMIT_REVIEWS", "RATE_LIMIT_UPLOADS",
		"RATE_LIMIT_LISTS", "RATE_LIMIT_SEARCHES",
		"STRIPE_JS_URL", "MANGOPAY_CARD_URL", "MANGOPAY_TERMS_URL", "SANDBOX", "SANDBOX_URL", "DISCOURSE_CONNECT_SECRET", "FORUM_RETURN_URLS",
	}
	paymentsReads = []string{
		"CONTENT_URL", "STRIPE_SECRET_KEY", "STRIPE_WEBHOOK_SECRET", "STRIPE_API_URL", "MANGOPAY_CLIENT_ID", "MANGOPAY_API_KEY", "MANGOPAY_API_URL", "MANGOPAY_HOOK_URL",
		"CHARGES_AT_ONCE", "CHARGES_PER_SECOND", "REFUNDS_PER_MINUTE_STRIPE", "REFUNDS_PER_MINUTE_MANGOPAY", "WORK_CONCURRENCY", "SWEEP_EVERY",
		"RATE_LIMIT_SETUP", "RATE_LIMIT_SETUP_OF_PLEDGE", "RATE_LIMIT_DECLINES",
	}
)

// fileSuffix ends the names of variables that name a file with the value.
const fileSuffix = "_FILE"

// only keeps those variables that are in one of the lists.
func only(env map[string]string, lists ...[]string) map[string]string {
	kept := map[string]string{}
	for name, value := range env {
		if slices.Contains(slices.Concat(lists...), strings.TrimSuffix(name, fileSuffix)) {
			kept[name] = value
		}
	}
	return kept
}
