package simulate

import (
	"context"
	"errors"

	"talkoot.fi/sandbox/stripe"
)

const relayBatch = 50

// oldest picks the first of any list.
const oldest = 1 << 31

func (l *life) deliverOldest(ctx context.Context, _ operation) { l.deliver(ctx, oldest) }

// deliverAny delivers any webhook, also before those that were sent earlier.
func (l *life) deliverAny(ctx context.Context, o operation) { l.deliver(ctx, o.n[0]) }

func (l *life) deliver(ctx context.Context, n uint32) {
	d, some := pick(l.sandbox.Deliveries(), n)
	if !some {
		return
	}
	l.note("%s", d.Type)
	switch err := l.sandbox.Deliver(ctx, d.ID); {
	case errors.Is(err, stripe.ErrNotTaken):
		l.note("not taken")
		l.count("webhooks", "not taken")
	case err != nil:
		l.find("the simulation works", "%v", err)
	default:
		l.count("webhooks", "taken")
	}
}

func (l *life) loseWebhook(_ context.Context, o operation) {
	if d, some := pick(l.sandbox.Deliveries(), o.n[0]); some {
		l.told(d.Type, l.sandbox.DropDelivery(d.ID))
		l.count("webhooks", "lost")
	}
}

func (l *life) doubleWebhook(_ context.Context, o operation) {
	if d, some := pick(l.sandbox.Deliveries(), o.n[0]); some {
		_, err := l.sandbox.DuplicateDelivery(d.ID)
		l.told(d.Type, err)
		l.count("webhooks", "doubled")
	}
}

func (l *life) runProvider(ctx context.Context, _ operation) {
	n, err := l.sandbox.RunDue(ctx)
	if err != nil {
		l.find("the simulation works", "%v", err)
	}
	l.note("%d", n)
}

func (l *life) drain(ctx context.Context, _ operation) {
	l.work(l.payments, "drain", func(p *process) error { return p.payments.Drain(ctx) })
}

func (l *life) relayPayments(ctx context.Context, _ operation) {
	l.work(l.payments, "relay", func(p *process) error {
		n, err := p.payments.Relay(ctx, relayBatch)
		l.note("%d", n)
		return err
	})
}

func (l *life) relayContent(ctx context.Context, _ operation) {
	l.work(l.content, "relay", func(p *process) error {
		n, err := p.content.RelayOnce(ctx)
		l.note("%d", n)
		return err
	})
}

func (l *life) tidy(ctx context.Context, _ operation) {
	l.work(l.payments, "tidy", func(p *process) error { return p.payments.Tidy(ctx) })
}

func (l *life) sweep(ctx context.Context, _ operation) {
	l.work(l.payments, "sweep", func(p *process) error { return p.payments.Sweep(ctx) })
}

// reconcile may fail when the provider does: the pass is run again later.
func (l *life) reconcile(ctx context.Context, _ operation) {
	if err := l.payments.do(func(p *process) error { return p.payments.Reconcile(ctx) }); err != nil {
		l.note("%v", err)
	}
}

func (l *life) lapse(ctx context.Context, _ operation) {
	l.work(l.content, "lapse", func(p *process) error {
		n, err := p.content.Lapse(ctx)
		l.note("%d", n)
		return err
	})
}
