package audit

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Mangopay is how its API is reached, as Sources.Provider is for provider A.
type Mangopay struct {
	URL, ClientID, Key string
	// HookURL is where it has to tell us of events; without it that is not looked at.
	HookURL string
	// Transport carries the calls; nil is Go's own.
	Transport http.RoundTripper
	// Shared says of this account what Sources.Shared says of provider A's.
	Shared bool
	// Sleep waits between two looks whether a report is there; nil is a timer.
	Sleep func(ctx context.Context, d time.Duration) error
}

// walletLine is what a transaction at Mangopay did to one wallet.
type walletLine struct {
	ref, place, what, currency string
	kinds                      []string // of the ledger's movement, one of them
	minor, fees                int64    // added to the wallet; kept of what was paid
	author                     string
	at                         time.Time
	isOurs                     bool       // its tag names a payment of ours, or its wallet is one of ours
	tag                        url.Values // what we wrote on it; nil when that was not read (readTags)
	of                         string     // the pay-in that a refund is of; read with the tag
}

// is tells that it can only be a movement of a kind.
func (l walletLine) is(kind string) bool { return slices.Equal(l.kinds, []string{kind}) }

// mangopayState is what is on record there.
type mangopayState struct {
	wallets  map[string]map[string]int64 // what is in each place, by currency; without those that the owner does not let us read
	lines    []walletLine
	disputes []mangopayDispute
	isShared bool
	mangopayPeople
}

type mangopayDispute struct {
	ID, InitialTransactionID, DisputeType, Status, ResultCode string
	DisputedFunds                                             struct{ Amount int64 }
	RepudiationID                                             string
	DisputeReason                                             struct{ DisputeReasonType string }
}

// mangopayKept is how long transactions are kept there: older ones are in our ledger alone.
const mangopayKept = 13 // months

// placeAt is the part of our balance that a wallet is, and whether it is the platform's own.
func placeAt(wallet string) (place string, isPlatforms bool) {
	switch kind, _, _ := strings.Cut(wallet, "_"); kind {
	case "FEES":
		return placeFees, true
	case "CREDIT":
		return placeRepudiation, true
	}
	return wallet, false
}

// kindsOf are what a transaction may be in the ledger (docs.mangopay.com/api-reference/transactions/transaction-object).
func kindsOf(kind, nature string, isOwn, isDebit bool) []string {
	switch what := kind + " " + nature; {
	case nature == "SETTLEMENT":
		return []string{"place_move"}
	case isOwn && nature == "REPUDIATION":
		return []string{"dispute_opened", "debit_returned"}
	case isOwn && nature == "REFUND":
		return []string{"dispute_won"}
	case isOwn && what == "PAYIN REGULAR":
		return []string{"top_up"}
	case isOwn && what == "PAYOUT REGULAR":
		return []string{"our_payout"}
	case !isOwn && what == "PAYIN REGULAR":
		return []string{"charge"}
	case !isOwn && what == "PAYOUT REFUND" && isDebit:
		return []string{"refund"}
	}
	return []string{"unexplained", "unexplained_out"}
}

