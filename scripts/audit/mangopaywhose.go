package audit

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

// samePayIns compares each pay-in of ours with the attempt that it is of: its sum, what was kept of it, and what we wrote on it.
func samePayIns(s *snapshot, found func(format string, args ...any)) {
	for _, l := range s.mangopay.lines {
		a, known := s.byMoney[l.ref]
		if !l.is("charge") || !known && !l.isOurs {
			continue
		}
		p := s.payments[a.Payment]
		switch {
		case !known || !a.tookMoney():
			found("pay-in %s took %d %s for our payment %q, our attempt is %q", l.ref, l.minor, l.currency, l.tag.Get("payment"), a.Status)
		case l.fees != 0 || l.minor != a.Amount || l.currency != a.Currency:
			found("pay-in %s took %d %s and %d were kept of it, our attempt %d took %d %s", l.ref, l.minor, l.currency, l.fees, a.ID, a.Amount, a.Currency)
		case a.Attached, a.WasHeld, p.Kind == "unclaimed", l.tag == nil: // a person says, or has said, whose it is; or it was not read
		case l.tag.Get("payment") != a.Payment || l.tag.Get("attempt") != a.Key || l.tag.Get("subject") != p.Kind+":"+p.Subject ||
			l.tag.Get("campaign") != strconv.FormatInt(p.Campaign, 10):
			found("pay-in %s says that it is %s, our attempt %s is of payment %s for %s %s of campaign %d", l.ref, l.tag.Encode(), a.Key, a.Payment, p.Kind,
				p.Subject, p.Campaign)
		}
	}
}

// takenOnce finds payments of which more was taken there, by what we wrote on the pay-ins, than they are of, that is not on its way back, and
// that no bank took back. Where only the newest were read it knows too little.
func takenOnce(s *snapshot, found func(format string, args ...any)) {
	if !s.mangopay.areTagsWhole {
		return
	}
	payIns, kept, waits, paymentOf := map[string][]string{}, map[string]int64{}, map[string]bool{}, map[string]string{}
	for _, l := range s.mangopay.lines {
		a := s.byMoney[l.ref]
		if payment := l.tag.Get("payment"); l.is("charge") && payment != "" && !a.Attached && !a.WasHeld { // else a person has said whose it is
			payIns[payment] = append(payIns[payment], l.ref)
			kept[payment] += l.minor
			paymentOf[l.ref] = payment
			waits[payment] = waits[payment] || slices.ContainsFunc(s.refunds[l.ref], refund.isOnItsWay)
		}
	}
	for _, l := range s.mangopay.lines {
		if l.is("refund") { // by its pay-in: one that was made in their pages has no tag
			kept[paymentOf[l.of]] += l.minor
		}
	}
	for _, d := range s.mangopay.disputes {
		kept[paymentOf[d.InitialTransactionID]] -= d.withdrawn()
	}
	for _, payment := range slices.Sorted(maps.Keys(payIns)) {
		if p, there := s.payments[payment]; there && kept[payment] > p.Amount && !waits[payment] {
			found("payment %s of %d: %d are kept of the pay-ins %v", payment, p.Amount, kept[payment], payIns[payment])
		}
	}
}

// sameRefundsAtMangopay compares each refund there with ours: which it is, its sum, and that it is taken from where the pay-in went, and given
// to who paid.
func sameRefundsAtMangopay(s *snapshot, found func(format string, args ...any)) {
	ours, payIns := map[string]refund{}, map[string]walletLine{}
	for _, list := range s.refunds {
		for _, r := range list {
			if r.Provider == mangopayName && r.Ref != "" {
				ours[r.Ref] = r
			}
		}
	}
	for _, l := range s.mangopay.lines {
		if l.is("charge") {
			payIns[l.ref] = l
		}
	}
	made := map[string]string{}
	for _, l := range s.mangopay.lines {
		r, known := ours[l.ref]
		if !l.is("refund") || !known && !l.isOurs && s.mangopay.isShared {
			continue
		}
		delete(ours, l.ref)
		id, of := l.tag.Get("refund"), payIns[r.Charge]
		if other := made[id]; id != "" && other != "" {
			found("our refund %s was made twice: %s and %s", id, other, l.ref)
		}
		made[id] = l.ref
		a := s.byMoney[r.Charge]
		switch {
		case !known:
			found("refund %s of %d %s is not known", l.ref, -l.minor, l.currency)
		case -l.minor != r.Amount || l.currency != r.Currency || id != "" && id != r.ID || id != "" && !a.Attached && l.tag.Get("payment") != a.Payment:
			found("refund %s gives %d %s back for %q, our refund %s %d %s of pay-in %s", l.ref, -l.minor, l.currency, l.tag.Encode(), r.ID, r.Amount, r.Currency, r.Charge)
		case of.ref != "" && (of.place != l.place || of.author != l.author):
			found("refund %s gives money of %s back to %s, its pay-in %s went from %s to %s", l.ref, l.place, l.author, of.ref, of.author, of.place)
		case r.Status != "succeeded" && r.Status != "repeated": // one that was made twice is repeated first
			found("refund %s has succeeded, our refund %s is %s", l.ref, r.ID, r.Status)
		}
	}
	for _, ref := range slices.Sorted(maps.Keys(ours)) {
		if r := ours[ref]; r.Status == "succeeded" && (payIns[r.Charge].ref != "" || s.isKept(s.happenedAt("charge", r.Charge))) {
			found("refund %s (our %s of %d) is not at Mangopay", ref, r.ID, r.Amount)
		}
	}
}

