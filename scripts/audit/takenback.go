package audit

import "slices"

// takenBack requires that of each pledge which was taken back, and of no other, money goes back for that reason: what was paid of it
// before, or it is refused when a bank has confirmed it. What a bank has taken meanwhile is with the backer already; should it return that, the
// payment knows whose it is.
func takenBack(s *snapshot, found func(format string, args ...any)) {
	for id, p := range s.bySubject() {
		of, _, there := s.chargedAs(id)
		a, paid := s.paidBy(p)
		if !there || !paid {
			continue
		}
		isAsked := slices.ContainsFunc(s.refunds[a.Charge], func(r refund) bool { return r.Reason == "withdrawn" })
		switch {
		case isAsked && !of.IsTakenBack:
			found("pledge %s is %s, its backer did not take it back; its payment %s goes back for that", id, of.Status, p.ID)
		case of.IsTakenBack && !isAsked && !s.isRefused(p) && p.Status != "refunded" && s.taken(a.Charge, p.Amount) == 0:
			found("pledge %s was taken back, nothing of its payment %s (%s) goes back for that", id, p.ID, p.Status)
		}
	}
	for _, p := range s.payments {
		of, _, there := s.chargedAs(p.Subject)
		_, paid := s.paidBy(p)
		if is := p.Kind == "pledge" && there && paid && of.IsTakenBack; p.IsTakenBack != is && !s.isRefused(p) {
			found("payment %s of %s %s: what a bank returns of it is its backer's, because it was taken back: %t, wanted %t", p.ID, p.Kind, p.Subject, p.IsTakenBack, is)
		}
	}
}
