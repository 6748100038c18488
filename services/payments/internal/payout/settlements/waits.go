package settlements

import "errors"

// Waits is why a run waits, when that is what an error of Approve says.
func Waits(err error) (Reason, bool) {
	why, is := errors.AsType[stop](err)
	return why.reason, is
}
