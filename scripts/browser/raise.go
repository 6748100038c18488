package browser

import "context"

// Raise is the further charge of a pledge that is changed to a higher sum. It is paid as a pledge of its id is.
type Raise struct {
	ID     string  `json:"raise_id"`
	Status string  `json:"status"`
	Amount float64 `json:"amount"`
	Token  string  `json:"order_token"`
}

// RaiseByLink changes the pledge that a mailed link opens to support of a higher sum, and gives what waits for its payment then; nil for nothing.
func (v *Visitor) RaiseByLink(ctx context.Context, link, key string, number, euros int) (*Raise, error) {
	var answer struct {
		Pledge struct {
			Choice struct{ Raise *Raise }
		}
	}
	err := v.Post(ctx, "/pledge-links/choice/", map[string]any{"token": link, "choice": map[string]any{"key": key, "number": number,
		"reward_id": nil, "quantity": 1, "amount": euros}}, &answer)
	raise := answer.Pledge.Choice.Raise
	if raise != nil {
		v.keepOrder(raise.ID, raise.Token)
	}
	return raise, err
}
