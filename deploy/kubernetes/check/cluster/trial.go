package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"talkoot.fi/deploy/kubernetes/check"
)

const namespace = "talkoot"

// trial is what is tried with the manifests.
type trial struct {
	*plane
	manifests string
	kinds     string // of others
}

func (t trial) run(ctx context.Context) error {
	if _, err := t.kubectl(ctx, "", "apply", "--server-side", "-f", t.kinds); err != nil {
		return err
	}
	if _, err := t.kubectl(ctx, "", "wait", "--for=condition=Established", "crd", "--all", "--timeout=60s"); err != nil {
		return err
	}
	for _, overlay := range check.Overlays() {
		if err := timed(overlay+": released into an empty namespace", func() error { return t.install(ctx, overlay) }); err != nil {
			return err
		}
		if err := t.tryRefusals(ctx); err != nil {
			return err
		}
		if err := t.tryReleases(ctx, overlay); err != nil {
			return err
		}
		if err := t.tryDrain(ctx, overlay); err != nil {
			return err
		}
		if _, err := t.kubectl(ctx, "", "delete", "namespace", namespace, "--timeout=120s"); err != nil {
			return err
		}
	}
	return nil
}

func (t trial) install(ctx context.Context, overlay string) error {
	if _, err := t.kubectl(ctx, "", "create", "namespace", namespace); err != nil {
		return err
	}
	if _, err := t.kubectl(ctx, "", "apply", "--server-side", "-k", filepath.Join(t.manifests, "secrets.example")); err != nil {
		return err
	}
	if err := t.release(ctx, t.manifests, overlay); err != nil {
		return err
	}
	return t.await(ctx, "what the autoscalers want at least", func() bool { return t.settled(ctx) })
}

// settled tells whether each process has its pods, and as many as its autoscaler wants at least.
func (t trial) settled(ctx context.Context) bool {
	counts, err := t.kubectl(ctx, "", "-n", namespace, "get", "deployments", "-o",
		`jsonpath={range .items[*]}{.metadata.name} {.spec.replicas} {.status.readyReplicas}{"\n"}{end}`)
	if err != nil {
		return false
	}
	wanted, err := t.kubectl(ctx, "", "-n", namespace, "get", "horizontalpodautoscalers", "-o",
		`jsonpath={range .items[*]}{.metadata.name} {.spec.minReplicas}{"\n"}{end}`)
	if err != nil {
		return false
	}
	has := map[string]int{}
	for line := range strings.Lines(counts) {
		words := strings.Fields(line)
		if len(words) != 3 || words[1] != words[2] {
			return false
		}
		has[words[0]], _ = strconv.Atoi(words[1]) // the API server's number
	}
	for line := range strings.Lines(wanted) {
		name, least, _ := strings.Cut(strings.TrimSpace(line), " ")
		if n, err := strconv.Atoi(least); err != nil || has[name] < n {
			return false
		}
	}
	return len(has) > 0
}

// release runs the script that people run. Nobody makes databases of what CloudNativePG would read here, so it does not wait for them.
func (t trial) release(ctx context.Context, folder, what string) error {
	cmd := exec.CommandContext(ctx, filepath.Join(folder, "release.sh"), what) //nolint:gosec // the checkout's script
	cmd.Env = append(os.Environ(), "SKIP_DATABASES=1", "LIMIT=4m",
		"KUBECTL="+filepath.Join(t.programs, "kubectl")+" --kubeconfig="+t.path("config"))
	said, err := cmd.CombinedOutput()
	if err != nil {
		return fmt.Errorf("release.sh %s: %w\n%s", what, err, said)
	}
	if strings.Contains(string(said), "Warning:") {
		return fmt.Errorf("release.sh %s: the API server warns\n%s", what, said)
	}
	return nil
}

// tryRefusals shows that what is accepted has been looked at: the same server refuses what is not right.
func (t trial) tryRefusals(ctx context.Context) error {
	pod := func(more string) string {
		return `{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "x"}, "spec": {"containers": [{"name": "x", "image": "x"` + more + `}]}}`
	}
	for why, manifest := range map[string]string{
		"violates PodSecurity": pod(`, "securityContext": {"privileged": true}`),
		"field not declared":   pod(`, "readinesProbe": {}`),
	} {
		said, err := t.kubectl(ctx, manifest, "-n", namespace, "apply", "--server-side", "-f", "-")
		if err == nil || !strings.Contains(said, why) {
			return fmt.Errorf("a pod is not refused because of %q: %s", why, said)
		}
	}
	return nil
}

