package mangopay

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"talkoot.fi/sandbox/standin"
)

const (
	reportPending   = "PENDING"
	reportGenerated = "GENERATED"

	byCreation  = "CreationDate"
	byExecution = "ExecutionDate"

	newestFirst = "CreationDate:DESC"

	reportDelay = 2 // seconds until a report is there
)

type reportFilters struct {
	Currency *string `json:"Currency,omitempty"`
	UserID   *string `json:"UserId,omitempty"`
	WalletID *string `json:"WalletId,omitempty"`
}

// report is what moved in a time, as a file for the platform.
type report struct {
	ID             string         `json:"Id"`
	Tag            *string        `json:"Tag"`
	CreationDate   int64          `json:"CreationDate"`
	ReportDate     *int64         `json:"ReportDate"`
	ReportType     string         `json:"ReportType"`
	DownloadFormat string         `json:"DownloadFormat"`
	AfterDate      int64          `json:"AfterDate"`
	BeforeDate     int64          `json:"BeforeDate"`
	DateRangeBy    string         `json:"DateRangeBy"`
	Sort           string         `json:"Sort"`
	Filters        reportFilters  `json:"Filters"`
	Columns        []reportColumn `json:"Columns"`
	Status         string         `json:"Status"`
	ResultCode     *string        `json:"ResultCode"`
	ResultMessage  *string        `json:"ResultMessage"`
	DownloadURL    *string        `json:"DownloadURL"`
}

type reportColumn struct {
	Name      string `json:"Name"`
	IsDefault bool   `json:"IsDefault"`
}

// defaultColumns are those of a report that does not say which, in their order; a report can have moreColumns as well. The names are those
// of the reports, not of the objects.
var (
	defaultColumns = []string{"ClientId", "TransactionId", "CreationDate", "ExecutionDate", "AuthorId", "CreditedUserId", "DebitedFundsAmount",
		"DebitedFundsCurrency", "CreditedFundsAmount", "CreditedFundsCurrency", "FeesAmount", "FeesCurrency", "Type", "Nature", "CreditedWalletId",
		"DebitedWalletId", "BankAccountId", "PreauthorizationId", "BankWireRef", "CardId", "CardAlias", "CardType", "CardCountry", "CardExpirationDate",
		"Culture", "DeclaredDebitedFundsAmount", "DeclaredDebitedFundsCurrency", "DeclaredFeesAmount", "DeclaredFeesCurrency", "ExecutionType",
		"PaymentType", "WireReference"}
	moreColumns = []string{"CreationDate:ISO", "ExecutionDate:ISO"}
)

// column is a cell of a transaction that has succeeded; what the sandbox does not know is empty.
func (t *transaction) column(name, client string) string {
	number := func(n int64) string { return strconv.FormatInt(n, 10) }
	iso := func(at int64) string { return time.Unix(at, 0).UTC().Format(time.RFC3339) }
	switch name {
	case "ClientId":
		return client
	case "TransactionId":
		return t.ID
	case "CreationDate":
		return number(t.CreationDate)
	case "CreationDate:ISO":
		return iso(t.CreationDate)
	case "ExecutionDate":
		return number(*t.ExecutionDate)
	case "ExecutionDate:ISO":
		return iso(*t.ExecutionDate)
	case "AuthorId":
		return t.AuthorID
	case "CreditedUserId":
		return value(t.CreditedUserID)
	case "DebitedFundsCurrency":
		return t.DebitedFunds.Currency
	case "DebitedFundsAmount":
		return number(t.DebitedFunds.Amount)
	case "CreditedFundsCurrency":
		return t.CreditedFunds.Currency
	case "CreditedFundsAmount":
		return number(t.CreditedFunds.Amount)
	case "FeesCurrency":
		return t.Fees.Currency
	case "FeesAmount":
		return number(t.Fees.Amount)
	case "Type":
		return t.Type
	case "Nature":
		return t.Nature
	case "DebitedWalletId":
		return value(t.DebitedWalletID)
	case "CreditedWalletId":
		return value(t.CreditedWalletID)
	}
	return ""
}

// isOfUsers tells that a transaction moves a user's wallet, and not only the client's.
func (t *transaction) isOfUsers() bool {
	isUsers := func(id *string) bool {
		return id != nil && !strings.HasPrefix(*id, fundsFees+"_") && !strings.HasPrefix(*id, fundsCredit+"_")
	}
	return isUsers(t.DebitedWalletID) || isUsers(t.CreditedWalletID)
}