// sameAuthors requires that who paid, as Mangopay knows them, was made for the account or the order that is paid. An account that was erased
// has left its payments.
func sameAuthors(s *snapshot, found func(format string, args ...any)) {
	for _, l := range s.mangopay.lines {
		a, known := s.byMoney[l.ref]
		p, backer := s.payments[a.Payment], s.charged[a.Payment].Backer
		if !l.is("charge") || !known || a.Attached || a.WasHeld || p.Kind == "unclaimed" {
			continue
		}
		u, there := s.mangopay.users[l.author]
		isErased := backer == 0 && strings.HasPrefix(u.Tag, "user:")
		switch {
		case !there && s.mangopay.areUsersWhole:
			found("pay-in %s of payment %s is by %s, who is not there", l.ref, a.Payment, l.author)
		case there && u.Tag != p.Kind+":"+p.Subject && !s.isAccount(u.Tag, backer) && !isErased:
			found("pay-in %s of payment %s (%s %s of user %d) is by %s, who was made for %q", l.ref, a.Payment, p.Kind, p.Subject, backer, l.author, u.Tag)
		}
	}
}

// sameInstruments looks at the newest pay-ins: what pays each is what our attempt was to charge, it is its author's, and one that is on its way
// here is so there.
func sameInstruments(s *snapshot, found func(format string, args ...any)) {
	for _, a := range s.newestAtMangopay() {
		in, there := s.mangopay.payIns[a.Money]
		if !there {
			if a.Status == "open" || s.isKept(s.happenedAt("charge", a.Charge)) {
				found("pay-in %s of attempt %d, which is %s, is not there", a.Money, a.ID, a.Status)
			}
			continue
		}
		method, instrument := "card", "cards/"+in.CardID
		switch {
		case in.PaymentType == "DIRECT_DEBIT":
			method, instrument = "debit", "mandates/"+in.MandateID
		case in.ExecutionType == "WEB":
			method, instrument = "page", ""
		}
		if want := map[bool]string{true: "SUCCEEDED", false: "CREATED"}[a.tookMoney()]; in.Status != want {
			found("pay-in %s is %s, our attempt %d is %s", in.ID, in.Status, a.ID, a.Status)
		}
		if a.Method != "unasked" && (a.Method != method || a.Instrument != instrument) {
			found("pay-in %s is paid by %s %q, our attempt %d by %s %q", in.ID, method, instrument, a.ID, a.Method, a.Instrument)
		}
		mandate, known := s.mangopay.mandates[in.MandateID]
		if in.MandateID != "" && (known || s.mangopay.areMandatesWhole) &&
			(mandate.UserID != in.AuthorID || in.Status == "CREATED" && mandate.Status != "SUBMITTED" && mandate.Status != "ACTIVE") {
			found("pay-in %s of %s is by mandate %q, which is %s's and %s", in.ID, in.AuthorID, in.MandateID, mandate.UserID, mandate.Status)
		}
	}
}

// sameKeptCards requires that a card that is offered again is there, can be charged, and is the one that its person gave.
func sameKeptCards(s *snapshot, found func(format string, args ...any)) {
	for _, k := range s.keptCards {
		card, there := s.mangopay.cards[strings.TrimPrefix(k.Ref, "cards/")]
		switch {
		case k.IsOffered && (!there || !card.Active):
			found("card %s is offered to user %d and cannot be charged any more", k.Ref, k.User)
		case there && (k.Payer == "" || card.UserID != k.Payer):
			found("card %s is offered to user %d, who is payer %q, and is %s's", k.Ref, k.User, k.Payer, card.UserID)
		case there && (card.Fingerprint != k.Fingerprint || !strings.HasSuffix(k.Label, " "+card.Alias[max(0, len(card.Alias)-4):])):
			found("card %s is shown to user %d as %q, it is %s", k.Ref, k.User, k.Label, card.Alias)
		}
	}
}

