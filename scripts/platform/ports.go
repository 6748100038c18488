//go:build unix

package platform

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"strconv"
	"strings"
)

// takePorts checks the given ports and fills in the random ones. All are held until the last is chosen, so that no two
// are the same. The error names every port that is taken, and how to choose another.
func takePorts(ctx context.Context, ports *Ports) error {
	var held []net.Listener
	defer func() {
		for _, l := range held {
			l.Close() // nothing was accepted on it
		}
	}()
	var taken []string
	for _, p := range ports.named() {
		l, err := listen(ctx, *p.port)
		if err != nil {
			taken = append(taken, fmt.Sprintf("port %d for %s is taken: stop the program that uses it, or set %s to a free one",
				*p.port, p.what, p.variable))
			continue
		}
		held = append(held, l)
		*p.port = l.Addr().(*net.TCPAddr).Port
	}
	if len(taken) > 0 {
		return fmt.Errorf("%s", strings.Join(taken, "\n"))
	}
	return nil
}

// Random ports are below those that systems give to outgoing connections (Linux: 32768 and more): one of these could take the
// port of a service that is down for a moment.
const (
	randomFrom, randomTo = 20000, 32000
	mostDraws            = 100
)

// listen takes a port; 0 is a random one.
func listen(ctx context.Context, port int) (l net.Listener, err error) {
	config := &net.ListenConfig{}
	if port != 0 {
		return config.Listen(ctx, "tcp", loopback(port))
	}
	for range mostDraws {
		if l, err = config.Listen(ctx, "tcp", loopback(randomFrom+rand.IntN(randomTo-randomFrom))); err == nil { //nolint:gosec // not secret
			return l, nil
		}
	}
	return nil, err
}

func loopback(port int) string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(port)) }
