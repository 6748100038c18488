-- +goose Up
-- Staff look for what was taken off the site, to bring it back: few of many.
CREATE INDEX experiments_disabled ON experiments (id) WHERE disabled;
