#!/bin/bash
# Every sentence for people in every language: nothing missing or fuzzy in daemon/po, arguments kept,
# UTF-8; an entry of the journal's catalog for each kind of record; and who gets which language, with
# no locale generated but C.UTF-8. Each check of files is also shown a file that it must refuse.
# shellcheck disable=SC2317	# functions that check runs
. tests/tap.sh

BUILD=$(cd "${BUILD:-build}" && pwd)
recorded=tests/recorded/watermark
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
languages=$(sed -n 's/^#define LANGUAGE_LIST(X) X("en")//p' daemon/words.h | grep -oE '[a-z]{2}(_[A-Z]{2})?')

# --- the sentences

make -s --no-print-directory BUILD="$work" "$work/ewind.pot" >"$work/log" 2>&1
check "the sentences of the sources are found" test -s "$work/ewind.pot"
sed 's/^/# /' "$work/log"
msgcat --no-wrap -o "$work/ewind.pot" "$work/ewind.pot"

# What is wrong with a file of translations, against the sentences of the sources. In the last part
# the arguments {0}, {row} ... of a sentence and of its translation are compared as sets.
po_problems()
{
	iconv -f UTF-8 -t UTF-8 "$1" 2>&1 >"$work/utf8" || return
	grep -q '^"Content-Type: text/plain; charset=UTF-8' "$1" || echo "it does not say that it is UTF-8"
	msgfmt --check-format --check-domain -o "$work/mo" "$1" 2>&1
	msgcmp "$1" "$work/ewind.pot" 2>&1 |
		awk -F: 'NR == FNR { line[FNR] = $0; next } { print } $1 ~ /pot$/ { print line[$2 - 1] }' "$work/ewind.pot" -
	grep -n '^#~' "$1"
	msgcat --no-wrap --no-location "$1" 2>/dev/null | awk '
		BEGIN { count = split("0 1 2 n of row wm", names) }
		function set(text,   i, out) {
			for (i = 1; i <= count; i++) if (index(text, "{" names[i] "}")) out = out " " names[i]
			return out
		}
		function compare() { if (str !~ /^msgstr ""$/ && set(id) != set(str)) print "other arguments: " id }
		/^msgid "/ { compare(); at = "id"; id = str = "" }
		/^msgstr "/ { at = "str" }
		/"$/ { if (at == "id") id = id $0; else str = str $0 }
		END { compare() }'
}

check "there is a file for each language" test "$(cd daemon/po && echo *.po)" = \
	"$(printf '%s.po\n' $languages | sort | xargs)"
for language in $languages; do
	expect_none "$language: every sentence is translated" "$(po_problems "daemon/po/$language.po")"
	check "$language: its sentences are built" test "$BUILD/locale/$language/LC_MESSAGES/ewind.mo" -nt \
		"daemon/po/$language.po"
done

# refuses NAME SED: a file that was changed so is found bad.
refuses()
{
	LC_ALL=C sed "$2" daemon/po/ja.po >"$work/bad.po"
	check "what is $1 is found" test -n "$(po_problems "$work/bad.po")"
}
refuses missing 's/^msgid "Every value is right\."/msgid "Every value."/'
refuses "not translated" '/^msgid "Every value is right\."/{n;s/".*"/""/}'
refuses fuzzy 's/^msgid "Every value is right\."/#, fuzzy\n&/'
refuses obsolete '$a\\n#~ msgid "old"\n#~ msgstr "alt"'
refuses "short of an argument" '/^msgid "{0} is not there yet\."/{n;s/{0}//}'
refuses "of another format" '/^msgid "table %d"/{n;s/%d/%s/}'
refuses "not UTF-8" '/^msgid "ok"/{n;s/".*"/"\xc3"/}'

# Strings with two words in a row are sentences; `Usage:` is the one that stays.
lines()
{
	msgcat --no-wrap "$1" | sed -n 's/^msgid "/"/p; /^"/p' | grep -E '[A-Za-z]+ [a-z]+' | sort -u
}
xgettext --extract-all --language=C --from-code=UTF-8 -o "$work/all.pot" \
	daemon/{render,sheet,tier_words,check_*,status_main,hint_ask,ctl_ask,await,journal}.c 2>/dev/null
expect_none "every sentence for people is given to gettext" \
	"$(comm -23 <(lines "$work/all.pot") <(lines "$work/ewind.pot") | grep -vE '^"(Usage:)? +ewin-|^"ewin-[a-z]+ [a-z]+ |^"[A-Z][A-Za-z-]+: ')"

# --- the journal's catalog

# Lines "ID field field ..." of a catalog: its entries and the fields that each one shows.
catalog_entries()
{
	awk '/^-- / { if (id) print id; id = $2; next }
		{ while (match($0, /@[A-Z_0-9]+@/)) { id = id " " substr($0, RSTART, RLENGTH); $0 = substr($0, RSTART + RLENGTH) } }
		END { if (id) print id }' "$1" | awk '{ for (i = 2; i <= NF; i++) if (!seen[$1, $i]++) print $1, $i; print $1 }' | sort
}

