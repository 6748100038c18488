package simulate

import "context"

func (l *life) checkStep(context.Context) error { return nil }
