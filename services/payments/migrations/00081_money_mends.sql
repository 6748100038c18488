-- +goose Up

-- What left a run while it was booked is looked for every few minutes, and is rare.
CREATE INDEX settlement_lines_left ON settlement_lines (run_id, version) WHERE left_at IS NOT NULL;