func (m Mangopay) sleep(ctx context.Context, d time.Duration) error {
	if m.Sleep != nil {
		return m.Sleep(ctx, d)
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// readMangopay reads what is on record at Mangopay. It changes nothing there but that a report is asked for.
func (s *snapshot) readMangopay(ctx context.Context, from Mangopay, isShared bool) error {
	c := &mangopayCaller{Mangopay: from, client: &http.Client{Timeout: 30 * time.Second, Transport: from.Transport}}
	var token struct {
		Text string `json:"access_token"`
	}
	if err := c.call(ctx, http.MethodPost, "/v2.01/oauth/token", "grant_type=client_credentials", &token); err != nil {
		return err
	}
	c.token = token.Text
	m := &mangopayState{wallets: map[string]map[string]int64{}, isShared: isShared, mangopayPeople: newMangopayPeople()}
	s.mangopay = m
	if err := m.readReport(ctx, c, s.now); err != nil {
		return err
	}
	m.leaveOwn(s.owners)
	m.claim(s.movements)
	if err := m.readOwn(ctx, c); err != nil {
		return err
	}
	for _, move := range s.movements {
		for place := range move.moves() {
			if move.provider == mangopayName && place != placeFees && place != placeRepudiation && place != placeMain && m.wallets[place] == nil {
				if err := m.readWallet(ctx, c, place); err != nil {
					return err
				}
			}
		}
	}
	if err := m.readPeople(ctx, c, s); err != nil {
		return err
	}
	if err := m.readTags(ctx, c); err != nil {
		return err
	}
	return c.list(ctx, "/disputes", func(raw json.RawMessage) error {
		var d mangopayDispute
		err := json.Unmarshal(raw, &d)
		m.disputes = append(m.disputes, d)
		return err
	})
}

// add takes a transaction in, of which cells has the fields by their names.
func (m *mangopayState) add(field func(name string) string, isOwn bool) error {
	if isOwn && field("Status") != "SUCCEEDED" { // a report has nothing else
		return nil
	}
	executed, err := strconv.ParseInt(field("ExecutionDate"), 10, 64)
	if err != nil {
		return err
	}
	if !isOwn && field("Type") == "TRANSFER" && field("Nature") != "SETTLEMENT" {
		return m.addTransfer(field, time.Unix(executed, 0))
	}
	for _, side := range []string{"Debited", "Credited"} {
		wallet := field(side + "WalletId")
		place, isPlatforms := placeAt(wallet)
		if wallet == "" || isPlatforms != isOwn {
			continue
		}
		minor, err := strconv.ParseInt(field(side+"FundsAmount"), 10, 64)
		fees, broken := strconv.ParseInt(field("FeesAmount"), 10, 64)
		if err := errors.Join(err, broken); err != nil {
			return err
		}
		if side == "Debited" {
			minor = -minor
		}
		l := walletLine{ref: field("TransactionId"), place: place, what: field("Type") + " " + field("Nature"),
			currency: field(side + "FundsCurrency"), kinds: kindsOf(field("Type"), field("Nature"), isOwn, side == "Debited"), minor: minor,
			fees: fees, author: field("AuthorId"), at: time.Unix(executed, 0)}
		if isOwn {
			l.ref = field("Id")
			l.tag, _ = url.ParseQuery(field("Tag"))
			l.isOurs = l.tag.Get("payment") != ""
		}
		m.lines = append(m.lines, l)
	}
	return nil
}

// addTransfer takes a transfer between users' wallets in, or one that undoes it: what left the one, what came back to the other, and the fees, which went
// to ours or came from there. One of the wallets is a creator's own, whose lines are left out.
func (m *mangopayState) addTransfer(field func(name string) string, at time.Time) error {
	credited, err := strconv.ParseInt(field("CreditedFundsAmount"), 10, 64)
	fees, broken := strconv.ParseInt(field("FeesAmount"), 10, 64)
	if err := errors.Join(err, broken); err != nil {
		return err
	}
	for _, side := range []struct {
		ref, place, kind string
		minor            int64
	}{
		{"", field("DebitedWalletId"), "transfer", -credited}, {":fee", field("DebitedWalletId"), "place_move", -fees}, {":fee", placeFees, "place_move", fees},
		{"", field("CreditedWalletId"), "transfer_reversed", credited + fees}, {":fee", field("CreditedWalletId"), "place_move", -fees},
	} {
		l := walletLine{ref: field("TransactionId") + side.ref, place: side.place, what: "TRANSFER " + field("Nature"), currency: field("DebitedFundsCurrency"),
			kinds: []string{side.kind}, minor: side.minor, author: field("AuthorId"), at: at}
		if l.minor != 0 {
			m.lines = append(m.lines, l)
		}
	}
	return nil
}

// leaveOwn leaves out what moved creators' own wallets: it is theirs, and its sum is compared.
func (m *mangopayState) leaveOwn(owners []owner) {
	own := map[string]bool{}
	for _, o := range owners {
		own[o.Wallet] = o.Wallet != ""
	}
	m.lines = slices.DeleteFunc(m.lines, func(l walletLine) bool { return own[l.place] })
}

// claim makes the lines of wallets that the book has ours: a report has no tags.
func (m *mangopayState) claim(movements []movement) {
	ours := map[string]bool{}
	for _, move := range movements {
		for place := range move.moves() {
			ours[place] = ours[place] || move.provider == mangopayName
		}
	}
	for i := range m.lines {
		m.lines[i].isOurs = ours[m.lines[i].place]
	}
}

// readReport reads what moved users' wallets, which a report has without their consent.
func (m *mangopayState) readReport(ctx context.Context, c *mangopayCaller, now time.Time) error {
	ask := fmt.Sprintf(`{"ReportType":"USER_WALLET_TRANSACTIONS","DownloadFormat":"CSV","AfterDate":1,"BeforeDate":%d,
		"Columns":["TransactionId","ExecutionDate","AuthorId","DebitedFundsCurrency","DebitedFundsAmount","CreditedFundsCurrency",
		"CreditedFundsAmount","FeesAmount","Type","Nature","DebitedWalletId","CreditedWalletId"]}`, now.Add(time.Hour).Unix())
	var report struct{ ID, Status, DownloadURL string }
	if err := c.call(ctx, http.MethodPost, c.at("/reporting/reports"), ask, &report); err != nil {
		return err
	}
	until := time.Now().Add(5 * time.Minute)
	for report.DownloadURL == "" {
		if report.Status == "FAILED" || time.Now().After(until) {
			return fmt.Errorf("report %s is %s", report.ID, report.Status)
		}
		if err := c.sleep(ctx, 500*time.Millisecond); err != nil { // it has no other way of telling
			return err
		}
		if err := c.call(ctx, http.MethodGet, c.at("/reporting/reports/"+report.ID), "", &report); err != nil {
			return err
		}
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, report.DownloadURL, http.NoBody)
	if err != nil {
		return err
	}
	answer, err := c.client.Do(r)
	if err != nil {
		return err
	}
	rows, err := csv.NewReader(answer.Body).ReadAll()
	if err = errors.Join(err, answer.Body.Close()); err != nil || answer.StatusCode != http.StatusOK || len(rows) == 0 {
		return errors.Join(fmt.Errorf("the file of report %s: %d", report.ID, answer.StatusCode), err)
	}
	for _, cells := range rows[1:] {
		if err := m.add(func(name string) string { return cells[slices.Index(rows[0], name)] }, false); err != nil {
			return err
		}
	}
	return nil
}

// readOwn reads the platform's own wallets and what moved them.
func (m *mangopayState) readOwn(ctx context.Context, c *mangopayCaller) error {
	return c.list(ctx, "/clients/wallets", func(raw json.RawMessage) error {
		var w struct {
			FundsType, Currency string
			Balance             struct{ Amount int64 }
		}
		if err := json.Unmarshal(raw, &w); err != nil {
			return err
		}
		place, _ := placeAt(w.FundsType)
		m.hold(place, w.Currency, w.Balance.Amount)
		return c.list(ctx, "/clients/wallets/"+w.FundsType+"/"+w.Currency+"/transactions", func(raw json.RawMessage) error {
			var fields map[string]any
			decoder := json.NewDecoder(bytes.NewReader(raw))
			decoder.UseNumber()
			if err := decoder.Decode(&fields); err != nil {
				return err
			}
			return m.add(func(name string) string {
				for _, part := range []string{"Amount", "Currency"} {
					if of, is := strings.CutSuffix(name, part); is {
						sum, _ := fields[of].(map[string]any)
						return fmt.Sprint(sum[part])
					}
				}
				if fields[name] == nil {
					return ""
				}
				return fmt.Sprint(fields[name])
			}, true)
		})
	})
}

// readWallet reads what is in a user's wallet, if its owner has consented to that.
func (m *mangopayState) readWallet(ctx context.Context, c *mangopayCaller, id string) error {
	var w mangopayWallet
	err := c.call(ctx, http.MethodGet, c.at("/wallets/"+url.PathEscape(id)+"?ScaContext=USER_NOT_PRESENT"), "", &w)
	if status := statusError(0); errors.As(err, &status) && status == http.StatusForbidden {
		return nil
	}
	if err == nil {
		m.hold(id, w.Currency, w.Balance.Amount)
		m.walletOf[id] = w
	}
	return err
}

func (m *mangopayState) hold(place, currency string, minor int64) {
	if m.wallets[place] == nil {
		m.wallets[place] = map[string]int64{}
	}
	m.wallets[place][currency] += minor
}
