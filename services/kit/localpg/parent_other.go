//go:build unix && !linux

package localpg

import (
	"os/exec"
	"syscall"
)

// EndWithParent has no counterpart outside Linux.
func EndWithParent(*exec.Cmd, syscall.Signal) {}
