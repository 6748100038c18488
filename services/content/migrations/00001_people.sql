-- +goose Up
CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS unaccent;

-- What keyword search compares: lower case, without accents. The two-argument unaccent is what makes it immutable.
CREATE FUNCTION searchable(value text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
    RETURN lower(public.unaccent('public.unaccent'::regdictionary, value));

CREATE TABLE users (
    id                bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    email             text        NOT NULL,
    password_hash     text        NOT NULL, -- argon2id, PHC string
    first_name        text        NOT NULL,
    last_name         text        NOT NULL,
    short_description text        NOT NULL DEFAULT '',
    long_description  text        NOT NULL DEFAULT '',
    phone             text        NOT NULL DEFAULT '',
    language          text        NOT NULL DEFAULT 'fi',
    image             text        NOT NULL DEFAULT '', -- file name under /media
    verified          boolean     NOT NULL DEFAULT false,
    scope             text[]      NOT NULL DEFAULT '{view}',
    blocked_at        timestamptz, -- by an operator; nobody signs in, and no session holds
    links             jsonb       NOT NULL DEFAULT '[]', -- [{url, title}]
    skills            text[]      NOT NULL DEFAULT '{}',
    created_at        timestamptz NOT NULL,
    CONSTRAINT users_language CHECK (language IN ('fi', 'en', 'sv')),
    CONSTRAINT users_scope CHECK (scope <@ ARRAY['view', 'edit', 'admin'])
);
CREATE UNIQUE INDEX users_email_key ON users (lower(email));

CREATE TABLE sessions (
    id         text PRIMARY KEY,
    user_id    bigint      NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL
);
CREATE INDEX sessions_user_id ON sessions (user_id);
CREATE INDEX sessions_expires_at ON sessions (expires_at);

CREATE TABLE categories (
    id       bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    key      text NOT NULL UNIQUE,
    position int  NOT NULL
);
CREATE TABLE category_texts (
    category_id bigint NOT NULL REFERENCES categories (id) ON DELETE CASCADE,
    language    text   NOT NULL CHECK (language IN ('fi', 'en', 'sv')),
    label       text   NOT NULL,
    PRIMARY KEY (category_id, language)
);
CREATE TABLE tags (
    id  bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    key text NOT NULL UNIQUE
);
CREATE TABLE tag_texts (
    tag_id   bigint NOT NULL REFERENCES tags (id) ON DELETE CASCADE,
    language text   NOT NULL CHECK (language IN ('fi', 'en', 'sv')),
    label    text   NOT NULL,
    PRIMARY KEY (tag_id, language)
);

-- Links that show an address to be the person's; the mail alone has the link itself.
CREATE TABLE email_verifications (
    token_hash bytea PRIMARY KEY, -- SHA-256
    user_id    bigint      NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    email      text        NOT NULL, -- where it was sent
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL
);
CREATE INDEX email_verifications_user_id ON email_verifications (user_id);
CREATE INDEX email_verifications_expires_at ON email_verifications (expires_at);

-- Wrong passwords, by account, known device and address; each sealed, so that the table tells nobody's.
CREATE TABLE password_failures (
    key          text PRIMARY KEY,
    failures     int         NOT NULL,
    paused_until timestamptz NOT NULL,
    last_at      timestamptz NOT NULL
);
CREATE INDEX password_failures_last_at ON password_failures (last_at);

-- Has a row once the demo content is in this database: people whose password everybody knows, campaigns of nobody.
CREATE TABLE demo_content (
    filled_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX demo_content_once ON demo_content ((true));

-- Changes and stage moves, with who, when, before and after. Rows stay as they are, but for texts that are being written:
-- what one person saves within minutes is one row.
CREATE TABLE audit_log (
    id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at            timestamptz NOT NULL,
    actor         text        NOT NULL, -- 'user', 'operator', 'scheduler', 'payments', 'seed'
    actor_user_id bigint,
    action        text        NOT NULL,
    entity        text        NOT NULL,
    entity_id     text        NOT NULL,
    version       bigint      NOT NULL, -- the entity's, which this change has made; 0 of what counts none
    before        jsonb       NOT NULL, -- what is changed, by the contract's names
    after         jsonb       NOT NULL
);
CREATE INDEX audit_log_entity ON audit_log (entity, entity_id, id);
