package mangopay

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"time"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/payments/internal/provider"
)

const (
	// reportPause is between two looks whether a report is there, reportWait for how long it is waited for in all.
	reportPause = 3 * time.Second
	reportWait  = 8 * time.Minute
	// downloadWait bounds the reading of a report's file.
	downloadWait = 5 * time.Minute
)

// reportColumns are what is read of a report's lines. Tags are in none. docs.mangopay.com/reports/transactions
var reportColumns = []string{"TransactionId", "ExecutionDate", "DebitedFundsCurrency", "DebitedFundsAmount", "CreditedFundsCurrency",
	"CreditedFundsAmount", "Type", "Nature", "DebitedWalletId", "CreditedWalletId"}

// eachReported walks the transactions of users' wallets that were executed in [from, to), by a report, which has those that succeeded alone.
// docs.mangopay.com/api-reference/reporting/create-report
func (c *Client) eachReported(ctx context.Context, from, to time.Time, fn func(transaction) error) error {
	var report struct{ Id, Status, DownloadURL string } //nolint:revive // the wire's
	asked := c.config.Now()
	// Each asking has a key of its own: an earlier report of the same days lacks what came since.
	key := fmt.Sprintf("report:%d:%d:%d", from.Unix(), to.Unix(), asked.UnixNano())
	_, err := c.post(ctx, "ask for a report", "/reporting/reports", key, map[string]any{"ReportType": "USER_WALLET_TRANSACTIONS",
		"DownloadFormat": "CSV", "AfterDate": from.Unix() - 1, "BeforeDate": to.Unix(), "DateRangeBy": "ExecutionDate",
		"Columns": reportColumns}, &report)
	if err != nil {
		return err
	}
	for report.DownloadURL == "" {
		if report.Status == failed || c.config.Now().Sub(asked) > reportWait {
			return apperr.New(apperr.ProviderUnavailable).Wrap(fmt.Errorf("report %s is %s", report.Id, report.Status))
		}
		if err := c.config.Sleep(ctx, reportPause); err != nil {
			return err
		}
		if err := c.get(ctx, "read report "+report.Id, "/reporting/reports/"+report.Id, &report); err != nil {
			return err
		}
	}
	if err := c.download(ctx, report.DownloadURL, fn); err != nil {
		return fmt.Errorf("read the file of report %s: %w", report.Id, err)
	}
	return nil
}

// download reads a report's file, line by line as it comes: it may be long. Its address is a secret.
func (c *Client) download(ctx context.Context, address string, fn func(transaction) error) (err error) {
	ctx, cancel := context.WithTimeout(ctx, downloadWait)
	defer cancel()
	call, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return withoutAddress(err)
	}
	answer, err := c.http.Do(call)
	if err != nil {
		return apperr.New(apperr.ProviderUnavailable).Wrap(withoutAddress(err))
	}
	defer func() { err = errors.Join(err, answer.Body.Close()) }()
	if answer.StatusCode != http.StatusOK {
		return apperr.New(apperr.ProviderUnavailable).Wrap(fmt.Errorf("status %d", answer.StatusCode))
	}
	file := csv.NewReader(answer.Body)
	file.FieldsPerRecord = len(reportColumns)
	for line := 1; ; line++ {
		cells, err := file.Read()
		switch {
		case errors.Is(err, io.EOF) && line > 1:
			return nil
		case err != nil: // not its own words, which quote the file
			return apperr.New(apperr.ProviderUnavailable).Wrap(fmt.Errorf("line %d: %w", line, errBody))
		case line == 1:
			if !slices.Equal(cells, reportColumns) {
				return fmt.Errorf("%w: the columns of a report are not those asked for", provider.ErrFinal)
			}
			continue
		}
		t, err := reported(cells)
		if err != nil {
			return fmt.Errorf("%w: line %d: %w", provider.ErrFinal, line, err)
		}
		if err := fn(t); err != nil {
			return err
		}
	}
}

// reported is a line of a report.
func reported(cells []string) (t transaction, err error) {
	number := func(text string) int64 {
		n, fault := strconv.ParseInt(text, 10, 64)
		if fault != nil {
			err = errBody
		}
		return n
	}
	executed := number(cells[1])
	t = transaction{Id: cells[0], ExecutionDate: &executed, DebitedFunds: funds{cells[2], number(cells[3])},
		CreditedFunds: funds{cells[4], number(cells[5])}, Status: succeeded, ResultCode: resultSuccess, Type: cells[6], Nature: cells[7],
		DebitedWalletId: cells[8], CreditedWalletId: cells[9]}
	if err == nil && !t.isWhole() {
		err = errBody
	}
	return t, err
}
