-- +goose Up
-- Where a session is, and what its person has shown since.
ALTER TABLE sessions
    ADD COLUMN user_agent     text        NOT NULL DEFAULT '', -- as the browser names itself, cut
    ADD COLUMN seen_at        timestamptz, -- to within minutes; NULL before the first request
    ADD COLUMN second_step_at timestamptz, -- NULL: it was begun with a password alone
    ADD COLUMN confirmed_at   timestamptz; -- when the person last showed that it is still them

-- Links that set a new password; the mail alone has the link itself.
CREATE TABLE password_resets (
    token_hash bytea PRIMARY KEY, -- SHA-256
    user_id    bigint      NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    email      text        NOT NULL, -- where it was sent
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL
);
CREATE INDEX password_resets_user_id ON password_resets (user_id);
CREATE INDEX password_resets_expires_at ON password_resets (expires_at);

-- Code apps (RFC 6238). Secrets are sealed (AES-256-GCM) with a key that the database does not hold.
CREATE TABLE totp_apps (
    user_id    bigint PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    secret     bytea, -- NULL until the first code of it was sent
    added_at   timestamptz,
    used_at    timestamptz,
    last_step  bigint NOT NULL DEFAULT 0, -- time step of the latest code: no code of it or an earlier one is taken
    pending    bytea, -- a secret that waits for its first code
    pending_at timestamptz,
    CONSTRAINT totp_apps_added CHECK ((secret IS NULL) = (added_at IS NULL)),
    CONSTRAINT totp_apps_pending CHECK ((pending IS NULL) = (pending_at IS NULL))
);

-- Passkeys (WebAuthn): public keys, nothing that opens an account by itself.
CREATE TABLE passkeys (
    id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    user_id       bigint      NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    credential_id bytea       NOT NULL CONSTRAINT passkeys_credential_id_key UNIQUE,
    credential    jsonb       NOT NULL, -- public key, counter and flags
    name          text        NOT NULL,
    added_at      timestamptz NOT NULL,
    used_at       timestamptz
);
CREATE INDEX passkeys_user_id ON passkeys (user_id);

-- Backup codes that are left. They have 80 random bits, so that a plain hash hides them.
CREATE TABLE backup_codes (
    user_id   bigint NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    code_hash bytea  NOT NULL, -- SHA-256
    PRIMARY KEY (user_id, code_hash)
);

-- What was asked of a second step or a passkey and waits for its answer.
CREATE TABLE second_step_challenges (
    token_hash bytea PRIMARY KEY, -- SHA-256
    purpose    text        NOT NULL,
    user_id    bigint REFERENCES users (id) ON DELETE CASCADE, -- NULL: who signs in with a passkey alone says so in the answer
    session_id text REFERENCES sessions (id) ON DELETE CASCADE, -- of who is signed in
    ceremony   jsonb, -- what the passkey's answer is checked against; NULL without a passkey
    expires_at timestamptz NOT NULL,
    CONSTRAINT second_step_challenges_purpose CHECK (purpose IN ('second_step', 'sign_in', 'confirm', 'add'))
);
CREATE INDEX second_step_challenges_user_id ON second_step_challenges (user_id);
CREATE INDEX second_step_challenges_session_id ON second_step_challenges (session_id);
CREATE INDEX second_step_challenges_expires_at ON second_step_challenges (expires_at);
