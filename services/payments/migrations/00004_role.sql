-- +goose Up

-- What the service may do. It owns no table, so it can neither switch the ledger's triggers off nor remove history; only
-- whoever migrates can. The role has no login: the service's own login is a member of it (deploy/README.md). Where the
-- owner may not make roles there is none, and the service runs as the owner.
-- +goose StatementBegin
DO $$
BEGIN
    BEGIN
        IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'talkoot_payments') THEN
            CREATE ROLE talkoot_payments NOLOGIN;
        END IF;
    EXCEPTION
        WHEN duplicate_object OR unique_violation THEN NULL; -- another database of the same server was quicker
        WHEN insufficient_privilege THEN RETURN;
    END;
    GRANT USAGE ON SCHEMA public TO talkoot_payments;
    GRANT SELECT, INSERT ON payments, closed_subjects, attempts, payment_transitions, refunds, disputes, anomalies, operator_actions,
        ledger_accounts, ledger_guards, ledger_transactions, ledger_entries, webhook_events, reconcile_runs, outbox, idempotency_keys
        TO talkoot_payments;
    GRANT USAGE ON SEQUENCE looks TO talkoot_payments;
    GRANT UPDATE ON payments, attempts, refunds, disputes, anomalies, ledger_guards, webhook_events, reconcile_runs, outbox,
        idempotency_keys, closed_subjects TO talkoot_payments;
    -- What is kept for a while only.
    GRANT DELETE ON webhook_events, outbox, idempotency_keys, closed_subjects TO talkoot_payments;
END $$;
-- +goose StatementEnd
