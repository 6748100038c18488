#!/bin/sh
# Generates code from the contracts and the error catalogue in proto-docs/. The result is committed; CI runs this and
# requires no difference. Each file in proto-docs/codegen/ names its own output, relative to the top of the repository.
set -eu
cd "$(dirname "$0")/.."

generator=$(mktemp -d)
trap 'rm -rf "$generator"' EXIT
GOWORK=off go -C scripts/tools build -o "$generator/oapi-codegen" github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen

generate() { # contract, configuration
	mkdir -p "$(dirname "$(sed -n 's/^output: //p' "proto-docs/codegen/$2")")"
	"$generator/oapi-codegen" -config "proto-docs/codegen/$2" "proto-docs/$1"
}

generate content.openapi.yaml content.yaml
generate internal.openapi.yaml content-internal.yaml
generate payments.openapi.yaml payments.yaml
generate internal.openapi.yaml payments-contentclient.yaml
generate internal.openapi.yaml payments-internal.yaml
generate internal.openapi.yaml content-paymentsclient.yaml

# A client as others make it: without the names of our own Go types, which they cannot import.
sed -E 's/,? *x-go-type(-[a-z-]+)?: (\{[^}]*\}|[^,}]+)//g' proto-docs/content.openapi.yaml >"$generator/content.openapi.yaml"
"$generator/oapi-codegen" -config proto-docs/codegen/content-client.yaml "$generator/content.openapi.yaml"

# The error catalogue: Go constants and the web app's texts.
go run ./scripts/errgen

# The table of pages, which the web app's router and the server's first paint share. Every visitor fetches the app's copy,
# so it has only what the app reads.
node -e '
  const pages = JSON.parse(require("node:fs").readFileSync(0, "utf8"));
  const rows = pages.map(({ name, path, paint }) => JSON.stringify({ name, path, paint }));
  console.log("[\n  " + rows.join(",\n  ") + "\n]");
' <services/content/internal/web/pages.json >frontend/src/app/pages.generated.json

# Tables that a form and a service share: countries of addresses, countries of creators' accounts, which of them have no postcodes, what postcodes are like, where bank accounts are debited, what a result of provider B means.
cp services/content/internal/pledging/pledges/countries.json frontend/src/domain/countries.generated.json
cp services/kit/postcodes/without.json frontend/src/domain/withoutPostcode.generated.json
cp services/kit/postcodes/forms.json frontend/src/domain/postcodes.generated.json
cp services/payments/internal/payout/payees/countries.json frontend/src/domain/payeeCountries.generated.json
cp services/payments/internal/fields/sepa.json frontend/src/domain/sepa.generated.json
cp services/payments/internal/providers/mangopay/results.json frontend/src/domain/payinResults.generated.json
