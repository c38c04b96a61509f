/* The tableau: tables as the SQL client prints them, byte for byte. Widths come from types in
 * streaming mode and from cells in batch mode. */
#ifndef EWIN_SIM_TABLEAU_H
#define EWIN_SIM_TABLEAU_H

#include "parser/table.h"
#include "sim/session.h"
#include "sim/writer.h"

/* Flink's default of table.display.max-column-width. */
#define TABLEAU_MAX_WIDTH 30

/* Bytes of rows that a streaming table holds back: a job that fails soon shows none of them. */
#define TABLEAU_HELD (256u << 10)

/* Zero but for the first three. One for each table. */
struct tableau {
	struct arena *arena; /* a batch table waits here for its widths */
	struct writer *out;
	size_t max_width;
	/* filled by begin() */
	struct table shape; /* its rows: what a batch table printed for each cell, as SQL_ANY */
	size_t *widths;
	size_t room;
	int64_t rows;
	struct {
		char *bytes;
		size_t len;
		bool over; /* rows go straight to out */
	} held;
};

/* A sink that prints: a streaming table row by row in constant memory, a batch table at the end. */
struct sim_sink tableau_sink(struct tableau *tableau);

/* Prints what is left: held rows, the closing border, the footer or "Empty set". time_cost: 0.39 of
 * "(0.39 seconds)", or negative to leave it out; a catalog's table has none. A tableau that never began prints nothing. 0 or
 * -errno. */
int tableau_finish(struct tableau *tableau, double time_cost);

#endif
