-- +goose Up

-- A pass is of one provider: one that does not answer keeps no other's from being finished.
ALTER TABLE reconcile_runs
    ADD COLUMN provider text NOT NULL DEFAULT 'stripe',
    DROP CONSTRAINT reconcile_runs_pkey,
    ADD CONSTRAINT reconcile_runs_pkey PRIMARY KEY (provider, name, slot);
ALTER TABLE reconcile_runs ALTER COLUMN provider DROP DEFAULT;
