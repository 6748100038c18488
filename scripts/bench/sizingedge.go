//go:build unix

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"talkoot.fi/kit/localpg"
)

// edgeOf is how many requests go through the edge.
const edgeOf = 5000

// edge measures what the edge of installations takes to pass a request on, and to give a file out, without TLS. It is built by make edge.
func (z *sizing) edge(ctx context.Context) (err error) {
	root, err := localpg.RepoRoot()
	if err != nil {
		return err
	}
	program := filepath.Join(root, "bin", "edge")
	if _, err := os.Stat(program); err != nil {
		fmt.Fprintln(os.Stderr, "The edge is not built (make edge): it is left out")
		return nil
	}
	var ports [3]int
	for i := range ports {
		if ports[i], err = freePort(ctx); err != nil {
			return err
		}
	}
	web := filepath.Join(root, "frontend", "dist")
	cmd := exec.CommandContext(ctx, program, "run", "--config", filepath.Join(root, "deploy", "edge", "Caddyfile"))
	cmd.Env = []string{"CONTENT_URL=" + z.ContentURL, "PAYMENTS_URL=" + z.PaymentsURL, "HOME=" + z.DataDir, "EDGE_WEB_DIR=" + web,
		"EDGE_HTTP_PORT=" + strconv.Itoa(ports[0]), "EDGE_HTTPS_PORT=" + strconv.Itoa(ports[1]), "EDGE_HEALTH_PORT=" + strconv.Itoa(ports[2])}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("start the edge: %w", err)
	}
	defer func() {
		err = errors.Join(err, cmd.Process.Signal(syscall.SIGTERM))
		_ = cmd.Wait() // it was told to end
	}()
	address := "127.0.0.1:" + strconv.Itoa(ports[0])
	through := func(ask next) next {
		return func(random *rand.Rand) []byte {
			return bytes.Replace(ask(random), []byte("GET /"), []byte("GET /content/"), 1)
		}
	}
	asks := []struct {
		what string
		ask  next
	}{{"request passed on", compressed(through(popular))}}
	if files, err := filepath.Glob(filepath.Join(web, "assets", "*.css")); err == nil && len(files) > 0 {
		asset := "/assets/" + filepath.Base(files[0])
		asks = append(asks, struct {
			what string
			ask  next
		}{"file given out", compressed(func(*rand.Rand) []byte { return get(asset) })})
	}
	fmt.Println("| through the edge, without TLS | its CPU ms | kB |\n| --- | ---: | ---: |")
	for _, a := range asks {
		if err := z.throughEdge(ctx, cmd.Process.Pid, address, a.what, a.ask); err != nil {
			return fmt.Errorf("%s: %w", a.what, err)
		}
	}
	fmt.Println()
	return nil
}

func (z *sizing) throughEdge(ctx context.Context, pid int, address, what string, ask next) error {
	var err error
	for range 100 { // until it listens, and then to warm up
		if err = z.ask(ctx, address, edgeOf/10, ask); err == nil || !strings.Contains(err.Error(), "refused") {
			break
		}
		time.Sleep(lookFor)
	}
	if err != nil {
		return err
	}
	bytesBefore := z.visitors.Load()
	before, err := cpuOf(pid)
	if err != nil {
		return err
	}
	if err := z.ask(ctx, address, edgeOf, ask); err != nil {
		return err
	}
	after, err := cpuOf(pid)
	fmt.Printf("| %s | %.2f | %s |\n", what, (after-before).Seconds()*1000/edgeOf, figure(float64(z.visitors.Load()-bytesBefore)/1000/edgeOf))
	return err
}

// freePort is one that nobody listens on.
func freePort(ctx context.Context) (int, error) {
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return 0, fmt.Errorf("find a port: %w", err)
	}
	defer l.Close()                          // nobody connected
	return l.Addr().(*net.TCPAddr).Port, nil //nolint:forcetypeassert // it is TCP
}
