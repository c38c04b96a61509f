# ewind: one Makefile for the whole tree; everything that is built lies in build/.
#
#   make              the four programs
#   make check        sets up what is missing, builds and runs the tests
#   make check-asan   the same tests under ASan and UBSan, in build/asan/
#   make check-boot   installs the package in a throw-away systemd, and uses it there; as root, and skipped where none boots
#   make check-fire   many files, storms and limits of inotify against the daemon, at full length
#   make check-faults each call of the daemon fails once, in a day of its own: ten minutes
#   make check-valgrind a day of the daemon, and a run of each other program, under memcheck
#   make check-size   lengths and nesting, and what is over the budget of HACKING.md; never fails
#   make test         the tests alone, without looking for missing packages
#   make po           takes new sentences into daemon/po, to be translated there
#   make setup        installs the Debian packages that building and testing need
#   make fuzz         libFuzzer over SQL, transcripts, CSV, JSON, lab.json, status files and hint requests; MINUTES=10 each, or SECONDS=30
#   make demo         a learner's session through the real daemon; FLINK_HOME=DIR: with a real Flink
#   make oracle       random queries through ewin-sim and a real Flink; SEED=N COUNT=N MINUTES=N FLINK_HOME=DIR
#   make bench        the daemon's and the simulator's figures, measured here
#   make install      honours DESTDIR and PREFIX (or prefix); copies files, touches no running system
#   make uninstall    removes what install has copied, with the same DESTDIR and PREFIX
#   make deb          a Debian package, in build/deb/
#   make check-deb    builds it, runs lintian, and installs, upgrades and purges it in a throw-away Debian
#
# Variables: BUILD, PREFIX (compiled in: /usr), CC, CFLAGS, LDFLAGS, WERROR=1, SANITIZE=address,undefined, V=1 (show commands), HARDENING= (none)

# No rule but ours: make's own would write parser/sql.c anew from parser/sql.y.
MAKEFLAGS += --no-builtin-rules
.SUFFIXES:

VERSION := 0.2.0
BUILD ?= build
PREFIX ?= /usr
prefix ?= $(PREFIX)
# Login shells and systemd read these wherever a program lies; another prefix keeps all to itself.
sysconfdir ?= $(if $(filter /usr /usr/local,$(prefix)),/etc,$(prefix)/etc)
unitdir ?= $(prefix)/lib/systemd/system
CFLAGS ?= -O2 -g
PKG_CONFIG ?= pkg-config

WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes \
	-Wmissing-prototypes -Wvla -Wformat=2

# What makes a fault in a program harder to use, whatever CFLAGS somebody brings; not under a sanitizer, which
# does it in its own way. FORTIFY_SOURCE wants an optimizing compiler, and one level: gcc takes that of -Wp last. The linker takes the note of shadow
# stacks away since Debian's crt1.o has none, so it is asked for: crt1.o calls and returns like everybody. It has no
# endbr64, so the note of IBT would not be true of a whole program, though it is of each object of ours.
MACHINE := $(shell $(CC) -dumpmachine 2>/dev/null)
ifneq ($(filter x86_64% i%86%,$(MACHINE)),)
HARDENING_MACHINE := -fcf-protection=full -Wl,-z,shstk
else ifneq ($(filter aarch64%,$(MACHINE)),)
HARDENING_MACHINE := -mbranch-protection=standard
endif
HARDENING ?= $(if $(filter -O -O1 -O2 -O3 -Os -Ofast,$(CFLAGS)),-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3) \
	-fstack-protector-strong -fstack-clash-protection -fPIE -pie -Wl,-z,relro,-z,now $(HARDENING_MACHINE)
LINKED := -pie -Wl%
OTHER_FORTIFY := -Wp,-D_FORTIFY_SOURCE%

