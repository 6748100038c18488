//go:build unix

package main

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	mathrand "math/rand/v2"
	"os"
	"strconv"
	"strings"
	"time"
)

// webhook is a signed event as the provider sends it; its id is new each time.
func (b *bench) webhook(*mathrand.Rand) []byte { return b.webhookOf("payment_intent.succeeded") }

// otherWebhook is of a kind that is stored, and nothing comes of it.
func (b *bench) otherWebhook(*mathrand.Rand) []byte { return b.webhookOf("customer.updated") }

func (b *bench) webhookOf(kind string) []byte {
	id := rand.Text()
	body := fmt.Sprintf(`{"id":"evt_%s","object":"event","api_version":"%s","created":%d,"livemode":false,"pending_webhooks":1,`+
		`"type":"%s","data":{"object":{"id":"pi_%s","object":"payment_intent","amount":2500,"currency":"eur","status":"succeeded",`+
		`"metadata":{"pledge_id":"%s"},"description":"%s"}}}`, id, apiVersion, time.Now().Unix(), kind, id, id, strings.Repeat("Talkoot, kampanja ja vastike. ", 60))
	at := strconv.FormatInt(time.Now().Unix(), 10)
	mac := hmac.New(sha256.New, []byte(b.harness.Env["STRIPE_WEBHOOK_SECRET"]))
	mac.Write([]byte(at + "." + body))
	return post("/api/webhooks/stripe", "Stripe-Signature: t="+at+",v1="+hex.EncodeToString(mac.Sum(nil))+"\r\n",
		[]byte(body))
}

// apiVersion is the version of the events that the payment service accepts (stripe-go v76).
const apiVersion = "2023-10-16"

// webhookRow measures the intake alone: the worker, which would process what comes in at the same time, is stopped.
func (b *bench) webhookRow(ctx context.Context) (err error) {
	worker := b.harness.Proc("payments-work")
	if err := worker.Stop(ctx); err != nil {
		return err
	}
	defer func() {
		_, deleted := b.harness.Payments.Exec(context.WithoutCancel(ctx), `TRUNCATE webhook_events`)
		err = errors.Join(err, deleted, worker.Start(context.WithoutCancel(ctx)))
	}()
	scripts, err := b.webhookScripts(ctx)
	if err != nil {
		return err
	}
	r := newReference(b.harness.Env["PAYMENTS_DATABASE_URL"], b.harness.DataDir)
	ours, theirs, err := b.turns(b.loadWebhooks(ctx), func(length time.Duration) (float64,
		error) {
		return r.run(ctx, scripts, length)
	})
	if err == nil {
		b.table.atLeast("webhook intake", ours, theirs, 0.7, "events/s", r.name())
	}
	return err
}

// loadWebhooks measures the intake of webhooks.
func (b *bench) loadWebhooks(ctx context.Context) throughput {
	return func(length time.Duration) (float64, error) {
		l, err := closed(ctx, hostOf(b.harness.PaymentsURL), poolSize, length, b.webhook)
		return l.perSecond, err
	}
}

func (b *bench) webhookScripts(ctx context.Context) (scripts [][]string, err error) {
	c, err := startCapture(ctx, b.harness)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, c.stop(ctx)) }()
	sent, err := c.of(ctx, "payments", hostOf(b.harness.PaymentsURL), b.webhook(nil))
	if err != nil {
		return nil, err
	}
	var id string
	if err := b.harness.Payments.QueryRow(ctx, `SELECT event_key FROM webhook_events ORDER BY received_at DESC LIMIT 1`).Scan(&id); err != nil {
		return nil, fmt.Errorf("find the captured event: %w", err)
	}
	return [][]string{withUniqueID(sent, id)}, nil
}

// starts measures from the start of a process to its first ready answer.
func (b *bench) starts(ctx context.Context) error {
	for _, name := range []string{"content", "payments"} {
		proc := b.harness.Proc(name)
		if err := proc.Stop(ctx); err != nil {
			return err
		}
		began := time.Now()
		if err := proc.Start(ctx); err != nil {
			return err
		}
		b.table.below("start of "+name, time.Since(began).Seconds(), 1, "s")
	}
	return nil
}

func (b *bench) idleMemory(ctx context.Context) error {
	for _, name := range []string{"content", "payments"} {
		if err := b.harness.Proc(name).Restart(ctx); err != nil {
			return err
		}
	}
	if _, err := closed(ctx, b.content(), 1, lastSecond/10, popular); err != nil {
		return err
	}
	time.Sleep(lastSecond)
	return b.memory(", idle", "VmRSS", map[string]float64{"content": 80, "payments": 64})
}

// loadedMemory reports each process's peak of resident memory since its last start.
func (b *bench) loadedMemory(context.Context) error {
	return b.memory(", most under the load above", "VmHWM", map[string]float64{"content": 256, "payments": 256})
}

func (b *bench) memory(when, field string, bars map[string]float64) error {
	for _, name := range []string{"content", "payments"} {
		kib, err := fieldOf(fmt.Sprintf("/proc/%d/status", b.harness.Proc(name).PID()), field)
		if errors.Is(err, os.ErrNotExist) {
			b.table.lines = append(b.table.lines, line{"memory of " + name + when, "only Linux tells", "–", "–", "–", "–"})
			continue
		}
		if err != nil {
			return err
		}
		b.table.below("memory of "+name+when, float64(kib)/1024, bars[name], "MiB")
	}
	return nil
}

// fieldOf reads a figure in KiB of a file like /proc/PID/status.
func fieldOf(path, field string) (int, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return 0, fmt.Errorf("read memory: %w", err)
	}
	for l := range strings.Lines(string(text)) {
		if value, found := strings.CutPrefix(l, field+":"); found {
			return strconv.Atoi(strings.TrimSuffix(strings.TrimSpace(value), " kB"))
		}
	}
	return 0, fmt.Errorf("%s has no %s", path, field)
}