func makeReport(c *call) (any, error) {
	in, err := decode[struct {
		Tag            *string       `json:"Tag" rule:"max=255"`
		ReportType     string        `json:"ReportType" rule:"required,in=USER_WALLET_TRANSACTIONS|COLLECTED_FEES"`
		DownloadFormat string        `json:"DownloadFormat" rule:"required,in=CSV"`
		AfterDate      int64         `json:"AfterDate" rule:"required"`
		BeforeDate     int64         `json:"BeforeDate" rule:"required"`
		DateRangeBy    *string       `json:"DateRangeBy" rule:"in=CreationDate|ExecutionDate"`
		Sort           *string       `json:"Sort" rule:"in=CreationDate:ASC|CreationDate:DESC"`
		Filters        reportFilters `json:"Filters"`
		Columns        []string      `json:"Columns"`
	}](c)
	if err != nil {
		return nil, err
	}
	if in.Filters.Currency != nil && in.Filters.WalletID != nil {
		return nil, paramError("Filters", "Currency and WalletId exclude each other.")
	}
	if len(in.Columns) == 0 {
		in.Columns = defaultColumns
	}
	var columns []reportColumn
	for _, name := range in.Columns {
		isDefault := slices.Contains(defaultColumns, name)
		if !isDefault && !slices.Contains(moreColumns, name) {
			return nil, paramError("Columns", "The column "+name+" is unknown.")
		}
		columns = append(columns, reportColumn{name, isDefault})
	}
	o := &report{ID: c.newID("report"), Tag: in.Tag, CreationDate: c.now, ReportType: in.ReportType, DownloadFormat: in.DownloadFormat,
		AfterDate: in.AfterDate, BeforeDate: in.BeforeDate, DateRangeBy: cmp.Or(value(in.DateRangeBy), byCreation),
		Sort: cmp.Or(value(in.Sort), "CreationDate:ASC"), Filters: in.Filters, Columns: columns, Status: reportPending}
	return o, firstOf(reports.Put(c.tx, o), c.schedule(reportDelay, actReport, o.ID))
}

// generate makes a report's file ready.
func (c *call) generate(id string) error {
	o, err := reports.Find(c.tx, id)
	if err != nil || o == nil || o.Status != reportPending {
		return err
	}
	at, err := c.newPage("report", "report", o.ID)
	o.Status, o.DownloadURL, o.ReportDate = reportGenerated, &at, &c.now
	o.ResultCode, o.ResultMessage = optional(codeOK), optional(resultText(codeOK))
	return firstOf(err, reports.Put(c.tx, o), c.tell(o.ID, "REPORT_GENERATED"))
}

// lines are a report's file: what has succeeded.
func (c *call) lines(o *report) ([]byte, error) {
	var rows [][]string
	err := each(c.tx, transactions, "", func(t *transaction) bool {
		if o.has(t) && c.young(t) {
			var cells []string
			for _, column := range o.Columns {
				cells = append(cells, t.column(column.Name, c.s.opts.ClientID))
			}
			rows = append(rows, cells)
		}
		return true
	})
	if o.Sort == newestFirst {
		slices.Reverse(rows)
	}
	var head []string
	for _, column := range o.Columns {
		head = append(head, column.Name)
	}
	var out bytes.Buffer
	err = firstOf(err, csv.NewWriter(&out).WriteAll(append([][]string{head}, rows...)))
	return out.Bytes(), err
}

func (o *report) has(t *transaction) bool {
	if t.Status != statusSucceeded {
		return false
	}
	f, at := o.Filters, t.CreationDate
	if o.DateRangeBy == byExecution {
		at = *t.ExecutionDate
	}
	switch {
	case o.ReportType == "USER_WALLET_TRANSACTIONS" && !t.isOfUsers(), o.ReportType == "COLLECTED_FEES" && t.Fees.Amount == 0,
		at < o.AfterDate || at >= o.BeforeDate,
		f.Currency != nil && t.DebitedFunds.Currency != *f.Currency,
		f.UserID != nil && t.AuthorID != *f.UserID && value(t.CreditedUserID) != *f.UserID,
		f.WalletID != nil && value(t.DebitedWalletID) != *f.WalletID && value(t.CreditedWalletID) != *f.WalletID:
		return false
	}
	return true
}

func (s *Sandbox) download(w http.ResponseWriter, r *http.Request) {
	var file []byte
	err := s.read(&call{}, func(c *call) error {
		var p page
		found, err := standin.GetJSON(c.tx, bucketPages, r.FormValue("token"), &p)
		if err != nil || !found {
			return errOr(err, notFound("Report", ""))
		}
		o, err := get(c.tx, reports, "Report", p.Of)
		if err == nil {
			file, err = c.lines(o)
		}
		return err
	})
	if err != nil {
		s.pageError(w, r, err)
		return
	}
	w.Header().Set("Content-Type", "text/csv; charset=utf-8")
	_, _ = w.Write(file) // a client that left needs no file
}

func getReport(c *call) (any, error) { return get(c.tx, reports, "Report", c.ids["id"]) }

func listReports(c *call) (any, error) { return listed(c, reports, "", whole[report]) }

func reportRoutes() []route {
	return []route{
		{http.MethodPost, "reporting/reports", makeReport},
		{http.MethodGet, "reporting/reports", listReports},
		{http.MethodGet, "reporting/reports/{id}", getReport},
	}
}
