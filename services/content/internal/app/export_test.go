package app

// SecurityEvents are the events of calls, by call.
func SecurityEvents() map[string]string { return security.Named }
