# ewind: one Makefile for the whole tree; everything that is built lies in build/.
#
#   make              the four programs
#   make check        sets up what is missing, builds and runs the tests
#   make demo         a learner's session through the real daemon
#   make bench        the figures of README.md, measured here
#   make check-asan   the same tests under ASan and UBSan, in build/asan/
#   make install      DESTDIR and prefix are honoured; nothing is started
#
# Variables: BUILD, CC, CFLAGS, WERROR=1, SANITIZE=address,undefined, V=1 (show commands)

BUILD ?= build
prefix ?= /usr
CFLAGS ?= -O2 -g
PKG_CONFIG ?= pkg-config

WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes \
	-Wmissing-prototypes -Wvla -Wformat=2 $(if $(WERROR),-Werror)
ALL_CFLAGS := -std=gnu17 -D_GNU_SOURCE $(WARNINGS) -fvisibility=hidden -I. -I$(BUILD) \
	$(if $(SANITIZE),-fsanitize=$(SANITIZE) -fno-omit-frame-pointer) $(CFLAGS)
ALL_LDFLAGS := -Wl,--as-needed $(if $(SANITIZE),-fsanitize=$(SANITIZE)) $(LDFLAGS)

# One pkg-config for each library that has one; libcsv and libinotifytools have none.
LIBS_PARSER = $(shell $(PKG_CONFIG) --libs libpcre2-8 2>/dev/null || echo -lpcre2-8) \
	$(shell $(PKG_CONFIG) --libs libcjson 2>/dev/null || echo -lcjson) -lcsv -lm
LIBS_DAEMON = $(shell $(PKG_CONFIG) --libs libsystemd 2>/dev/null || echo -lsystemd) -linotifytools

Q := $(if $(V),,@)
say = $(if $(V),,@printf '  %-5s %s\n' $(1) $(patsubst $(BUILD)/%,%,$(2)))

# Sources. A *_main.c holds a program's main(); everything else is in its folder's library.
MAINS := daemon/ewind_main.c daemon/check_main.c daemon/status_main.c sim/sim_main.c
GENERATED := $(if $(wildcard parser/sql.y),$(BUILD)/parser/sql_gram.c $(BUILD)/parser/sql_scan.c)
LIB_parser := $(filter-out $(MAINS),$(wildcard parser/*.c))
LIB_sim := $(filter-out $(MAINS),$(wildcard sim/*.c))
LIB_daemon := $(filter-out $(MAINS),$(wildcard daemon/*.c daemon/grade/*.c))
objects = $(patsubst %.c,$(BUILD)/%.o,$(1))

PROGRAMS := $(addprefix $(BUILD)/,ewind ewin-check ewin-status ewin-sim)
TESTS := $(patsubst tests/%.c,$(BUILD)/tests/%,$(wildcard tests/test_*.c))
TEST_SCRIPTS := $(wildcard tests/test_*.sh)
ARCHIVES := $(BUILD)/libdaemon.a $(BUILD)/libsim.a $(BUILD)/libparser.a

all: $(PROGRAMS)

$(BUILD)/ewind: $(BUILD)/daemon/ewind_main.o $(ARCHIVES)
$(BUILD)/ewin-check: $(BUILD)/daemon/check_main.o $(ARCHIVES)
$(BUILD)/ewin-status: $(BUILD)/daemon/status_main.o $(ARCHIVES)
$(BUILD)/ewin-sim: $(BUILD)/sim/sim_main.o $(BUILD)/libsim.a $(BUILD)/libparser.a
$(PROGRAMS):
	$(call say,LINK,$@)
	$(Q)$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $@ $^ \
		$(if $(filter %/ewin-sim,$@),,$(LIBS_DAEMON)) $(LIBS_PARSER)

$(BUILD)/libparser.a: $(call objects,$(LIB_parser)) $(GENERATED:.c=.o)
$(BUILD)/libsim.a: $(call objects,$(LIB_sim))
$(BUILD)/libdaemon.a: $(call objects,$(LIB_daemon))
$(ARCHIVES):
	$(call say,AR,$@)
	$(Q)rm -f $@ && $(AR) rcs $@ $^

$(BUILD)/%.o: %.c
	$(call say,CC,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

# flex and bison write code of their own style; their warnings are not ours to mend.
$(GENERATED:.c=.o): $(BUILD)/%.o: $(BUILD)/%.c
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

$(TESTS): $(BUILD)/tests/%: $(BUILD)/tests/%.o $(ARCHIVES)
	$(call say,LINK,$@)
	$(Q)$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $@ $^ $(LIBS_DAEMON) $(LIBS_PARSER)

tests: $(TESTS)

test: all tests
	$(Q)BUILD=$(BUILD) tests/run $(TESTS) $(TEST_SCRIPTS)

check: setup
	$(Q)$(MAKE) --no-print-directory test

check-asan:
	$(Q)$(MAKE) --no-print-directory test BUILD=$(BUILD)/asan SANITIZE=address,undefined \
		CFLAGS='-O1 -g'

setup:
	$(Q)tests/setup

clean:
	rm -rf $(BUILD)

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)

.PHONY: all tests test check check-asan setup clean
.DELETE_ON_ERROR:
