//go:build unix

package profiles_test

import (
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"gorm.io/gorm"

	"talkoot.fi/kit/dbtest"
	"talkoot.fi/kit/dbx"

	"talkoot.fi/content/internal/person/profiles"
	"talkoot.fi/content/migrations"
)

// before are the migrations until one, without it.
func before(t *testing.T, name string) fs.FS {
	t.Helper()
	earlier := fstest.MapFS{}
	files, err := fs.ReadDir(migrations.FS, ".")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if file.Name() >= name {
			continue
		}
		text, err := fs.ReadFile(migrations.FS, file.Name())
		if err != nil {
			t.Fatal(err)
		}
		earlier[file.Name()] = &fstest.MapFile{Data: text}
	}
	return earlier
}

func column[T any](t *testing.T, db *gorm.DB, query string, args ...any) (list []T) {
	t.Helper()
	if err := db.Raw(query, args...).Scan(&list).Error; err != nil {
		t.Fatal(err)
	}
	return list
}

// The database has a function of its own, because what it rewrites and what the audit reads are in it.
func TestNormalEmail_IsWhatTheDatabaseMakesOfOldAddresses(t *testing.T) {
	db := dbtest.New(t, migrations.FS).Gorm
	for _, address := range []string{"a@gｍail.example", "a@ＧＭＡＩＬ.example", "a@xn--hyry-5qa.fi", "a@XN--HYRY-5QA.fi", "a@höyry.fi", "A@Example.FI", "a@b。fi", "a@b．fi",
		"a@xn--fiqs8s", "a@mail.xn--bcher-kva.example", "a@xn--mgbh0fb.xn--kgbechtv", "a@xn--.fi", "a@xn--9.fi", "a@xn--99999999999.fi", "xn--a@b.fi", "ä@b.fi", "erased-17"} {
		if got, want := column[string](t, db, `SELECT mail_address(?)`, address)[0], profiles.NormalEmail(address); got != want {
			t.Errorf("%s: %s, want %s", address, got, want)
		}
	}
}

func TestOldAddresses_AreRewrittenWhereNobodyHasTheNewForm(t *testing.T) {
	const this = "00058_mail_hosts.sql"
	earlier := dbtest.New(t, before(t, this))
	db := earlier.Gorm
	for _, address := range []string{"free@gｍail.example", "free@xn--hyry-5qa.fi", "taken@gmail.example", "taken@gｍail.example", "two@gｍail.example",
		"two@ＧＭＡＩＬ.example", "plain@example.fi"} {
		if err := db.Exec(`INSERT INTO users (email, password_hash, first_name, last_name, language, verified, created_at) VALUES (?, 'x', 'A', 'B', 'fi', true, now())`,
			address).Error; err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Exec(`INSERT INTO undeliverable_addresses (address_hash, refused_at) SELECT sha256(convert_to('free@gｍail.example', 'UTF8')), now()`).Error; err != nil {
		t.Fatal(err)
	}
	if err := dbx.Migrate(t.Context(), earlier.URL, migrations.FS); err != nil {
		t.Fatal(err)
	}
	if got, want := strings.Join(column[string](t, db, `SELECT email FROM users ORDER BY id`), " "), "free@gmail.example free@höyry.fi taken@gmail.example "+
		"taken@gｍail.example two@gｍail.example two@ＧＭＡＩＬ.example plain@example.fi"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got := column[bool](t, db, `SELECT address_hash = sha256(convert_to('free@gmail.example', 'UTF8')) FROM undeliverable_addresses`); !got[0] {
		t.Error("what was known of the old form is forgotten")
	}
	if got := fmt.Sprint(column[string](t, db, `SELECT id FROM mail_addresses WHERE is_written <> should_be ORDER BY id`)); got != "[4 5 6]" {
		t.Errorf("those that clash: %s", got)
	}
}

// What is compared with an account's address is rewritten with it: where a letter's answers go, and the links under way.
func TestOldAddresses_OfCampaignsAndLinksUnderWayGoWithTheirAccounts(t *testing.T) {
	earlier := dbtest.New(t, before(t, "00060_old_hosts.sql"))
	db := earlier.Gorm
	for _, statement := range []string{
		`INSERT INTO users (email, password_hash, first_name, last_name, language, created_at)
		 SELECT email, 'x', 'A', 'B', 'fi', now() FROM unnest(CAST('{free@gmail.example,kept@gｍail.example,kept@gmail.example}' AS text[])) AS email`,
		`INSERT INTO email_verifications SELECT CAST(id AS text)::bytea, id, replace(email, 'gmail', 'gｍail'), now(), now() + interval '1 day' FROM users WHERE id <> 3`,
		`INSERT INTO password_resets SELECT CAST(id AS text)::bytea, id, replace(email, 'gmail', 'gｍail'), now(), now() + interval '1 day' FROM users WHERE id <> 3`,
		`INSERT INTO categories (key, position) VALUES ('kyla', 1)`,
		`INSERT INTO campaigns (slug, language, category_id, picture, contact_email, created_at, updated_at)
		 SELECT 'c', 'fi', 1, 'a.jpg', email, now(), now() FROM unnest(CAST('{free@gｍail.example,kept@gｍail.example,info@xn--hyry-5qa.fi,plain@example.fi}' AS text[])) AS email`,
		`INSERT INTO reviewed_parts (campaign_id, at, version, parts) SELECT id, now(), 1, campaign_parts(id) FROM campaigns`,
	} {
		if err := db.Exec(statement).Error; err != nil {
			t.Fatal(statement, err)
		}
	}
	if err := dbx.Migrate(t.Context(), earlier.URL, migrations.FS); err != nil {
		t.Fatal(err)
	}
	for query, want := range map[string]string{
		`SELECT contact_email FROM campaigns ORDER BY id`:                                                                           "free@gmail.example kept@gｍail.example info@höyry.fi plain@example.fi",
		`SELECT email FROM email_verifications ORDER BY user_id`:                                                                    "free@gmail.example kept@gｍail.example",
		`SELECT email FROM password_resets ORDER BY user_id`:                                                                        "free@gmail.example kept@gｍail.example",
		`SELECT CAST(campaign_id AS text) FROM reviewed_parts WHERE parts -> 'contact' <> campaign_parts(campaign_id) -> 'contact'`: "",
	} {
		if got := strings.Join(column[string](t, db, query), " "); got != want {
			t.Errorf("%s: %s, want %s", query, got, want)
		}
	}
}
