# Packages, cards and releases:

.PHONY: deb
deb: $(STAMP) ## builds a Debian package into dist/, for ARCH=arm64 or ARCH=amd64 on any machine
	@sh tools/make-deb.sh $(CURDIR)/$(BIN)/python $(ARCH)

.PHONY: wheels
wheels: $(DEV_STAMP) ## builds wheels and sdists of tock-companion and tock-rules into dist/
	@$(BIN)/python -m tools.release wheels

# Packages of this version, made where they are missing; the first for this kind of machine.
DEB_VERSION = $$($(BIN)/python -m tools.release.versions)
DEB = dist/tock-companion_$(DEB_VERSION)_$$(dpkg --print-architecture).deb
ARM64_DEB = dist/tock-companion_$(DEB_VERSION)_arm64.deb
.PHONY: arm64
arm64: $(DEV_STAMP) ## tries the arm64 package on emulated Debian 12 and 13 (hours, as root)
	@[ -e $(ARM64_DEB) ] || $(MAKE) --no-print-directory deb ARCH=arm64
	$(BENCH) arm64 --write

.PHONY: try-package try-update try-card try-club try-relay
try-package: $(DEV_STAMP) ## the package's life in a booted container, a game from the last release (as root)
	@[ -e $(DEB) ] || $(MAKE) --no-print-directory deb
	@sh tools/try-booted.sh package $(DEB)
	@$(MAKE) --no-print-directory try-update

# LAST=FILE.deb takes the last release from a file instead of building it of its commit.
try-update: $(DEV_STAMP) ## its second half: updates by apt and by the page, and back (LAST=FILE.deb)
	@[ -e $(DEB) ] || $(MAKE) --no-print-directory deb
	@rm -rf build/trial
	@$(BIN)/python -m tools.release.trial build/trial $(DEB) $(LAST)
	@sh tools/try-booted.sh update build/trial

try-card: $(STAMP) ## boots a container from a new card's files up to the page (as root)
	@[ -e $(DEB) ] || $(MAKE) --no-print-directory deb
	@sh tools/try-booted.sh card $(DEB) $(BIN)/tock

# What is committed is installed.
try-club: ## a club's machine by its guide in a container, and a power cut (as root)
	@rm -rf build/club.git
	@git clone --quiet --bare "file://$(CURDIR)" build/club.git
	@sh tools/try-booted.sh club build/club.git

try-relay: ## a relay by its guide in a container, and a power cut (as root)
	@rm -rf build/relay.git
	@git clone --quiet --bare "file://$(CURDIR)" build/relay.git
	@sh tools/try-booted.sh relay build/relay.git

.PHONY: demo
demo: $(DEV_STAMP) ## writes build/demo: the companion as static files, for a browser without a server
	@sh tools/need.sh node
	@$(BIN)/python demo/build.py

COUNTRY := CA
.PHONY: image-files
image-files: $(STAMP) ## writes a new card's boot partition (COUNTRY=FR ARGS="--house OurWiFi")
	@[ -e $(ARM64_DEB) ] || $(MAKE) --no-print-directory deb ARCH=arm64
	@$(BIN)/tock image-files --country $(COUNTRY) $(ARGS)

KEY := Tock Companion releases
.PHONY: apt
apt: $(DEV_STAMP) ## signs the packages in dist/ as a repository, dist/apt (KEY=NAME)
	@sh tools/need.sh signing
	@$(BIN)/python -m tools.release sign --key "$(KEY)"

.PHONY: release release-cut release-next
release: $(DEV_STAMP) ## builds and signs both packages into dist/, or says why not (KEY=NAME)
	@sh tools/need.sh signing
	@$(BIN)/python -m pip install --quiet -e ".[release]"
	@$(BIN)/python -m tools.release build --key "$(KEY)"

release-cut: $(DEV_STAMP) ## commits the release that the version under way becomes: number and changelog
	@$(BIN)/python -m tools.release cut

release-next: $(DEV_STAMP) ## commits the start of the version after the release that HEAD is
	@$(BIN)/python -m tools.release next

.PHONY: deb-wheels
deb-wheels: $(STAMP) ## takes the newest wheels into the package's lists, packaging/deb/wheels
	@$(BIN)/pip install --quiet packaging
	$(BIN)/python tools/lock_wheels.py
