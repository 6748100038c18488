-- +goose Up
-- The Swedish names of the municipalities that 00006 leaves out, with those of a few that are merged and still named. region_places has
-- both already, but not which belongs to which.
WITH both_names (fi, sv) AS (VALUES
    ('Akaa', 'Ackas'), ('Alavus', 'Alavo'), ('Eurajoki', 'Euraåminne'), ('Hailuoto', 'Karlö'), ('Halsua', 'Halso'),
    ('Hartola', 'Gustav Adolfs'), ('Houtskari', 'Houtskär'), ('Huittinen', 'Vittis'), ('Hämeenkyrö', 'Tavastkyro'),
    ('Ii', 'Ijo'), ('Iitti', 'Itis'), ('Ikaalinen', 'Ikalis'), ('Ilmajoki', 'Ilmola'), ('Isojoki', 'Storå'),
    ('Isokyrö', 'Storkyro'), ('Jokioinen', 'Jockis'), ('Joroinen', 'Jorois'), ('Juuka', 'Juga'),
    ('Karijoki', 'Bötom'), ('Karkkila', 'Högfors'), ('Kemiö', 'Kimito'), ('Keuruu', 'Keuru'), ('Kitee', 'Kides'),
    ('Kokemäki', 'Kumo'), ('Kontiolahti', 'Kontiolax'), ('Koski Tl', 'Koskis'), ('Kuhmoinen', 'Kuhmois'),
    ('Kustavi', 'Gustavs'), ('Laihia', 'Laihela'), ('Laitila', 'Letala'), ('Laukaa', 'Laukas'), ('Lieto', 'Lundo'),
    ('Liminka', 'Limingo'), ('Liperi', 'Libelits'), ('Luoto', 'Larsmo'), ('Marttila', 'S:t Mårtens'),
    ('Merikarvia', 'Sastmola'), ('Mynämäki', 'Virmo'), ('Nauvo', 'Nagu'), ('Nousiainen', 'Nousis'),
    ('Oravainen', 'Oravais'), ('Paimio', 'Pemar'), ('Pedersören kunta', 'Pedersöre'), ('Pernaja', 'Pernå'),
    ('Pirkkala', 'Birkala'), ('Pomarkku', 'Påmark'), ('Pornainen', 'Borgnäs'), ('Ruokolahti', 'Ruokolax'),
    ('Sauvo', 'Sagu'), ('Siikainen', 'Siikais'), ('Taivassalo', 'Tövsala'), ('Teuva', 'Östermark'),
    ('Ulvila', 'Ulvsby'), ('Vehmaa', 'Vemo'), ('Veteli', 'Vetil'), ('Vihti', 'Vichtis'), ('Vimpeli', 'Vindala'),
    ('Virolahti', 'Vederlax'), ('Virrat', 'Virdois'), ('Ylitornio', 'Övertorneå'), ('Ähtäri', 'Etseri'))
INSERT INTO place_names (place, language, name)
SELECT fi, 'sv', sv FROM both_names UNION ALL SELECT sv, 'fi', fi FROM both_names;

-- Names that are merged now, or that nobody wrote as a place until now, are of a region as well.
INSERT INTO region_places (place, region)
SELECT searchable(n.name), r.region FROM place_names n JOIN region_places r ON r.place = searchable(n.place)
ON CONFLICT (place) DO NOTHING;

UPDATE campaign_previews p
SET preview = jsonb_set(CAST(p.preview AS jsonb), '{place}', to_jsonb(place_in(c.place, p.language)))::json
FROM campaigns c
WHERE c.id = p.campaign_id AND CAST(p.preview AS jsonb) ->> 'place' <> place_in(c.place, p.language);

-- What is found by a place is found by its other name too.
SELECT search_refresh(ARRAY(SELECT id FROM campaigns), ARRAY(SELECT id FROM users), ARRAY(SELECT id FROM experiments));
