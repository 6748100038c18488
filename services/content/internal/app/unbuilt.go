package app

import "talkoot.fi/content/internal/api"

// unbuilt stands for calls of the contract that no domain answers yet. It is embedded deeper than the domains' handlers,
// so whatever they bring comes first.
type unbuilt struct{ api.StrictServerInterface }

type unbuiltCalls struct{ unbuilt }
