//go:build unix

package platform

import (
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/httpx"
)

// retryAfter is the Retry-After of responses for a service that does not answer.
const retryAfter = 2 * time.Second

// Edge is the one public address: /content/* and /payments/* go to their service without that prefix, everything else
// to the content service, which serves pages, media and assets. Calls for services and operators only are answered
// 404. X-Forwarded-* from clients is dropped and set here, except in drills, whose visitors all call from this machine
// and each claim an IP address of their own.
func Edge(content, payments *url.URL, drill bool) http.Handler {
	transport := &http.Transport{
		DialContext:           (&net.Dialer{Timeout: 5 * time.Second}).DialContext,
		MaxIdleConnsPerHost:   256,
		IdleConnTimeout:       90 * time.Second,
		ResponseHeaderTimeout: 60 * time.Second,
		DisableCompression:    true, // bytes pass as they are
	}
	toContent := forward(transport, content, "", drill)
	toContentCalls := strip("/content", forward(transport, content, "/content", drill))
	toPaymentsCalls := strip("/payments", forward(transport, payments, "/payments", drill))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !public(r.URL) {
			httpx.WriteError(w, r, apperr.New(apperr.NotFound))
			return
		}
		switch first, _, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/"); first {
		case "content":
			toContentCalls.ServeHTTP(w, r)
		case "payments":
			toPaymentsCalls.ServeHTTP(w, r)
		default:
			toContent.ServeHTTP(w, r)
		}
	})
}

// Delayed passes each call of a service on after a random time of up to most, so that whoever acts before an answer has
// come does so nearly every time, instead of once in a hundred runs. Pages and assets are not delayed.
func Delayed(edge http.Handler, most time.Duration) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/content/") || strings.HasPrefix(r.URL.Path, "/payments/") {
			select {
			case <-time.After(rand.N(most)): // #nosec G404 -- no secret
			case <-r.Context().Done():
				return
			}
		}
		edge.ServeHTTP(w, r)
	})
}

// forward passes requests on and says which prefix of their path was taken off.
func forward(transport http.RoundTripper, target *url.URL, prefix string, drill bool) http.Handler {
	return &httputil.ReverseProxy{
		Transport:     transport,
		FlushInterval: -1, // streams pass at once
		Rewrite: func(pr *httputil.ProxyRequest) {
			pr.SetURL(target)
			pr.Out.Host = pr.In.Host
			if claimed := pr.In.Header["X-Forwarded-For"]; drill {
				pr.Out.Header["X-Forwarded-For"] = claimed
			}
			pr.SetXForwarded()
			pr.Out.Header.Del("X-Forwarded-Prefix")
			if prefix != "" {
				pr.Out.Header.Set("X-Forwarded-Prefix", prefix)
			}
		},
		ErrorHandler: func(w http.ResponseWriter, r *http.Request, _ error) {
			httpx.WriteError(w, r, apperr.New(apperr.Unavailable).RetryAfter(retryAfter))
		},
	}
}

// strip is http.StripPrefix that leaves "/" of the bare prefix.
func strip(prefix string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		inner := r.Clone(r.Context())
		inner.URL.Path = rooted(strings.TrimPrefix(r.URL.Path, prefix))
		inner.URL.RawPath = ""
		if raw, found := strings.CutPrefix(r.URL.RawPath, prefix); found {
			inner.URL.RawPath = rooted(raw)
		}
		next.ServeHTTP(w, inner)
	})
}

func rooted(p string) string {
	if strings.HasPrefix(p, "/") {
		return p
	}
	return "/" + p
}

// private are first path segments, at a service, that only the other service and operators may call.
var private = []string{"internal", "metrics"} // a constant list

// public checks the path as the most lenient server behind the edge could interpret it: fully decoded, in lower case,
// without parameters and repeated slashes. Paths with dot segments and paths encoded eight times or more are refused.
func public(u *url.URL) bool {
	p := u.Path
	for range 8 {
		decoded := decodeOnce(p)
		if decoded == p {
			return reachable(p)
		}
		p = decoded
	}
	return false
}

var escape = regexp.MustCompile("%[0-9A-Fa-f]{2}") // a compiled constant

// decodeOnce leaves alone what is no escape: a percent sign may be part of a name.
func decodeOnce(p string) string {
	return escape.ReplaceAllStringFunc(p, func(code string) string {
		char, err := strconv.ParseUint(code[1:], 16, 8)
		if err != nil {
			return code
		}
		return string([]byte{byte(char)})
	})
}

func reachable(p string) bool {
	p = strings.ToLower(strings.ReplaceAll(p, `\`, "/"))
	var segments []string
	for segment := range strings.SplitSeq(p, "/") {
		if end := strings.IndexAny(segment, ";?#"); end >= 0 { // the last two were escaped, or they would not be in a path
			segment = segment[:end]
		}
		segment = strings.TrimSpace(segment)
		if segment == "." || segment == ".." || strings.ContainsRune(segment, 0) {
			return false
		}
		if segment != "" {
			segments = append(segments, segment)
		}
	}
	if len(segments) > 0 && (segments[0] == "content" || segments[0] == "payments") {
		segments = segments[1:]
	}
	return len(segments) == 0 || !slices.Contains(private, segments[0])
}
