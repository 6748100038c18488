package settlements

import (
	"math/rand/v2"
	"testing"
)

var today = Rates{FeePoints: 500, VATPoints: 2550, VATCountry: "FI", ReservePoints: 500}

func TestDivide_WorkedExample(t *testing.T) {
	t.Parallel()
	lines, whole, err := divide([]int64{10000, 5000}, today)
	if err != nil {
		t.Fatal(err)
	}
	if want := []Share{{10000, 500, 101, 500, 9000}, {5000, 250, 51, 250, 4500}}; lines[0] != want[0] || lines[1] != want[1] {
		t.Errorf("divided into %+v, want %+v", lines, want)
	}
	if want := (Share{15000, 750, 152, 750, 13500}); whole != want {
		t.Errorf("the whole is %+v, want %+v", whole, want)
	}
}

// Whatever the sums and rates are: no cent is lost, no part is negative, and no line gives more than it has.
func TestDivide_LosesNoCent(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(26, 1))
	for range 3000 {
		gross := make([]int64, 1+random.IntN(12))
		for i := range gross {
			gross[i] = random.Int64N([]int64{2, 5, 100, 1_000_000}[random.IntN(4)])
		}
		r := Rates{FeePoints: random.Int64N(5001), VATPoints: random.Int64N(10001), ReservePoints: random.Int64N(5001)}
		lines, whole, err := divide(gross, r)
		if err != nil {
			t.Fatal(err)
		}
		var sum Share
		for i, l := range lines {
			sum = sum.plus(l)
			if l.Gross != gross[i] || l.Gross != l.Fee+l.Reserve+l.Net || l.VAT > l.Fee || min(l.Fee, l.VAT, l.Reserve, l.Net) < 0 {
				t.Fatalf("%v at %+v: line %d is %+v", gross, r, i, l)
			}
		}
		if sum != whole {
			t.Fatalf("%v at %+v: the lines are %+v, the whole %+v", gross, r, sum, whole)
		}
	}
}
