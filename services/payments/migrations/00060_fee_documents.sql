-- +goose Up
-- Our fee of a run, as a document for its creator's books: its number is that of the year's series, without gaps, so it is given in the
-- transaction that ends the booking. What of a fee goes back later is a movement of the book, whose own number is its document's.
CREATE TABLE fee_documents (
    run_id      char(26) CONSTRAINT fee_documents_pkey PRIMARY KEY CONSTRAINT fee_documents_run REFERENCES settlement_runs (id),
    year        int      NOT NULL,
    number      int      NOT NULL CONSTRAINT fee_documents_number CHECK (number > 0),
    issued_on   date     NOT NULL, -- in Finland
    currency    char(3)  NOT NULL,
    net_minor   bigint   NOT NULL CONSTRAINT fee_documents_net CHECK (net_minor >= 0),
    vat_minor   bigint   NOT NULL CONSTRAINT fee_documents_vat CHECK (vat_minor >= 0),
    vat_points  int      NOT NULL CONSTRAINT fee_documents_points CHECK (vat_points >= 0), -- the rate, in hundredths of a percent
    vat_country char(2)  NOT NULL,
    CONSTRAINT fee_documents_series UNIQUE (year, number),
    CONSTRAINT fee_documents_year CHECK (year = extract(year FROM issued_on)),
    CONSTRAINT fee_documents_sum CHECK (net_minor + vat_minor > 0)
);
CREATE TRIGGER fee_documents_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON fee_documents
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- What was booked before, in its order.
INSERT INTO fee_documents (run_id, year, number, issued_on, currency, net_minor, vat_minor, vat_points, vat_country)
    SELECT run_id, extract(year FROM day), row_number() OVER (PARTITION BY extract(year FROM day) ORDER BY at, run_id), day, currency,
        fee_minor - vat_minor, vat_minor, vat_points, vat_country FROM (
        SELECT r.id AS run_id, b.at, CAST(b.at AT TIME ZONE 'Europe/Helsinki' AS date) AS day, r.currency, r.fee_minor, r.vat_minor, s.vat_points, s.vat_country
        FROM settlement_runs r JOIN settlement_rates s ON s.from_day = r.rates_from
        CROSS JOIN LATERAL (SELECT max(at) AS at FROM settlement_steps WHERE run_id = r.id AND event = 'all_booked') b
        WHERE r.fee_minor > 0 AND r.state NOT IN ('counting', 'proposed', 'approved', 'void')) booked;

-- As in 00004: there is no role where the owner may not make one.
-- +goose StatementBegin
DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'talkoot_payments') THEN
        GRANT SELECT, INSERT ON fee_documents TO talkoot_payments;
    END IF;
END $$;
-- +goose StatementEnd