ALL_CFLAGS := -std=gnu17 -D_GNU_SOURCE -DEWIN_VERSION='"$(VERSION)"' \
	-DLABS_DIR='"$(prefix)/share/ewind/labs"' -DLOCALE_DIR='"$(prefix)/share/locale"' $(WARNINGS) -fvisibility=hidden -I. -I$(BUILD) \
	$(if $(SANITIZE),-fsanitize=$(SANITIZE) -fno-omit-frame-pointer) \
	$(CPPFLAGS) $(filter-out $(if $(HARDENING),$(OTHER_FORTIFY)),$(CFLAGS)) $(if $(SANITIZE),,$(filter-out $(LINKED),$(HARDENING)))
ALL_LDFLAGS := -Wl,--as-needed $(if $(SANITIZE),-fsanitize=$(SANITIZE),$(filter $(LINKED),$(HARDENING))) $(LDFLAGS)

# One pkg-config for each library that has one; libcsv and libinotifytools have none.
LIBS_PARSER = $(shell $(PKG_CONFIG) --libs libpcre2-8 2>/dev/null || echo -lpcre2-8) \
	$(shell $(PKG_CONFIG) --libs libcjson 2>/dev/null || echo -lcjson) -lcsv -lm
LIBS_DAEMON = $(shell $(PKG_CONFIG) --libs libsystemd 2>/dev/null || echo -lsystemd) -linotifytools

Q := $(if $(V),,@)
say = $(if $(V),,@printf '  %-5s %s\n' $(1) $(patsubst $(BUILD)/%,%,$(2)))

