-- +goose Up
-- Who has backed or liked two campaigns, counted: "many back both". Pledges and likes only leave a note of whose changed
-- (recommendation_changes); the worker counts those people anew. So paying does not wait for the counting, and what is
-- refunded, made anonymous or deleted is forgotten.
CREATE TABLE recommendation_changes (
    id      bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    user_id bigint NOT NULL -- without a foreign key: a deleted person's pairs are taken back
);

-- What each person is counted with: the difference to what they back and like now is what a recount changes.
CREATE TABLE recommendation_interests (
    user_id     bigint NOT NULL, -- without a foreign key, as above
    kind        text   NOT NULL CHECK (kind IN ('backed', 'liked')),
    campaign_id bigint NOT NULL REFERENCES campaigns (id) ON DELETE CASCADE,
    PRIMARY KEY (user_id, kind, campaign_id)
);
CREATE INDEX recommendation_interests_campaign ON recommendation_interests (campaign_id);

-- Each pair is here twice, from either campaign to the other.
CREATE TABLE recommendation_pairs (
    campaign_id bigint NOT NULL REFERENCES campaigns (id) ON DELETE CASCADE,
    kind        text   NOT NULL CHECK (kind IN ('backed', 'liked')),
    other_id    bigint NOT NULL REFERENCES campaigns (id) ON DELETE CASCADE,
    people      int    NOT NULL,
    PRIMARY KEY (campaign_id, kind, other_id)
) WITH (fillfactor = 80);
-- Fewer than five people are told to nobody, because a reader could know them (recommend.MinPeople).
CREATE INDEX recommendation_pairs_told ON recommendation_pairs (campaign_id, kind, people DESC, other_id) WHERE people >= 5;
CREATE INDEX recommendation_pairs_other ON recommendation_pairs (other_id);
CREATE INDEX recommendation_pairs_gone ON recommendation_pairs (people) WHERE people <= 0;

-- What a person likes, the latest first.
CREATE INDEX campaign_likes_user ON campaign_likes (user_id, created_at DESC);
-- Open campaigns of a place.
CREATE INDEX campaigns_open_place ON campaigns (searchable(place), id DESC) WHERE stage IN (2, 6) AND place <> '';
-- Experiments of a tag, and tags and categories of a word.
CREATE INDEX experiment_tags_tag ON experiment_tags (tag_id, experiment_id DESC);
CREATE INDEX tag_texts_label ON tag_texts (searchable(label));
CREATE INDEX category_texts_label ON category_texts (searchable(label));

-- +goose StatementBegin
CREATE FUNCTION note_recommendation_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_TABLE_NAME = 'users' THEN
        INSERT INTO recommendation_changes (user_id) VALUES (OLD.id);
    ELSE
        INSERT INTO recommendation_changes (user_id)
        SELECT DISTINCT person FROM unnest(ARRAY[OLD.user_id, NEW.user_id]) AS person WHERE person IS NOT NULL;
    END IF;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER pledges_recommendations AFTER UPDATE OF status, anonymous, user_id ON pledges FOR EACH ROW
    WHEN ((OLD.status IN ('paid', 'partly_refunded', 'disputed'), OLD.anonymous, OLD.user_id)
        IS DISTINCT FROM (NEW.status IN ('paid', 'partly_refunded', 'disputed'), NEW.anonymous, NEW.user_id))
    EXECUTE FUNCTION note_recommendation_change();
CREATE TRIGGER likes_recommendations AFTER INSERT OR UPDATE OR DELETE ON campaign_likes FOR EACH ROW
    EXECUTE FUNCTION note_recommendation_change();
CREATE TRIGGER users_recommendations AFTER DELETE OR UPDATE OF verified, blocked_at ON users FOR EACH ROW
    EXECUTE FUNCTION note_recommendation_change();
