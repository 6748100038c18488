-- +goose Up

-- Who is paid as a creator, as the law on reporting by platforms asks for it (DAC7), and how far asking has come. What they say is in sealed alone: nothing
-- else here tells more than that something was said. Apart from all other tables: nothing refers to it, and it refers to nothing.
CREATE TABLE tax_records (
    user_id           bigint      CONSTRAINT tax_records_pkey PRIMARY KEY, -- of the account; also of one that was erased, while the law has it kept
    version           bigint      NOT NULL DEFAULT 0,  -- of what was said; 0 of nothing
    key_id            text        NOT NULL DEFAULT '', -- by which key it is sealed
    sealed            bytea,
    given_at          timestamptz, -- when all was said that is asked for
    asked_at          timestamptz NOT NULL,
    reminded_at       timestamptz,
    reminded_again_at timestamptz,
    erased_at         timestamptz,                        -- of its account
    payee_numbers     bigint[]    NOT NULL DEFAULT '{}', -- of an erased account: by which the book knows whom was paid
    CONSTRAINT tax_records_said CHECK ((version > 0) = (sealed IS NOT NULL) AND (version > 0) = (key_id <> '')),
    CONSTRAINT tax_records_given CHECK (given_at IS NULL OR version > 0),
    CONSTRAINT tax_records_reminders CHECK (reminded_again_at IS NULL OR reminded_at IS NOT NULL)
);
-- Whom to remind, and which keys are still needed.
CREATE INDEX tax_records_asked ON tax_records (asked_at) WHERE given_at IS NULL AND erased_at IS NULL AND reminded_again_at IS NULL;
CREATE INDEX tax_records_erased ON tax_records (erased_at) WHERE erased_at IS NOT NULL;

-- As in 00004: there is no role where the owner may not make one.
-- +goose StatementBegin
DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'talkoot_payments') THEN
        GRANT SELECT, INSERT, UPDATE, DELETE ON tax_records TO talkoot_payments;
    END IF;
END $$;
-- +goose StatementEnd
