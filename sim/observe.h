/* Observer: what became of each row of the source, told by the run that makes the result (tell.h).
 * Nobody listens as a rule; then no operator of tell.c is there. */
#ifndef EWIN_SIM_OBSERVE_H
#define EWIN_SIM_OBSERVE_H

#include "parser/text.h"
#include "sim/window.h"

/* Which operator decides whether a row is too late: the first behind the source that is more than a
 * condition, a projection or a window function. What stands behind it sees no single rows. */
enum judge {
	JUDGE_NONE,    /* nothing drops a late row */
	JUDGE_WINDOW,  /* each window of the row for itself */
	JUDGE_SESSION, /* the session that results */
	JUDGE_SORT,    /* no window: ORDER BY drops a row where one of its time or above has left */
	JUDGE_LATE     /* no window: ROW_NUMBER drops a row that is late */
};

/* What is observed; told once, before the first row. The window lives as long as the run. */
struct observed_plan {
	enum judge judge;
	bool batch;
	bool has_watermark;
	bool filtered;	      /* a WHERE stands in front of the judge */
	bool reads_watermark; /* and reads CURRENT_WATERMARK */
	bool goes_on;	      /* behind the judge is more than a projection: it is not observed */
	const struct window *window; /* of the rows; NULL: none */
	const struct zone *zone;     /* whose clocks the times are shown in; NULL: UTC */
};

/* A row of the source, after it has been through the operators and before the watermark that it
 * causes. */
struct observed_row {
	int64_t number; /* of its arrival, from 1 */
	bool has_time;
	int64_t time_ms;   /* since the epoch */
	int64_t wm_ms;	   /* as it arrived */
	bool arrived;	   /* at the judge: no WHERE took it out */
	bool windowed;	   /* local_ms is set: a window function or the judge has seen it */
	bool untimed;	   /* its time is NULL: it has no window */
	int64_t local_ms;  /* its time as windows know it */
	bool some_windows; /* a WHERE looks at the windows: `taken` are those that were left */
	uint64_t taken;	   /* a bit a window, the earliest first */
	bool dropped;	   /* the judge says so; of several windows: all were closed */
};

struct observer {
	int (*begin)(void *ctx, const struct observed_plan *plan);
	/* -EPROTO: what is told does not fit together, and is not simulated. */
	int (*row)(void *ctx, const struct observed_row *row);

	/* Published after the row before; or WATERMARK_END. Before any window closes. */
	int (*watermark)(void *ctx, int64_t wm_ms);

	/* The session that takes the row under way, before row(): *token is what an earlier row
	 * of it was given, or NULL. */
	int (*session)(void *ctx, void **token, struct window_span span);
	/* One session becomes part of another; or a session closes. */
	void (*session_merged)(void *ctx, void *from, void *into);
	void (*session_closed)(void *ctx, void *token, struct window_span span);
	void *ctx;
};

/* Windows of a row beyond this many are not told apart where a WHERE looks at them. */
#define OBSERVED_WINDOWS 64

/* The windows of a row by their number, the earliest first; not for SESSION. */
struct window_row {
	struct window_span first;
	int64_t start_step_ms, end_step_ms;
	int64_t count;
};
struct window_row window_row_of(const struct window *window, int64_t local_ms);
struct window_span window_row_at(const struct window_row *row, int64_t number);

#endif
