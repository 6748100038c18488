-- +goose Up
-- A pledge that is changed to a higher sum is charged further: a payment with a subject of its own, which belongs to this pledge. Null for all
-- others.
ALTER TABLE payments ADD COLUMN further_of text CONSTRAINT payments_further CHECK (further_of IS NULL OR subject_kind = 'pledge');
CREATE INDEX payments_further_of ON payments (further_of) WHERE further_of IS NOT NULL;
