// Command cluster gives the overlays to a real Kubernetes API server with its scheduler and controllers, on machines that are played by
// kwok: their pods run nothing, but are scheduled, become ready and are evicted as real ones. It releases each overlay, releases another
// version, goes back, drains a machine, and says how long each step took. It listens on loopback, and ends all that it has started.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"talkoot.fi/deploy/kubernetes/check"
)

func main() {
	programs := flag.String("programs", "bin/cluster", "folder of Kubernetes' programs; those that are missing are built, which takes long")
	kinds := flag.String("kinds", "", "file or folder with the operators' own CustomResourceDefinitions; empty knows their kinds by name only")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	err := run(ctx, *programs, *kinds)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "cluster:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, programs, kinds string) (err error) {
	root, err := check.Root()
	if err != nil {
		return err
	}
	if programs, err = filepath.Abs(programs); err != nil {
		return fmt.Errorf("find the programs' folder: %w", err)
	}
	source := filepath.Join(root, "deploy", "kubernetes", "check", "programs")
	if err := timed("programs of Kubernetes", func() error { return build(ctx, source, programs) }); err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "talkoot-cluster-")
	if err != nil {
		return fmt.Errorf("make a folder: %w", err)
	}
	defer func() { // what failed is explained by the logs
		if err == nil {
			err = os.RemoveAll(dir)
		} else {
			fmt.Fprintln(os.Stderr, "The logs are in", dir)
		}
	}()
	p := &plane{programs: programs, dir: dir, source: source}
	defer p.stop()
	if err := timed("etcd, API server, controllers, scheduler and three machines", func() error { return p.start(ctx) }); err != nil {
		return err
	}
	t := trial{plane: p, manifests: filepath.Join(root, "deploy", "kubernetes"), kinds: kinds}
	if kinds == "" {
		t.kinds = filepath.Join(t.manifests, "check", "cluster", "crds.yaml")
	}
	return t.run(ctx)
}

// timed says how long a step took.
func timed(what string, do func() error) error {
	began := time.Now()
	if err := do(); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	fmt.Fprintf(os.Stdout, "%6.1f s  %s\n", time.Since(began).Seconds(), what)
	return nil
}
