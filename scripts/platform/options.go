//go:build unix

package platform

import (
	"errors"
	"io"
	"maps"
	"path/filepath"
)

// Ports on loopback. 0 is a random free one.
type Ports struct {
	Web, Content, Payments, Sandbox, Mangopay, SMTP, Postgres, Redis int
}

// DefaultPorts are those of `make run`.
func DefaultPorts() Ports {
	return Ports{Web: 8080, Content: 8081, Payments: 8082, Sandbox: 8090, Mangopay: 8091}
}

// named lists the ports with the process and the variable that sets each.
func (p *Ports) named() []namedPort {
	return []namedPort{
		{"the web app", "WEB_PORT", &p.Web},
		{"the content service", "CONTENT_PORT", &p.Content},
		{"the payment service", "PAYMENTS_PORT", &p.Payments},
		{"the sandbox", "SANDBOX_PORT", &p.Sandbox},
		{"the sandbox's Mangopay", "MANGOPAY_PORT", &p.Mangopay},
		{"the sandbox's mail", "SMTP_PORT", &p.SMTP},
		{"PostgreSQL", "PG_PORT", &p.Postgres},
		{"Redis", "REDIS_PORT", &p.Redis},
	}
}

type namedPort struct {
	what, variable string
	port           *int
}

// Options of Start. DataDir, RepoRoot and Binaries are required.
type Options struct {
	// DataDir holds all state: databases, media, secrets, logs. It is made when missing.
	DataDir string
	// RepoRoot is the checkout: the web app's build, the demo data and the embedded PostgreSQL are found in it.
	RepoRoot string
	// Binaries is the folder with run, content, payments and sandbox; see package programs.
	Binaries string
	Ports    Ports
	// Env has the user's variables. DATABASE_URL, REDIS_URL, STRIPE_SECRET_KEY and MANGOPAY_CLIENT_ID replace embedded parts; of the
	// others each service gets those that it reads, and they win over the defaults. Of this process's own environment
	// only what programs need to run at all (PATH, HOME, TMPDIR) is passed on.
	Env map[string]string
	// Postgres are settings of the embedded PostgreSQL that win over the defaults.
	Postgres map[string]string
	// Seed fills in the demo content when the data folder has none yet; its backers pay in SeedBackers.
	Seed bool
	// SiteFirst has Start return as soon as the content service answers at the public address: what takes money follows by StartMoney, so that
	// its programs need not be in Binaries before.
	SiteFirst bool
	// Out receives short lines about what is being done; nil means silence.
	Out io.Writer
	// Verbose copies the processes' logs to Out, each line with the process's name.
	Verbose bool
}

func (o Options) normal() (Options, error) {
	if o.DataDir == "" || o.RepoRoot == "" || o.Binaries == "" {
		return o, errors.New("platform: DataDir, RepoRoot and Binaries are required")
	}
	for _, dir := range []*string{&o.DataDir, &o.RepoRoot, &o.Binaries} {
		abs, err := filepath.Abs(*dir)
		if err != nil {
			return o, err
		}
		*dir = abs
	}
	if o.Out == nil {
		o.Out = io.Discard
	}
	o.Env = maps.Clone(o.Env)
	if o.Env == nil {
		o.Env = map[string]string{}
	}
	return o, nil
}

func (o Options) bin(name string) string { return filepath.Join(o.Binaries, name) }

func (o Options) data(parts ...string) string {
	return filepath.Join(append([]string{o.DataDir}, parts...)...)
}
