package jobs

import (
	"context"
	"fmt"
	"net"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
)

// newCluster starts three primaries with a replica each; stop ends the process at an address at once.
func newCluster(t *testing.T) (addresses []string, stop func(address string)) {
	t.Helper()
	server, err := exec.LookPath("redis-server")
	if err != nil {
		t.Skip("this machine has no redis-server, and the built-in one is no cluster")
	}
	started := map[string]*exec.Cmd{}
	stop = func(address string) {
		_ = started[address].Process.Kill()
		_ = started[address].Wait()
	}
	for range 6 {
		address := freeAddress(t)
		_, port, _ := net.SplitHostPort(address)
		bus := freeAddress(t)
		_, busPort, _ := net.SplitHostPort(bus)
		command := exec.Command(server, "--bind", "127.0.0.1", "--port", port, "--cluster-port", busPort, "--cluster-enabled", "yes",
			"--cluster-node-timeout", "1000", "--save", "", "--repl-diskless-sync-delay", "0", "--dir", t.TempDir())
		if err := command.Start(); err != nil {
			t.Fatal(err)
		}
		started[address] = command
		addresses = append(addresses, address)
		t.Cleanup(func() { stop(address) })
	}
	for _, address := range addresses {
		within(t, 10*time.Second, address+" answers", func() bool { return askNode(t, address, "PING") == "PONG" })
	}
	form := exec.Command("redis-cli", append([]string{"--cluster", "create", "--cluster-replicas", "1", "--cluster-yes"}, addresses...)...)
	if said, err := form.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	for _, address := range addresses {
		within(t, 20*time.Second, address+" knows the cluster", func() bool {
			return strings.Contains(askNode(t, address, "CLUSTER", "INFO"), "cluster_state:ok") && strings.Count(askNode(t, address, "CLUSTER", "NODES"), "slave") == 3 &&
				!strings.Contains(askNode(t, address, "INFO", "replication"), "master_link_status:down")
		})
	}
	return addresses, stop
}

func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_ = l.Close()
	return l.Addr().String()
}

func within(t *testing.T, limit time.Duration, what string, is func() bool) {
	t.Helper()
	for began := time.Now(); !is(); time.Sleep(50 * time.Millisecond) {
		if time.Since(began) > limit {
			t.Fatalf("not within %s: %s", limit, what)
		}
	}
}

func askNode(t *testing.T, address string, command ...any) string {
	t.Helper()
	c := redis.NewClient(&redis.Options{Addr: address, MaxRetries: -1})
	defer func() { _ = c.Close() }()
	answer, _ := c.Do(t.Context(), command...).Result()
	return fmt.Sprint(answer)
}

// Keys of all three primaries are written again as soon as the cluster itself has replaced the one that died.
func TestRedisCluster_IsUsedAgainASecondAfterItHasHealed(t *testing.T) {
	addresses, stop := newCluster(t)
	client, err := OpenRedis("redis://" + addresses[0] + "/0?addr=" + strings.Join(addresses[1:3], "&addr="))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = client.Close() })
	write := func() (failed int) {
		for n := range 30 {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			if client.Set(ctx, "key"+strconv.Itoa(n), 1, 0).Err() != nil {
				failed++
			}
			cancel()
			if failed > 0 {
				break
			}
		}
		return failed
	}
	within(t, 20*time.Second, "keys are written", func() bool { return write() == 0 })
	stop(addresses[0])
	within(t, 20*time.Second, "the cluster heals", func() bool {
		write() // the load goes on meanwhile
		return strings.Contains(askNode(t, addresses[1], "CLUSTER", "INFO"), "cluster_state:ok") &&
			strings.Count(askNode(t, addresses[1], "CLUSTER", "NODES"), "master") == 4
	})
	healed := time.Now()
	within(t, 6*time.Second, "keys are written again", func() bool { return write() == 0 })
	t.Logf("written again %s after the cluster had healed", time.Since(healed).Round(time.Millisecond))
}
