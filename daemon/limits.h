/* Limits and times of the daemon, each with its reason. */
#ifndef EWIN_DAEMON_LIMITS_H
#define EWIN_DAEMON_LIMITS_H

/* A closed .out without the client's closing lines: a shell that appends (`>> x.out`) opens it
 * again within microseconds, a person's next command within a second. The cap keeps somebody who
 * appends all the time from starving the verdict. */
#define SETTLE_QUIET_MS 75
#define SETTLE_CAP_MS	500

/* One that goes on where a close left it is written in pieces: its next pause may be as long as
 * this. */
#define SETTLE_PIECES_MS 500

/* A file without its end that was there before the daemon: nobody can say whether a client still
 * holds it. A client that prints nothing for a minute is the exception; so it is held until so
 * long after it was modified. */
#define SETTLE_FOUND_MS 60000

/* "running" is shown for files held this long; a client that prints all at once is never shown as
 * running. The rows are counted again at this pace. */
#define PREVIEW_FIRST_MS 150
#define PREVIEW_NEXT_MS	 500

/* Rows of a running file are counted up to this size: 1 MiB are about 15 000 rows. */
#define LIMIT_PREVIEW_BYTES (1u << 20)

/* The safety scan finds what no event told (a hard link written elsewhere, a network file
 * system). */
#define SCAN_MS 30000

/* Where watching is impossible: pace of the scan. */
#define POLL_MS 2000

/* A fault that lasts is said at this pace. */
#define SAID_MS 60000

/* As many faults that last at the same time are told from each other: those of the two
 * directories and of some labs. */
#define LIMIT_SAID 8

/* Longer than any clock tick (10 ms at HZ=100): after that no save can share its time with one that
 * was graded. */
#define TICK_MS 12

/* A .sql, or the data, is newer than its .out only by more than this: whoever copies both files,
 * in whatever order, is faster, whoever edits is slower. */
#define STALE_SLACK_NS 250000000

/* Events taken in before what they ask for is done: somebody who makes more all the time must not
 * keep us from the verdicts. */
#define LIMIT_EVENTS 4096

/* Labs of one daemon: a course has a handful. And the folders that they lie in. */
#define LIMIT_LABS	 64
#define LIMIT_LAB_PLACES 8

/* A lab's own files have changed for good when nothing more happened for so long: cp, tar and
 * editors write them within this much. */
#define LAB_QUIET_MS 100

/* A change that takes longer is told, and the lab is not graded until it is over. */
#define LAB_LONG_MS 1000

/* Where it took longer to run a lab's references, those of other labs go before it. */
#define LAB_DEAR_MS 100

/* While they run the service manager is told so often that something goes on, and it is to wait
 * for so long. */
#define WORKING_MS	    250
#define WORKING_PATIENCE_MS 60000

/* Who holds one of them open for writing and writes nothing for so long has forgotten it. */
#define LAB_HELD_MS 60000

/* The paths of the folders that a lab's files lie in. */
#define LIMIT_LOOKOUT_ARENA (4u << 20)

/* Free memory at the end of the heap that is kept while something is done, and pieces that are cut
 * from the heap: what one grading gives back the next one takes. To ask the system for it took half
 * of the time of looking for causes, and a sixth of that of a save. Left alone, the C library keeps
 * the more the larger the pieces are that it had, and what a daemon holds after 10,000 saves is
 * chance. */
#define LIMIT_FREE_AT_WORK (2 << 20)

/* And once nothing is left to do: a save needs that much again. */
#define LIMIT_FREE_AT_REST (128 << 10)

/* Memory of one lab: its texts and what its grader keeps. */
#define LIMIT_LAB_ARENA (256u << 20)

/* Files that a lab is made from: lab.json, a reference a step, fixtures. */
#define LIMIT_SOURCES 256

/* Up to this size it is asked of the bytes whether a lab's file changed: to hash them takes some
 * 20 ms. */
#define LIMIT_SOURCE_HASH (4u << 20)

/* Files in a folder that a table's path names. */
#define LIMIT_DATA_FILES 1000

/* status.json, as readers take it: 2 KiB a step, more with much evidence. Memory for reading it,
 * and one output to compare. */
#define LIMIT_STATUS_BYTES (8u << 20)
#define LIMIT_STATUS_ARENA (256u << 20)

/* Steps in the state: those of the labs that are there, and of many that were. */
#define LIMIT_STATE_STEPS 1000

/* The state file: a line of at most 300 bytes a step, and what is appended, some 80 bytes a save
 * in a storm of 10,000. It is written anew at rest where that is as much as a lab of 200 steps
 * would take, and in any case before it is more than is read. */
#define LIMIT_STATE_BYTES    (4u << 20)
#define LIMIT_STATE_APPENDED (64u << 10)

/* What the SQL of one step prints: some 100,000 rows. It is kept until its output has come and
 * was looked at; from then on only where it is a few windows, so that eight steps cannot hold the
 * memory of a lab. */
#define LIMIT_REHEARSAL	     (16u << 20)
#define LIMIT_REHEARSAL_IDLE (128u << 10)

/* Who asks for hints at once, and how long one may say nothing: a request follows its connection
 * within microseconds. */
#define LIMIT_CTL     16
#define CTL_SILENT_MS 1000

#endif
