-- +goose Up
CREATE TABLE experiments (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    slug        text        NOT NULL,
    stage       smallint    NOT NULL DEFAULT 0 CHECK (stage BETWEEN 0 AND 6), -- idea, planned, running, evaluated, adopted, ended, archived
    activity    int         NOT NULL GENERATED ALWAYS AS (array_position('{2,3,4,1,0,5,6}', stage)) STORED, -- of the stage, the liveliest first
    language    text        NOT NULL CHECK (language IN ('fi', 'en', 'sv')),
    place       text        NOT NULL DEFAULT '',
    image       text        NOT NULL,
    disabled    boolean     NOT NULL DEFAULT false,
    show_in     jsonb       NOT NULL DEFAULT '{}',
    links       jsonb       NOT NULL DEFAULT '[]',
    currency    char(3)     NOT NULL DEFAULT 'EUR',
    goal_minor  bigint      NOT NULL DEFAULT 0,
    raised_minor bigint     NOT NULL DEFAULT 0, -- stated by the team; no money moves here
    like_count  int         NOT NULL DEFAULT 0,
    created_at  timestamptz NOT NULL
);
CREATE INDEX experiments_stage ON experiments (stage, id) WHERE NOT disabled;
CREATE INDEX experiments_activity ON experiments (activity, id) WHERE NOT disabled;
CREATE TABLE experiment_texts (
    experiment_id     bigint NOT NULL REFERENCES experiments (id) ON DELETE CASCADE,
    language          text   NOT NULL CHECK (language IN ('fi', 'en', 'sv')),
    title             text   NOT NULL,
    short_description text   NOT NULL DEFAULT '',
    story             jsonb  NOT NULL DEFAULT '{"type": "doc", "content": []}',
    story_html        text   NOT NULL DEFAULT '',
    PRIMARY KEY (experiment_id, language)
);
CREATE TABLE experiment_team (
    experiment_id bigint NOT NULL REFERENCES experiments (id) ON DELETE CASCADE,
    user_id       bigint NOT NULL REFERENCES users (id),
    position      int    NOT NULL, -- 0 is the owner
    PRIMARY KEY (experiment_id, user_id)
);
CREATE INDEX experiment_team_user ON experiment_team (user_id);
CREATE TABLE experiment_tags (
    experiment_id bigint NOT NULL REFERENCES experiments (id) ON DELETE CASCADE,
    tag_id        bigint NOT NULL REFERENCES tags (id) ON DELETE CASCADE,
    PRIMARY KEY (experiment_id, tag_id)
);
