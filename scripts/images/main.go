//go:build unix

// Command images writes what an installation runs as container images, for `make images`: content, payments, web (the edge,
// with the web app's files) and sandbox (the stand-ins, for trying an installation out). It needs neither a daemon nor root.
//
// bin/images/ gets of each an OCI layout and, in sbom/, what it is made of; of all together images.tar, which `docker load`
// and `podman load` take, and digests.txt. The same commit, built by the same Go and Node, has the same digests wherever it is
// built; with CHECK=1 that is tried with a second copy of the checkout.
package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "images:", err)
		os.Exit(1)
	}
}

// prefix begins the names under which images are loaded.
const prefix = "talkoot/"

func run(ctx context.Context) error {
	root, err := os.Getwd()
	if err != nil {
		return fmt.Errorf("find the checkout: %w", err)
	}
	of, err := readRelease(ctx, root)
	if err != nil {
		return err
	}
	digests, err := build(ctx, root, of)
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(digests)) {
		fmt.Printf("%s%s:%s  %s\n", prefix, name, of.version, digests[name])
	}
	if os.Getenv("CHECK") == "" {
		return nil
	}
	again, err := buildCopy(ctx, root, of)
	if err != nil {
		return fmt.Errorf("build a copy of the checkout: %w", err)
	}
	if !maps.Equal(digests, again) {
		return fmt.Errorf("a copy of the checkout has other digests: %v", again)
	}
	fmt.Println("A copy of the checkout, built in another place, has the same digests.")
	return nil
}

// release is what is built, and for which processor. It is the same wherever it is built.
type release struct {
	version, revision, arch string
	time                    time.Time // of the commit
}

// readRelease asks git. VERSION, REVISION and SOURCE_DATE_EPOCH stand in for it where there is none.
func readRelease(ctx context.Context, root string) (release, error) {
	ask := func(variable string, args ...string) string {
		if given := os.Getenv(variable); given != "" {
			return given
		}
		cmd := exec.CommandContext(ctx, "git", args...) // our own words
		cmd.Dir = root
		out, _ := cmd.Output() // without git it stays unknown
		return strings.TrimSpace(string(out))
	}
	of := release{
		version:  ask("VERSION", "describe", "--tags", "--always", "--dirty"),
		revision: ask("REVISION", "rev-parse", "HEAD"),
		arch:     os.Getenv("GOARCH"),
	}
	seconds, err := strconv.ParseInt(ask("SOURCE_DATE_EPOCH", "log", "-1", "--format=%ct"), 10, 64)
	if err != nil || of.version == "" || of.revision == "" {
		return of, errors.New("this is no git checkout: set VERSION, REVISION and SOURCE_DATE_EPOCH")
	}
	if of.time = time.Unix(seconds, 0).UTC(); of.arch == "" {
		of.arch = runtime.GOARCH
	}
	return of, nil
}

// program is a binary of the checkout.
type program struct {
	name, dir, pkg string
	tags           string
	alone          bool // a module outside of the workspace
}

var programs = []program{ // a constant list
	{name: "content", dir: "services/content", pkg: "./cmd/content", tags: "cloud"},
	{name: "payments", dir: "services/payments", pkg: "./cmd/payments"},
	{name: "sandbox", dir: "services/sandbox", pkg: "./cmd/sandbox"},
	{name: "edge", dir: "deploy/edge", pkg: ".", alone: true},
}

// compile builds a program into dir. The binary has nothing of where and when it was built.
func (p program) compile(ctx context.Context, root, dir string, of release) error {
	args := []string{"build", "-trimpath", "-buildvcs=false", "-tags=" + p.tags, "-ldflags=-s -w -buildid=", "-o", filepath.Join(dir, p.name), p.pkg}
	cmd := exec.CommandContext(ctx, "go", args...) // our own words
	cmd.Dir = filepath.Join(root, p.dir)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS=linux", "GOARCH="+of.arch, "GOGC=400", "GOMEMLIMIT=1GiB")
	if p.alone {
		cmd.Env = append(cmd.Env, "GOWORK=off")
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("build %s: %w\n%s", p.name, err, out)
	}
	return nil
}

