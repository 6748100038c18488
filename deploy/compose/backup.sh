#!/bin/sh
# Copies what cannot be made again into backups/<time>/, while everything runs: the database server as it is at one moment, so that
# both databases agree, and then the pictures, which the databases name. The names of those that it finished are what counts.
set -eu
umask 077
cd "$(dirname "$0")"
COMPOSE=${COMPOSE:-docker compose}
to=backups/$(date -u +%Y%m%dT%H%M%SZ)
mkdir -p "$to.part"
$COMPOSE exec -T postgres pg_basebackup -U postgres -D - -Ft -X fetch -c fast | gzip >"$to.part/database.tar.gz"
$COMPOSE run --rm -T files 'tar -c -C /pictures .' | gzip >"$to.part/pictures.tar.gz"
# A pipe's first program fails silently.
for file in database pictures; do
	tar -tzf "$to.part/$file.tar.gz" >"$to.part/$file.list"
done
grep -q '^backup_label$' "$to.part/database.list" || { echo "The database was not copied." >&2; exit 1; }
mv "$to.part" "$to"
echo "$PWD/$to"
