//go:build unix && !linux

package localpg

import "syscall"

// namespaced has no counterpart outside Linux.
func namespaced(int, int) *syscall.SysProcAttr { return nil }