// build makes all images of the checkout at root, whose web app is built, and returns their digests by name.
func build(ctx context.Context, root string, of release) (map[string]string, error) {
	done := filepath.Join(root, "bin", "images")
	out := done + ".new" // in place of the last ones at once, and whole
	if err := os.RemoveAll(out); err != nil {
		return nil, fmt.Errorf("remove what is half done: %w", err)
	}
	built := filepath.Join(out, "programs")
	for _, dir := range []string{built, filepath.Join(out, "sbom")} {
		if err := os.MkdirAll(dir, 0o750); err != nil {
			return nil, fmt.Errorf("make folder for images: %w", err)
		}
	}
	for _, p := range programs {
		if err := p.compile(ctx, root, built, of); err != nil {
			return nil, err
		}
		if err := writeParts(filepath.Join(built, p.name), filepath.Join(out, "sbom", p.name+".cdx.json"), of); err != nil {
			return nil, err
		}
	}
	if err := writeWebParts(ctx, root, filepath.Join(out, "sbom", "webapp.cdx.json")); err != nil {
		return nil, err
	}
	made := map[string]v1.Image{}
	for name, s := range sources(root, built) {
		i, err := s.image(name, of)
		if err != nil {
			return nil, fmt.Errorf("make image %s: %w", name, err)
		}
		made[name] = i
	}
	digests, err := write(made, out, of)
	if err == nil {
		err = errors.Join(os.RemoveAll(built), os.RemoveAll(done), os.Rename(out, done))
	}
	return digests, err
}

// sources are what the images have in them. The web app is in two: content has the page and its texts, the edge hands out
// the files that pages load.
func sources(root, built string) map[string]source {
	webApp := filepath.Join(root, "frontend", "dist")
	return map[string]source{
		"content": {
			program: filepath.Join(built, "content"), files: map[string]string{"web": webApp},
			command: []string{"serve"}, env: []string{"ADDR=:8081", "WEB_DIR=/web"},
		},
		"payments": {
			program: filepath.Join(built, "payments"),
			command: []string{"serve"}, env: []string{"ADDR=:8082"},
		},
		"sandbox": {
			program: filepath.Join(built, "sandbox"), files: map[string]string{"demo": filepath.Join(root, "scripts", "demo")},
			env: []string{"ADDR=:8090", "MANGOPAY_ADDR=:8091", "SMTP_ADDR=:8025", "STATE_DIR=/data", "DEMO_DIR=/demo"},
		},
		"web": {
			program: filepath.Join(built, "edge"),
			files: map[string]string{
				"web/assets":         filepath.Join(webApp, "assets"),
				"etc/edge/Caddyfile": filepath.Join(root, "deploy", "edge", "Caddyfile"),
			},
			command: []string{"run", "--config", "/etc/edge/Caddyfile"},
			env:     []string{"XDG_DATA_HOME=/data", "XDG_CONFIG_HOME=/data"},
		},
	}
}

// buildCopy builds what git knows of the checkout, changes included, in another place.
func buildCopy(ctx context.Context, root string, of release) (map[string]string, error) {
	dir, err := os.MkdirTemp("", "talkoot-images-")
	if err != nil {
		return nil, fmt.Errorf("make a folder: %w", err)
	}
	defer func() { _ = os.RemoveAll(dir) }() // a folder of the system's for such things
	// npm's packages are linked, since they are those of the lock file anyway; webpack runs again.
	script := `git ls-files -co --exclude-standard -z | xargs -0 cp --parents -t "$1" 2>&1 &&
		cp -a frontend/node_modules "$1/frontend/" && cd "$1/frontend" && npm run --silent build 2>&1`
	cmd := exec.CommandContext(ctx, "sh", "-c", script, "sh", dir) // our own words
	cmd.Dir = root
	if said, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w\n%s", err, said)
	}
	return build(ctx, dir, of)
}
