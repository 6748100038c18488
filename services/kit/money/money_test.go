package money

import (
	"encoding/json"
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"
)

// edgy returns numbers of every magnitude, the bounds of int64 included.
func edgy(r *rand.Rand) int64 {
	switch r.IntN(8) {
	case 0:
		return math.MaxInt64 - r.Int64N(3)
	case 1:
		return math.MinInt64 + r.Int64N(3)
	case 2:
		return r.Int64N(5) - 2
	}
	return int64(r.Uint64()) >> r.IntN(63)
}

func TestArithmetic_IsExactOrRefused(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		a, b := edgy(r), edgy(r)
		x, y := big.NewInt(a), big.NewInt(b)
		for name, op := range map[string]struct {
			got  func() (Amount, error)
			want *big.Int
		}{
			"add": {func() (Amount, error) { return New(a, EUR).Add(New(b, EUR)) }, new(big.Int).Add(x, y)},
			"sub": {func() (Amount, error) { return New(a, EUR).Sub(New(b, EUR)) }, new(big.Int).Sub(x, y)},
			"mul": {func() (Amount, error) { return New(a, EUR).Mul(b) }, new(big.Int).Mul(x, y)},
		} {
			got, err := op.got()
			switch {
			case op.want.IsInt64() && (err != nil || got != New(op.want.Int64(), EUR)):
				t.Fatalf("%s %d, %d = %v, %v, want %v", name, a, b, got, err, op.want)
			case !op.want.IsInt64() && !errors.Is(err, ErrOverflow):
				t.Fatalf("%s %d, %d = %v, %v, want ErrOverflow", name, a, b, got, err)
			}
		}
	}
}

func TestArithmetic_RefusesTwoCurrencies(t *testing.T) {
	if _, err := New(1, EUR).Add(New(1, SEK)); !errors.Is(err, ErrCurrency) {
		t.Errorf("Add: %v", err)
	}
	if _, err := New(1, EUR).Sub(New(1, SEK)); !errors.Is(err, ErrCurrency) {
		t.Errorf("Sub: %v", err)
	}
}

func TestParseMajor(t *testing.T) {
	tests := []struct {
		text string
		want int64
		err  error
	}{
		{"0", 0, nil}, {"12", 1200, nil}, {"12.5", 1250, nil}, {"12.50", 1250, nil}, {"0.05", 5, nil}, {"0.0", 0, nil},
		{"92233720368547758.07", math.MaxInt64, nil},
		{"92233720368547758.08", 0, ErrOverflow}, {strings.Repeat("9", 400), 0, ErrOverflow},
		{"", 0, ErrSyntax}, {".", 0, ErrSyntax}, {".5", 0, ErrSyntax}, {"5.", 0, ErrSyntax}, {"1.234", 0, ErrSyntax},
		{"1.230", 0, ErrSyntax}, {"-1", 0, ErrSyntax}, {"+1", 0, ErrSyntax}, {"1e2", 0, ErrSyntax}, {"1E2", 0, ErrSyntax},
		{" 1", 0, ErrSyntax}, {"1 ", 0, ErrSyntax}, {"1,5", 0, ErrSyntax}, {"1_000", 0, ErrSyntax}, {"012", 0, ErrSyntax},
		{"00", 0, ErrSyntax}, {"1.-5", 0, ErrSyntax}, {"0x10", 0, ErrSyntax}, {"NaN", 0, ErrSyntax}, {"１", 0, ErrSyntax},
	}
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			got, err := ParseMajor(tt.text, EUR)
			if !errors.Is(err, tt.err) || tt.err == nil && got != New(tt.want, EUR) {
				t.Errorf("ParseMajor = %v, %v, want %d, %v", got, err, tt.want, tt.err)
			}
		})
	}
}

func TestFormatMajor_AlwaysHasTwoDecimals(t *testing.T) {
	for minor, want := range map[int64]string{
		0: "0.00", 5: "0.05", 1250: "12.50", -5: "-0.05", -1250: "-12.50",
		math.MaxInt64: "92233720368547758.07", math.MinInt64: "-92233720368547758.08",
	} {
		if got := New(minor, EUR).FormatMajor(); got != want {
			t.Errorf("FormatMajor(%d) = %q, want %q", minor, got, want)
		}
	}
}

func FuzzParseMajor(f *testing.F) {
	for _, seed := range []string{"0", "12.5", "12.50", "-1", "1e2", "92233720368547758.07", "0.009", " 1", "1."} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		a, err := ParseMajor(text, EUR)
		if err != nil {
			if !errors.Is(err, ErrSyntax) && !errors.Is(err, ErrOverflow) {
				t.Fatalf("%q: foreign error %v", text, err)
			}
			return
		}
		exact, ok := new(big.Rat).SetString(text)
		if !ok || exact.Mul(exact, big.NewRat(100, 1)).Cmp(new(big.Rat).SetInt64(a.Minor)) != 0 {
			t.Fatalf("%q became %d", text, a.Minor)
		}
		for _, written := range []string{a.FormatMajor(), a.Number().String()} {
			if again, err := ParseMajor(written, EUR); err != nil || again != a {
				t.Fatalf("%q, written %q, read %v, %v", text, written, again, err)
			}
		}
	})
}

