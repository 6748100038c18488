package httpx

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"time"

	"talkoot.fi/kit/conf"
)

// askTimeout is how long a health check waits.
const askTimeout = 3 * time.Second

// AskReady is the health check of a container that has no shell: it asks the process beside it, which listens on the same ADDR,
// or on WORK_ADDR as a worker, whether it is ready. Error: it is not.
func AskReady(ctx context.Context, environ []string, defaultAddr string) error {
	var config struct {
		Addr     string `env:"ADDR"`
		WorkAddr string `env:"WORK_ADDR"`
	}
	if err := conf.Load(&config, environ); err != nil {
		return err
	}
	addr := defaultAddr
	for _, given := range []string{config.Addr, config.WorkAddr} { // a worker's wins: its image sets ADDR for all
		if given != "" {
			addr = given
		}
	}
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return fmt.Errorf("read the address to ask: %w", err)
	}
	if ip := net.ParseIP(host); host == "" || ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	ctx, cancel := context.WithTimeout(ctx, askTimeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+net.JoinHostPort(host, port)+pathReady, http.NoBody)
	if err != nil {
		return fmt.Errorf("ask whether it is ready: %w", err)
	}
	res, err := (&http.Transport{}).RoundTrip(req) // no proxy stands between
	if err != nil {
		return fmt.Errorf("ask whether it is ready: %w", err)
	}
	if res.StatusCode != http.StatusOK {
		err = fmt.Errorf("it is not ready: %s", res.Status)
	}
	_ = res.Body.Close() // not read
	return err
}
