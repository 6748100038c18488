package mangopay

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"talkoot.fi/sandbox/standin"
)

const (
	reportPending   = "PENDING"
	reportGenerated = "GENERATED"

	byCreation  = "CREATION_DATE"
	byExecution = "EXECUTION_DATE"

	reportDelay = 2 // seconds until a report is there
)

type reportFilters struct {
	Currency *string  `json:"Currency"`
	UserID   *string  `json:"UserId"`
	WalletID *string  `json:"WalletId"`
	Type     []string `json:"Type"`
	Status   []string `json:"Status"`
}

// report is what moved in a time, as a file for the platform.
type report struct {
	ID             string        `json:"Id"`
	Tag            *string       `json:"Tag"`
	CreationDate   int64         `json:"CreationDate"`
	ReportType     string        `json:"ReportType"`
	DownloadFormat string        `json:"DownloadFormat"`
	AfterDate      int64         `json:"AfterDate"`
	BeforeDate     int64         `json:"BeforeDate"`
	DateRangeBy    string        `json:"DateRangeBy"`
	Filters        reportFilters `json:"Filters"`
	Columns        []string      `json:"Columns"`
	Status         string        `json:"Status"`
	DownloadURL    *string       `json:"DownloadURL"`
}

// reportColumns are what a line can have, in their order: as in the objects.
var reportColumns = []string{"Id", "Tag", "CreationDate", "ExecutionDate", "AuthorId", "CreditedUserId", "DebitedFundsCurrency", "DebitedFundsAmount",
	"CreditedFundsCurrency", "CreditedFundsAmount", "FeesCurrency", "FeesAmount", "Status", "ResultCode", "Type", "Nature", "DebitedWalletId", "CreditedWalletId"}

func (t *transaction) column(name string) string {
	number := func(n int64) string { return strconv.FormatInt(n, 10) }
	switch name {
	case "Id":
		return t.ID
	case "Tag":
		return value(t.Tag)
	case "CreationDate":
		return number(t.CreationDate)
	case "ExecutionDate":
		if t.ExecutionDate != nil {
			return number(*t.ExecutionDate)
		}
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
	case "Status":
		return t.Status
	case "ResultCode":
		return value(t.ResultCode)
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
		DateRangeBy    *string       `json:"DateRangeBy" rule:"in=CREATION_DATE|EXECUTION_DATE"`
		Filters        reportFilters `json:"Filters"`
		Columns        []string      `json:"Columns"`
	}](c)
	if err != nil {
		return nil, err
	}
	if len(in.Columns) == 0 {
		in.Columns = reportColumns
	}
	for _, name := range in.Columns {
		if !slices.Contains(reportColumns, name) {
			return nil, paramError("Columns", "The column "+name+" is unknown.")
		}
	}
	o := &report{ID: c.newID("report"), Tag: in.Tag, CreationDate: c.now, ReportType: in.ReportType, DownloadFormat: in.DownloadFormat,
		AfterDate: in.AfterDate, BeforeDate: in.BeforeDate, DateRangeBy: cmp.Or(value(in.DateRangeBy), byCreation), Filters: in.Filters, Columns: in.Columns, Status: reportPending}
	return o, firstOf(reports.Put(c.tx, o), c.schedule(reportDelay, actReport, o.ID))
}

// generate makes a report's file ready.
func (c *call) generate(id string) error {
	o, err := reports.Find(c.tx, id)
	if err != nil || o == nil || o.Status != reportPending {
		return err
	}
	at, err := c.newPage("report", "report", o.ID)
	o.Status, o.DownloadURL = reportGenerated, &at
	return firstOf(err, reports.Put(c.tx, o), c.tell(o.ID, "REPORT_GENERATED"))
}

// lines are a report's file.
func (c *call) lines(o *report) ([]byte, error) {
	var out bytes.Buffer
	file := csv.NewWriter(&out)
	failed := file.Write(o.Columns)
	oneOf := func(want []string, is string) bool { return len(want) == 0 || slices.Contains(want, is) }
	err := each(c.tx, transactions, "", func(t *transaction) bool {
		f, at := o.Filters, t.CreationDate
		if o.DateRangeBy == byExecution {
			if at = o.BeforeDate; t.ExecutionDate != nil { // one that was not executed is in none
				at = *t.ExecutionDate
			}
		}
		switch {
		case !c.young(t) || !t.isOfUsers() && o.ReportType == "USER_WALLET_TRANSACTIONS",
			at < o.AfterDate || at >= o.BeforeDate || o.ReportType == "COLLECTED_FEES" && t.Fees.Amount == 0,
			f.Currency != nil && t.DebitedFunds.Currency != *f.Currency,
			f.UserID != nil && t.AuthorID != *f.UserID && value(t.CreditedUserID) != *f.UserID,
			f.WalletID != nil && value(t.DebitedWalletID) != *f.WalletID && value(t.CreditedWalletID) != *f.WalletID,
			!oneOf(f.Type, t.Type) || !oneOf(f.Status, t.Status):
			return true
		}
		var cells []string
		for _, name := range o.Columns {
			cells = append(cells, t.column(name))
		}
		failed = firstOf(failed, file.Write(cells))
		return true
	})
	file.Flush()
	return out.Bytes(), firstOf(err, failed, file.Error())
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