func TestDecimal_IsAnExactJSONNumber(t *testing.T) {
	for minor, want := range map[int64]string{1200: "12", 1250: "12.5", 1205: "12.05", 0: "0", math.MaxInt64: "92233720368547758.07"} {
		data, err := json.Marshal(map[string]Decimal{"a": Decimal(minor)})
		if err != nil || string(data) != `{"a":`+want+`}` {
			t.Errorf("Marshal(%d) = %s, %v", minor, data, err)
		}
		var back struct{ A *Decimal }
		if err := json.Unmarshal(data, &back); err != nil || int64(*back.A) != minor {
			t.Errorf("Unmarshal(%s) = %v, %v", data, back.A, err)
		}
		if got, err := FromNumber(json.Number(want), SEK); err != nil || got != New(minor, SEK) {
			t.Errorf("FromNumber(%s) = %v, %v", want, got, err)
		}
	}
	for _, bad := range []string{`"12"`, `1e2`, `-1`, `1.005`, `true`, `{}`} {
		var m Decimal
		if err := json.Unmarshal([]byte(bad), &m); err == nil {
			t.Errorf("Unmarshal(%s) gave %d", bad, m)
		}
	}
}

func TestSplit_PartsAddUpAndDifferByLessThanAUnit(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 5_000 {
		total := New(edgy(r), EUR)
		weights := make([]int64, 1+r.IntN(7))
		sum := new(big.Int)
		for i := range weights {
			weights[i] = r.Int64N(1 << (1 + r.IntN(59)))
			sum.Add(sum, big.NewInt(weights[i]))
		}
		parts, err := total.Split(weights...)
		if sum.Sign() == 0 {
			if !errors.Is(err, ErrWeights) {
				t.Fatalf("all weights zero: %v", err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		got := New(0, EUR)
		for _, part := range parts {
			if got, err = got.Add(part); err != nil {
				t.Fatal(err)
			}
		}
		if got != total {
			t.Fatalf("%v by %v gave %v, sum %v", total, weights, parts, got)
		}
		for i, part := range parts {
			// |part × sum - total × weight| < sum
			gap := new(big.Int).Mul(big.NewInt(part.Minor), sum)
			gap.Sub(gap, new(big.Int).Mul(big.NewInt(total.Minor), big.NewInt(weights[i])))
			if gap.CmpAbs(sum) >= 0 {
				t.Fatalf("part %d of %v by %v is %v", i, total, weights, part)
			}
		}
	}
}

func TestSplit_GivesTheRestToTheEarlierOfEqualParts(t *testing.T) {
	tests := []struct {
		name    string
		total   int64
		weights []int64
		want    []int64
	}{
		{"thirds", 100, []int64{1, 1, 1}, []int64{34, 33, 33}},
		{"two left over", 101, []int64{1, 1, 1}, []int64{34, 34, 33}},
		{"largest remainder first", 10, []int64{1, 2, 3}, []int64{2, 3, 5}},
		{"negative mirrors positive", -100, []int64{1, 1, 1}, []int64{-34, -33, -33}},
		{"a zero weight gets nothing", 5, []int64{0, 1, 1}, []int64{0, 3, 2}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			parts, err := New(tt.total, EUR).Split(tt.weights...)
			if err != nil {
				t.Fatal(err)
			}
			for i, part := range parts {
				if part.Minor != tt.want[i] {
					t.Fatalf("parts = %v, want %v", parts, tt.want)
				}
			}
		})
	}
	for _, weights := range [][]int64{nil, {0}, {-1, 2}, {math.MaxInt64, 1}} {
		if _, err := New(1, EUR).Split(weights...); !errors.Is(err, ErrWeights) {
			t.Errorf("Split(%v): %v, want ErrWeights", weights, err)
		}
	}
}

func TestIncludedVAT_RoundsHalfUp(t *testing.T) {
	tests := []struct {
		name  string
		gross int64
		rate  BasisPoints
		want  int64
	}{
		{"25.5 % of 12.55", 1255, 2550, 255},
		{"below the half", 100, 2550, 20},      // 20.318
		{"above the half", 101, 2550, 21},      // 20.52
		{"exactly half goes up", 5, 10_000, 3}, // 2.5
		{"a refund mirrors it", -5, 10_000, -3},
		{"no tax", 1000, 0, 0},
		{"largest", math.MaxInt64, 10_000, math.MaxInt64/2 + 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got, err := New(tt.gross, EUR).IncludedVAT(tt.rate); err != nil || got.Minor != tt.want {
				t.Errorf("IncludedVAT = %v, %v, want %d", got, err, tt.want)
			}
		})
	}
	if _, err := New(1, EUR).IncludedVAT(-1); !errors.Is(err, ErrRate) {
		t.Errorf("negative rate: %v", err)
	}
}

func TestParseCurrency_KnowsOnlyTheListedOnes(t *testing.T) {
	if c, err := ParseCurrency("eur"); err != nil || c != EUR {
		t.Errorf("eur = %v, %v", c, err)
	}
	if _, err := ParseCurrency("JPY"); !errors.Is(err, ErrUnknown) {
		t.Errorf("JPY, which has no decimals: %v", err)
	}
}