// samePayersAtMangopay requires that whoever pays next is the payer who was made for them, or for an account that was brought into theirs.
func samePayersAtMangopay(s *snapshot, found func(format string, args ...any)) {
	for _, m := range s.madeFor {
		if m.Provider != mangopayName {
			continue
		}
		u, there := s.mangopay.users[m.Ref]
		user, _ := strconv.ParseInt(strings.TrimPrefix(m.Owner, "user:"), 10, 64)
		switch {
		case !there && s.mangopay.areUsersWhole:
			found("payer %s of %s is not there", m.Ref, m.Owner)
		case there && (u.UserCategory != "PAYER" || u.UserStatus == "CLOSED" || u.Tag != m.Owner && !s.isAccount(u.Tag, user)):
			found("payer %s of %s was made for %q and is %s, %s", m.Ref, m.Owner, u.Tag, u.UserCategory, u.UserStatus)
		}
	}
}

// sameBanks requires that a bank account is its creator's there, is the one that they gave, and is in use there as it is here; and that none is in
// use there that we do not know, or have given up. What waits for an answer is looked at by the next pass.
func sameBanks(s *snapshot, found func(format string, args ...any)) {
	byRef := map[string]payeeBank{}
	for _, b := range s.banks {
		if b.Ref == "" {
			continue
		}
		byRef[b.Ref] = b
		is, there := s.mangopay.banks[b.Ref]
		iban := is.LocalBankTransfer.EUR.IBAN
		want := map[string]string{"pending": "PENDING", "active": "ACTIVE", "ended": "DEACTIVATED", "canceled": "CANCELED"}[b.State]
		switch {
		case !there:
			found("bank account %s (%s) of %s is not there", b.Ref, b.State, b.Payee)
		case is.UserID != b.Payee || is.Tag != "bank:"+b.ID:
			found("bank account %s (%s) of %s is %s's there (%s)", b.Ref, b.ID, b.Payee, is.UserID, is.Tag)
		case b.LastFour != "" && (is.Country != b.Country || !strings.HasSuffix(iban, b.LastFour)):
			found("bank account %s is shown as %s %s, it is another one in %s", b.Ref, b.Country, b.LastFour, is.Country)
		case want != "" && is.Status != want:
			found("bank account %s of %s is %s, there it is %s", b.Ref, b.Payee, b.State, is.Status)
		}
	}
	for _, ref := range slices.Sorted(maps.Keys(s.mangopay.banks)) {
		is := s.mangopay.banks[ref]
		if _, known := byRef[ref]; known || is.Status != "ACTIVE" {
			continue
		}
		isAsked := slices.ContainsFunc(s.banks, func(b payeeBank) bool { return is.Tag == "bank:"+b.ID && b.State == "asking" })
		if !isAsked {
			found("%s of %s can be paid to, and is no bank account that we know", ref, is.UserID)
		}
	}
}

// sameWalletOwners compares the wallets that their owners let us read with whom, and which campaign, we think they are of.
func sameWalletOwners(s *snapshot, found func(format string, args ...any)) {
	check := func(ref, owner, tag string) {
		w, there := s.mangopay.walletOf[ref]
		if there && (!slices.Equal(w.Owners, []string{owner}) || w.Tag != tag || w.Currency != "EUR") {
			found("wallet %s of %s (%s) is %v's there (%s), in %s", ref, owner, tag, w.Owners, w.Tag, w.Currency)
		}
	}
	for _, w := range s.walletsOf {
		check(w.Ref, w.Owner, "campaign:"+strconv.FormatInt(w.Campaign, 10))
	}
	for _, o := range s.owners {
		check(o.Wallet, o.Ref, "payee:"+o.ID)
	}
}

// sameOwners requires that who is paid may be paid there: an account that counts as ready here is a verified owner's, and one that was closed
// there is closed here.
func sameOwners(s *snapshot, found func(format string, args ...any)) {
	for _, o := range s.owners {
		u, there := s.mangopay.users[o.Ref]
		isReady := u.UserCategory == "OWNER" && u.KYCLevel == "REGULAR" && u.UserStatus == "ACTIVE"
		if !there && o.State != "closed" || o.State == "ready" && !isReady || there && (u.UserStatus == "CLOSED") != (o.State == "closed") ||
			there && u.Tag != "payee:"+o.ID {
			found("account %s (%s) is %s, there %s, %s, %s (%s)", o.Ref, o.ID, o.State, u.UserCategory, u.KYCLevel, u.UserStatus, u.Tag)
		}
	}
}

// sameHooks requires that we are told of all events that decide something, at the address that is ours.
func sameHooks(s *snapshot, found func(format string, args ...any)) {
	m := s.mangopay
	if m.hookURL == "" {
		return
	}
	for _, kind := range mangopayEvents() {
		at := slices.IndexFunc(m.hooks, func(h mangopayHook) bool { return h.EventType == kind })
		if at < 0 {
			found("nobody is told of %s", kind)
		} else if h := m.hooks[at]; h.URL != m.hookURL || h.Status != "ENABLED" || h.Validity == "INVALID" {
			found("%s is told to %s (%s, %s), not to %s", kind, h.URL, h.Status, h.Validity, m.hookURL)
		}
	}
}
