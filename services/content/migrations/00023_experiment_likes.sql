-- +goose Up
-- Every counted like has its row, so that the number can be recomputed. The demo once set numbers without any.
UPDATE experiments e
SET like_count = (SELECT count(*) FROM experiment_likes l WHERE l.experiment_id = e.id AND l.counted);
