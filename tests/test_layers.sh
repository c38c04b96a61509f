#!/bin/sh
# The architecture as checks: which folder may include which, what the pure ones may call, where a
# foreign library may show, and a few habits of the sources.
# shellcheck disable=SC2046,SC2086,SC2317	# lists of words; functions that check runs
. tests/tap.sh

BUILD=${BUILD:-build}
sources=$(find parser sim daemon -name '*.[chly]')
headers=$(find parser sim daemon tests -name '*.h')

# includes FOLDER ALLOWED: own includes in the folder that do not start with one of the allowed ones.
includes()
{
	find "$1" -name '*.[chly]' -exec grep -nE '^[[:space:]]*#[[:space:]]*include[[:space:]]*"' {} + |
		grep -vE "\"($2)/"
}
expect_none "parser/ includes parser/ only" "$(includes parser parser)"
expect_none "sim/ includes parser/ and sim/ only" "$(includes sim 'parser|sim')"
expect_none "daemon/grade/ includes parser/, sim/ and daemon/grade/ only" \
	"$(includes daemon/grade 'parser|sim|daemon/grade')"
expect_none "daemon/ includes our folders by their names" "$(includes daemon 'parser|sim|daemon')"

# Our own pure objects, by their symbols: what the compiler saw, not what a pattern thinks it reads.
# Generated ones are flex's and bison's, which call what they like. Mains may do everything,
# and so may the one adapter among them.
pure=$(find parser sim daemon/grade -name '*.c' ! -name '*_main.c' ! -path sim/tzdb.c | sed "s,\(.*\)\.c$,$BUILD/\1.o,")
calls=$(nm -A --undefined-only $pure | sed 's/^\(.*\.o\): *U /\1 /; s/@.*//; s/ __\(.*\)_chk$/ \1/; s/ __\(open[a-z]*\)_2$/ \1/')
called()
{
	printf '%s\n' "$calls" | grep -E " (__isoc99_|__isoc23_|_IO_)?($1)\$"
}
expect_none "pure folders know no clock" \
	"$(called 'time|gettimeofday|clock_gettime|clock|localtime(_r)?|gmtime(_r)?|mktime|strftime|sleep|usleep|nanosleep')"
expect_none "pure folders know no environment" \
	"$(called 'getenv|secure_getenv|environ|setlocale|nl_langinfo|d?c?gettext|getpid|getuid|uname|sysconf|isatty')"
expect_none "pure folders open nothing" \
	"$(called 'fopen(64)?|fdopen|freopen|open(64)?|openat(64)?|creat|opendir|socket|popen|system|mmap|stat(64)?|lstat(64)?|access')"
expect_none "pure folders print and log nothing" \
	"$(called 'printf|fprintf|vprintf|vfprintf|puts|fputs|putchar|putc|fputc|fwrite|perror|stderr|stdout|syslog|vsyslog|write|dprintf|sd_journal_[a-z_]*')"
expect_none "pure folders do not end the process" "$(called 'exit|_exit|quick_exit|abort|err|errx|__assert_fail')"

# Data that can change would be a global. Constant tables are in .rodata, or in .data.rel.ro where
# they hold addresses.
if nm $pure | grep -q __asan; then
	skip "pure folders have no globals" "the sanitizer adds its own"
else
	expect_none "pure folders have no globals" "$(for object in $pure; do
		nm -f sysv "$object" | awk -F'|' -v object="$object" '$7 ~ /^(\.data|\.bss|\.tdata|\.tbss|\*COM\*)(\.local)?$/ {
			print object, $1 }'
	done)"
fi

all=$(find parser sim daemon -name '*.c' | sed "s,\(.*\)\.c$,$BUILD/\1.o,")
calls=$(nm -A --undefined-only $all | sed 's/^\(.*\.o\): *U /\1 /; s/@.*//; s/ __\(.*\)_chk$/ \1/; s/ __\(open[a-z]*\)_2$/ \1/')
expect_none "no function without bounds or without errors" \
	"$(called 'strtol|strtoll|strtoul|strtoull|atoi|atol|atoll|atof|sscanf|scanf|fscanf|strcpy|strcat|stpcpy|sprintf|vsprintf|gets|strtok|tmpnam|mktemp|alloca')"
expect_none "strtod is called in parser/double.c alone" \
	"$(called 'strtod|strtof|strtold' | grep -v 'parser/double\.o ')"
expect_none "exit only in a main" "$(called 'exit|_exit|quick_exit' | grep -v '_main\.o ')"

# One foreign library, one .c of ours; none of its headers in a header of ours.
for library in libintl.h pcre2.h csv.h cjson/ inotifytools/ systemd/sd-journal.h systemd/sd-daemon.h; do
	users=$(grep -lE "^#include <$library" $sources)
	check "<$library> is included by one .c at most" test "$(printf '%s' "$users" | grep -c .)" -le 1
	expect_none "<$library> is in no header" "$(printf '%s' "$users" | grep '\.h$')"
done

# One go for all: a header that needs its neighbour fails by itself.
expect_none "each header compiles alone" "$(for header in $headers; do
	echo "#include \"$header\"" |
		${CC:-gcc} -std=gnu17 -D_GNU_SOURCE -Wall -Wextra -Werror -Wno-unused-function -Wno-unused-variable \
			-I. -fsyntax-only -x c - 2>&1 || echo "in $header"
done)"

# Every .c opens with a comment that says what it does; a script does too, below its #! line.
expect_none "every source opens with a comment" "$(for source in $sources; do
	head -n 2 "$source" | grep -q '/\*' || echo "$source"
done)"
texts=$(git ls-files 2>/dev/null | grep -vE '^(tests/recorded/|LICENSE|contrib/.*\.csv$|tests/.*\.(in|out)$)')
texts=${texts:-$sources $headers Makefile README.md HACKING.md}
expect_none "no path of a building machine, and nothing left to do" \
	"$(grep -nE '/(wor[k]|home/[a-z]+|roo[t]/\.)/|TOD[O]|FIXM[E]|XX[X]:' $texts)"
expect_none "no blanks at a line's end" "$(grep -nE '[[:blank:]]$' $sources Makefile)"
finish
