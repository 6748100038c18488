package audit

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

// mangopayChecks compare our ledger and our disputes with what is on record at Mangopay.
var mangopayChecks = []comparison{
	{"Mangopay's transactions are the ledger's movements", sameTransactions},
	{"Mangopay's wallets hold what the ledger says", sameWallets},
	{"Mangopay's disputes are ours", sameDisputesAtMangopay},
	{"a pay-in at Mangopay is its attempt's", samePayIns},
	{"a payment is taken once at Mangopay", takenOnce},
	{"Mangopay's refunds are ours", sameRefundsAtMangopay},
	{"what pays at Mangopay is its payer's", sameAuthors},
	{"a pay-in is paid as its attempt says", sameInstruments},
	{"a kept card can be charged for its person", sameKeptCards},
	{"a payer at Mangopay is whom they were made for", samePayersAtMangopay},
	{"a wallet at Mangopay is its owner's", sameWalletOwners},
	{"a creator's account is as Mangopay has it", sameOwners},
	{"a creator's bank account is as Mangopay has it", sameBanks},
	{"Mangopay tells us of its events", sameHooks},
	{"creators have at Mangopay what the ledger says", sameCustody},
}

// sameTransactions compares what each transaction did to each wallet with the ledger, both ways. What only the daily pass books is left out
// while it is younger than that; what is older than Mangopay keeps transactions is in our ledger alone.
func sameTransactions(s *snapshot, found func(format string, args ...any)) {
	theirs := map[string]walletLine{}
	for _, l := range s.mangopay.lines {
		key := l.ref + "@" + l.place
		if _, twice := theirs[key]; twice {
			found("Mangopay has two lines for %s", key)
		}
		theirs[key] = l
	}
	kept := s.now.AddDate(0, -mangopayKept, 1)
	for _, m := range s.movements {
		if m.provider != mangopayName {
			continue
		}
		for place, minor := range m.moves() {
			l, there := theirs[m.reference+"@"+place]
			delete(theirs, m.reference+"@"+place)
			switch {
			case !there && m.happened.Before(kept):
			case !there:
				found("%s moved %s by %d %s, and Mangopay has no such transaction", m, place, minor, m.currency)
			case l.minor != minor || l.currency != m.currency || !slices.Contains(l.kinds, m.kind):
				found("%s moved %s by %d %s, at Mangopay %s by %d %s", m, place, minor, m.currency, l.what, l.minor, l.currency)
			case l.at.Sub(m.happened).Abs() > clockSlack:
				found("%s happened at %s, at Mangopay at %s", m, m.happened, l.at)
			}
		}
	}
	for _, key := range slices.Sorted(maps.Keys(theirs)) {
		l := theirs[key]
		isBackers := slices.ContainsFunc(l.kinds, func(k string) bool {
			return k == "charge" || k == "refund" || strings.HasPrefix(k, "d") || k == "place_move"
		})
		if s.mangopay.isShared && !l.isOurs || !isBackers && l.at.After(s.now.Add(-dayGrace)) {
			continue
		}
		found("Mangopay's %s moved %s by %d %s (%s), which the ledger has not", l.ref, l.place, l.minor, l.currency, l.what)
	}
}

// sameWallets compares what is in each wallet with the account that stands for it. On a shared account the platform's own wallets are others'
// too. Which day a movement is of does not matter: wallets keep what is in them. A creator's own wallet is no place of the book: what is there
// is sameCustody's.
func sameWallets(s *snapshot, found func(format string, args ...any)) {
	ours := map[string]map[string]int64{}
	for _, m := range s.movements {
		for place, minor := range m.moves() {
			if m.provider == mangopayName {
				if ours[place] == nil {
					ours[place] = map[string]int64{}
				}
				ours[place][m.currency] += minor
			}
		}
	}
	early := map[string]bool{} // places of which the daily pass has something to book
	for _, l := range s.mangopay.lines {
		isBooked := slices.ContainsFunc(l.kinds, func(kind string) bool { return s.booked[kind+" "+l.ref] })
		early[l.place] = early[l.place] || !isBooked && l.at.After(s.now.Add(-dayGrace))
	}
	for _, place := range slices.Sorted(maps.Keys(s.mangopay.wallets)) {
		isOwn := slices.ContainsFunc(s.owners, func(o owner) bool { return o.Wallet == place })
		if early[place] || isOwn && ours[place] == nil || s.mangopay.isShared && (place == placeFees || place == placeRepudiation) {
			continue
		}
		for currency, minor := range s.mangopay.wallets[place] {
			if ours[place][currency] != minor {
				found("%s has %d %s, the ledger says %d", place, minor, currency, ours[place][currency])
			}
		}
	}
}

// sameCustody compares what is on creators' own wallets, as far as they let us read them, with the account that stands for it; a payout leaves
// the wallet when it is asked for, and the account when it has arrived.
func sameCustody(s *snapshot, found func(format string, args ...any)) {
	ours := map[string]int64{}
	for _, m := range s.movements {
		for _, l := range m.legs {
			ours[l.account] += l.minor
		}
	}
	theirs, unread := map[string]int64{}, map[string]bool{}
	for _, o := range s.owners {
		if o.Wallet == "" || o.Number == 0 {
			continue
		}
		name := atCreator + ":" + mangopayName + ":" + strconv.FormatInt(o.Number, 10)
		w, there := s.mangopay.walletOf[o.Wallet]
		if !there {
			unread[name] = true
			continue
		}
		theirs[name] += w.Balance.Amount
		for _, p := range s.onTheWay {
			if p.Wallet == o.Wallet {
				theirs[name] += p.Minor
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(theirs)) {
		if !unread[name] && theirs[name] != ours[name] {
			found("%s is %d, their wallets have %d", name, ours[name], theirs[name])
		}
	}
}

// standing is the status that our dispute must have.
func (d mangopayDispute) standing() string {
	isClosed := d.Status == "CLOSED"
	switch {
	case d.DisputeType == "RETRIEVAL" && !isClosed:
		return "inquiry"
	case d.DisputeType == "RETRIEVAL", isClosed && d.ResultCode == "VOID":
		return "closed"
	case d.DisputeType == "NOT_CONTESTABLE" && strings.HasPrefix(d.DisputeReason.DisputeReasonType, "LATE_FAILURE_"):
		return "returned"
	case d.DisputeType == "NOT_CONTESTABLE", isClosed && d.ResultCode == "LOST":
		return "lost"
	case isClosed:
		return "won"
	}
	return "open"
}

// withdrawn is what a bank has taken back and not returned, in minor units.
func (d mangopayDispute) withdrawn() int64 {
	if standing := d.standing(); d.RepudiationID == "" || standing == "won" || standing == "closed" {
		return 0
	}
	return d.DisputedFunds.Amount
}

// sameDisputesAtMangopay compares each dispute there with ours.
func sameDisputesAtMangopay(s *snapshot, found func(format string, args ...any)) {
	ours := maps.Clone(s.disputes)
	maps.DeleteFunc(ours, func(_ string, d dispute) bool { return d.Provider != mangopayName })
	for _, t := range s.mangopay.disputes {
		got, known := ours[t.ID]
		delete(ours, t.ID)
		_, isOurs := s.byMoney[t.InitialTransactionID]
		switch {
		case !known && (isOurs || !s.mangopay.isShared):
			found("dispute %s of pay-in %s is not known", t.ID, t.InitialTransactionID)
		case known && (got.Charge != t.InitialTransactionID || got.Status != t.standing() || got.Amount != t.DisputedFunds.Amount ||
			got.Withdrawn != t.withdrawn() || got.Reason != strings.ToLower(t.DisputeReason.DisputeReasonType)):
			found("dispute %s is %+v with us, at Mangopay %+v", t.ID, got, t)
		}
	}
	for _, ref := range slices.Sorted(maps.Keys(ours)) {
		if s.isKept(ours[ref].Opened) {
			found("dispute %s is not at Mangopay", ref)
		}
	}
}