// tryReleases releases another version and goes back, and looks all the time whether the processes are there.
func (t trial) tryReleases(ctx context.Context, overlay string) error {
	next := filepath.Join(t.dir, overlay)
	if err := os.CopyFS(next, os.DirFS(t.manifests)); err != nil {
		return fmt.Errorf("copy the manifests: %w", err)
	}
	images := filepath.Join(next, "images", "kustomization.yaml")
	text, err := os.ReadFile(images)
	if err != nil {
		return fmt.Errorf("read the images: %w", err)
	}
	changed := regexp.MustCompile(`(talkoot/\w+, newTag): \S+}`).ReplaceAll(text, []byte(`$1: "next"}`))
	if err := os.WriteFile(images, changed, 0o600); err != nil { //nolint:gosec // our own copy
		return fmt.Errorf("change the images: %w", err)
	}
	if err := os.Chmod(filepath.Join(next, "release.sh"), 0o700); err != nil { //nolint:gosec // a program
		return fmt.Errorf("let the script run: %w", err)
	}
	steps := []struct{ what, tag string }{{overlay, "next"}, {"undo", ""}}
	for _, step := range steps {
		what := ": another version"
		if step.what == "undo" {
			what = ": back to the version before"
		}
		err := timed(overlay+what, func() error {
			return t.watched(ctx, 0, func() error { return t.release(ctx, next, step.what) })
		})
		if err != nil {
			return err
		}
		said, err := t.kubectl(ctx, "", "-n", namespace, "get", "deployments", "-o", "jsonpath={..image}")
		if err != nil {
			return err
		}
		if got := strings.Count(said, ":next"); got != map[string]int{"next": 5, "": 0}[step.tag] {
			return fmt.Errorf("%d processes have the next version after %s: %s", got, step.what, said)
		}
	}
	return nil
}

// tryDrain moves all pods to one machine, then empties it: evictions that a budget forbids for the moment are refused and tried again.
func (t trial) tryDrain(ctx context.Context, overlay string) error {
	for _, away := range []string{"machine-2", "machine-3"} {
		if _, err := t.kubectl(ctx, "", "drain", away, "--ignore-daemonsets", "--delete-emptydir-data", "--timeout=180s"); err != nil {
			return err
		}
	}
	for _, back := range []string{"machine-2", "machine-3"} {
		if _, err := t.kubectl(ctx, "", "uncordon", back); err != nil {
			return err
		}
	}
	var said string
	err := timed(overlay+": the machine with all pods drained", func() error {
		return t.watched(ctx, 1, func() (err error) {
			said, err = t.kubectl(ctx, "", "drain", "machine-1", "--ignore-daemonsets", "--delete-emptydir-data", "--timeout=180s")
			return err
		})
	})
	if err != nil {
		return err
	}
	refused := strings.Count(said, "would violate the pod's disruption budget")
	fmt.Fprintf(os.Stdout, "          evictions that a budget put off: %d\n", refused)
	if refused == 0 {
		return errors.New("no budget has put an eviction off, though several pods of a process were on one machine")
	}
	left, err := t.kubectl(ctx, "", "-n", namespace, "get", "pods", "--field-selector=spec.nodeName=machine-1", "-o", "name")
	if err != nil || left != "" {
		return fmt.Errorf("on the drained machine are left: %q, %w", left, err)
	}
	_, err = t.kubectl(ctx, "", "uncordon", "machine-1")
	return err
}

// watched does something, and fails when a process meanwhile had more pods away than it may. A process with one pod has none for
// a moment, when one may be away.
func (t trial) watched(ctx context.Context, mayBeAway int, do func() error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	watching := make(chan error, 1)
	looks := 0
	go func() {
		var faults []error
		for ctx.Err() == nil && len(faults) == 0 {
			said, err := t.kubectl(ctx, "", "-n", namespace, "get", "deployments", "-o",
				`jsonpath={range .items[*]}{.metadata.name} {.spec.replicas} {.status.readyReplicas}{"\n"}{end}`)
			if err != nil {
				continue // it ends, or is asked again
			}
			looks++
			for line := range strings.Lines(said) {
				words := strings.Fields(line)
				if len(words) < 2 {
					continue
				}
				wanted, _ := strconv.Atoi(words[1]) // the API server's number
				isReady := 0
				if len(words) > 2 {
					isReady, _ = strconv.Atoi(words[2])
				}
				if isReady < wanted-mayBeAway {
					faults = append(faults, fmt.Errorf("%s had %d of %d pods", words[0], isReady, wanted))
				}
			}
			select {
			case <-ctx.Done():
			case <-time.After(100 * time.Millisecond):
			}
		}
		watching <- errors.Join(faults...)
	}()
	err := do()
	cancel()
	err = errors.Join(err, <-watching)
	if err == nil && looks < 5 {
		return fmt.Errorf("nobody looked: %d times only", looks)
	}
	return err
}
