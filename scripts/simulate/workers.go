package simulate

import (
	"context"
	"errors"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/sandbox/standin"
)

const relayBatch = 50

// oldest is an operand by which pick chooses the first element of any list.
const oldest = 1 << 31

// newest is one by which it chooses the last.
const newest = 1

func (sim *simulation) deliverOldest(ctx context.Context, _ operation) { sim.deliver(ctx, oldest) }

// deliverAny delivers any webhook, also before those that were sent earlier.
func (sim *simulation) deliverAny(ctx context.Context, o operation) { sim.deliver(ctx, o.n[0]) }

func (sim *simulation) deliver(ctx context.Context, n uint32) {
	d, some := pick(sim.deliveries(), n)
	if !some {
		return
	}
	sim.note("%s", d.Type)
	switch err := d.Deliver(ctx, d.ID); {
	case errors.Is(err, standin.ErrNotTaken):
		sim.note("not taken")
		sim.count("webhooks", "not taken of "+d.name)
	case err != nil:
		sim.find("the simulation works", "%v", err)
	default:
		sim.count("webhooks", "taken of "+d.name)
	}
}

func (sim *simulation) loseWebhook(_ context.Context, o operation) {
	if d, some := pick(sim.deliveries(), o.n[0]); some {
		sim.noteResult(d.Type, d.DropDelivery(d.ID))
		sim.count("webhooks", "lost of "+d.name)
	}
}

func (sim *simulation) doubleWebhook(_ context.Context, o operation) {
	if d, some := pick(sim.deliveries(), o.n[0]); some {
		_, err := d.DuplicateDelivery(d.ID)
		sim.noteResult(d.Type, err)
		sim.count("webhooks", "doubled of "+d.name)
	}
}

func (sim *simulation) runProvider(ctx context.Context, _ operation) {
	for _, t := range sim.takers() {
		n, err := t.RunDue(ctx)
		if err != nil {
			sim.find("the simulation works", "%v", err)
		}
		sim.note("%d", n)
	}
}

func (sim *simulation) drain(ctx context.Context, _ operation) {
	sim.work(sim.payments, "drain", func(p *process) error { return p.payments.Drain(ctx) })
}

func (sim *simulation) relayPayments(ctx context.Context, _ operation) {
	sim.work(sim.payments, "relay", func(p *process) error {
		n, err := p.payments.Relay(ctx, relayBatch)
		sim.note("%d", n)
		return err
	})
}

func (sim *simulation) relayContent(ctx context.Context, _ operation) {
	sim.work(sim.content, "relay", func(p *process) error {
		n, err := p.content.RelayOnce(ctx)
		sim.note("%d", n)
		return err
	})
}

func (sim *simulation) tidy(ctx context.Context, _ operation) {
	sim.work(sim.payments, "tidy", func(p *process) error { return p.payments.Tidy(ctx) })
}

func (sim *simulation) sweep(ctx context.Context, _ operation) {
	sim.work(sim.payments, "sweep", func(p *process) error { return p.payments.Sweep(ctx) })
}

// runRefunds sends back what is backers' of a campaign that has ended. It may hear nothing of what is in a place, such as while provider B wants fewer calls: the run looks again when its lease is over.
func (sim *simulation) runRefunds(ctx context.Context, _ operation) {
	sim.work(sim.payments, "refund run", func(p *process) error {
		n, err := p.payments.RunRefunds(ctx)
		sim.note("%d", n)
		if errors.Is(err, apperr.New(apperr.ProviderUnavailable)) {
			sim.note("%v", err)
			return nil
		}
		return err
	})
}

// endCampaigns asks the payment service how each stands, and may fail when that is down: it is run again later.
func (sim *simulation) endCampaigns(ctx context.Context, _ operation) {
	err := sim.content.do(func(p *process) error {
		n, err := p.content.EndDue(ctx)
		sim.note("%d", n)
		return err
	})
	if err != nil {
		sim.note("%v", err)
	}
}

// reconcile may fail when the provider does: the pass is run again later.
func (sim *simulation) reconcile(ctx context.Context, _ operation) {
	if err := sim.payments.do(func(p *process) error { return p.payments.Reconcile(ctx) }); err != nil {
		sim.note("%v", err)
	}
}

func (sim *simulation) lapse(ctx context.Context, _ operation) {
	sim.work(sim.content, "lapse", func(p *process) error {
		n, err := p.content.Lapse(ctx)
		sim.note("%d", n)
		return err
	})
}
