package localpg

import (
	"os/exec"
	"syscall"
)

// EndWithParent makes the kernel send sig to the command when the thread that starts it ends. Start it from a
// goroutine that is locked to its thread and lives as long as the caller. It does nothing outside of Linux.
func EndWithParent(cmd *exec.Cmd, sig syscall.Signal) {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.Pdeathsig = sig
}
