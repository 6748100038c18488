//go:build unix

package platform

import (
	"context"
	"fmt"
	"maps"
	"net"
	"net/http"
	"os/exec"
	"syscall"
	"time"

	"talkoot.fi/kit/localpg"
	"talkoot.fi/kit/localredis"
)

// row is one process of the table.
type row struct {
	name  string
	args  []string
	env   map[string]string
	ready func(ctx context.Context) error // nil: as soon as it runs
}

// site is the table of what answers the public address, once the databases and Redis are there.
func (p *Platform) site() []row {
	ports, s, content := p.opts.Ports, p.settings, p.opts.bin("content")
	return []row{
		{"content", []string{content, "serve"}, s.forContent(loopback(ports.Content)), answers(ports.Content, "/readyz")},
		{"content-work", []string{content, "work"}, s.forContent(""), nil},
		{"edge", []string{p.opts.bin("run"), "edge"}, s.forEdge(p.opts), listens(ports.Web)},
	}
}

// money is the table of what takes money, once the sandbox is there, too.
func (p *Platform) money() []row {
	s, payments := p.settings, p.opts.bin("payments")
	return []row{
		{"payments", []string{payments, "serve"}, s.forPayments(loopback(p.opts.Ports.Payments)), answers(p.opts.Ports.Payments, "/readyz")},
		{"payments-work", []string{payments, "work"}, s.forPayments(""), nil},
	}
}

func (p *Platform) sandboxRow() row {
	return row{"sandbox", []string{p.opts.bin("sandbox")}, p.settings.forSandbox(p.opts),
		answers(p.opts.Ports.Sandbox, "/healthz")}
}

// redisRow runs the machine's own Redis, or the built-in one if there is none.
func (p *Platform) redisRow() row {
	port := p.opts.Ports.Redis
	args, found := localredis.External(p.opts.data("redis"), port)
	env := map[string]string{}
	if !found {
		args, env = []string{p.opts.bin("run"), "redis"}, map[string]string{"ADDR": loopback(port)}
	}
	return row{"redis", args, env, func(ctx context.Context) error {
		return localredis.AwaitReady(ctx, localredis.URL(port))
	}}
}

// add makes a process of a row; it does not start it.
func (p *Platform) add(r row) *Proc {
	cmd := p.command(r.name, r.args, r.env)
	return p.keep(&Proc{
		Name: r.name, LogFile: cmd.logFile, group: true, ready: r.ready,
		launch: func(context.Context) (running, error) {
			started, err := p.starter.run(cmd)
			if err != nil {
				return nil, err // not a running holding nil
			}
			return started, nil
		},
	})
}

// addPostgres makes the process of the embedded PostgreSQL. It has no group signal: the postmaster ends its children.
func (p *Platform) addPostgres() *Proc {
	logFile := p.opts.data("log", "postgres.log")
	settings := map[string]string{"max_connections": "200", "shared_buffers": "256MB"}
	maps.Copy(settings, p.opts.Postgres)
	return p.keep(&Proc{
		Name: "postgres", LogFile: logFile,
		launch: func(ctx context.Context) (running, error) {
			server, err := localpg.Start(ctx, localpg.Options{
				Dir: p.opts.data("postgres"), RepoRoot: p.opts.RepoRoot, Port: p.opts.Ports.Postgres, LogFile: logFile,
				Settings: settings,
				Prepare: func(cmd *exec.Cmd) {
					ownGroup(cmd)
					localpg.EndWithParent(cmd, syscall.SIGINT)
				},
				Launch: p.starter.start,
			})
			if err != nil {
				return nil, err
			}
			p.mu.Lock()
			p.postgresURL = server.URL("postgres")
			p.mu.Unlock()
			return server, nil
		},
	})
}

func (p *Platform) keep(proc *Proc) *Proc {
	proc.guard, proc.crashed = p.guard, p.crashed
	p.mu.Lock()
	defer p.mu.Unlock()
	p.procs = append(p.procs, proc)
	return proc
}

// answers waits until a GET of path is answered 200.
func answers(port int, path string) func(context.Context) error {
	return func(ctx context.Context) error {
		client := &http.Client{Timeout: 2 * time.Second}
		return poll(ctx, func() error {
			req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+loopback(port)+path, nil)
			if err != nil {
				return err
			}
			res, err := client.Do(req)
			if err != nil {
				return err
			}
			if err := res.Body.Close(); err != nil {
				return err
			}
			if res.StatusCode != http.StatusOK {
				return fmt.Errorf("%s answers %s", path, res.Status)
			}
			return nil
		})
	}
}

func listens(port int) func(context.Context) error {
	return func(ctx context.Context) error {
		return poll(ctx, func() error {
			conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", loopback(port))
			if err != nil {
				return err
			}
			return conn.Close()
		})
	}
}

// poll repeats ask until it returns nil; when ctx ends, it returns the last error.
func poll(ctx context.Context, ask func() error) error {
	tick := time.NewTicker(pollEvery)
	defer tick.Stop()
	for {
		err := ask()
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return err
		case <-tick.C:
		}
	}
}
