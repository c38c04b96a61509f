/* Limits on what comes from outside, each with its reason. Exceeding one is a normal diagnostic. */
#ifndef EWIN_PARSER_LIMITS_H
#define EWIN_PARSER_LIMITS_H

/* A diagnostic names a file (PATH_MAX is longer than anybody reads) and says one sentence. */
#define LIMIT_DIAG_FILE 256
#define LIMIT_DIAG_TEXT 512

/* A saved output: 600 rows are 60 KiB; the largest that a lab could ask for is far below. */
#define LIMIT_OUT_BYTES (32u << 20)

/* Lines and results of one output: more than any real one has, and few enough that a file of tiny
 * lines is read in well under a second and cannot fill the memory. */
#define LIMIT_OUT_LINES	  (1u << 20)
#define LIMIT_OUT_RESULTS 100000u

/* A learner's .sql: a page or two. */
#define LIMIT_SQL_BYTES (1u << 20)

/* Memory for the beginning of a statement from a table of ours: some 50 tokens. */
#define LIMIT_EXAMPLE_BYTES (1u << 20)

/* report.json: a few keys. lab.json: hints in several languages. */
#define LIMIT_JSON_BYTES (1u << 20)

/* Memory for reading and grading one file: the text, its cells and the expected tables. */
#define LIMIT_GRADE_ARENA (512u << 20)

/* A report's expression: a line; bounds the depth of its tree. */
#define LIMIT_EXPRESSION 500

/* Conditions of one aggregate in it: more than a table of a lab has columns to ask about. */
#define LIMIT_CONDITIONS 8

/* Memory for simulating one file: a batch table waits for its widths, sorts keep their rows. */
#define LIMIT_SIM_ARENA (2048u << 20)

/* Columns of one table: Flink's own tables stay far below. */
#define LIMIT_COLUMNS 1000

/* Memory of one simulated query: its open windows and keys, or all rows of a batch sort. 1 GiB is
 * millions of groups; a learner's query that needs more is refused. */
#define LIMIT_RUN_BYTES (1u << 30)

/* Grouping sets of one query and the expressions in them (a set is a mask of 64 bits): a CUBE of
 * six has 64 sets, and each costs a copy of every row. */
#define LIMIT_GROUPING_SETS 64
#define LIMIT_GROUPING_KEYS 64

/* Constants that one column of a WHERE is compared with, where it is asked whether any row can
 * meet them: a WHERE that is longer is taken to be one that can be met. */
#define LIMIT_NEVER_CONSTANTS 64

/* Lines of a file that are counted for what batch mode's planner believes in: with more of them it
 * takes no other choice. */
#define LIMIT_COUNTED_LINES 100

/* Nesting of sub-queries, brackets and JSON: bounds the recursion of every walker. */
#define LIMIT_NESTING 100

/* Parts of an expression once views and sub-queries are followed: a query that doubles it at each
 * level would have more than anything can walk through. */
#define LIMIT_TERM 10000

/* Slices of one HOP or CUMULATE window: a day by the second has 86 400. Flink adds all of them up
 * for each window, and so does the simulator; a day by the millisecond would never end. */
#define LIMIT_WINDOW_SLICES 100000

/* Columns of the terminal that a cell may be given: below that, a line is printed in
 * milliseconds. */
#define LIMIT_COLUMN_WIDTH (1 << 20)

/* Work of one simulated script in steps of some 10 ns each: three seconds at most. The queries of a
 * lab over 10 million rows are below, a learner's HOP of a day by the millisecond is refused. */
#define LIMIT_SESSION_STEPS INT64_C(300000000)

/* Work of all references of a lab, in the same steps: other labs wait for it. */
#define LIMIT_LAB_STEPS (3 * LIMIT_SESSION_STEPS)

/* Results of one reference. Mistakes are looked for in each of its queries, in copies of all of
 * it: with 40 queries a check of the lab would take more memory than it may. */
#define LIMIT_REFERENCE_RESULTS 20

/* Memory of one query of such a script. */
#define LIMIT_SESSION_BYTES (256u << 20)

/* A file of the tz database: the largest has some 4 KiB. */
#define LIMIT_TZIF_BYTES (64u << 10)

/* Tables and views of one session, options that are set: they are looked up one by one. */
#define LIMIT_CATALOG 1000
#define LIMIT_OPTIONS 1000

/* One CSV record: libcsv's buffer grows with the longest field. */
#define LIMIT_CSV_RECORD (1u << 20)

#endif
