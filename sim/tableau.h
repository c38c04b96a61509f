/* The tableau: tables as the SQL client prints them, byte for byte. Widths come from types in
 * streaming mode and from cells in batch mode. */
#ifndef EWIN_SIM_TABLEAU_H
#define EWIN_SIM_TABLEAU_H

#include "parser/table.h"
#include "sim/session.h"
#include "sim/writer.h"

/* Flink's default of table.display.max-column-width. */
#define TABLEAU_MAX_WIDTH 30

struct held_block;

/* The cell that a column of times printed last: most rows share their window's or second's text. */
struct time_cell {
	bool known;
	int32_t nanos;
	int64_t time_ms;
	struct writer text;
};

/* Zero but for the first three. One for each table. */
struct tableau {
	struct arena *arena; /* a batch table waits here for its widths */
	struct writer *out;
	size_t max_width;
	/* filled by begin() */
	struct table shape; /* its rows: what a batch table printed for each cell, as SQL_ANY */
	size_t *widths;
	struct time_cell *time_cells; /* streaming: one a column */
	size_t room;
	int64_t rows;
	struct writer rows_out;		 /* gathers what streaming rows print */
	struct held_block *first, *last; /* what a streaming table's rows print */
	size_t held;			 /* bytes of these blocks */
	bool released;			 /* rows are no longer held back */
};

/* A sink that prints: a streaming table's head at once, its rows at the end, since a job that fails
 * shows none, or as they come from where there are very many; in constant memory. */
struct sim_sink tableau_sink(struct tableau *tableau);

/* Prints what is left: held rows, the closing border, the footer or "Empty set". time_cost: 0.39 of
 * "(0.39 seconds)", or negative to leave it out; a catalog's table has none. A tableau that never
 * began prints nothing. 0 or -errno. */
int tableau_finish(struct tableau *tableau, double time_cost);

#endif
