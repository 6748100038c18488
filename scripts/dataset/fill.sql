-- Fills an empty content database with as many campaigns as the setting dataset.campaigns says. Popularity is
-- Zipf-like: numbers drawn as power(random(), k) crowd at the low end, so that few campaigns, tags and words have most.
-- The same seed gives the same rows.
SELECT setseed(0.42);

INSERT INTO users (email, password_hash, first_name, last_name, short_description, language, verified, created_at)
SELECT format('person%s@example.org', n), 'nobody signs in', (ARRAY['Aino','Eino','Helmi','Onni','Venla','Väinö','Saga','Nils'])[1 + n % 8],
       (ARRAY['Korhonen','Virtanen','Mäkinen','Nieminen','Lindqvist','Rautio','Saari'])[1 + n % 7], 'Tekee asioita yhdessä.', 'fi', true, now()
FROM generate_series(1, greatest(1, current_setting('dataset.campaigns')::int / 10)) n;

INSERT INTO categories (key, position) SELECT format('category-%s', n), n FROM generate_series(1, 12) n;
INSERT INTO category_texts SELECT id, l, format('Luokka %s %s', id, l) FROM categories, unnest(ARRAY['fi', 'en', 'sv']) l;
INSERT INTO tags (key) SELECT format('tag-%s', n) FROM generate_series(1, 200) n;
INSERT INTO tag_texts SELECT id, l, format('aihe %s %s', id, l) FROM tags, unnest(ARRAY['fi', 'en', 'sv']) l;

-- Of 20 campaigns 13 seek funds, 3 succeeded, 2 did not reach their goal, 1 is monthly and 1 opens later.
INSERT INTO campaigns (slug, stage, language, category_id, place, min_goal_minor, target_goal_minor, first_day, last_day,
    funding_start, funding_deadline, picture, legal_creator, created_at, updated_at)
SELECT format('kampanja-%s', n), stage, 'fi', 1 + floor(12 * power(random(), 1.5)), place, 100000, 500000 + n % 100 * 10000,
       ((now() + start) AT TIME ZONE 'Europe/Helsinki')::date, ((now() + start + length) AT TIME ZONE 'Europe/Helsinki')::date, now() + start, now() + start + length, 'scene.svg', 'Talkooväki', now(), now()
FROM (
    SELECT n, stage, (ARRAY['Helsinki','Tampere','Turku','Oulu','Kuopio','Vaasa','Porvoo','Inari'])[1 + floor(8 * power(random(), 1.5))::int] AS place,
           CASE stage WHEN 1 THEN interval '5 days' WHEN 2 THEN -random() * interval '30 days' ELSE -interval '90 days' - random() * interval '300 days' END AS start,
           CASE stage WHEN 2 THEN interval '31 days' + random() * interval '30 days' ELSE interval '30 days' END AS length
    FROM (
        SELECT n, (ARRAY[2,2,2,2,2,2,2,2,2,2,2,2,2,3,3,3,4,4,6,1])[1 + n % 20] AS stage
        FROM generate_series(1, current_setting('dataset.campaigns')::int) n) staged) timed;

INSERT INTO campaign_texts (campaign_id, language, title, tagline, short_description, story, story_html, story_text)
SELECT c.id, l, title || ' ' || l, 'Yhdessä se valmistuu: ' || thing, thing || ' rakennetaan talkoilla paikassa ' || c.place || ', ' || rare,
       '{"type": "doc", "content": []}', '<p>' || story || '</p>', story
FROM (
    SELECT c.id, c.place, first || ' ' || second AS title, second AS thing, format('hanke%s', c.id) AS rare,
           repeat('Kylä kokoontuu rantaan ja tekee sen mikä on sovittu. ', 10) || second AS story
    FROM (
        SELECT c.id, c.place,
               (ARRAY['Yhteinen','Uusi','Vanha','Pieni','Suuri','Kelluva','Lämmin','Avoin','Hiljainen','Kirkas','Vihreä','Sininen','Nopea',
                   'Hidas','Öinen','Talvinen','Keväinen','Punainen','Pohjoinen','Läntinen'])[1 + floor(20 * power(random(), 2))::int] AS first,
               (ARRAY['sauna','laituri','leipomo','kirja','levy','elokuva','puutarha','pyöräpaja','kirjasto','kahvila','kuoro','museo','lintutorni',
                   'mehustamo','kasvihuone','soutuvene','teatteri','radio','villapaita','kantele','lyhty','mylly','hautomo','paja','silta',
                   'polku','laavu','ateljee','festivaali','äänikirja','orkesteri','verstas','keittiö','tori','leikkipuisto','kompassi',
                   'kalakukko','rieska','hillasuo','revontuli'])[1 + floor(40 * power(random(), 2))::int] AS second
        FROM campaigns c) c) c, unnest(ARRAY['fi', 'en', 'sv']) l;

INSERT INTO campaign_categories SELECT id, category_id FROM campaigns;
INSERT INTO campaign_tags
SELECT id, 1 + floor(200 * power(random(), 3)) FROM campaigns, generate_series(1, 3) n WHERE n > 0 ON CONFLICT DO NOTHING;
INSERT INTO campaign_team (campaign_id, user_id, position)
SELECT id, 1 + id % (SELECT count(*) FROM users), 0 FROM campaigns;

