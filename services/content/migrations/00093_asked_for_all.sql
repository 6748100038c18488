-- +goose Up
-- That a request was for all that was left: its repeat says so too, and by then something else may be left.
ALTER TABLE agreed_refunds ADD COLUMN is_all boolean NOT NULL DEFAULT false;
