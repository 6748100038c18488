package claims

// said is what an act comes to.
type said struct {
	minor    int64 // offered, or going back
	isRefund bool
}

// change puts an act's offer into the claim, and says what goes back by it.
func (s *Service) change(p pledge, c *row, w Wish) (said, error) {
	left := p.leftMinor()
	switch {
	case w.Act == OfferPart:
		if w.Minor >= left { // all is Refund
			return said{}, ErrNoSum
		}
		c.OfferMinor, c.OfferDay, c.Tracking = &w.Minor, nil, ""
		return said{minor: w.Minor}, nil
	case w.Act == OfferResend:
		c.OfferMinor, c.OfferDay, c.Tracking = nil, &w.Day, w.Tracking
	case w.Act == Refund, w.Act == Silence && c.State == Promised:
		return backOf(left, left)
	case (w.Act == Accept || w.Act == Silence) && c.State == PartOffered:
		return backOf(min(*c.OfferMinor, left), left)
	case w.Act == Decide:
		c.Decisions++
		if w.Minor > left {
			return said{}, ErrNoSum
		}
		return said{w.Minor, w.Minor > 0}, nil
	case w.Act == Overtaken, w.Act == Decline, w.Act == Refuse, w.Act == Contest:
		c.OfferMinor, c.OfferDay, c.Tracking = nil, nil, ""
	}
	return said{}, nil
}

func backOf(minor, left int64) (said, error) {
	if left <= 0 {
		return said{}, ErrNoSum
	}
	return said{minor, true}, nil
}