INSERT INTO rewards (campaign_id, amount_minor, stock, created_at)
SELECT c.id, (ARRAY[1500, 3500, 9000])[n], (ARRAY[0, 0, 1000000])[n], now() FROM campaigns c, generate_series(1, 3) n ORDER BY c.id, n;
INSERT INTO reward_texts (reward_id, language, title, description)
SELECT id, l, format('Vastike %s', id), 'Kiitos, ja osa siitä mitä syntyy.' FROM rewards, unnest(ARRAY['fi', 'en', 'sv']) l;

INSERT INTO posts (campaign_id, author_id, status, language, published_at, created_at)
SELECT campaign_id, user_id, 'published', 'fi', now() - interval '1 day', now() FROM campaign_team;
INSERT INTO post_texts (post_id, language, title, intro, story, html)
SELECT id, 'fi', 'Mitä on tehty', 'Aloitimme.', '{"type": "doc", "content": []}', '<p>' || repeat('Tänään saatiin runko pystyyn. ', 20) || '</p>' FROM posts;

-- Ten pledges a campaign, nine of ten paid. One of twenty-one is by a person with an account, some five each.
INSERT INTO pledges (id, campaign_id, user_id, reward_id, status, amount_minor, currency, quantity, lines, stock_held, email, first_name, last_name,
    anonymous, language, reserved_until, payment_id, payment_method, receipt_number, backer_number, paid_at, created_at, updated_at,
    bought)
SELECT lpad(n::text, 26, '0'), campaign, CASE WHEN n % 21 = 0 THEN 1 + n % (SELECT count(*) FROM users) END, campaign * 3 - 2 + n % 3, CASE WHEN paid THEN 'paid' ELSE 'expired' END, (ARRAY[1500, 3500, 9000])[1 + n % 3],
       'EUR', 1, '[]', paid AND n % 3 = 2, format('backer%s@example.org', n), 'Aino', 'Korhonen', n % 4 = 0, 'fi', at, '', 'Visa ···· 4242',
       CASE WHEN paid THEN format('TK-0000-%s', n) END, CASE WHEN paid THEN n END, CASE WHEN paid THEN at END, at, at,
       jsonb_build_object('amount_minor', (ARRAY[1500, 3500, 9000])[1 + n % 3], 'vat_tenths', 0, 'language', 'fi',
           'title', format('Vastike %s', campaign * 3 - 2 + n % 3), 'description', 'Kiitos, ja osa siitä mitä syntyy.',
           'delivery', '', 'questions', '[]'::jsonb, 'added_cost', '', 'needs_address', false)
FROM (
    SELECT n, n % 10 <> 0 AS paid, now() - random() * interval '60 days' AS at,
           1 + floor(current_setting('dataset.campaigns')::int * power(random(), 2))::bigint AS campaign
    FROM generate_series(1, 10 * current_setting('dataset.campaigns')::int) n) p;

-- Five campaigns that many have backed together with each; popular ones more often.
INSERT INTO recommendation_pairs (campaign_id, kind, other_id, people)
SELECT id, 'backed', 1 + floor(current_setting('dataset.campaigns')::int * power(random(), 2))::bigint, 5 + n
FROM campaigns, generate_series(1, 5) n ON CONFLICT DO NOTHING;

-- Five likes of each person, of popular campaigns more often.
INSERT INTO campaign_likes (campaign_id, user_id, created_at, counted)
SELECT 1 + floor(current_setting('dataset.campaigns')::int * power(random(), 2))::bigint, id, now() - n * interval '1 day', true
FROM users, generate_series(1, 5) n ON CONFLICT DO NOTHING;

-- A tenth as many experiments as campaigns, half of them planned or running, with two tags each.
INSERT INTO experiments (slug, stage, language, place, image, open, show_in, created_at)
SELECT format('koe-%s', n), (ARRAY[0,1,2,2,3,5])[1 + n % 6], 'fi',
       (ARRAY['Helsinki','Tampere','Turku','Oulu','Kuopio','Vaasa','Porvoo','Inari'])[1 + n % 8], 'scene.svg', true, '{"index": true}', now()
FROM generate_series(1, greatest(1, current_setting('dataset.campaigns')::int / 10)) n;
INSERT INTO experiment_texts (experiment_id, language, title, short_description)
SELECT id, l, format('Kokeilu %s %s', id, l), 'Kokeillaan yhdessä.' FROM experiments, unnest(ARRAY['fi', 'en', 'sv']) l;
INSERT INTO experiment_team (experiment_id, user_id, position) SELECT id, 1 + id % (SELECT count(*) FROM users), 0 FROM experiments;
INSERT INTO experiment_tags
SELECT id, 1 + floor(200 * power(random(), 3)) FROM experiments, generate_series(1, 2) n WHERE n > 0 ON CONFLICT DO NOTHING;
INSERT INTO experiment_stages SELECT id, stage, created_at FROM experiments;
INSERT INTO experiment_listings SELECT * FROM experiment_listing_sources;

UPDATE rewards r SET backers = p.paid, stock_reserved = CASE WHEN r.stock > 0 THEN p.paid ELSE 0 END
FROM (SELECT reward_id, count(*) AS paid FROM pledges WHERE status = 'paid' GROUP BY reward_id) p WHERE p.reward_id = r.id;

INSERT INTO campaign_totals (campaign_id, funding_reached_minor, backers, likes)
SELECT c.id, coalesce(p.reached, 0), coalesce(p.backers, 0), floor(300 * power(random(), 4))
FROM campaigns c
LEFT JOIN (SELECT campaign_id, sum(amount_minor) AS reached, count(*) AS backers FROM pledges WHERE status = 'paid' GROUP BY campaign_id) p
    ON p.campaign_id = c.id;