# Sources. A *_main.c holds a program's main(); everything else is in its folder's library.
MAINS := daemon/ewind_main.c daemon/check_main.c daemon/status_main.c daemon/sim_main.c
GENERATED := $(BUILD)/parser/sql_gram.c $(BUILD)/parser/sql_scan.c
LIB_parser := $(wildcard parser/*.c)
LIB_sim := $(filter-out $(MAINS),$(wildcard sim/*.c))
LIB_daemon := $(filter-out $(MAINS),$(wildcard daemon/*.c daemon/grade/*.c))
objects = $(patsubst %.c,$(BUILD)/%.o,$(1))

PROGRAMS := $(addprefix $(BUILD)/,ewind ewin-check ewin-status ewin-sim)
TESTS := $(patsubst tests/%.c,$(BUILD)/tests/%,$(wildcard tests/test_*.c))
TEST_SCRIPTS := $(wildcard tests/test_*.sh)
FUZZERS := $(patsubst tests/%.c,$(BUILD)/tests/%,$(wildcard tests/fuzz/fuzz_*.c))
BENCHES := $(patsubst tests/%.c,$(BUILD)/tests/%,$(wildcard tests/bench/*.c))
ARCHIVES := $(BUILD)/libdaemon.a $(BUILD)/libsim.a $(BUILD)/libparser.a

LOCALES := $(patsubst daemon/po/%.po,$(BUILD)/locale/%/LC_MESSAGES/ewind.mo,$(wildcard daemon/po/*.po))

all: $(PROGRAMS) $(LOCALES)

# A stamp is written anew when what it remembers is another than last time: the compiler's flags, on
# which every object depends, and the archives' members, so that a deleted source leaves its archive.
remember = $(if $(subst <$(2)>,,<$(file <$(BUILD)/$(1))>),$(shell mkdir -p $(BUILD))$(file >$(BUILD)/$(1),$(2)))
$(call remember,flags,$(CC) $(ALL_CFLAGS))
$(call remember,members,$(LIB_parser) $(GENERATED) $(LIB_sim) $(LIB_daemon))

$(BUILD)/ewind: $(BUILD)/daemon/ewind_main.o $(ARCHIVES)
$(BUILD)/ewin-check: $(BUILD)/daemon/check_main.o $(ARCHIVES)
$(BUILD)/ewin-status: $(BUILD)/daemon/status_main.o $(ARCHIVES)
$(BUILD)/ewin-sim: $(BUILD)/daemon/sim_main.o $(ARCHIVES)
$(PROGRAMS):
	$(call say,LINK,$@)
	$(Q)$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $@ $^ \
		$(if $(filter %/ewin-sim,$@),,$(LIBS_DAEMON)) $(LIBS_PARSER)

$(BUILD)/libparser.a: $(call objects,$(LIB_parser)) $(GENERATED:.c=.o)
$(BUILD)/libsim.a: $(call objects,$(LIB_sim))
$(BUILD)/libdaemon.a: $(call objects,$(LIB_daemon))
$(ARCHIVES): $(BUILD)/members
	$(call say,AR,$@)
	$(Q)rm -f $@ && $(AR) rcs $@ $(filter %.o,$^)

$(BUILD)/%.o: %.c $(BUILD)/flags
	$(call say,CC,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) $(if $(WERROR),-Werror) -MMD -MP -c -o $@ $<

# flex and bison write code of their own style; their warnings are not ours to mend.
$(GENERATED:.c=.o): $(BUILD)/%.o: $(BUILD)/%.c $(BUILD)/flags
	$(call say,CC,$@)
	$(Q)$(CC) $(ALL_CFLAGS) -Wno-conversion -Wno-sign-conversion -Wno-missing-prototypes -Wno-shadow \
		-Wno-unused-function -MMD -MP -c -o $@ $<

$(BUILD)/parser/sql_gram.c $(BUILD)/parser/sql_gram.h &: parser/sql.y
	$(call say,BISON,$<)
	$(Q)mkdir -p $(@D)
	$(Q)bison -Wall -Werror --header=$(BUILD)/parser/sql_gram.h -o $(BUILD)/parser/sql_gram.c $<

$(BUILD)/parser/sql_scan.c $(BUILD)/parser/sql_scan.h &: parser/sql.l
	$(call say,FLEX,$<)
	$(Q)mkdir -p $(@D)
	$(Q)flex --header-file=$(BUILD)/parser/sql_scan.h -o $(BUILD)/parser/sql_scan.c $<

$(GENERATED:.c=.o) $(call objects,$(LIB_parser)): | $(GENERATED:.c=.h)

# The prompt hooks are text of ewin-status: a header each, with the script line by line.
HOOKS := $(patsubst contrib/prompt/ewin.%,$(BUILD)/daemon/hook_%.h,$(wildcard contrib/prompt/ewin.*))

$(HOOKS): $(BUILD)/daemon/hook_%.h: contrib/prompt/ewin.%
	$(call say,EMBED,$<)
	$(Q)mkdir -p $(@D)
	$(Q){ echo 'static const char *const hook_$*[] = {'; \
		sed 's/[\\"]/\\&/g; s/.*/"&\\n",/' $<; echo 'NULL};'; } >$@

$(BUILD)/daemon/hook.o: | $(HOOKS)

$(LOCALES): $(BUILD)/locale/%/LC_MESSAGES/ewind.mo: daemon/po/%.po
	$(call say,MSGFMT,$<)
	$(Q)mkdir -p $(@D)
	$(Q)msgfmt --check-format --check-domain -o $@ $<

