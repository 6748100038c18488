.DEFAULT_GOAL := help
.PHONY: help run test tools generate lint fmt journeys bench idle drill simulate audit alerts images edge manifests cluster restore clients sizing supply clean

export GOFLAGS := -trimpath $(GOFLAGS) # what one checkout has compiled is not compiled again for another

help: ## this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-9s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: ## start everything on http://localhost:8080 (V=1: with the logs)
	@scripts/run/start.sh $(if $(V),-v)

test: ## everything that CI checks
	@scripts/test.sh

tools:
	@scripts/run/start.sh tools

generate: tools ## make the code that follows from proto-docs/
	@scripts/generate.sh && npm --prefix frontend run --silent generate

lint: tools ## read the sources for faults
	@scripts/test.sh lint

fmt: tools ## format the sources
	@gofmt -w scripts services && npm --prefix frontend run --silent format

journeys: ## walk through the app in a real browser (ONLY=name: one of them)
	@scripts/test.sh prepare journeys

bench: ## measure against the references of the same run
	@go run ./scripts/bench

sizing: ## what one of each thing costs (page, pledge, renewal …), the figures of deploy/sizing.md (SIZE=campaigns)
	@go run ./scripts/bench -unit-costs -sizes $(or $(SIZE),100000)

supply: ## licences of what ships, secrets in tracked files, known vulnerabilities (VULNDB=folder of Go's database, without a network)
	@go run ./scripts/supply $(if $(VULNDB),-db $(abspath $(VULNDB)))

idle: ## what the running platform costs with nobody on it, in CPU time
	@scripts/idle.sh $(FOR)

drill: ## break one part at a time under load, then audit
	@go run ./scripts/drill

simulate: ## run random simulations of the platform until one fails (FOR=1h, RUNS=n; SEED=s KEEP=… repeats one; WHAT=monthly YEARS=10, WHAT=payouts)
	@go test ./scripts/simulate -count=1 -timeout=0 -v -run='Test$(or $(if $(filter monthly,$(WHAT)),Monthly),$(if $(filter payouts,$(WHAT)),Payout))Simulation$$' -years=$(or $(YEARS),10) \
		$(if $(SEED),-seed=$(SEED) $(if $(KEEP),-keep=$(KEEP)),-for=$(or $(FOR),$(if $(RUNS),0,1h)) $(if $(RUNS),-runs=$(RUNS)))

audit: ## audit the running platform: one final state each, ledger balanced, totals right (SHARED=1: the provider's account is not ours alone; ACCESS=file: of an installation)
	@go run ./scripts/audit/cmd $(if $(SHARED),-shared) $(if $(ACCESS),-access $(abspath $(ACCESS)))

alerts: ## try the alert rules of deploy/prometheus with promtool, and make those of Kubernetes from them
	@{ printf '%s\n' '# Made from deploy/prometheus/alerts.yaml by make alerts.' 'apiVersion: monitoring.coreos.com/v1' 'kind: PrometheusRule' \
		'metadata: {name: talkoot}' 'spec:'; sed -E 's/^(.+)$$/  \1/' deploy/prometheus/alerts.yaml; } >deploy/kubernetes/monitoring/rules.yaml
	@if command -v promtool >/dev/null; then cd deploy/prometheus && promtool check rules alerts.yaml && promtool test rules alerts_test.yaml; \
	else echo "!!! LEFT OUT !!! there is no promtool here, so the alert rules are not tried (Debian's package prometheus has it)"; fi

manifests: ## build the overlays of deploy/kubernetes, decode them strictly, and hold them to our rules
	@GOWORK=off go -C deploy/kubernetes/check test -count=1 ./...

cluster: ## give the overlays to a real Kubernetes API server (its programs are built once, for ten minutes or more, into CLUSTER_BIN; KINDS=folder of the operators' own CRDs)
	@GOWORK=off go -C deploy/kubernetes/check run ./cluster -programs $(abspath $(or $(CLUSTER_BIN),bin/cluster)) \
		-kinds "$(if $(KINDS),$(abspath $(KINDS)))"

restore: ## bring databases back to an earlier moment, by deploy/backup, and audit (Debian's postgresql-15 and pgbackrest)
	@go run ./scripts/restore

clients: ## walk through the stand-in for Mangopay with Mangopay's official client, and hold it to the client's typings
	@npm ci --silent --prefix services/sandbox/mangopay/officialclient
	@OFFICIAL_CLIENT=1 go test -count=1 -v ./services/sandbox/mangopay/officialclient

images: ## write what an installation runs as container images into bin/images/ (CHECK=1: build twice and compare)
	@scripts/run/start.sh web && go run ./scripts/images

edge: ## build the edge of installations and hold it to the rules of the launcher's
	@GOWORK=off CGO_ENABLED=0 GOGC=400 go -C deploy/edge build -trimpath -ldflags='-s -w -buildid=' -o ../../bin/edge . && \
		go test -count=1 -v -run='TestEdge|TestCaddy' ./scripts/platform

clean: ## remove what was built; .local/ with its data stays
	rm -rf bin frontend/dist frontend/coverage
