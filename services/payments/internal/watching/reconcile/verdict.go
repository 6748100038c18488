package reconcile

// Verdict says which of three sums of a place differs from the others.
type Verdict string

// The verdicts; constraint balance_days_verdict has the same.
const (
	Agrees         Verdict = "agrees"
	UnknownBalance Verdict = "unknown" // the book and the objects agree, and the provider's balance was not read in a quiet moment
	BookDiffers    Verdict = "book"
	ObjectsDiffer  Verdict = "objects"
	BalanceDiffers Verdict = "balance"
	AllDiffer      Verdict = "all"
)

// verdictOf is the whole rule: two that agree are believed. What another system moved is in the objects and the balance, and not in the book.
func verdictOf(book, objects, foreign int64, balance *int64) Verdict {
	ours := objects - foreign
	switch {
	case balance == nil && book == ours:
		return UnknownBalance
	case balance == nil:
		return BookDiffers
	case book == ours && objects == *balance:
		return Agrees
	case objects == *balance:
		return BookDiffers
	case book == ours:
		return BalanceDiffers
	case book == *balance-foreign:
		return ObjectsDiffer
	}
	return AllDiffer
}

// Differs reports whether a person has to look.
func (v Verdict) Differs() bool { return v != Agrees && v != UnknownBalance }