# Every sentence that the sources give to gettext(), and how they mark it (HACKING.md).
POT = xgettext --language=C --from-code=UTF-8 --add-location=file --package-name=ewind --keyword
POT_SOURCES := $(sort $(wildcard daemon/*.[ch] daemon/grade/*.[ch])) sim/story_print.c

$(BUILD)/ewind.pot: Makefile $(POT_SOURCES) $(wildcard parser/json*.c)
	$(Q)$(POT) --keyword=tr --keyword=N_ --keyword=X:3 --keyword=journal_say:3 --keyword=journal_warn:3 -o $@ $(POT_SOURCES)
	$(Q)$(POT) --keyword=refuse:2 --join-existing -o $@ parser/json_scan.c
	$(Q)$(POT) --keyword=diag_set:5 --join-existing -o $@ parser/json.c
	$(Q)sed -i /^.POT-Creation-Date/d $@

po: $(BUILD)/ewind.pot
	$(Q)for po in daemon/po/*.po; do msgmerge --quiet --no-fuzzy-matching --previous --add-location=file --backup=none \
		--update $$po $< && msgattrib --no-obsolete --add-location=file -o $$po $$po || exit; done

$(TESTS) $(BENCHES) $(FUZZERS): $(BUILD)/tests/%: $(BUILD)/tests/%.o $(ARCHIVES)
	$(call say,LINK,$@)
	$(Q)$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $@ $^ $(LIBS_DAEMON) $(LIBS_PARSER)

$(FUZZERS): ALL_LDFLAGS += -fsanitize=fuzzer
fuzzers: $(FUZZERS)

# An ewind whose calls can be made to fail, and a day for it: tests/fault/fault.c.
FAULTY := $(BUILD)/tests/fault/ewind $(BUILD)/tests/fault/day $(BUILD)/tests/deaf.so
FAULTS := $(shell sed -n 's/^WRAP[_PART]*.\([a-z0-9_]*\), .*/\1/p' tests/fault/fault.c)

$(BUILD)/tests/fault/ewind: $(BUILD)/daemon/ewind_main.o $(BUILD)/tests/fault/fault.o $(ARCHIVES)
	$(call say,LINK,$@)
	$(Q)$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) $(FAULTS:%=-Wl,--wrap=%) -o $@ $^ $(LIBS_DAEMON) $(LIBS_PARSER)

$(BUILD)/tests/fault/day: $(BUILD)/tests/fault/day.o $(ARCHIVES)
	$(call say,LINK,$@)
	$(Q)$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $@ $^ $(LIBS_DAEMON) $(LIBS_PARSER)

# Makes a daemon deaf to inotify: no sanitizer, since it is loaded into others.
$(BUILD)/tests/deaf.so: tests/booted/deaf.c
	$(call say,LINK,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) -O2 $(WARNINGS) $(if $(WERROR),-Werror) -shared -fPIC -o $@ $<

# Whoever gives no -j gets one job a processor from the targets that are run by their name alone.
all_jobs = $(MAKE) --no-print-directory $(if $(findstring -j,$(MAKEFLAGS)),,-j$(shell nproc))

tests: $(TESTS) $(FAULTY)

test: all tests
	$(Q)TZ=UTC BUILD=$(BUILD) CC='$(CC)' tests/run $(TESTS) $(TEST_SCRIPTS)

ASAN = BUILD=$(BUILD)/asan SANITIZE=address,undefined CFLAGS='-O1 -g'

check: setup
	+$(Q)$(all_jobs) all tests
	$(Q)$(MAKE) --no-print-directory test

check-asan: setup
	+$(Q)$(all_jobs) all tests $(ASAN)
	$(Q)$(MAKE) --no-print-directory test $(ASAN)

# A package that is newer than all sources is taken as it is.
check-boot: setup
	$(Q)[ "$$(id -u)" -ne 0 ] || \
		tests/setup systemd-container systemd-nspawn locales /usr/share/i18n/locales/ja_JP
	$(Q)package=$$(echo $(BUILD)/deb/ewind_*.deb); [ "$$(id -u)" -ne 0 ] || \
		{ [ -e "$$package" ] && [ -z "$$(find . -path ./.git -prune -o -path './build*' -prune -o \
		-type f -newer "$$package" -print -quit)" ]; } || $(MAKE) --no-print-directory deb
	$(Q)PACKAGE=$$(echo $(BUILD)/deb/ewind_*.deb) tests/run tests/booted/boot

check-booted: check-boot

check-fire: setup
	+$(Q)$(all_jobs) all tests
	$(Q)EWIN_LONG=1 TZ=UTC BUILD=$(BUILD) tests/run $(addprefix $(BUILD)/tests/,test_fire test_unseen)

check-faults: setup
	+$(Q)$(all_jobs) all tests
	$(Q)BUILD=$(BUILD) tests/fault/run all

check-valgrind: setup
	$(Q)tests/setup valgrind valgrind
	+$(Q)$(all_jobs) all tests
	$(Q)BUILD=$(BUILD) tests/run tests/fault/valgrind

check-size:
	$(Q)tests/size

# libFuzzer is clang's, in a package of its own. Warnings are gcc's, of the other builds.
FUZZ = BUILD=$(BUILD)/fuzz CC=clang SANITIZE=address,undefined WERROR= \
	CFLAGS='-O1 -g -w -fsanitize=fuzzer-no-link -fno-sanitize-recover=all'
SECONDS ?= $(shell echo $$(($(or $(MINUTES),10) * 60)))

fuzz: setup
	$(Q)tests/setup clang clang libclang-rt-14-dev /usr/lib/llvm-14/lib/clang/14.0.6/lib/linux
	+$(Q)$(all_jobs) fuzzers $(FUZZ)
	$(Q)BUILD=$(BUILD)/fuzz tests/fuzz/run $(SECONDS) $(patsubst tests/fuzz/%.c,%,$(wildcard tests/fuzz/fuzz_*.c))

demo: setup
	$(Q)echo 'building ...' && mkdir -p $(BUILD)
	+$(Q)$(all_jobs) all >$(BUILD)/demo.log 2>&1 || { cat $(BUILD)/demo.log; exit 1; }
	$(Q)BUILD=$(BUILD) FLINK_HOME='$(FLINK_HOME)' tests/demo/run

# Without FLINK_HOME, Flink 2.3.0 is fetched once into the user's cache.
oracle: setup
	$(Q)tests/setup openjdk-17-jdk-headless javac python3 python3 \
		$(if $(FLINK_HOME),,python3-pip pip3 maven mvn)
	+$(Q)$(all_jobs) all
	$(Q)tests/oracle/run.py --sim $(BUILD)/ewin-sim --out $(BUILD)/oracle --stats \
		$(if $(SEED),--seed $(SEED)) $(if $(COUNT),--count $(COUNT)) \
		$(if $(MINUTES),--minutes $(MINUTES)) $(if $(ALLOW),--allow $(ALLOW)) $(if $(FLINK_HOME),--flink-home $(FLINK_HOME))

bench: setup
	$(Q)tests/setup inotify-tools inotifywait entr entr
	$(Q)$(MAKE) --no-print-directory all $(BENCHES)
	$(Q)BUILD=$(BUILD) tests/bench/run

setup:
	$(Q)tests/setup

# What goes where, a FILE:PLACE each, a place being below prefix unless it is absolute; uninstall removes
# the same. The lab of the tutorial is an example, which no learner is to find among their labs. The
# service's user is made by systemd-sysusers, and nothing is started or enabled: that is for the packager
# or the administrator.
MANUALS := $(wildcard contrib/man/*.[1-8])
RUN_BY_USERS := $(PROGRAMS) $(wildcard contrib/flink-up)
INSTALLED := $(foreach f,$(RUN_BY_USERS),$(f):bin/$(notdir $(f))) \
	$(foreach f,$(LOCALES),$(f):share/$(f:$(BUILD)/%=%)) \
	$(foreach f,$(MANUALS),$(f):share/man/man$(subst .,,$(suffix $(f)))/$(notdir $(f))) \
	$(foreach f,$(wildcard units/*.catalog),$(f):lib/systemd/catalog/$(notdir $(f))) \
	$(foreach f,$(wildcard units/*.service),$(f):$(unitdir)/$(notdir $(f))) \
	$(foreach f,$(wildcard units/*.preset),$(f):lib/systemd/system-preset/80-$(notdir $(f))) \
	$(foreach f,$(wildcard units/*.sysusers),$(f):lib/sysusers.d/$(basename $(notdir $(f))).conf) \
	$(foreach f,$(wildcard units/*.tmpfiles),$(f):lib/tmpfiles.d/$(basename $(notdir $(f))).conf) \
	contrib/prompt/profile.sh:$(sysconfdir)/profile.d/ewin.sh \
	contrib/prompt/profile.fish:share/fish/vendor_conf.d/ewin.fish \
	$(foreach f,$(shell find contrib/labs -type f ! -path 'contrib/labs/first/*'),$(f):share/ewind/$(f:contrib/%=%)) \
	README.md:share/doc/ewind/README.md \
	$(foreach f,$(shell find contrib/labs/first -type f),$(f):share/doc/ewind/examples/$(f:contrib/%=%))
source = $(firstword $(subst :, ,$(1)))
below = $(if $(filter /%,$(1)),$(1),$(prefix)/$(1))
place = $(DESTDIR)$(call below,$(lastword $(subst :, ,$(1))))

# A unit names its program by its path.
install: all
	$(call say,INST,$(DESTDIR)$(prefix))
	$(Q)$(foreach i,$(INSTALLED),install -D -m $(if $(filter $(RUN_BY_USERS),$(call source,$(i))),755,644) \
		$(call source,$(i)) $(call place,$(i)) &&) :
	$(Q)sed -i 's,^\(ExecStart\|ExecPaths\)=/usr/bin/,\1=$(prefix)/bin/,' $(addprefix $(DESTDIR)$(unitdir)/,$(notdir $(wildcard units/*.service)))

# Folders go with their last file; but those that a fresh /usr/local has stay.
KEPT := $(addprefix $(prefix)/,bin etc lib share share/doc share/man) $(prefix) /etc /etc/profile.d /lib /usr/lib
uninstall:
	$(Q)rm -f $(foreach i,$(INSTALLED),$(call place,$(i)))
	$(Q)folders='$(sort $(foreach i,$(INSTALLED),$(dir $(call place,$(i)))))'; \
	for folder in $$folders; do while folder=$${folder%/}; \
		case ' $(addprefix $(DESTDIR),$(KEPT)) ' in *" $$folder "*) false ;; esac && rmdir "$$folder" 2>/dev/null; \
		do folder=$${folder%/*}; done; done

# dpkg-buildpackage wants debian/ at the root of a tree, and writes there: so of a copy.
DEB := $(BUILD)/deb/ewind-$(VERSION)
DEB_DATE = $(shell LC_ALL=C date -R -u -d @$${SOURCE_DATE_EPOCH:-$$(git log -1 --format=%ct 2>/dev/null || stat -c %Y NEWS)})

deb: setup
	$(Q)tests/setup build-essential g++ dpkg-dev dpkg-buildpackage debhelper dh
	$(Q)rm -rf $(BUILD)/deb && mkdir -p $(DEB)
	$(Q)tar -c --exclude-vcs --exclude=./$(BUILD) --exclude=./build . | tar -x -C $(DEB)
	$(Q)cp -r contrib/debian $(DEB)/debian
	$(Q)sed 's/@VERSION@/$(VERSION)/; s/@DATE@/$(DEB_DATE)/' contrib/debian/changelog.in >$(DEB)/debian/changelog
	$(Q)rm $(DEB)/debian/changelog.in
	$(Q)cd $(DEB) && env -u MAKEFLAGS -u MAKELEVEL -u BUILD DEB_BUILD_OPTIONS='nocheck noautodbgsym parallel=$(shell nproc)' \
		dpkg-buildpackage -us -uc -b $(if $(V),,>../build.log 2>&1 || { tail -n 40 ../build.log; exit 1; })
	$(Q)ls $(BUILD)/deb/*.deb

check-deb: deb
	$(Q)tests/setup lintian lintian mmdebstrap mmdebstrap
	$(Q)BUILD=$(BUILD) tests/run tests/package

clean:
	rm -rf $(BUILD)

-include $(wildcard $(foreach folder,parser sim daemon daemon/grade tests tests/bench tests/fault tests/fuzz,$(BUILD)/$(folder)/*.d))

.PHONY: all tests test check check-asan check-boot check-booted check-fire check-faults check-valgrind check-size fuzz fuzzers demo po oracle bench setup install uninstall deb check-deb clean
.DELETE_ON_ERROR:
