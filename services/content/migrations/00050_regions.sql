-- +goose Up
-- Who searches for a region of Finland means what is in its municipalities. A place is kept as its people wrote it, so regions are
-- read from it: here are the nineteen of them in three languages, and the places that are known to be in each.
CREATE TABLE regions (
    key   text PRIMARY KEY, -- searchable() of the Finnish name
    fi    text NOT NULL,
    en    text NOT NULL,
    sv    text NOT NULL
);
-- What a region is called in a sentence: its names, and what its endings make of them.
CREATE TABLE region_forms (
    form   text NOT NULL, -- the letters of search_words alone, without spaces: of Pohjois-Savossa pohjoissavossa
    region text NOT NULL REFERENCES regions,
    PRIMARY KEY (form, region)
);
-- The regions themselves, municipalities by both names, those that have been merged, and villages and quarters that people name instead.
CREATE TABLE region_places (
    place  text PRIMARY KEY, -- searchable()
    region text NOT NULL REFERENCES regions
);
WITH names (fi, en, sv, others) AS (VALUES
    ('Uusimaa', 'Uusimaa', 'Nyland', 'Uudenmaan, Uudellamaalla, Uudeltamaalta, Uudellemaalle, Uuttamaata, Nylands'),
    ('Varsinais-Suomi', 'Southwest Finland', 'Egentliga Finland', 'Varsinais-Suomen, Varsinais-Suomessa, Varsinais-Suomesta, Varsinais-Suomeen, Varsinais-Suomea, Egentliga Finlands, Finland Proper'),
    ('Satakunta', 'Satakunta', 'Satakunta', 'Satakunnan, Satakunnassa, Satakunnasta, Satakuntaan, Satakuntaa, Satakuntas'),
    ('Kanta-Häme', 'Kanta-Häme', 'Egentliga Tavastland', 'Kanta-Hämeen, Kanta-Hämeessä, Kanta-Hämeestä, Kanta-Hämeeseen, Kanta-Hämettä, Egentliga Tavastlands'),
    ('Pirkanmaa', 'Pirkanmaa', 'Birkaland', 'Pirkanmaan, Pirkanmaalla, Pirkanmaalta, Pirkanmaalle, Pirkanmaata, Birkalands'),
    ('Päijät-Häme', 'Päijät-Häme', 'Päijänne-Tavastland', 'Päijät-Hämeen, Päijät-Hämeessä, Päijät-Hämeestä, Päijät-Hämeeseen, Päijät-Hämettä, Päijänne-Tavastlands'),
    ('Kymenlaakso', 'Kymenlaakso', 'Kymmenedalen', 'Kymenlaakson, Kymenlaaksossa, Kymenlaaksosta, Kymenlaaksoon, Kymenlaaksoa, Kymmenedalens'),
    ('Etelä-Karjala', 'South Karelia', 'Södra Karelen', 'Etelä-Karjalan, Etelä-Karjalassa, Etelä-Karjalasta, Etelä-Karjalaan, Etelä-Karjalaa, Södra Karelens'),
    ('Etelä-Savo', 'South Savo', 'Södra Savolax', 'Etelä-Savon, Etelä-Savossa, Etelä-Savosta, Etelä-Savoon, Etelä-Savoa, Södra Savolaxs'),
    ('Pohjois-Savo', 'North Savo', 'Norra Savolax', 'Pohjois-Savon, Pohjois-Savossa, Pohjois-Savosta, Pohjois-Savoon, Pohjois-Savoa, Norra Savolaxs'),
    ('Pohjois-Karjala', 'North Karelia', 'Norra Karelen', 'Pohjois-Karjalan, Pohjois-Karjalassa, Pohjois-Karjalasta, Pohjois-Karjalaan, Pohjois-Karjalaa, Norra Karelens'),
    ('Keski-Suomi', 'Central Finland', 'Mellersta Finland', 'Keski-Suomen, Keski-Suomessa, Keski-Suomesta, Keski-Suomeen, Keski-Suomea, Mellersta Finlands'),
    ('Etelä-Pohjanmaa', 'South Ostrobothnia', 'Södra Österbotten', 'Etelä-Pohjanmaan, Etelä-Pohjanmaalla, Etelä-Pohjanmaalta, Etelä-Pohjanmaalle, Etelä-Pohjanmaata, Södra Österbottens'),
    ('Pohjanmaa', 'Ostrobothnia', 'Österbotten', 'Pohjanmaan, Pohjanmaalla, Pohjanmaalta, Pohjanmaalle, Pohjanmaata, Österbottens'),
    ('Keski-Pohjanmaa', 'Central Ostrobothnia', 'Mellersta Österbotten', 'Keski-Pohjanmaan, Keski-Pohjanmaalla, Keski-Pohjanmaalta, Keski-Pohjanmaalle, Keski-Pohjanmaata, Mellersta Österbottens'),
    ('Pohjois-Pohjanmaa', 'North Ostrobothnia', 'Norra Österbotten', 'Pohjois-Pohjanmaan, Pohjois-Pohjanmaalla, Pohjois-Pohjanmaalta, Pohjois-Pohjanmaalle, Pohjois-Pohjanmaata, Norra Österbottens'),
    ('Kainuu', 'Kainuu', 'Kajanaland', 'Kainuun, Kainuussa, Kainuusta, Kainuuseen, Kainuuta, Kajanalands'),
    ('Lappi', 'Lapland', 'Lappland', 'Lapin, Lapissa, Lapista, Lappiin, Lappia, Lapplands'),
    ('Ahvenanmaa', 'Åland', 'Åland', 'Ahvenanmaan, Ahvenanmaalla, Ahvenanmaalta, Ahvenanmaalle, Ahvenanmaata, Ålands')),
made AS (INSERT INTO regions SELECT searchable(fi), fi, en, sv FROM names)
INSERT INTO region_forms
SELECT DISTINCT regexp_replace(searchable(form), '[^a-z]', '', 'g'), searchable(fi)
FROM names, unnest(ARRAY[fi, en, sv] || regexp_split_to_array(others, ', ')) AS form;
WITH names (region, places) AS (VALUES
    ('Uusimaa', 'Askola, Borgnäs, Borgå, Ekenäs, Esbo, Espoo, Grankulla, Hangö, Hanko, Helsingfors, Helsinki, Hyvinge, Hyvinkää, Högfors,
        Ingå, Inkoo, Järvenpää, Kaarela, Kallio, Karis, Karjaa, Karjalohja, Karkkila, Kauniainen, Kellokoski, Kerava, Kervo,
        Kilo, Kirkkonummi, Kyrkslätt, Lapinjärvi, Lappträsk, Lauttasaari, Liljendal, Lohja, Lojo, Loviisa, Lovisa, Mellunkylä,
        Munkkiniemi, Myrskylä, Mäntsälä, Mörskom, Nickby, Nurmijärvi, Otaniemi, Pernå, Pohja, Pojo, Pornainen, Porvoo, Pukkila,
        Raasepori, Raseborg, Ruotsinpyhtää, Sammatti, Sibbo, Sipoo, Siuntio, Sjundeå, Tammisaari, Träskända, Tusby, Tuusula,
        Vanda, Vantaa, Vichtis, Vihti, Vuosaari'),
    ('Varsinais-Suomi', 'Alastaro, Askainen, Aura, Dragsfjärd, Gustavs, Halikko, Houtskär, Iniö, Kaarina, Karinainen, Kemiönsaari, Kiikala,
        Kimito, Kimitoön, Kisko, Koski, Koski Tl, Koskis, Kustavi, Kuusjoki, Laitila, Lemu, Letala, Lieto, Loimaa, Lundo,
        Marttila, Masku, Mellilä, Merimasku, Mietoinen, Muurla, Mynämäki, Naantali, Nagu, Nousiainen, Nousis, Nystad, Nådendal,
        Oripää, Paimio, Parainen, Pargas, Pemar, Perniö, Pertteli, Piikkiö, Pyhäranta, Pöytyä, Raisio, Reso, Rusko, Rymättylä,
        S:t Karins, S:t Mårtens, Sagu, Salo, Sauvo, Somero, Suomusjärvi, Särkisalo, Taivassalo, Tarvasjoki, Turku, Tövsala,
        Uusikaupunki, Vahto, Vehmaa, Velkua, Vemo, Vinkkilä, Virmo, Västanfjärd, Väståboland, Yläne, Åbo'),
    ('Satakunta', 'Björneborg, Eura, Eurajoki, Euraåminne, Harjavalta, Honkajoki, Huittinen, Jämijärvi, Kankaanpää, Karvia, Kiukainen,
        Kokemäki, Kullaa, Kumo, Köyliö, Lavia, Luvia, Merikarvia, Nakkila, Noormarkku, Pomarkku, Pori, Påmark, Rauma, Raumo,
        Sastmola, Siikainen, Siikais, Säkylä, Ulvila, Ulvsby, Vampula, Vittis'),
    ('Kanta-Häme', 'Forssa, Hattula, Hauho, Hausjärvi, Humppila, Hämeenlinna, Janakkala, Jockis, Jokioinen, Kalvola, Lammi, Loppi, Oitti,
        Parola, Renko, Riihimäki, Tammela, Tavastehus, Tervakoski, Turenki, Tuulos, Ypäjä'),
    ('Pirkanmaa', 'Ackas, Akaa, Birkala, Hämeenkyrö, Ikaalinen, Ikalis, Juupajoki, Kangasala, Kihniö, Kiikoinen, Kuhmalahti, Kuhmoinen,
        Kuhmois, Kuru, Kylmäkoski, Lempäälä, Luopioinen, Mouhijärvi, Mänttä, Mänttä-Vilppula, Nokia, Orivesi, Parkano, Pirkkala,
        Punkalaidun, Pälkäne, Ruovesi, Sahalahti, Sastamala, Suodenniemi, Tammerfors, Tampere, Tavastkyro, Toijala, Urjala,
        Valkeakoski, Vammala, Vesilahti, Viiala, Viljakkala, Vilppula, Virdois, Virrat, Ylöjärvi, Äetsä'),
    ('Päijät-Häme', 'Artjärvi, Asikkala, Auttoinen, Gustav Adolfs, Hartola, Heinola, Hollola, Hämeenkoski, Iitti, Itis, Kärkölä, Lahti,
        Lahtis, Nastola, Orimattila, Padasjoki, Sysmä'),
    ('Kymenlaakso', 'Anjala, Elimäki, Fredrikshamn, Hamina, Jaala, Karhula, Kotka, Kouvola, Miehikkälä, Pyhtää, Pyttis, Vederlax, Virojoki,
        Virolahti'),
    ('Etelä-Karjala', 'Imatra, Joutseno, Lappeenranta, Lemi, Luumäki, Nuijamaa, Parikkala, Rautjärvi, Ruokolahti, Ruokolax, Savitaipale,
        Simpele, Taavetti, Taipalsaari, Villmanstrand, Ylämaa'),
    ('Etelä-Savo', 'Enonkoski, Haukivuori, Hirvensalmi, Juva, Jäppilä, Kangasniemi, Kerimäki, Mikkeli, Mäntyharju, Nyslott, Pertunmaa,
        Pieksämäki, Punkaharju, Puumala, Rantasalmi, Ristiina, S:t Michel, Savonlinna, Savonranta, Sulkava, Virtasalmi'),
    ('Pohjois-Savo', 'Idensalmi, Iisalmi, Joroinen, Jorois, Juankoski, Kaavi, Kangaslampi, Karttula, Keitele, Kiuruvesi, Kuopio, Lapinlahti,
        Leppävirta, Maaninka, Nilsiä, Pielavesi, Rautalampi, Rautavaara, Siilinjärvi, Sonkajärvi, Suonenjoki, Tervo, Tuusniemi,
        Varkaus, Varpaisjärvi, Vehmersalmi, Vesanto, Vieremä'),
    ('Pohjois-Karjala', 'Eno, Heinävesi, Ilomants, Ilomantsi, Joensuu, Juga, Juuka, Kesälahti, Kides, Kiihtelysvaara, Kitee, Kontiolahti,
        Kontiolax, Libelits, Lieksa, Liperi, Nurmes, Outokumpu, Polvijärvi, Pyhäselkä, Rääkkylä, Tohmajärvi, Tuupovaara,
        Valtimo'),
    ('Keski-Suomi', 'Hankasalmi, Joutsa, Jyväskylä, Jämsä, Jämsänkoski, Kannonkoski, Karstula, Keuru, Keuruu, Kinnula, Kivijärvi, Konnevesi,
        Korpilahti, Kyyjärvi, Laukaa, Laukas, Leivonmäki, Luhanka, Multia, Muurame, Petäjävesi, Pihtipudas, Pylkönmäki,
        Saarijärvi, Sumiainen, Suolahti, Säynätsalo, Toivakka, Uurainen, Viitasaari, Äänekoski'),
    ('Etelä-Pohjanmaa', 'Alahärmä, Alajärvi, Alavo, Alavus, Bötom, Etseri, Evijärvi, Ilmajoki, Ilmola, Isojoki, Isokyrö, Jalasjärvi, Jurva,
        Karijoki, Kauhajoki, Kauhava, Kortesjärvi, Kuortane, Kurikka, Lappajärvi, Lappo, Lapua, Lehtimäki, Nurmo, Seinäjoki,
        Soini, Storkyro, Storå, Teuva, Töysä, Vimpeli, Vindala, Ylihärmä, Ylistaro, Ähtäri, Östermark'),
    ('Pohjanmaa', 'Bennäs, Jakobstad, Kaskinen, Kaskö, Korsholm, Korsnäs, Kristiinankaupunki, Kristinestad, Kronoby, Kruunupyy, Kållby,
        Laihela, Laihia, Larsmo, Luoto, Maalahti, Malax, Mustasaari, Nykarleby, Närpes, Närpiö, Oravais, Pedersöre,
        Pedersören kunta, Pietarsaari, Raippaluoto, Replot, Sandsund, Smedsby, Uusikaarlepyy, Vaasa, Vasa, Vähäkyrö, Vörå,
        Vöyri, Ytteresse'),
    ('Keski-Pohjanmaa', 'Halso, Halsua, Kannus, Karleby, Kaustby, Kaustinen, Kokkola, Kälviä, Lestijärvi, Lohtaja, Perho, Toholampi, Ullava,
        Veteli, Vetil'),
    ('Pohjois-Pohjanmaa', 'Alavieska, Brahestad, Haapajärvi, Haapavesi, Hailuoto, Haukipudas, Himanka, Ii, Ijo, Kalajoki, Karlö, Kempele, Kestilä,
        Kiiminki, Kuivaniemi, Kuusamo, Kärsämäki, Limingo, Liminka, Lumijoki, Merijärvi, Muhos, Nivala, Oulainen, Oulu,
        Oulunsalo, Piippola, Pudasjärvi, Pulkkila, Pyhäjoki, Pyhäjärvi, Pyhäntä, Pyhäsalmi, Raahe, Rantsila, Reisjärvi, Ruukki,
        Sievi, Siikajoki, Siikalatva, Taivalkoski, Tyrnävä, Uleåborg, Utajärvi, Vaala, Vihanti, Yli-Ii, Ylikiiminki, Ylivieska'),
    ('Kainuu', 'Hyrynsalmi, Kajaani, Kajana, Kuhmo, Paltamo, Puolanka, Ristijärvi, Sotkamo, Suomussalmi, Vuokatti, Vuolijoki'),
    ('Lappi', 'Enare, Enontekis, Enontekiö, Inari, Ivalo, Kemi, Kemijärvi, Keminmaa, Kittilä, Kolari, Muonio, Pelkosenniemi, Pello,
        Posio, Ranua, Rovaniemi, Salla, Savukoski, Simo, Sodankylä, Tervola, Torneå, Tornio, Utsjoki, Ylitornio, Övertorneå'),
    ('Ahvenanmaa', 'Brändö, Eckerö, Finström, Föglö, Geta, Hammarland, Jomala, Kumlinge, Kökar, Lemland, Lumparland, Maarianhamina,
        Mariehamn, Saltvik, Sottunga, Sund, Vårdö'))
INSERT INTO region_places SELECT DISTINCT searchable(btrim(place)), searchable(region) FROM names, regexp_split_to_table(places, ',\s+') AS place
UNION SELECT searchable(name), key FROM regions, unnest(ARRAY[fi, en, sv]) AS name;

-- regions_of is the regions of a place as somebody wrote it: of all of it or of what stands between its signs, else of its words.
CREATE FUNCTION regions_of(written text) RETURNS text[]
    LANGUAGE sql STABLE PARALLEL SAFE STRICT
    RETURN (
        WITH parts (place, is_word) AS (
            SELECT searchable(btrim(part)), false FROM regexp_split_to_table(written, '[,;/()|]| [-–—] ') AS part
            UNION ALL SELECT searchable(part), true FROM regexp_split_to_table(written, '[\s,;/()|]+') AS part),
        found AS (
            SELECT p.is_word, known.region FROM parts p
            JOIN region_places known ON known.place = p.place)
        SELECT coalesce(array_agg(DISTINCT region), '{}') FROM found WHERE NOT is_word OR NOT EXISTS (SELECT FROM found WHERE NOT is_word));

ALTER TABLE search_documents ADD COLUMN regions text[] NOT NULL DEFAULT '{}'; -- of all its places

-- search_made is the rows of search_documents as they have to be. The names of its regions are among its places, by which a search is
-- narrowed, but not among its words: Pirkanmaa is no land, and Satakunta no municipality.
CREATE OR REPLACE VIEW search_made AS
SELECT s.grp, s.subject_id, s.place, p.places || r.names AS places, w.title || search_accented(coalesce(s.title, '')) AS title,
       w.search || search_accented(w.written) AS search, w.title AS plain_title, w.search AS plain, w.written, r.regions
FROM search_sources s
CROSS JOIN LATERAL (
    SELECT coalesce(array_agg(DISTINCT searchable(name)) FILTER (WHERE name <> ''), '{}') AS places, string_agg(DISTINCT name, ' ') AS names
    FROM (SELECT unnest(s.written_places) AS name
        UNION SELECT n.name FROM place_names n WHERE n.place = ANY (s.written_places)) all_names) p
CROSS JOIN LATERAL (
    SELECT coalesce(array_agg(DISTINCT g.key), '{}') AS regions, coalesce(array_agg(DISTINCT searchable(name)) FILTER (WHERE name <> ''), '{}') AS names
    FROM unnest(s.written_places) AS written CROSS JOIN unnest(regions_of(written)) AS region
    JOIN regions g ON g.key = region CROSS JOIN unnest(ARRAY[g.fi, g.en, g.sv]) AS name) r
CROSS JOIN LATERAL (
    SELECT search_words(coalesce(s.title, '')) AS title, concat_ws(' ', s.title, s.others, p.names) AS written,
           search_words(coalesce(s.title, '')) || ltrim(search_words(concat_ws(' ', s.others, p.names))) AS search) w;

-- search_marked is names as they stand among stems, where no word is like them.
CREATE FUNCTION search_marked(names text[]) RETURNS text[]
    LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
    RETURN (SELECT coalesce(array_agg('=' || name), '{}') FROM unnest(names) AS name);

-- +goose StatementBegin
-- search_refresh writes the documents of campaigns, with those of their creators, of users and of experiments. Their regions and places
-- are among their stems, so that one index answers for words and places.
CREATE OR REPLACE FUNCTION search_refresh(campaign_ids bigint[], user_ids bigint[], experiment_ids bigint[]) RETURNS void
    LANGUAGE plpgsql AS $$
DECLARE
    lost text[]; -- words that are in these documents no more
BEGIN
    user_ids := user_ids || ARRAY(SELECT user_id FROM campaign_team WHERE campaign_id = ANY (campaign_ids) AND position = 0);
    WITH made AS MATERIALIZED (
        SELECT * FROM search_made WHERE grp < 4 AND subject_id = ANY (campaign_ids)
        UNION ALL SELECT * FROM search_made WHERE grp = 4 AND subject_id = ANY (user_ids)
        UNION ALL SELECT * FROM search_made WHERE grp = 5 AND subject_id = ANY (experiment_ids)),
    stored AS MATERIALIZED (
        SELECT * FROM search_documents WHERE grp IN (0, 1, 2, 3) AND subject_id = ANY (campaign_ids)
        UNION ALL SELECT * FROM search_documents WHERE grp = 4 AND subject_id = ANY (user_ids)
        UNION ALL SELECT * FROM search_documents WHERE grp = 5 AND subject_id = ANY (experiment_ids)),
    changed AS MATERIALIZED ( -- the others are left alone, and unlocked
        SELECT * FROM made m WHERE NOT EXISTS (SELECT FROM stored d
            WHERE (d.grp, d.subject_id, d.place, d.places, d.title, d.search) = (m.grp, m.subject_id, m.place, m.places, m.title, m.search))),
    gone AS (
        DELETE FROM search_documents d USING stored s
        WHERE d.grp = s.grp AND d.subject_id = s.subject_id
            AND NOT EXISTS (SELECT FROM made m WHERE m.grp = s.grp AND m.subject_id = s.subject_id)),
    known AS (
        INSERT INTO search_vocabulary (word, shown)
        SELECT DISTINCT ON (w.word) w.word, w.shown FROM (
            SELECT searchable(shown) AS word, shown
            FROM changed, regexp_split_to_table(lower(written), '[\x01-/:-@\[-`{-\u00bf\u2000-\u206f]+') AS shown) w
        WHERE length(w.word) BETWEEN 3 AND 40 AND w.word !~ '[0-9]'
            AND NOT EXISTS (SELECT FROM search_vocabulary v WHERE v.word = w.word)
        ORDER BY w.word, w.shown),
    written AS (
        INSERT INTO search_documents (grp, subject_id, place, places, regions, title, search, title_stems, stems)
        SELECT grp, subject_id, place, places, regions, title, search, search_stems_of(plain_title),
               search_stems_of(plain) || search_marked(places) FROM changed
        ORDER BY grp, subject_id
        ON CONFLICT (grp, subject_id) DO UPDATE SET place = excluded.place, places = excluded.places, regions = excluded.regions,
            title = excluded.title, search = excluded.search, title_stems = excluded.title_stems, stems = excluded.stems)
    SELECT array_agg(word) INTO lost FROM (
        SELECT unnest(string_to_array(btrim(s.search), ' ')) AS word FROM stored s
        EXCEPT SELECT unnest(string_to_array(btrim(m.search), ' ')) FROM made m) words;
    DELETE FROM search_vocabulary v
    WHERE v.word = ANY (lost) AND NOT EXISTS (SELECT FROM search_documents d WHERE d.stems @> ARRAY[v.word]);
END $$;
-- +goose StatementEnd

UPDATE search_documents d SET places = m.places, regions = m.regions, stems = d.stems || search_marked(m.places)
FROM search_made m WHERE m.grp = d.grp AND m.subject_id = d.subject_id AND m.places <> '{}';
