/* The status: what the daemon tells everybody else, in two files of the run directory.
 *
 * `status` is for shell prompts, which read it with builtins only. Every line ends in a newline, a
 * value holds [A-Za-z0-9 ._:/+=,-] only, values are parted by one space:
 *
 *	ewind 1 SEQ
 *	lab NAME PASSED/TOTAL MARK MTIME_NS FILES FOLDER        (one line a lab, the newest save first)
 *	end
 *
 *	ewind 1 42
 *	lab watermark 5/8 fail:late 1764459451123456789 ddl.out,late.out,report.json /root/flink/watermark
 *	end
 *
 * SEQ       grows by at least 1 whenever anything that people can read has changed, also over
 *           restarts. The same SEQ means: nothing new to say.
 * MARK      KIND or KIND:STEP or running:STEP:ROWS. KIND is one of
 *             ok           every step passes
 *             fail partial cannot-tell   the verdict of STEP
 *             missing      nothing is wrong; STEP is the first that is not saved yet
 *             stale        STEP's .sql is newer than its .out
 *             running      a client still writes STEP; ROWS so far
 *             broken       the lab cannot be graded; status.json says why. PASSED/TOTAL is 0/0
 *           STEP is the step graded last where it does not pass, else the first that does not.
 * MTIME_NS  modification time of the newest file that was graded, ns since the epoch; 0: none.
 * FILES     what verdicts are of, within FOLDER, joined by commas; "-": none. The .sql beside them are
 *           watched as well, but a prompt compares every file of this list each time.
 * FOLDER    where the learner works, as the learner sees it; the rest of the line. "?": it has
 *           characters outside the set.
 * end       a file without it is cut; a reader refuses it, and any first line but "ewind 1 ".
 *
 * The modification time of `status` itself is a promise: every save with an older modification time
 * was looked at, and its verdict is in this status. So a shell knows with builtins whether the
 * status may be behind: `[[ $folder/$file -nt $status ]]` for one of FILES. The time is set to just
 * before the last moment at which nothing was left to do, so that a save within the same clock tick
 * counts as newer until the tick is over; then the time is moved on, with the same SEQ. A file
 * dated into the future stays newer: ask ewin-status, which compares by hash. While a writer holds
 * a file the time stays before its last write: closing it changes no time, and may come long after.
 *
 * `status.json` is for programs: everything, messages as ids with arguments. It is renamed into
 * place before `status`, so whoever has seen a SEQ in `status` finds at least that one in it.
 * Both vanish when the daemon ends: no file means that no daemon runs.
 *
 *	{"version": 1, "seq": 42, "pid": 123, "notices": [],
 *	 "labs": [{"name": "watermark", "folder": "/root/flink/watermark", "problem": "",
 *	  "passed": 5, "total": 8, "mark": "fail:late", "latest": 4, "title": {"en": "..."}, "steps": [
 *	   {"name": "w5", "seq": 42, "verdict": "fail", "running": false, "rows": 0, "stale": false,
 *	    "searching": false, "attempt": 2, "hint_tier": 1,
 *	    "summary": {"id": "...", "args": ["...", "...", "..."], "text": "English sentence"},
 *	    "remarks": [{"id": ..., "args": ..., "text": ...}],
 *	    "evidence": [{"table": 1, "window_start": "...", "key": "", "column": "cnt", "kind": "value"}],
 *	    "diagnosis": [{"id": "delay", "param": "10s", "table": 0, "ambiguous": false, "changes": -1}],
 *	    "look": {"row": 51, "window": "", "select": 0},
 *	    "title": {"en": "...", "ja": "..."}, "hints": [{"en": "..."}], "learned": {},
 *	    "links": [{"title": {"en": "..."}, "url": "https://..."}],
 *	    "runs": [{"batch": false, "windowed": true, "rows": 600, "filtered": 0, "dropped": 15}],
 *	    "out": {"name": "w5.out", "state": "there", "size": 4321, "mtime_ns": ..., "sha256": "..."},
 *	    "sql": {...}}]}]}
 *
 * "look" is where the third tier of hints points: a row of the data by its arrival, or else the
 * start of a window, of the SELECT with that number in the step's .sql (0: its only one); nothing
 * where it is not open. "runs" are the queries of a step that passes, with the rows that each
 * read, took out by WHERE and dropped; null: a report that has not passed asks for that number.
 * "notices" are messages of the daemon itself, as "summary" is one. "title", "hints" and
 * "learned" are the lab's own words in all its languages; of a step's hints those that are open,
 * where it is wrong, and what is to be learned where it passes, with its "links". "hint_tier"
 * says how much is open: 0 nothing, of a step that is wrong 1 where it is off, 2 the concept, 3
 * the row to look at, and 4 all, after a pass (daemon/tiers.h). The causes in "diagnosis" are
 * looked for when the verdict is published: they come with a later SEQ of the whole status, and
 * leave the step's own; until then it is "searching". "state" is missing, there, unreadable,
 * not-regular or too-large; size, mtime_ns and sha256 (64 hex digits, "" unless there) of "out"
 * are those of the bytes that were graded; of "sql", those of the bytes read last, and its name
 * is "" for a report. While "running" or "stale" the verdict is the one before. "latest" is the
 * index of the step graded last, or the number of steps. */
