-- +goose Up
ALTER TABLE users
    ADD COLUMN version          bigint      NOT NULL DEFAULT 1, -- counts the changes, from 1
    ADD COLUMN updated_at       timestamptz NOT NULL DEFAULT now(),
    ADD COLUMN profile_verified boolean     NOT NULL DEFAULT false, -- staff know who it is; verified says that the address is theirs
    ADD COLUMN block_reason     text        NOT NULL DEFAULT '', -- for staff
    ADD COLUMN wants_letters    boolean     NOT NULL DEFAULT true, -- of the campaigns that they have backed
    ADD COLUMN shows_backed     boolean     NOT NULL DEFAULT false, -- the public page says how many campaigns they have backed
    ADD CONSTRAINT users_reason_goes_with_block CHECK (block_reason = '' OR blocked_at IS NOT NULL);

-- The index of people lists who has introduced themself. Names are in Finnish and Swedish order: å, ä and ö come after z,
-- as { | } do in bytes; other letters count without their accents.
ALTER TABLE users
    ADD COLUMN listed boolean NOT NULL GENERATED ALWAYS AS (
        verified AND blocked_at IS NULL AND (short_description <> '' OR cardinality(skills) > 0)) STORED,
    ADD COLUMN name_order text COLLATE "C" NOT NULL GENERATED ALWAYS AS (
        searchable(translate(last_name || ' ' || first_name, 'ÅÄÖåäö', '{|}{|}'))) STORED,
    ADD COLUMN search text NOT NULL GENERATED ALWAYS AS (
        ' ' || searchable(first_name || ' ' || last_name || ' ' || short_description)) STORED;
CREATE INDEX users_listed_by_name ON users (name_order, id) WHERE listed;
CREATE INDEX users_listed_newest ON users (id DESC) WHERE listed;
CREATE INDEX users_listed_search ON users USING gin (search gin_trgm_ops) WHERE listed;
-- What staff search for people by.
CREATE INDEX users_staff_search ON users USING gin (
    (' ' || searchable(first_name || ' ' || last_name || ' ' || email)) gin_trgm_ops);
CREATE INDEX users_blocked ON users (id DESC) WHERE blocked_at IS NOT NULL;
CREATE INDEX users_profile_verified ON users (id DESC) WHERE profile_verified;

CREATE TABLE user_tags (
    user_id bigint NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    tag_id  bigint NOT NULL REFERENCES tags (id) ON DELETE CASCADE,
    PRIMARY KEY (user_id, tag_id)
);
CREATE INDEX user_tags_tag ON user_tags (tag_id, user_id);

-- The audit trail is read by time, and by time of a kind, of a person, and of what acts by itself.
CREATE INDEX audit_log_at ON audit_log (at DESC, id DESC);
CREATE INDEX audit_log_kind ON audit_log (entity, at DESC, id DESC);
CREATE INDEX audit_log_person ON audit_log (actor_user_id, at DESC, id DESC) WHERE actor_user_id IS NOT NULL;
CREATE INDEX audit_log_automatic ON audit_log (actor, at DESC, id DESC) WHERE actor_user_id IS NULL;
