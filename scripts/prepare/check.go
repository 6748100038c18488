//go:build unix

package main

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
)

const (
	nodeMajor = 20
	nodeURL   = "https://nodejs.org"
	// needBytes is what a first start writes: packages, programs and data.
	needBytes = 2 << 30
)

// check returns what the machine lacks, before anything is done. The shell script that built this program has checked
// Go.
func check(ctx context.Context, root string) error {
	return errors.Join(checkNode(ctx), checkSpace(root))
}

func checkNode(ctx context.Context) error {
	out, err := exec.CommandContext(ctx, "node", "--version").Output()
	if err != nil {
		return fmt.Errorf("Node.js was not found: install version %d or newer (%s) with npm", //nolint:staticcheck // a name
			nodeMajor, nodeURL)
	}
	version := strings.TrimSpace(string(out))
	major, err := strconv.Atoi(strings.SplitN(strings.TrimPrefix(version, "v"), ".", 2)[0])
	if err != nil || major < nodeMajor {
		return fmt.Errorf("Node.js %s is too old: install version %d or newer (%s)", //nolint:staticcheck // a name
			version, nodeMajor, nodeURL)
	}
	if _, err := exec.LookPath("npm"); err != nil {
		return errors.New("npm was not found: install it with Node.js (on Debian: apt install npm)")
	}
	return nil
}

func checkSpace(root string) error {
	var disk syscall.Statfs_t
	if err := syscall.Statfs(root, &disk); err != nil {
		return fmt.Errorf("look for free space in %s: %w", root, err)
	}
	free := disk.Bavail * uint64(disk.Bsize) // #nosec G115 -- a block size is positive
	if free < needBytes {
		return fmt.Errorf("only %d MB are free where %s lies: make room for %d MB", free>>20, root, needBytes>>20)
	}
	return nil
}