#ifndef EWIN_DAEMON_STATUS_H
#define EWIN_DAEMON_STATUS_H

#include "daemon/grade/grade.h"
#include "daemon/grade/lesson.h"
#include "daemon/grade/look.h"
#include "parser/text.h"

struct arena;
struct diag;

#define STATUS_VERSION 1
#define STATUS_FILE    "status"
#define STATUS_JSON    "status.json"

/* One watched file as it was graded last. */
struct status_file {
	struct text name; /* within the lab's folder; empty: the step has no such file */
	enum file_state state;
	int64_t size;	    /* bytes */
	int64_t mtime_ns;   /* since the epoch */
	struct text sha256; /* hex; empty unless FILE_THERE */
};

struct status_step {
	struct text name;
	struct status_file out, sql;
	struct verdict verdict;
	bool running;	   /* a writer holds the .out; the verdict is that of the file before */
	int64_t rows;	   /* while running: rows so far */
	bool stale;	   /* the .sql is newer than the .out */
	bool searching;	   /* the causes of the verdict are still looked for */
	int64_t seq;	   /* SEQ of its last change */
	int64_t attempt;   /* different saves that were graded */
	int64_t hint_tier; /* enum tier */
	struct look look;  /* where that tier is open */
	/* The lab's own words, in all its languages; only those that may be said now. */
	struct lab_texts title;
	struct lab_texts *hints; /* for a step that is wrong */
	size_t hint_count;
	struct lab_texts learned; /* for a step that passes; with it: */
	struct lesson lesson;
	struct lab_link *links; /* where to read more; from the third tier on */
	size_t link_count;
};

struct status_lab {
	struct text name;
	struct text folder;  /* as the learner sees it */
	struct text problem; /* one sentence: why the lab cannot be graded; empty: it can */
	struct status_step *steps;
	size_t step_count;
	size_t latest; /* index of the step graded last; step_count: none */
	struct lab_texts title;
};

struct status {
	int64_t seq;
	int64_t pid;
	struct message
		*notices; /* of the daemon itself: polls instead of watching, a closed folder */
	size_t notice_count;
	struct status_lab *labs;
	size_t lab_count;
};

/* A line `lab ...` of the prompt's file. */
struct status_line {
	struct text name;
	int64_t passed, total;
	struct text mark, files, folder;
	int64_t mtime_ns;
};

struct status_lines {
	int64_t seq;
	struct status_line *labs;
	size_t lab_count;
};

/* Steps that pass and are neither running nor stale. */
size_t status_passed(const struct status_lab *lab);

/* MARK of the lab, in the arena. On lack of memory its ptr is NULL. */
struct text status_mark(struct arena *arena, const struct status_lab *lab);

/* The prompt's file. 0 or -ENOMEM. */
int status_pack(
	struct arena *arena, const struct status *status, struct text *ret, struct diag *reterr);

/* Reads it back; the texts point into `bytes`. 0, -EINVAL: cut, of another version or not of the
 * form above, or -ENOMEM. */
int status_unpack(
	struct arena *arena, struct text bytes, struct status_lines *ret, struct diag *reterr);

/* "missing", "there", "unreadable", "not-regular", "too-large" */
const char *status_file_state(enum file_state state);

/* status.json. 0 or -ENOMEM. */
int status_pack_json(
	struct arena *arena, const struct status *status, struct text *ret, struct diag *reterr);

/* Reads it back. 0, -EINVAL or -ENOMEM. */
int status_unpack_json(
	struct arena *arena, struct text bytes, struct status *ret, struct diag *reterr);

/* Writes a file aside and renames it to `name` within the open folder, mode 0644. A `stamp_ns` of 0
 * leaves its modification time alone. 0 or -errno. */
int status_write(
	int dirfd, const char *name, struct text bytes, int64_t stamp_ns, struct diag *reterr);

/* Moves the promise of the prompt's file on. 0 or -errno. */
int status_stamp(int dirfd, int64_t stamp_ns, struct diag *reterr);

#endif
