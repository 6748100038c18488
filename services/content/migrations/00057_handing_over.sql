-- +goose Up
-- A member who is asked to become the campaign's creator: nobody comes to answer for a campaign without agreeing. The link is theirs alone.
ALTER TABLE team_invitations ADD COLUMN creator_id bigint REFERENCES users (id);
CREATE UNIQUE INDEX team_invitations_creator ON team_invitations (campaign_id) WHERE ended_at IS NULL AND creator_id IS NOT NULL;
CREATE INDEX team_invitations_creator_user ON team_invitations (creator_id) WHERE creator_id IS NOT NULL;
