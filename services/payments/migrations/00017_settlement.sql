-- +goose Up

-- Whose money a settled charge is, kept on its settlement and on what follows it: accounts of creators are by payee.
ALTER TABLE ledger_transactions
    ADD COLUMN payee_id bigint, -- the creator's user id
    ADD COLUMN vat_country char(2); -- whose tax our fee has
