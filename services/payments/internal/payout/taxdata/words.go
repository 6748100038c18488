package taxdata

// The words of the report, by language. The desk's is in Finnish, in which the books are kept.
//
//nolint:gochecknoglobals // constants that Go cannot have
var (
	heads = map[string][]string{
		"fi": {"Tili", "Myyjä", "Sukunimi", "Etunimi", "Yrityksen nimi", "Syntymäaika", "Syntymäpaikka", "Katuosoite", "Postinumero", "Paikkakunta", "Maa", "Verotunnisteen maa",
			"Verotunniste", "ALV-tunniste", "Rekisterinumero", "Valuutta"},
		"en": {"Account", "Seller", "Last name", "First name", "Legal name", "Birth date", "Place of birth", "Street address", "Postcode", "Town", "Country", "Country of the tax number",
			"Tax number", "VAT number", "Registration number", "Currency"},
		"sv": {"Konto", "Säljare", "Efternamn", "Förnamn", "Företagets namn", "Födelsedatum", "Födelseort", "Gatuadress", "Postnummer", "Ort", "Land", "Skattenumrets land",
			"Skattenummer", "Momsnummer", "Registernummer", "Valuta"},
	}
	quarterHeads = map[string][3]string{
		"fi": {"vastike", "palkkiomme veroineen", "maksuja"},
		"en": {"consideration", "our fee with its tax", "payments"},
		"sv": {"vederlag", "vår avgift med moms", "betalningar"},
	}
	missingHead = map[string]string{"fi": "Puuttuu", "en": "Missing", "sv": "Saknas"}
	lostWords   = map[string]string{"fi": "annetut tiedot eivät aukea: niiden avain puuttuu", "en": "what was given does not open: its key is gone",
		"sv": "det som gavs öppnas inte: nyckeln saknas"}
	kindNames = map[string]map[Kind]string{
		"fi": {Person: "henkilö", Business: "yritys tai yhteisö"},
		"en": {Person: "person", Business: "business or association"},
		"sv": {Person: "person", Business: "företag eller förening"},
	}
	partNames = map[string]map[Part]string{
		"fi": {PartName: "nimi", PartBirthDate: "syntymäaika", PartAddress: "osoite", PartTIN: "verotunniste", PartRegistration: "rekisterinumero"},
		"en": {PartName: "name", PartBirthDate: "birth date", PartAddress: "address", PartTIN: "tax number", PartRegistration: "registration number"},
		"sv": {PartName: "namn", PartBirthDate: "födelsedatum", PartAddress: "adress", PartTIN: "skattenummer", PartRegistration: "registernummer"},
	}
)
