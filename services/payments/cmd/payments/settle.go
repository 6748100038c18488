package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"talkoot.fi/kit/money"
	"talkoot.fi/payments/internal/app"
	"talkoot.fi/payments/internal/payout/payees"
	"talkoot.fi/payments/internal/payout/settlements"
)

func listSettlements(f flags) (act, error) {
	return func(ctx context.Context, a *app.App, out io.Writer) error {
		list, err := a.Settlements.List(ctx, f.campaign)
		if err != nil {
			return err
		}
		return writeRuns(out, list)
	}, nil
}

func writeRuns(out io.Writer, list []settlements.Run) error {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(table, "RUN\tCAMPAIGN\tPROVIDER\tNUMBER\tMONTH\tSTATE\tWAITS FOR\tCHARGED\tFEE\tKEPT BACK\tRELEASED\tTO CREATOR\tCHARGES\tBY")
	for _, r := range list {
		waits := "-"
		if r.Reason != "" {
			waits = strings.TrimSpace(string(r.Reason) + " " + r.Detail)
		}
		month := "-"
		if r.Month != nil {
			month = r.Month.Format(aMonth)
		}
		sum := func(minor int64) money.Amount { return money.New(minor, r.Currency) }
		_, _ = fmt.Fprintf(table, "%s\t%d\t%s\t%d\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%d\t%s\n", r.ID, r.CampaignID, r.Provider, r.Number, month, r.State, waits,
			sum(r.GrossMinor), sum(r.FeeMinor), sum(r.ReserveMinor), sum(r.ReleasedMinor), sum(r.ForCreator()), r.Lines, r.ProposedBy)
	}
	return table.Flush()
}

func settle(f flags) (act, error) {
	named := 0
	for _, is := range []bool{f.campaign != 0 && f.month == "", f.month != "", f.released, f.show != "", f.approve != "", f.resume != "", f.cancel != ""} {
		if is {
			named++
		}
	}
	if named != 1 {
		return nil, errors.New("settle: name one of -campaign, -month, -released, -show, -approve, -resume, -cancel")
	}
	var month time.Time
	if f.month != "" {
		var err error
		if month, err = time.Parse(aMonth, f.month); err != nil {
			return nil, errors.New("settle: name the -month such as 2026-11")
		}
	}
	if (f.approve != "") != (f.hash != "") {
		return nil, errors.New("settle: approve what was shown, by its -hash")
	}
	return func(ctx context.Context, a *app.App, out io.Writer) error {
		switch {
		case f.month != "":
			return settleMonth(ctx, a, out, month, f)
		case f.released:
			list, err := a.Settlements.ProposeReleased(ctx, f.Actor, f.Note)
			if err == nil && len(list) == 0 {
				return done(out, nil, "nothing that was kept back is released and in no run")
			}
			return errors.Join(err, writeRuns(out, list))
		case f.show != "":
			return showRun(ctx, a, out, f.show)
		case f.approve != "":
			r, err := a.Settlements.Approve(ctx, f.approve, f.hash, f.Actor, f.Note)
			if err == nil && r.State == settlements.Proposed {
				return done(out, nil, "run %s is approved by %s; another person has to, too", r.ID, f.Actor)
			}
			return done(out, err, "run %s is %s; the worker books and sends it", f.approve, r.State)
		case f.resume != "":
			return done(out, a.Settlements.Resume(ctx, f.resume, f.Actor, f.Note), "the worker looks at run %s", f.resume)
		case f.cancel != "":
			return done(out, a.Settlements.Cancel(ctx, f.cancel, f.Actor, f.Note), "run %s is ended", f.cancel)
		}
		list, err := a.Settlements.Propose(ctx, f.campaign, f.Actor, f.Note)
		if err == nil && len(list) == 0 {
			return done(out, nil, "campaign %d has no money that is not settled", f.campaign)
		}
		return errors.Join(err, writeRuns(out, list))
	}, nil
}

