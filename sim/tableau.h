/* The tableau: tables as the SQL client prints them, byte for byte. Widths come from types in
 * streaming mode and from cells in batch mode. */
#ifndef EWIN_SIM_TABLEAU_H
#define EWIN_SIM_TABLEAU_H

#include "parser/table.h"
#include "sim/session.h"

struct arena;

/* Takes printed bytes; 0 or -errno. */
struct writer {
	int (*write)(void *ctx, const char *bytes, size_t size);
	void *ctx;
};

struct tableau {
	struct arena *arena;   /* a batch table waits here for its widths */
	struct writer out;
	size_t max_width;      /* table.display.max-column-width */
	/* filled by begin() */
	struct table shape;
	size_t *widths;
	struct table kept;
	size_t room;
	int64_t rows;
};

/* A sink that prints: a streaming table row by row in constant memory, a batch table at the end. */
struct sim_sink tableau_sink(struct tableau *tableau);

/* Prints what is left: the closing border and the footer. time_cost: 0.39 of "(0.39 seconds)", or
 * negative to leave it out. 0 or -errno. */
int tableau_finish(struct tableau *tableau, double time_cost);

#endif
