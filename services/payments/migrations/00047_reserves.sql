-- +goose Up

-- How long is kept back what a run keeps back, from the day on which its lines are booked: of cards in days, of direct debits, which a
-- payer's bank takes back for longer, in months.
ALTER TABLE settlement_rates ADD COLUMN reserve_days int NOT NULL DEFAULT 120 CONSTRAINT settlement_rates_reserve_days CHECK (reserve_days >= 0),
    ADD COLUMN reserve_debit_months int NOT NULL DEFAULT 13 CONSTRAINT settlement_rates_reserve_debit_months CHECK (reserve_debit_months >= 0);

-- What runs have kept back until a day. It pays what its creator owes, or is released then and sent by another run of the same campaign.
CREATE TABLE settlement_reserves (
    run_id         char(26)    NOT NULL REFERENCES settlement_runs (id),
    due_on         date        NOT NULL,
    kept_minor     bigint      NOT NULL CONSTRAINT settlement_reserves_kept CHECK (kept_minor > 0),
    used_minor     bigint      NOT NULL DEFAULT 0 CONSTRAINT settlement_reserves_used CHECK (used_minor BETWEEN 0 AND kept_minor), -- has paid debts
    released_minor bigint      NOT NULL DEFAULT 0, -- is payable to the creator: all that was left
    released_at    timestamptz,
    waits_for      text        NOT NULL DEFAULT '' CONSTRAINT settlement_reserves_waits_for CHECK (waits_for IN ('', 'debt', 'dispute', 'campaign_on_hold')),
    next_at        timestamptz, -- when it is released, or looked at again; null when nothing is left
    sent_by        char(26)    REFERENCES settlement_runs (id), -- the run that sends what was released
    CONSTRAINT settlement_reserves_pkey PRIMARY KEY (run_id, due_on),
    CONSTRAINT settlement_reserves_released CHECK (released_minor IN (0, kept_minor - used_minor) AND (released_minor > 0) = (released_at IS NOT NULL)),
    CONSTRAINT settlement_reserves_over CHECK ((next_at IS NULL) = (used_minor + released_minor = kept_minor)),
    CONSTRAINT settlement_reserves_sent CHECK (sent_by IS NULL OR released_minor > 0)
);
CREATE INDEX settlement_reserves_due ON settlement_reserves (next_at) WHERE next_at IS NOT NULL;
CREATE INDEX settlement_reserves_of ON settlement_reserves (sent_by) WHERE released_minor > 0;

-- A run's part of what was released earlier; net_minor has it, so that all of it is sent at once.
ALTER TABLE settlement_runs ADD COLUMN released_minor bigint NOT NULL DEFAULT 0 CONSTRAINT settlement_runs_released CHECK (released_minor BETWEEN 0 AND net_minor);
ALTER TABLE settlement_runs DROP CONSTRAINT settlement_runs_frozen, DROP CONSTRAINT settlement_runs_sums;
ALTER TABLE settlement_runs ADD CONSTRAINT settlement_runs_frozen CHECK (state IN ('counting', 'void') OR hash <> '' AND version > 0 AND payee_id > 0
        AND payee_ref <> '' AND place <> '' AND rates_from IS NOT NULL AND gross_minor + released_minor > 0),
    ADD CONSTRAINT settlement_runs_sums CHECK (gross_minor + released_minor = fee_minor + reserve_minor + net_minor AND vat_minor BETWEEN 0 AND fee_minor
        AND gross_minor >= 0 AND reserve_minor >= 0 AND net_minor >= 0 AND offset_minor BETWEEN 0 AND net_minor);

-- What was kept back before; the days as above, from when its run was booked.
INSERT INTO settlement_reserves (run_id, due_on, kept_minor, next_at)
    SELECT run_id, due_on, kept_minor, (due_on + time '09:00') AT TIME ZONE 'Europe/Helsinki' FROM (
        SELECT l.run_id, CAST(CASE WHEN a.method = 'debit' THEN b.day + interval '13 months' ELSE b.day + interval '120 days' END AS date) AS due_on,
            sum(l.reserve_minor) AS kept_minor
        FROM settlement_runs r JOIN settlement_lines l ON l.run_id = r.id AND l.version = r.version AND l.booked_at IS NOT NULL
        JOIN payments p ON p.id = l.payment_id JOIN attempts a ON a.id = p.paid_attempt_id
        CROSS JOIN LATERAL (SELECT CAST(max(at) AT TIME ZONE 'Europe/Helsinki' AS date) AS day FROM settlement_steps WHERE run_id = r.id AND event = 'all_booked') b
        WHERE r.state NOT IN ('counting', 'proposed', 'approved', 'void')
        GROUP BY 1, 2 HAVING sum(l.reserve_minor) > 0) kept;

-- As in 00004: there is no role where the owner may not make one.
-- +goose StatementBegin
DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'talkoot_payments') THEN
        GRANT SELECT, INSERT, UPDATE ON settlement_reserves TO talkoot_payments;
    END IF;
END $$;
-- +goose StatementEnd
