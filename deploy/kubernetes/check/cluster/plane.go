package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// ready is the most that the API server and its parts may take on a busy machine.
const ready = 2 * time.Minute

// build builds what is missing. Each folder of source is a module that pins its programs.
func build(ctx context.Context, source, into string) error {
	for module, packages := range map[string][]string{
		"kubernetes": {"k8s.io/kubernetes/cmd/kube-apiserver", "k8s.io/kubernetes/cmd/kube-controller-manager",
			"k8s.io/kubernetes/cmd/kube-scheduler", "k8s.io/kubernetes/cmd/kubectl", "./etcd"},
		"kwok": {"sigs.k8s.io/kwok/cmd/kwok"},
	} {
		for _, p := range packages {
			program := filepath.Join(into, filepath.Base(p))
			if _, err := os.Stat(program); err == nil {
				continue
			}
			cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-ldflags=-s -w", "-o", program, p)
			cmd.Dir = filepath.Join(source, module)
			cmd.Env = append(os.Environ(), "GOWORK=off", "CGO_ENABLED=0")
			if said, err := cmd.CombinedOutput(); err != nil {
				return fmt.Errorf("build %s: %w\n%s", p, err, said)
			}
		}
	}
	return nil
}

// plane is a control plane, and what plays its machines.
type plane struct {
	programs, dir, source string
	running               []*exec.Cmd
}

func (p *plane) path(name string) string { return filepath.Join(p.dir, name) }

// start starts everything and waits until it answers.
func (p *plane) start(ctx context.Context) error {
	var ports [4]string
	for i := range ports {
		port, err := freePort(ctx)
		if err != nil {
			return err
		}
		ports[i] = port
	}
	etcd, peers := "http://127.0.0.1:"+ports[0], "http://127.0.0.1:"+ports[1]
	if err := p.writeKeys(ports[2]); err != nil {
		return err
	}
	config := "--kubeconfig=" + p.path("config")
	stages, err := p.stages(ctx)
	if err != nil {
		return err
	}
	if err := p.begin(ctx, "etcd", "--data-dir="+p.path("etcd"), "--listen-client-urls="+etcd,
		"--advertise-client-urls="+etcd, "--listen-peer-urls="+peers,
		"--initial-advertise-peer-urls="+peers, "--initial-cluster=default="+peers, "--unsafe-no-fsync"); err != nil {
		return err
	}
	if err := p.begin(ctx, "kube-apiserver", "--etcd-servers="+etcd, "--bind-address=127.0.0.1", "--secure-port="+ports[2],
		"--cert-dir="+p.path("certs"), "--token-auth-file="+p.path("tokens"), "--authorization-mode=RBAC", "--allow-privileged=true",
		"--service-cluster-ip-range=10.96.0.0/16",
		"--service-account-issuer=https://talkoot.example", "--service-account-key-file="+p.path("accounts.pem"),
		"--service-account-signing-key-file="+p.path("accounts.pem")); err != nil {
		return err
	}
	if err := p.await(ctx, "the API server", func() bool { return p.asks(ctx, "get", "--raw", "/readyz") }); err != nil {
		return err
	}
	if err := errors.Join(
		p.begin(ctx, "kube-controller-manager", config, "--leader-elect=false", "--bind-address=127.0.0.1", "--secure-port="+ports[3],
			"--cert-dir="+p.path("certs"), "--service-account-private-key-file="+p.path("accounts.pem"), "--use-service-account-credentials=true"),
		p.begin(ctx, "kube-scheduler", config, "--leader-elect=false", "--secure-port=0"),
		p.begin(ctx, "kwok", append([]string{config, "--manage-all-nodes=true", "--node-lease-duration-seconds=40"}, stages...)...),
	); err != nil {
		return err
	}
	for i := range 3 {
		if err := p.addMachine(ctx, i+1); err != nil {
			return err
		}
	}
	return p.await(ctx, "the machines", func() bool {
		said, err := p.kubectl(ctx, "", "get", "nodes", "--no-headers")
		return err == nil && strings.Count(said, " Ready ") == 3 && p.asks(ctx, "get", "serviceaccount", "default")
	})
}

