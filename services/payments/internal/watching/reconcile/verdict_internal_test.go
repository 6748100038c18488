package reconcile

import "testing"

// Two sums that agree are believed; money of another system is in what the provider says, and not in the book.
func TestVerdict_NamesTheOneOfThreeThatDiffers(t *testing.T) {
	t.Parallel()
	of := func(minor int64) *int64 { return &minor }
	for name, c := range map[string]struct {
		book, objects, foreign int64
		balance                *int64
		want                   Verdict
	}{
		"all agree":                             {100, 100, 0, of(100), Agrees},
		"nothing anywhere":                      {0, 0, 0, of(0), Agrees},
		"below zero":                            {-50, -50, 0, of(-50), Agrees},
		"another system's money beside":         {100, 170, 70, of(170), Agrees},
		"the book":                              {90, 100, 0, of(100), BookDiffers},
		"the book, another's money beside":      {90, 170, 70, of(170), BookDiffers},
		"what is listed":                        {100, 110, 0, of(100), ObjectsDiffer},
		"what is listed, another's beside":      {100, 180, 70, of(170), ObjectsDiffer},
		"the balance":                           {100, 100, 0, of(110), BalanceDiffers},
		"each":                                  {100, 110, 0, of(120), AllDiffer},
		"the balance moved":                     {100, 100, 0, nil, UnknownBalance},
		"the balance moved, and the book lacks": {90, 100, 0, nil, BookDiffers},
	} {
		if got := verdictOf(c.book, c.objects, c.foreign, c.balance); got != c.want {
			t.Errorf("%s: %s", name, got)
		}
	}
}