func settleMonth(ctx context.Context, a *app.App, out io.Writer, month time.Time, f flags) error {
	runs, carried, err := a.Settlements.ProposeMonth(ctx, month, f.campaign, f.Actor, f.Note)
	if len(runs) > 0 {
		err = errors.Join(err, writeRuns(out, runs))
	}
	for _, c := range carried {
		err = errors.Join(err, done(out, nil, "campaign %d at %s has %s, too little for a month: it waits for the next one", c.CampaignID, c.Provider, c.Amount))
	}
	if err == nil && len(runs)+len(carried) == 0 {
		return done(out, nil, "no support until the end of %s is in no run", f.month)
	}
	return err
}

func showRun(ctx context.Context, a *app.App, out io.Writer, id string) error {
	r, err := a.Settlements.Show(ctx, id)
	if err != nil {
		return err
	}
	if err := writeRuns(out, []settlements.Run{r.Run}); err != nil {
		return err
	}
	_, _ = fmt.Fprintf(out, "\nhash %s\napproved by %d of %d: %s\nbank account: %s\n\n", r.Hash, len(r.Approvals), r.Needed(), strings.Join(r.Approvals, ", "),
		bankLine(r.Bank))
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(table, "CHARGE\tPAYMENT\tCHARGED\tFEE\tITS TAX\tKEPT BACK\tTO CREATOR\tIS")
	for _, l := range r.Charges {
		is := "-"
		switch {
		case l.BookedAt != nil:
			is = "booked"
		case l.LeftAt != nil:
			is = "left out: it has changed"
		}
		_, _ = fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", l.ChargeRef, l.PaymentID, money.New(l.GrossMinor, r.Currency), money.New(l.FeeMinor, r.Currency),
			money.New(l.VatMinor, r.Currency), money.New(l.ReserveMinor, r.Currency), money.New(l.NetMinor, r.Currency), is)
	}
	_, _ = fmt.Fprintln(table, "\nKEPT BACK UNTIL\tSUM\tHAS PAID DEBTS\tRELEASED\tWAITS FOR\tSENT BY")
	for _, k := range r.Kept {
		sentBy := "-"
		if k.SentBy != nil {
			sentBy = *k.SentBy
		}
		_, _ = fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\n", k.DueOn.Format(time.DateOnly), money.New(k.KeptMinor, r.Currency), money.New(k.UsedMinor, r.Currency),
			money.New(k.ReleasedMinor, r.Currency), cmp.Or(k.WaitsFor, "-"), sentBy)
	}
	_, _ = fmt.Fprintln(table, "\nSENT\tTRY\tAT\tSUM\tOUR PART\tIS\tPROVIDER'S ID\tWHY NOT")
	for _, m := range r.Moves {
		_, _ = fmt.Fprintf(table, "%s\t%d\t%s\t%s\t%s\t%s\t%s\t%s\n", m.Kind, m.Try, m.At.Format(time.RFC3339), money.New(m.AmountMinor, r.Currency),
			money.New(m.FeeMinor, r.Currency), m.State, m.Ref, m.Code)
	}
	_, _ = fmt.Fprintln(table, "\nTAKEN BACK AT\tSUM\tHAS PAID DEBTS\tIS\tASKED BY\tPROVIDER'S ID\tWHY NOT")
	for _, v := range r.Reversals {
		by := "us"
		if !v.IsOurs {
			by = "somebody in the provider's pages"
		}
		_, _ = fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", v.At.Format(time.RFC3339), money.New(v.AmountMinor, r.Currency), money.New(v.PaidMinor, r.Currency),
			v.State, by, v.Ref, v.Code)
	}
	_, _ = fmt.Fprintln(table, "\nAT\tWHAT\tFROM\tTO\tREASON\tBY\tNOTE")
	for _, s := range r.Steps {
		_, _ = fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", s.At.Format(time.RFC3339), s.Event, s.FromState, s.ToState, s.Reason, s.Actor, s.Note)
	}
	return table.Flush()
}

// bankLine is where a run would be paid out to now.
func bankLine(b payees.Bank) string {
	if b.ID == "" {
		return "none"
	}
	line := fmt.Sprintf("%s, in use since %s, name: %s", b.Label(), b.ActiveAt.Format(time.RFC3339), b.NameCheck)
	if !b.IsFirst() {
		line += fmt.Sprintf("; it has taken another's place and is paid to from %s", b.PaysFrom.Format(time.RFC3339))
	}
	return line
}
