// Command holder starts a platform, prints its process ids and waits to be killed.
package main

import (
	"context"
	"encoding/json"
	"os"

	"talkoot.fi/scripts/platform"
)

func main() {
	p, err := platform.Start(context.Background(), platform.Options{
		DataDir: os.Args[1], Binaries: os.Args[2], RepoRoot: os.Args[3], Out: os.Stderr,
	})
	if err != nil {
		panic(err)
	}
	var pids []int
	for _, name := range []string{"postgres", "redis", "sandbox", "content", "content-work", "payments", "payments-work",
		"edge"} {
		pids = append(pids, p.Proc(name).PID())
	}
	if err := json.NewEncoder(os.Stdout).Encode(pids); err != nil {
		panic(err)
	}
	select {}
}
