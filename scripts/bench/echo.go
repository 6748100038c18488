//go:build unix

package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	"github.com/labstack/echo/v4"
)

// echoEnv names the file whose bytes this program answers with when it is started as the reference.
const echoEnv = "BENCH_ECHO_FILE"

// serveEcho is the reference for cached answers: Echo with no middleware and one handler. It names the length, as the
// service does: without it the answer would go out in chunks, which costs more.
func serveEcho(ctx context.Context, file, address string) error {
	body, err := os.ReadFile(file) //nolint:gosec // our own temporary file
	if err != nil {
		return fmt.Errorf("read the answer: %w", err)
	}
	return serveBare(ctx, address, func(c echo.Context) error { return answer(c, body) })
}

func answer(c echo.Context, body []byte) error {
	c.Response().Header().Set(echo.HeaderContentLength, strconv.Itoa(len(body)))
	return c.Blob(http.StatusOK, echo.MIMEApplicationJSON, body)
}

func serveBare(ctx context.Context, address string, handle echo.HandlerFunc) error {
	e := echo.New()
	e.HideBanner, e.HidePort = true, true
	e.GET("/*", handle)
	go func() {
		<-ctx.Done()
		_ = e.Close() // the process ends
	}()
	if err := e.Start(address); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// startEcho runs the reference as a process of its own, as the service is one.
func startEcho(ctx context.Context, dir string, body []byte) (address string, stop func(), err error) {
	return startSelf(ctx, echoEnv, filepath.Join(dir, "echo.json"), body)
}

// startSelf runs this program as the reference that env stands for, with a file of what it needs.
func startSelf(ctx context.Context, env, file string, text []byte) (address string, stop func(), err error) {
	if err := os.WriteFile(file, text, 0o600); err != nil {
		return "", nil, fmt.Errorf("write what the reference needs: %w", err)
	}
	free, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, fmt.Errorf("find a port: %w", err)
	}
	address = free.Addr().String()
	if err := free.Close(); err != nil {
		return "", nil, fmt.Errorf("find a port: %w", err)
	}
	self, err := os.Executable()
	if err != nil {
		return "", nil, fmt.Errorf("find own program: %w", err)
	}
	cmd := exec.CommandContext(ctx, self)
	cmd.Env = append(os.Environ(), env+"="+file, "ADDR="+address)
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		return "", nil, fmt.Errorf("start the reference: %w", err)
	}
	stop = func() {
		_ = cmd.Process.Signal(syscall.SIGTERM) // it may be gone
		_ = cmd.Wait()                          // its end is all that matters
	}
	for range 200 {
		if w, err := dial(ctx, address); err == nil {
			return address, stop, w.conn.Close()
		}
		time.Sleep(10 * time.Millisecond)
	}
	stop()
	return "", nil, errors.New("the reference does not answer")
}
