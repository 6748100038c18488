-- +goose Up
-- Who is asked to come into an experiment's team, or to own it: nobody is shown in one who has not agreed. Those that have ended
-- stay for a while, because they count against the limits of a day.
CREATE TABLE experiment_invitations (
    id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    experiment_id bigint      NOT NULL REFERENCES experiments (id) ON DELETE CASCADE,
    user_id       bigint      NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    as_owner      boolean     NOT NULL, -- a member, who is to own it
    invited_by    bigint      NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    invited_at    timestamptz NOT NULL,
    expires_at    timestamptz NOT NULL,
    ended_at      timestamptz, -- accepted, declined or withdrawn
    CHECK (user_id <> invited_by)
);
CREATE UNIQUE INDEX experiment_invitations_open ON experiment_invitations (experiment_id, user_id) WHERE ended_at IS NULL;
CREATE UNIQUE INDEX experiment_invitations_owner ON experiment_invitations (experiment_id) WHERE ended_at IS NULL AND as_owner;
CREATE INDEX experiment_invitations_experiment ON experiment_invitations (experiment_id, invited_at);
CREATE INDEX experiment_invitations_user ON experiment_invitations (user_id, invited_at);
CREATE INDEX experiment_invitations_inviter ON experiment_invitations (invited_by, invited_at);
CREATE INDEX experiment_invitations_invited_at ON experiment_invitations (invited_at);
