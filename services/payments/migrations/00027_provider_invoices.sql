-- +goose Up

-- What providers have billed us, as operators have booked it; each row is one movement in the ledger. A mistake is taken back by another row.
CREATE TABLE provider_invoices (
    id           bigint      GENERATED ALWAYS AS IDENTITY CONSTRAINT provider_invoices_pkey PRIMARY KEY,
    provider     text        NOT NULL,
    number       text        NOT NULL, -- the provider's, of the invoice or of the credit note
    corrects     bigint      REFERENCES provider_invoices (id), -- the invoice that this one takes back, wholly or in part
    period       date        NOT NULL CONSTRAINT provider_invoices_period CHECK (extract(day FROM period) = 1), -- the first day of its month
    amount_minor bigint      NOT NULL CONSTRAINT provider_invoices_amount CHECK (amount_minor > 0), -- without its tax
    vat_minor    bigint      NOT NULL CONSTRAINT provider_invoices_vat CHECK (vat_minor >= 0),
    currency     char(3)     NOT NULL,
    is_deducted  boolean     NOT NULL, -- the provider took it from our balance there; else our bank paid it
    request_key  text        NOT NULL CONSTRAINT provider_invoices_key UNIQUE,
    actor        text        NOT NULL CONSTRAINT provider_invoices_actor CHECK (actor <> ''),
    note         text        NOT NULL CONSTRAINT provider_invoices_note CHECK (note <> ''),
    at           timestamptz NOT NULL,
    CONSTRAINT provider_invoices_number UNIQUE (provider, number)
);
CREATE INDEX provider_invoices_corrects ON provider_invoices (corrects) WHERE corrects IS NOT NULL;
CREATE TRIGGER provider_invoices_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON provider_invoices
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- As in 00004: there is no role where the owner may not make one.
-- +goose StatementBegin
DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'talkoot_payments') THEN
        GRANT SELECT, INSERT ON provider_invoices TO talkoot_payments;
    END IF;
END $$;
-- +goose StatementEnd
