-- +goose Up

-- returned: a direct debit that its bank took back for good; there is nothing to contest.
ALTER TABLE disputes DROP CONSTRAINT disputes_status;
ALTER TABLE disputes ADD CONSTRAINT disputes_status CHECK (status IN ('inquiry', 'open', 'won', 'lost', 'closed', 'returned'));

-- Where banks take from a place of our balance that is not the charge's own, what they keep of backers' money is moved there.
ALTER TABLE disputes
    ADD COLUMN repay_minor    bigint NOT NULL DEFAULT 0, -- what is to be moved in all
    ADD COLUMN repaid_minor   bigint NOT NULL DEFAULT 0, -- what has been
    ADD COLUMN repay_refusals int    NOT NULL DEFAULT 0, -- how often the provider has refused it; part of the call's key
    ADD COLUMN repay_at       timestamptz, -- when the worker moves what is left; null when nothing is
    ADD CONSTRAINT disputes_repay CHECK (repay_minor >= 0 AND repaid_minor >= 0);
CREATE INDEX disputes_to_repay ON disputes (repay_at) WHERE repay_at IS NOT NULL;