// writeKeys writes what lets us and the controllers in.
func (p *plane) writeKeys(port string) error {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		return fmt.Errorf("make a key: %w", err)
	}
	secret := make([]byte, 16)
	_, _ = rand.Read(secret) // never fails
	token := hex.EncodeToString(secret)
	block := &pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(key)}
	return errors.Join(
		os.WriteFile(p.path("accounts.pem"), pem.EncodeToMemory(block), 0o600),
		os.WriteFile(p.path("tokens"), []byte(token+`,admin,admin,"system:masters"`+"\n"), 0o600),
		// The certificate is one that the API server makes for itself, on this machine.
		os.WriteFile(p.path("config"), fmt.Appendf(nil, `apiVersion: v1
kind: Config
clusters: [{name: it, cluster: {server: "https://127.0.0.1:%s", insecure-skip-tls-verify: true}}]
users: [{name: admin, user: {token: %s}}]
contexts: [{name: it, context: {cluster: it, user: admin}}]
current-context: it
`, port, token), 0o600))
}

// stages tell kwok how pods come and go: they need some seconds to become ready, and jobs to end.
func (p *plane) stages(ctx context.Context) ([]string, error) {
	var module struct{ Dir string }
	cmd := exec.CommandContext(ctx, "go", "mod", "download", "-json", "sigs.k8s.io/kwok")
	cmd.Dir, cmd.Env = filepath.Join(p.source, "kwok"), append(os.Environ(), "GOWORK=off")
	said, err := cmd.Output()
	if err = errors.Join(err, json.Unmarshal(said, &module)); err != nil {
		return nil, fmt.Errorf("find kwok's module: %w", err)
	}
	var all []string
	for _, file := range []string{"node/fast/node-initialize", "node/heartbeat-with-lease/node-heartbeat-with-lease", "pod/general/pod-create",
		"pod/general/pod-ready", "pod/general/pod-complete", "pod/fast/pod-delete"} {
		all = append(all, "--config="+filepath.Join(module.Dir, "kustomize", "stage", file+".yaml"))
	}
	return all, nil
}

func (p *plane) begin(ctx context.Context, program string, args ...string) error {
	log, err := os.Create(p.path(program + ".log"))
	if err != nil {
		return fmt.Errorf("make a log: %w", err)
	}
	defer func() { _ = log.Close() }()                                                                  // the process has it
	cmd := exec.CommandContext(context.WithoutCancel(ctx), filepath.Join(p.programs, program), args...) //nolint:gosec // we built it
	cmd.Stdout, cmd.Stderr, cmd.Dir = log, log, p.dir
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // our own Ctrl-C ends them in order
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("start %s: %w", program, err)
	}
	p.running = append(p.running, cmd)
	return nil
}

// stop ends all in the opposite order. None has anything to keep.
func (p *plane) stop() {
	for i := len(p.running) - 1; i >= 0; i-- {
		_ = p.running[i].Process.Kill() // it may have ended itself
		_ = p.running[i].Wait()
	}
}

func (p *plane) addMachine(ctx context.Context, n int) error {
	_, err := p.kubectl(ctx, fmt.Sprintf(`{"apiVersion": "v1", "kind": "Node", "metadata": {"name": "machine-%d", "labels": {
		"kubernetes.io/hostname": "machine-%[1]d", "topology.kubernetes.io/zone": "zone-%[1]d"}, "annotations": {"kwok.x-k8s.io/node": "fake"}},
		"status": {"allocatable": {"cpu": "16", "memory": "64Gi", "pods": "110"},
		"capacity": {"cpu": "16", "memory": "64Gi", "pods": "110"}}}`, n),
		"create", "-f", "-")
	return err
}

// kubectl runs a command with a text on its standard input, and returns all that it says.
func (p *plane) kubectl(ctx context.Context, in string, args ...string) (string, error) {
	args = append([]string{"--kubeconfig=" + p.path("config")}, args...)
	cmd := exec.CommandContext(ctx, filepath.Join(p.programs, "kubectl"), args...) //nolint:gosec // a program that we built
	cmd.Stdin = strings.NewReader(in)
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Run(); err != nil {
		return said.String(), fmt.Errorf("kubectl %s: %w\n%s", strings.Join(args, " "), err, said.String())
	}
	return said.String(), nil
}

func (p *plane) asks(ctx context.Context, args ...string) bool {
	_, err := p.kubectl(ctx, "", args...)
	return err == nil
}

func (p *plane) await(ctx context.Context, what string, is func() bool) error {
	ctx, cancel := context.WithTimeout(ctx, ready)
	defer cancel()
	for !is() {
		select {
		case <-ctx.Done():
			return fmt.Errorf("wait for %s: %w", what, ctx.Err())
		case <-time.After(200 * time.Millisecond):
		}
	}
	return nil
}

func freePort(ctx context.Context) (string, error) {
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", fmt.Errorf("find a free port: %w", err)
	}
	port := strconv.Itoa(l.Addr().(*net.TCPAddr).Port)
	return port, l.Close()
}
