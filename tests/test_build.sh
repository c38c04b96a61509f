#!/bin/sh
# The build: what is up to date is left alone, and a touched header recompiles what includes it and
# nothing else. Asked of make itself (-n: say what would be run; -W FILE: as if FILE were new), so
# that nothing is compiled. What includes what is worked out here from the #include lines.
. tests/tap.sh

BUILD=${BUILD:-build}

# would_make OPTION...: what make would do for the programs, a line "CC parser/text.o" each.
would_make()
{
	${MAKE:-make} --no-print-directory -n V= BUILD="$BUILD" "$@" all 2>/dev/null |
		sed -nE "s/^printf '  %-5s %s.n' ([A-Z]+) ([^;]*).*/\1 \2/p"
}

# dependents HEADER: the objects of all sources that include the header, however indirectly.
dependents()
{
	find parser sim daemon "$BUILD/parser" -name '*.[chly]' -exec grep -HoE '^[ \t]*#include "[^"]+"' {} + |
		sed -E "s,^$BUILD/,,; s/:[[:blank:]]*#include \"(.*)\"/ \1/" |
		awk -v header="$1" '
		{ file[NR] = $1; includes[NR] = $2 }
		END {
			reached[header] = 1
			do {
				more = 0
				for (i = 1; i <= NR; i++)
					if (includes[i] in reached && !(file[i] in reached)) {
						reached[file[i]] = 1
						more = 1
					}
			} while (more)
			for (name in reached)
				if (sub(/\.c$/, "", name) || sub(/\.y$/, "_gram", name) || sub(/\.l$/, "_scan", name))
					print name
		}' | sort -u
}

expect_none "a second make does nothing" "$(would_make)"
expect_none "a newer grammar overwrites none of our sources" \
	"$(${MAKE:-make} -n BUILD="$BUILD" -W parser/sql.y -W parser/sql.l all 2>&1 | grep -E 'yacc|lex -t|mv -f')"
for header in parser/text.h parser/table.h parser/sql.h sim/tableau.h daemon/grade/grade.h; do
	would_make -W "$header" | sed -n 's/^CC \(.*\)\.o$/\1/p' | sort >"$BUILD/recompiled"
	dependents "$header" >"$BUILD/dependents"
	expect_none "touching $header recompiles its dependents only" \
		"$(diff "$BUILD/dependents" "$BUILD/recompiled")"
done
rm -f "$BUILD/recompiled" "$BUILD/dependents"
finish
