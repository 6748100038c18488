//go:build unix && !linux

package localpg

import (
	"os/exec"
	"syscall"
)

// EndWithParent does nothing outside of Linux.
func EndWithParent(*exec.Cmd, syscall.Signal) {}
