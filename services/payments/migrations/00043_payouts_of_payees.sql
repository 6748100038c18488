-- +goose Up
-- A creator sees what has become of their campaigns' money.
CREATE INDEX settlement_runs_payee ON settlement_runs (provider, payee_ref) WHERE payee_ref <> '';
