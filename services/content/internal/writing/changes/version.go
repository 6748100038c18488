package changes

import (
	"strconv"
	"strings"
)

// ETag is a version as the ETag of an answer.
func ETag(version int64) *string {
	tag := strconv.Quote(strconv.FormatInt(version, 10))
	return &tag
}

// Known is the version that an If-Match header names, whose form the contract has checked; 0 (any) when there is no
// header, or it is *.
func Known(ifMatch *string) int64 {
	if ifMatch == nil {
		return 0
	}
	version, err := strconv.ParseInt(strings.Trim(*ifMatch, `"`), 10, 64)
	if err != nil {
		return 0
	}
	return version
}
