//go:build unix

package platform

import (
	"os/exec"
	"runtime"
)

// starter starts processes from one thread that lives as long as the platform: on Linux the kernel ends a child
// together with the thread that started it, and Go may end any other thread at any time.
type starter struct {
	asked chan startRequest
}

type startRequest struct {
	cmd    *exec.Cmd
	answer chan error
}

func newStarter() *starter {
	s := &starter{asked: make(chan startRequest)}
	go func() {
		runtime.LockOSThread()
		for request := range s.asked {
			request.answer <- request.cmd.Start()
		}
	}()
	return s
}

func (s *starter) start(cmd *exec.Cmd) error {
	answer := make(chan error)
	s.asked <- startRequest{cmd, answer}
	return <-answer
}

// close ends the thread, and on Linux with it every process that it started.
func (s *starter) close() { close(s.asked) }
