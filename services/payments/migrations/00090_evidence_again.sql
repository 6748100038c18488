-- +goose Up

-- A bank that has seen evidence may ask for more. Each time that one does is a round, and takes evidence once.
ALTER TABLE disputes
    ADD COLUMN round int  NOT NULL DEFAULT 0, -- how often more was asked for
    ADD COLUMN wants text NOT NULL DEFAULT ''; -- the provider's word of what, in this round; emptied as evidence is

ALTER TABLE dispute_evidence
    ADD COLUMN round int    NOT NULL DEFAULT 0, -- the dispute's when it was written
    ADD COLUMN look  bigint NOT NULL DEFAULT 0; -- of the numbers of looks, when it was taken: what was asked for before is answered by it

DROP INDEX dispute_evidence_once;
CREATE UNIQUE INDEX dispute_evidence_once ON dispute_evidence (dispute_id, round) WHERE state <> 'refused';
