package sessions

// Hashes is how many passwords the service has hashed.
func (s *Service) Hashes() int64 { return s.hasher.done.Load() }