# What is wrong with a catalog.
catalog_problems()
{
	local ids
	iconv -f UTF-8 -t UTF-8 "$1" 2>&1 >"$work/utf8" || return
	ids=$(grep -oE '^-- [0-9a-f]{32}$' "$1" | cut -c 4- | sort)
	diff <(grep -ohE '"[0-9a-f]{32}"' daemon/journal.c | tr -d '"' | sort -u) <(echo "$ids")
	diff <(catalog_entries units/ewind.catalog) <(catalog_entries "$1")
	# Subject, Defined-By and Support, an empty line, a text.
	awk '/^-- / { if (id && !(subject && text)) print id ": no subject, or no text"; id = $2; subject = text = body = 0 }
		/^Subject: ./ { subject = 1 } /^$/ { body = 1 } /^[^-#]/ && body { text = 1 }
		END { if (!(subject && text)) print id ": no subject, or no text" }' "$1"
	! command -v journalctl >/dev/null || journalctl --update-catalog --root "$work/root" 2>&1
}

if [ -e units/ewind.catalog ]; then
	mkdir -p "$work/root/usr/lib/systemd/catalog" "$work/root/var/lib/systemd/catalog"
	for catalog in units/ewind.catalog $(printf 'units/ewind.%s.catalog\n' $languages); do
		cp "$catalog" "$work/root/usr/lib/systemd/catalog"
		expect_none "$catalog explains each kind of record" "$(catalog_problems "$catalog" 2>&1)"
	done
	sed '/^-- .*a103$/,/^-- .*a104$/d' units/ewind.ja.catalog >"$work/bad.catalog"
	check "a missing entry is found" test -n "$(catalog_problems "$work/bad.catalog" 2>&1)"
	expect_none "there is no other catalog" "$(cd units && for catalog in ewind.*.catalog; do
		catalog=${catalog#ewind.}
		grep -qx "${catalog%.catalog}" <<<"$languages" || echo "$catalog"
	done)"
fi

# --- who gets which

# says LANGUAGE NAME=VALUE...: the language of ewin-check in this environment.
says()
{
	local expected=$1 said
	shift
	said=$(env -i "$@" "$BUILD/ewin-check" --data-root tests/recorded/root --lab watermark --step w5 "$recorded/ref" 2>&1)
	case $said in
	*'Every value is right.'*) said=en ;;
	*すべての値が正解です。*) said=ja ;;
	*所有值都正确。*) said=zh_CN ;;
	*'모든 값이 맞습니다.'*) said=ko ;;
	esac
	check "$*: $expected" test "$said" = "$expected"
}

says en
says en LANG=C LANGUAGE=ja
says en LANG=POSIX
says en LANG=C.UTF-8
says ja LANG=C.UTF-8 LANGUAGE=ja
says ja LANG=ja_JP.UTF-8
says ja LANG=ja_JP.utf8
says ja LANG=ja
says en LANG=ja_JP.eucJP
says en LANG=ja_JP.UTF-8 LC_ALL=C.UTF-8
says en LANG=ja_JP.UTF-8 LC_CTYPE=C
says ja LC_MESSAGES=ja_JP.UTF-8 LANG=C.UTF-8
says ko LC_ALL=ko_KR.UTF-8 LANG=ja_JP.UTF-8
says ja LANG=ko_KR.UTF-8 LANGUAGE=fr:ja:ko
says en LANG=ja_JP.UTF-8 LANGUAGE=en:ja
says en LANG=fr_FR.UTF-8
for locale in zh_CN zh_SG zh zh_Hans zh_Hans_HK; do
	says zh_CN LANG=$locale.UTF-8
done
for locale in zh_TW zh_HK zh_Hant; do
	says en LANG=$locale.UTF-8
done
says zh_CN LANG=zh_TW.UTF-8 LANGUAGE=zh_TW:zh_CN

# Sentences begin in one column, whatever the width of the words before them: the text is cut there
# and each rest begins with the name of a step's file.
for language in en $languages; do
	LANG=$language.UTF-8 LC_ALL='' "$BUILD/ewin-check" --data-root tests/recorded/root --lab watermark "$work" >"$work/said"
	expect_none "$language: the sentences stand in one column" "$(head -n -1 "$work/said" |
		sed -E 's/(ddl|batch|w5|sweep|late|filtered|slow)\.out.*|report\.json.*//' | while IFS= read -r line; do
		LC_ALL=C.UTF-8 wc -L <<<"$line"
	done | sort -u | tail -n +2)"
	check "$language: the JSON is in English" cmp -s \
		<(LC_ALL=C "$BUILD/ewin-check" --json --data-root tests/recorded/root --lab watermark "$work") \
		<(LC_ALL='' LANG=$language.UTF-8 "$BUILD/ewin-check" --json --data-root tests/recorded/root --lab watermark "$work")
	LC_ALL='' LANG=$language.UTF-8 "$BUILD/ewin-check" --data-root tests/recorded/root --lab watermark \
		--explain w5 "$recorded/ref" >"$work/said"
	english=$(grep -c 'open until row' "$work/said")
	check "$language: each row is explained in it" test "$(wc -l <"$work/said")" -gt 600 -a \
		"$([ "$language" = en ] && echo "$english" || echo $((600 - english)))" -gt 500
	check "$language: and by ewin-sim in the same words" cmp -s "$work/said" <(LC_ALL='' LANG=$language.UTF-8 \
		"$BUILD/ewin-sim" explain --data-root tests/recorded/root "$recorded/ref/w5.sql")
	"$BUILD/ewind" --lang "$language" --version >"$work/said" 2>&1
	check "ewind speaks $language" test $? -eq 0
done
check "ASCII alone where no more can be shown" test -z "$(LC_ALL=C "$BUILD/ewin-check" --help | LC_ALL=C tr -d '\0-\177')"
"$BUILD/ewind" --lang xx >"$work/said" 2>&1
check "ewind does not speak xx, with status 2" test $? -eq 2
check "and lists what it speaks" grep -q "en $(echo $languages)" "$work/said"
finish
