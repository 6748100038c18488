//go:build unix

package platform

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"talkoot.fi/scripts/runlock"
)

// keepAccess writes the addresses and keys of the running platform to a file for other tools, such as the audit. It
// holds secrets, so only the owner may read it.
func keepAccess(path string, env map[string]string) error {
	text, err := json.MarshalIndent(env, "", "  ")
	if err == nil {
		err = os.WriteFile(path, append(text, '\n'), 0o600)
	}
	if err != nil {
		return fmt.Errorf("note how to reach the platform: %w", err)
	}
	return nil
}

// Access is the Env of the platform that runs in a data folder. It is an error when none runs there.
func Access(dataDir string) (map[string]string, error) {
	var running *runlock.RunningError
	if err := runlock.Check(dataDir); !errors.As(err, &running) {
		return nil, errors.Join(errors.New("the platform is not running: start it with make run"), err)
	}
	return ReadAccess(filepath.Join(dataDir, "access.json"))
}

// ReadAccess reads such an Env from a file. Of an installation somebody writes one: CONTENT_DATABASE_URL and
// PAYMENTS_DATABASE_URL as the owners of the tables, and the providers' variables of the payment service.
func ReadAccess(file string) (map[string]string, error) {
	text, err := os.ReadFile(file) // #nosec G304 -- the operator names the file
	if err != nil {
		return nil, fmt.Errorf("read how to reach the platform: %w", err)
	}
	var env map[string]string
	if err := json.Unmarshal(text, &env); err != nil {
		return nil, fmt.Errorf("read how to reach the platform: %w", err)
	}
	return env, nil
}
