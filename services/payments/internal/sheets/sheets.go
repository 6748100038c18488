// Package sheets answers with tables that spreadsheets of Finland open as they are: CSV in UTF-8 with its mark, semicolons, decimal commas.
//
// A fault in the middle cuts the connection off, so that nobody takes a part for the whole. No cell is read as a formula.
package sheets

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"time"

	"github.com/labstack/echo/v4"
	"gorm.io/gorm"

	"talkoot.fi/kit/typed"
)

// Answer writes a row of names, and what cells makes of each row of a query. name is the file's, without its ending.
func Answer(c echo.Context, name string, head []string, query *gorm.DB, cells func(scan func(...any) error) ([]string, error)) error {
	rows, err := query.Rows()
	if err != nil {
		return fmt.Errorf("read %s: %w", name, err)
	}
	defer func() { _ = rows.Close() }()
	res := c.Response()
	res.Header().Set(echo.HeaderContentType, "text/csv; charset=utf-8")
	res.Header().Set(echo.HeaderContentDisposition, fmt.Sprintf(`attachment; filename="%s.csv"`, name))
	res.WriteHeader(http.StatusOK)
	if _, err := res.Write([]byte("\ufeff" + line(head))); err != nil {
		return err
	}
	for rows.Next() {
		row, err := cells(rows.Scan)
		if err != nil {
			panic(http.ErrAbortHandler)
		}
		if _, err := res.Write([]byte(line(row))); err != nil {
			return err
		}
	}
	if rows.Err() != nil {
		panic(http.ErrAbortHandler)
	}
	return nil
}

func line(cells []string) string {
	out := make([]string, len(cells))
	for i, cell := range cells {
		out[i] = quoted(cell)
	}
	return strings.Join(out, ";") + "\r\n"
}

// Sum is a sum of minor units.
func Sum(minor int64) string {
	sign := ""
	if minor < 0 {
		sign, minor = "-", -minor
	}
	return fmt.Sprintf("%s%d,%02d", sign, minor/100, minor%100)
}

// Day is a day as Finland writes it.
func Day(day time.Time) string { return day.Format("02.01.2006") }

// quoted is a cell. A sum below zero is one; what else a spreadsheet would take for a formula is text.
func quoted(cell string) string {
	if !belowZero.MatchString(cell) {
		cell = typed.Cell(cell)
	}
	if strings.ContainsAny(cell, "\";\r\n") {
		return `"` + strings.ReplaceAll(cell, `"`, `""`) + `"`
	}
	return cell
}

// belowZero is what Sum writes of less than nothing.
var belowZero = regexp.MustCompile(`^-\d+,\d\d$`)
