/* A session of the SQL client, simulated: settings, tables and views, and the run of one statement
 * after another. Flink 2.3.0, parallelism 1, one bounded CSV a table.
 * Reads no file itself: what a table's path names is opened by the caller. */
#ifndef EWIN_SIM_SESSION_H
#define EWIN_SIM_SESSION_H

#include "parser/sql.h"
#include "parser/table.h"

struct arena;
struct catalog;
struct diag;
struct kept_rows;
struct session;

/* Bytes from somewhere: read() fills at most `size` bytes and returns how many, 0 at the end, or
 * -errno; close() may be NULL. */
struct reader {
	long (*read)(void *ctx, char *buf, size_t size);
	void (*close)(void *ctx);
	void *ctx;
};

/* Who runs a simulation may have something more urgent to do: asked() is asked every few
 * milliseconds of its work, and once it says so each run ends as one that takes too many steps.
 * Whatever came of it is void. */
struct sim_pause {
	bool (*asked)(void *ctx);
	void *ctx;
};

/* open() opens what a table's 'path' names: absolute, already without "file://". 0 or -errno with
 * a diag. open_zone() opens the tz database's file of a zone, "Europe/Berlin", and may be NULL;
 * -ENOENT: it has no such zone. default_zone is what 'default' means; empty: UTC. kept: where
 * rows that were read once are kept for other queries (sim/kept.h); NULL: nowhere. steps: what a
 * session may take; 0: LIMIT_SESSION_STEPS. pause: may be NULL. */
struct sim_files {
	int (*open)(void *ctx, struct text path, struct reader *ret, struct diag *reterr);
	void *ctx;
	int (*open_zone)(void *ctx, struct text name, struct reader *ret, struct diag *reterr);
	struct text default_zone;
	struct kept_rows *kept;
	int64_t steps;
	const struct sim_pause *pause;
};

/* Takes the rows of a running query. begin() comes once with the columns and the form, before any
 * row; rows and cells are valid only during the call. Each returns 0 or -errno, which ends the
 * run. */
struct sim_sink {
	int (*begin)(void *ctx, const struct table *shape);
	int (*row)(void *ctx, enum row_op op, const struct value *cells);
	void *ctx;
};

enum outcome_kind {
	OUTCOME_DONE,  /* SET, RESET, CREATE ...: "Execute statement succeeded." */
	OUTCOME_ROWS,  /* SELECT, DESCRIBE, SHOW: the rows went to the sink */
	OUTCOME_ERROR, /* Flink would refuse or fail: error is its text */
	OUTCOME_QUIT,
	OUTCOME_JOB,	  /* INSERT: a job was submitted; nobody sees its rows, nor how it ends */
	OUTCOME_JOB_DONE, /* INSERT with table.dml-sync: a job has ended well */
	OUTCOME_HELP,
	OUTCOME_CLEAR
};

/* Releases of Flink, as far as their output was recorded; between two of them it was the same. */
enum flink_release { FLINK_1_18, FLINK_1_20, FLINK_2_0, FLINK_2_2, FLINK_2_3 };

/* A filter on lateness: a condition that reads CURRENT_WATERMARK. */
enum late_filter {
	LATE_FILTER_NONE,
	LATE_FILTER_ROWS,      /* before any window aggregate */
	LATE_FILTER_AGGREGATE, /* in FILTER (WHERE ...) */
	LATE_FILTER_BEHIND     /* behind the aggregate */
};

/* What a query does, as far as a lab may ask for it: what its rows need not show. */
struct query_facts {
	bool planned; /* false: refused before its plan stood; see below */
	bool batch;
	bool has_source; /* false: SELECT 'x' */
	struct text
		path; /* of the first source, without "file://" where no host stands behind it */
	struct text format; /* ptr is NULL where the table has none; so are path and connector */
	struct text connector;
	bool has_watermark;
	bool delay_known;    /* the watermark is ts minus a constant */
	int64_t delay_ms;    /* negative: ahead of the rows */
	int64_t interval_ms; /* pipeline.auto-watermark-interval in force */
	int64_t parallelism;
	/* only of a planned query */
	enum late_filter late_filter;
	bool windowed;	       /* a window aggregate is there */
	bool legacy_window;    /* GROUP BY TUMBLE(ts, ...) */
	int64_t rows_in;       /* rows read */
	int64_t rows_filtered; /* rows that a WHERE in front of the window took out */
	int64_t rows_dropped;  /* rows that no window counted, since all theirs were closed */
	int64_t rows_tied;     /* of a streaming window's first N, those that the next one equals */
};

struct outcome {
	enum outcome_kind kind;
	struct text error;  /* OUTCOME_ERROR: "class: message", as after "Reason:" */
	struct text place;  /* OUTCOME_ERROR: the row of a table's file, where it is one's fault */
	struct sql_pos pos; /* OUTCOME_ERROR: what it is about */
	struct query_facts
		facts; /* of a SELECT, also one that failed or is not simulated; DESCRIBE: of its table */
	bool has_facts;
};

/* A new session with Flink's default settings. All its memory is in the arena. NULL: no memory. */
struct session *session_new(struct arena *arena, const struct sim_files *files);

/* Lets a session take the time and memory that it needs. Others are bounded (LIMIT_SESSION_STEPS,
 * LIMIT_SESSION_BYTES), since nobody waits for a learner's query that is far from the lab's: what
 * goes beyond is not simulated. */
void session_unbounded(struct session *session);

/* Bounds a session by so many steps (sim/op.h); and how many of them are left. */
void session_bound(struct session *session, int64_t steps);
int64_t session_steps(const struct session *session);

/* From now on the rows of each SELECT's source are told to the observer, which must outlive them;
 * NULL: to nobody. See observe.h. */
struct observer;
void session_observe(struct session *session, const struct observer *observer);

/* What differs between releases follows this one, and else 2.3. */
void session_release(struct session *session, enum flink_release release);

/* Sets an option as SET does, without a statement: a client configuration the caller knows of. 0
 * or -ENOMEM. */
int session_option(struct session *session, struct text key, struct text value);

/* The value of an option in force, or `otherwise`: for what concerns the client's printing. */
struct text session_get(const struct session *session, const char *key, const char *otherwise);

/* The tables and views as they are now. */
const struct catalog *session_catalog(const struct session *session);

/* The watermark interval in force, in milliseconds. */
int64_t session_interval_ms(const struct session *session);

/* Runs one statement, whose tree must outlive the session: a view keeps its query. The rows of a
 * SELECT, DESCRIBE or SHOW go to the sink. Result-mode tableau is
 * demanded as the client does in a file. 0, also for OUTCOME_ERROR; -ENOTSUP: the construct is not
 * simulated (the diag names it, with line and column); -errno of the sink or of a file. *ret is set
 * in every case, for its facts. */
int session_run(struct session *session, const struct sql_statement *statement,
	const struct sim_sink *sink, struct outcome *ret, struct diag *reterr);

/* A sink that keeps all rows in a table of the arena. */
struct table_sink {
	struct arena *arena;
	struct table *table;
	size_t room;
};
struct sim_sink table_sink_init(struct table_sink *sink, struct arena *arena, struct table *table);

#endif
