-- +goose Up
-- Many places of Finland have a Finnish and a Swedish name. A campaign's or an experiment's place is kept as its people
-- wrote it; a reader sees the name in their own language. Places that are called the same in both are not listed.
CREATE TABLE place_names (
    place    text NOT NULL, -- as written
    language text NOT NULL CHECK (language IN ('fi', 'sv')),
    name     text NOT NULL, -- what the language calls it
    PRIMARY KEY (place, language)
);
WITH both_names (fi, sv) AS (VALUES
    ('Enontekiö', 'Enontekis'), ('Espoo', 'Esbo'), ('Hamina', 'Fredrikshamn'), ('Hanko', 'Hangö'), ('Helsinki', 'Helsingfors'),
    ('Hyvinkää', 'Hyvinge'), ('Hämeenlinna', 'Tavastehus'), ('Iisalmi', 'Idensalmi'), ('Ilomantsi', 'Ilomants'), ('Inari', 'Enare'),
    ('Inkoo', 'Ingå'), ('Järvenpää', 'Träskända'), ('Kaarina', 'S:t Karins'), ('Kajaani', 'Kajana'), ('Karjaa', 'Karis'),
    ('Kaskinen', 'Kaskö'), ('Kauniainen', 'Grankulla'), ('Kaustinen', 'Kaustby'), ('Kemiönsaari', 'Kimitoön'), ('Kerava', 'Kervo'),
    ('Kirkkonummi', 'Kyrkslätt'), ('Kokkola', 'Karleby'), ('Kristiinankaupunki', 'Kristinestad'), ('Kruunupyy', 'Kronoby'),
    ('Lahti', 'Lahtis'), ('Lapinjärvi', 'Lappträsk'), ('Lappeenranta', 'Villmanstrand'), ('Lapua', 'Lappo'), ('Lohja', 'Lojo'),
    ('Loviisa', 'Lovisa'), ('Maalahti', 'Malax'), ('Maarianhamina', 'Mariehamn'), ('Mikkeli', 'S:t Michel'),
    ('Mustasaari', 'Korsholm'), ('Myrskylä', 'Mörskom'), ('Naantali', 'Nådendal'), ('Närpiö', 'Närpes'), ('Oulu', 'Uleåborg'),
    ('Parainen', 'Pargas'), ('Pietarsaari', 'Jakobstad'), ('Pohja', 'Pojo'), ('Pori', 'Björneborg'), ('Porvoo', 'Borgå'),
    ('Pyhtää', 'Pyttis'), ('Raahe', 'Brahestad'), ('Raasepori', 'Raseborg'), ('Raippaluoto', 'Replot'), ('Raisio', 'Reso'),
    ('Rauma', 'Raumo'), ('Savonlinna', 'Nyslott'), ('Sipoo', 'Sibbo'), ('Siuntio', 'Sjundeå'), ('Tammisaari', 'Ekenäs'),
    ('Tampere', 'Tammerfors'), ('Tornio', 'Torneå'), ('Turku', 'Åbo'), ('Tuusula', 'Tusby'), ('Uusikaarlepyy', 'Nykarleby'),
    ('Uusikaupunki', 'Nystad'), ('Vaasa', 'Vasa'), ('Vantaa', 'Vanda'), ('Vöyri', 'Vörå'))
INSERT INTO place_names (place, language, name)
SELECT fi, 'sv', sv FROM both_names UNION ALL SELECT sv, 'fi', fi FROM both_names;

-- place_in gives a place's name in a language; as written where the language has no other name for it.
CREATE FUNCTION place_in(written text, reader text) RETURNS text
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN coalesce((SELECT name FROM place_names WHERE place = written AND language = reader), written);

-- Lists read ready previews.
UPDATE campaign_previews p
SET preview = jsonb_set(CAST(p.preview AS jsonb), '{place}', to_jsonb(place_in(c.place, p.language)))::json
FROM campaigns c
WHERE c.id = p.campaign_id AND place_in(c.place, p.language) <> c.place;
