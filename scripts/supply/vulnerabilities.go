package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// unreachable are how the two tools say that they have not got what they compare with.
func unreachable() []string {
	return []string{"fetching vulnerabilities", "audit endpoint returned an error", "no such host", "ENOTFOUND", "ECONNREFUSED", "EAI_AGAIN", "ETIMEDOUT"}
}

// errNotChecked is an answer that nobody could get. It is no pass.
var errNotChecked = errors.New("NOT CHECKED")

// judge says what a tool's end means.
func judge(what string, said []byte, err error) error {
	if err == nil {
		fmt.Printf("vulnerabilities: none that reach %s\n", what)
		return nil
	}
	for _, words := range unreachable() {
		if bytes.Contains(said, []byte(words)) {
			return fmt.Errorf("vulnerabilities of %s: %w, the database cannot be reached from here: %s", what, errNotChecked, lastLine(said))
		}
	}
	return fmt.Errorf("vulnerabilities of %s (%w):\n%s", what, err, said)
}

func lastLine(said []byte) string {
	lines := strings.Split(strings.TrimSpace(string(said)), "\n")
	for _, l := range lines {
		for _, words := range unreachable() {
			if strings.Contains(l, words) {
				return l
			}
		}
	}
	return lines[len(lines)-1]
}

// goVulnerabilities asks Go's vulnerability database about what our programs call. Of several that cannot be asked about, the first says it.
func goVulnerabilities(ctx context.Context, root, database string) error {
	scanner, err := tool(ctx, root, "govulncheck", "golang.org/x/vuln/cmd/govulncheck")
	if err != nil {
		return err
	}
	var faults []error
	for _, name := range slices.Sorted(maps.Keys(programs())) {
		p := programs()[name]
		args := []string{"-tags", "cloud"}
		if database != "" {
			args = append(args, "-db", "file://"+filepath.ToSlash(database))
		}
		cmd := exec.CommandContext(ctx, scanner, append(args, p.pkg)...)
		cmd.Dir = filepath.Join(root, p.dir)
		cmd.Env = os.Environ()
		if p.isAlone {
			cmd.Env = append(cmd.Env, "GOWORK=off")
		}
		said, err := cmd.CombinedOutput()
		err = judge(name, said, err)
		if faults = append(faults, err); errors.Is(err, errNotChecked) {
			return errors.Join(faults...)
		}
	}
	return errors.Join(faults...)
}

// npmVulnerabilities asks npm's registry about the web app's packages.
func npmVulnerabilities(ctx context.Context, root string) error {
	cmd := exec.CommandContext(ctx, "npm", "audit", "--omit", "dev", "--package-lock-only")
	cmd.Dir = filepath.Join(root, "frontend")
	said, err := cmd.CombinedOutput()
	return judge("the web app", said, err)
}
