#!/bin/sh
# contrib/labs/lab.schema.json and the program agree about lab.json: each lab as it is, and each with
# one thing wrong. What only the program can know (ids, expressions, columns) is left out.
# shellcheck disable=SC2317	# functions that check runs
. tests/tap.sh

BUILD=${BUILD:-build}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if ! python3 -c 'import jsonschema; jsonschema.Draft202012Validator' 2>/dev/null; then
	skip "the schema and the program agree" "python3-jsonschema is not there"
	finish
fi

cat >"$work/agree.py" <<'END'
import copy, json, os, shutil, subprocess, sys
import jsonschema

check, work = sys.argv[1:]
with open("contrib/labs/lab.schema.json") as file:
    schema = json.load(file)
jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(schema)


def loads(lab):
    """Does the program take it? 3 is: wrong configuration."""
    with open(os.path.join(work, "labs/x/lab.json"), "w") as file:
        json.dump(lab, file)
    run = subprocess.run([check, "--labs", os.path.join(work, "labs"), "--step", lab_step(lab),
        "--data-root", "tests/recorded/root", work], capture_output=True)
    return run.returncode not in (2, 3)


def lab_step(lab):
    try:
        return str(lab["steps"][-1]["id"])
    except (KeyError, TypeError, IndexError):
        return "none"


def places(value, path=()):
    """Paths of all objects and lists, but for what the schema leaves to the program."""
    if isinstance(value, (dict, list)):
        yield path
        for key, inner in (value.items() if isinstance(value, dict) else enumerate(value)):
            if key not in ("properties", "keys", "after"):
                yield from places(inner, path + (key,))


def at(value, path):
    for key in path:
        value = value[key]
    return value


def broken(lab):
    """The lab with one thing changed, and what it is."""
    for path in places(lab):
        here = at(lab, path)
        for key in here if isinstance(here, dict) else range(len(here)):
            if key == "keys" or path in (("steps",), ("fixtures",)):
                continue
            for change in ("drop", "number", "text"):
                other = copy.deepcopy(lab)
                if change == "drop":
                    del at(other, path)[key]
                else:
                    at(other, path)[key] = 1 if change == "number" else "?"
                yield other, (change, *path, key)
        if isinstance(here, dict):
            other = copy.deepcopy(lab)
            at(other, path)["zzz"] = {"en": "x"}
            yield other, ("unknown", *path)


def less(lab):
    """One step of each kind: the others are like them."""
    kinds = {}
    for step in lab["steps"]:
        kinds.setdefault(step["kind"], step)
    lab["steps"] = [kinds[kind] for kind in kinds if kind != "report"]
    for step in lab["steps"]:
        step.pop("after", None)
    for fixture in lab["fixtures"]:
        fixture.pop("rowtime", None)
        fixture.pop("properties", None)
    return lab


def lints(lab):
    """Does lint find no fault in how lab.json is written? That a property does not hold is none."""
    with open(os.path.join(work, "labs/x/lab.json"), "w") as file:
        json.dump(lab, file)
    run = subprocess.run([check, "--lint", os.path.join(work, "labs/x"), "--json"], capture_output=True)
    found = json.loads(run.stdout)["findings"]
    return all(f["kind"] != "error" or ": not allowed, " in f["text"] for f in found)


def spoilt(lab):
    """The lab with one property changed; which columns there are is not the schema's to know."""
    properties = lab["fixtures"][0]["properties"]
    kinds = [frozenset(property) | {property["is"]} for property in properties]
    for number, property in enumerate(properties):
        if kinds[number] in kinds[:number]:
            continue
        for key in (*property, "zzz", "size", "delay"):
            for change in ("drop", "number", "text", "list"):
                other = copy.deepcopy(lab)
                here = other["fixtures"][0]["properties"][number]
                if change == "drop" and key in here:
                    del here[key]
                elif change == "drop" or (change == "text" and key in ("column", "sum", "by")):
                    continue
                elif key in ("min", "max") and change == "number":
                    here[key] = -1
                else:
                    here[key] = {"number": 1, "text": "?", "list": []}[change]
                yield other, (change, number, key)


count = differing = 0
for name in "watermark", "window", "first":
    shutil.rmtree(os.path.join(work, "labs"), ignore_errors=True)
    shutil.copytree(os.path.join("contrib/labs", name), os.path.join(work, "labs/x"))
    with open(os.path.join("contrib/labs", name, "lab.json")) as file:
        lab = json.load(file)
    if not validator.is_valid(lab) or not loads(lab):
        print("#", name, "is refused")
        differing += 1
    few = copy.deepcopy(lab)
    few["steps"] = lab["steps"][:1]
    for other, what in spoilt(few):
        count += 1
        if validator.is_valid(other) != lints(other):
            differing += 1
            print("#", name, "property", *what, "schema:", validator.is_valid(other))
    lab = less(lab)
    for other, what in broken(lab):
        count += 1
        if validator.is_valid(other) != loads(other):
            differing += 1
            print("#", name, *what, "schema:", validator.is_valid(other))
print("#", count, "changes,", differing, "differ")
sys.exit(differing > 0)
END
check "the schema and the program agree" python3 "$work/agree.py" "$BUILD/ewin-check" "$work"
finish
