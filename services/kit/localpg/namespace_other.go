//go:build unix && !linux

package localpg

import "syscall"

// namespaced does nothing outside of Linux.
func namespaced(int, int) *syscall.SysProcAttr { return nil }
