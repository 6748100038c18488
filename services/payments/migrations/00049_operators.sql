-- +goose Up

-- Who answers for money at the desk. Two accounts of one person have one name here, and the same as that person has at the command line, so that
-- nobody is their own second person. The latest word about an account counts.
CREATE TABLE operators (
    number      bigint      GENERATED ALWAYS AS IDENTITY CONSTRAINT operators_pkey PRIMARY KEY,
    user_id     bigint      NOT NULL CONSTRAINT operators_user CHECK (user_id > 0), -- the content service's
    name        text        NOT NULL CONSTRAINT operators_name CHECK (btrim(name) <> ''),
    is_operator boolean     NOT NULL,
    actor       text        NOT NULL CONSTRAINT operators_actor CHECK (btrim(actor) <> ''),
    note        text        NOT NULL CONSTRAINT operators_note CHECK (btrim(note) <> ''),
    at          timestamptz NOT NULL
);
CREATE INDEX operators_latest ON operators (user_id, number DESC);
CREATE TRIGGER operators_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON operators
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- As in 00004: there is no role where the owner may not make one.
-- +goose StatementBegin
DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'talkoot_payments') THEN
        GRANT SELECT, INSERT ON operators TO talkoot_payments;
    END IF;
END $$;
-- +goose StatementEnd
