/* Mistakes that are put into the references of the labs, in many spellings: the simulated client runs the SQL, and the
 * cause that is named for its output is the one that was put in. Spellings that change nothing get none. */
#include "tests/diagnosed.h"

/* Parts of the references. */
#define W_SIZE	"INTERVAL '1' MINUTE"
#define W_FROM	"FROM TUMBLE(TABLE events, DESCRIPTOR(ts), INTERVAL '1' MINUTE)"
#define W_GROUP "GROUP BY window_start, window_end;"
#define W_DELAY "ts - INTERVAL '5' SECOND"
#define W_ITEMS "window_start, window_end, COUNT(*) AS cnt, SUM(reading) AS total"
#define W_KEEP	"CURRENT_WATERMARK(ts) IS NULL OR ts > CURRENT_WATERMARK(ts)"
#define W_LATE	"CURRENT_WATERMARK(ts) IS NOT NULL AND ts <= CURRENT_WATERMARK(ts)"
#define STREAM	"SET 'execution.runtime-mode' = 'streaming';"
#define HOUR	"SET 'pipeline.auto-watermark-interval' = '1 h';"
#define SLOT	"CREATE TABLE events ("

static const struct variant variants[] = {
	/* delay */
	{"watermark", "w5", {{W_DELAY, "ts - INTERVAL '00:10' MINUTE TO SECOND"}}, "delay=10s"},
	{"watermark", "w5", {{W_DELAY, "ts - INTERVAL '5' MINUTE"}}, "delay=5min"},
	{"watermark", "w5",
		{{W_DELAY, "TIMESTAMPADD(SECOND, -7, ts)"}, {"SELECT", "-- the windows\nselect"}},
		"delay=7s"},
	{"watermark", "filtered",
		{{W_DELAY, "ts - INTERVAL '1' SECOND"},
			{"CREATE VIEW on_time AS", "CREATE TEMPORARY VIEW on_time AS"}},
		"delay=1s"},
	{"watermark", "w5", {{W_DELAY, "`ts` + INTERVAL '20' SECOND"}}, "delay=-20s"},
	{"watermark", "w5", {{W_DELAY, "ts - INTERVAL '4.5' SECOND"}}, "delay=4.5s"},
	{"window", "hop", {{W_DELAY, "ts"}}, "delay=0s"},
	/* a key that is worked out into something else */
	{"window", "shop",
		{{"window_start, window_end, shop, COUNT",
			 "window_start, window_end, UPPER(shop) AS shop, COUNT"},
			{"GROUP BY window_start, window_end, shop;",
				"GROUP BY window_start, window_end, UPPER(shop);"}},
		"column-value"},
	{"window", "shop",
		{{"window_start, window_end, shop, COUNT",
			 "window_start, window_end, SUBSTRING(shop FROM 1 FOR 3) AS shop, COUNT"},
			{"GROUP BY window_start, window_end, shop;",
				"GROUP BY SUBSTRING(shop FROM 1 FOR 3), window_end, "
				"window_start;"}},
		"column-value"},
	/* a sort */
	{"watermark", "batch",
		{{W_GROUP, "GROUP BY window_start, window_end ORDER BY cnt DESC, total;"}}, "-"},
	{"watermark", "batch",
		{{W_GROUP, "GROUP BY window_start, window_end ORDER BY total LIMIT 3;"}},
		"limit=3, order-by"},
	{"watermark", "late", {{W_LATE, W_LATE "\nORDER BY ts"}}, "order-by=ts"},
	/* the filter of the other step in front of the asked one */
	{"watermark", "late", {{"FROM events", "FROM (SELECT * FROM events WHERE " W_KEEP ")"}},
		"filter-extra"},
	/* a window over windows is over a time attribute */
	{"watermark", "w5",
		{{W_FROM, "FROM TUMBLE(TABLE half, DESCRIPTOR(rt), INTERVAL '1' MINUTE)"},
			{"COUNT(*) AS cnt, SUM(reading) AS total",
				"SUM(c) AS cnt, SUM(s) AS total"},
			{"SELECT window_start",
				"CREATE VIEW half AS SELECT window_time AS rt, COUNT(*) AS c, "
				"SUM(reading) AS s "
				"FROM TUMBLE(TABLE events, DESCRIPTOR(ts), INTERVAL '30' SECOND) "
				"GROUP BY window_start, window_end, window_time;\nSELECT "
				"window_start"}},
		"unrecognised"},
	/* a column less, of right rows */
	{"window", "tvf", {{", window_time", ""}}, "column-missing=window_time"},
	{"window", "hop", {{", SUM(amount) AS total", ""}}, "column-missing=total"},

	/* mode, interval */
	{"watermark", "w5", {{"'streaming'", "'batch'"}}, "batch-mode"},
	{"watermark", "batch", {{"SET 'execution.runtime-mode' = 'batch';\n", ""}},
		"streaming-mode"},
	{"watermark", "batch", {{"'batch'", "'STREAMING'"}}, "streaming-mode"},
	{"window", "shop", {{"'streaming'", "'BATCH'"}}, "batch-mode"},
	{"watermark", "batch",
		{{"SET 'execution.runtime-mode' = 'batch';\n", ""},
			{W_GROUP, W_GROUP "\nSET 'execution.runtime-mode' = 'batch';"}},
		"set-after-query"},
	{"watermark", "batch",
		{{"SET 'execution.runtime-mode' = 'batch';",
			"SET 'execution.runtime_mode' = 'batch';"}},
		"set-misspelt"},
	{"watermark", "batch",
		{{"SET 'execution.runtime-mode' = 'batch';",
			"/* SET 'execution.runtime-mode' = 'batch'; */"}},
		"set-lost"},
	{"watermark", "batch",
		{{SLOT, "RESET;\nSET 'sql-client.execution.result-mode' = 'tableau';\n" SLOT}},
		"set-lost"},
	{"watermark", "slow", {{HOUR "\n", ""}}, "interval-missing"},
	{"watermark", "slow", {{"'1 h'", "'1 min'"}}, "interval=1min"},
	{"watermark", "slow", {{"'1 h'", "'PT10S'"}}, "interval=10s"},
	{"watermark", "slow", {{"'1 h'", "'3600'"}}, "interval=3600ms"},
	{"watermark", "slow",
		{{"pipeline.auto-watermark-interval", "pipeline.auto-watermark.interval"}},
		"set-misspelt"},
	{"watermark", "slow",
		{{"pipeline.auto-watermark-interval", "pipeline.auto-watermarks-interval"}},
		"set-misspelt"},
	{"watermark", "slow",
		{{"pipeline.auto-watermark-interval", "table.exec.auto-watermark-interval"}},
		"set-misspelt"},
	{"watermark", "slow", {{"'1 h'", "'0'"}}, "interval=0"},
	{"watermark", "slow", {{"'1 h'", "'200 ms'"}}, "interval=200ms"},
	{"watermark", "slow", {{HOUR "\n", ""}, {W_DELAY, "ts - INTERVAL '1' HOUR"}},
		"interval-missing, delay=1h"},
	{"watermark", "slow", {{W_DELAY, "ts - INTERVAL '30' SECOND"}}, "delay=30s"},
	{"watermark", "filtered", {{STREAM, HOUR "\n" STREAM}}, "interval=1h"},
	{"watermark", "filtered",
		{{W_KEEP, "CURRENT_WATERMARK(ts) IS NULL OR ts - INTERVAL '5' SECOND > "
			  "CURRENT_WATERMARK(ts)"}},
		"late-by=wm+5s"},
	{"watermark", "late", {{",\n  WATERMARK FOR ts AS ts - INTERVAL '5' SECOND", ""}},
		"no-watermark"},
	{"watermark", "late", {{"watermark_events.csv", "variants/sorted/events.csv"}},
		"sorted-input"},
	{"watermark", "slow", {{HOUR, ""}, {W_GROUP, W_GROUP "\n" HOUR}}, "set-after-query"},
	{"watermark", "slow", {{HOUR, "--" HOUR}}, "set-lost"},
	{"watermark", "slow", {{HOUR, HOUR "\nRESET 'pipeline.auto-watermark-interval';"}},
		"set-lost"},
	{"watermark", "w5",
		{{STREAM, STREAM "\nSET 'pipeline.auto-watermark-interval' = '10 min';"}},
		"interval=10min"},
	/* windows */
	{"watermark", "w5", {{W_SIZE, "INTERVAL '30' SECOND"}}, "window-size=30s"},
	{"watermark", "w5",
		{{W_FROM, "FROM TUMBLE(DATA => TABLE events, TIMECOL => DESCRIPTOR(ts), SIZE => "
			  "INTERVAL '120' SECOND(3))"}},
		"window-size=2min"},
	{"watermark", "batch",
		{{"SELECT", "WITH w AS (SELECT * FROM TABLE(TUMBLE(TABLE events, DESCRIPTOR(ts), "
			    "INTERVAL '2' MINUTE))) SELECT"},
			{W_FROM, "FROM w"}},
		"window-size=2min"},
	{"window", "hop", {{"'5' MINUTE", "'2' MINUTE"}}, "window-slide=2min"},
	{"window", "hop", {{"'10' MINUTE", "'20' MINUTE"}}, "window-size=20min"},
	{"window", "hop",
		{{"INTERVAL '5' MINUTE, INTERVAL '10' MINUTE",
			"INTERVAL '5' MINUTE, INTERVAL '10' MINUTE, INTERVAL '2' MINUTE"}},
		"offset=2min"},
	{"window", "cumulate", {{"'10' MINUTE", "'20' MINUTE"}}, "window-slide=20min"},
	{"window", "cumulate", {{"'1' HOUR", "'30' MINUTE"}}, "window-size=30min"},
	{"window", "cumulate", {{"CUMULATE(", "HOP("}}, "window-kind=HOP"},
	{"window", "hop", {{"HOP(", "cumulate("}}, "window-kind=CUMULATE"},
	{"window", "session", {{"SESSION(TABLE orders PARTITION BY shop,", "TUMBLE(TABLE orders,"}},
		"window-kind=TUMBLE"},
	{"window", "session", {{"'5' MINUTE", "'00:07' HOUR TO MINUTE"}}, "session-gap=7min"},
	{"window", "session", {{" PARTITION BY shop", ""}}, "session-partition"},
	{"window", "session", {{" PARTITION BY shop", " PARTITION BY item"}}, "session-partition"},
	{"window", "tumble", {{"'10' MINUTE)", "'10' MINUTE, INTERVAL '-3' MINUTE)"}},
		"offset=-3min"},
	{"watermark", "w5",
		{{W_ITEMS,
			 "FLOOR(ts TO MINUTE) AS window_start, FLOOR(ts TO MINUTE) + INTERVAL '1' "
			 "MINUTE AS window_end, COUNT(*) AS cnt, SUM(reading) AS total"},
			{W_FROM, "FROM events"}, {W_GROUP, "GROUP BY FLOOR(ts TO MINUTE);"}},
		"no-window=FLOOR"},
	{"window", "tvf",
		{{"FROM TUMBLE(TABLE orders, DESCRIPTOR(ts), INTERVAL '10' MINUTE)",
			"FROM (SELECT *, ts AS window_start, ts AS window_end, ts AS "
			"window_time FROM orders)"}},
		"no-window=none"},
	/* groups and columns */
	{"watermark", "w5", {{W_GROUP, "GROUP BY window_start, window_end, sensor;"}},
		"group-key-extra=sensor"},
	{"window", "shop", {{"window_end, shop;", "window_end, shop, item;"}},
		"group-key-extra=item"},
	{"window", "shop",
		{{"SELECT window_start, window_end, shop,", "SELECT window_start, window_end,"},
			{"window_end, shop;", "window_end;"}},
		"group-key-missing=shop, column-missing=shop"},
	{"watermark", "w5",
		{{W_ITEMS, "window_start, COUNT(*) AS cnt, SUM(reading) AS total"},
			{W_GROUP, "GROUP BY window_start;"}},
		"group-key-missing=window_end, column-missing=window_end"},
	{"watermark", "w5", {{"SUM(reading)", "max(reading)"}}, "agg-function=MAX"},
	{"watermark", "w5",
		{{"SUM(reading)", "MIN(r)"}, {W_FROM, "FROM TUMBLE((SELECT ts, reading AS r FROM "
						      "events), DESCRIPTOR(ts), INTERVAL '1' "
						      "MINUTE)"}},
		"agg-function=MIN"},
	{"watermark", "w5", {{"COUNT(*)", "COUNT(DISTINCT sensor)"}},
		"agg-function=COUNT-DISTINCT:sensor"},
	{"watermark", "w5", {{"SUM(reading)", "SUM(CAST(event_id AS INT))"}},
		"agg-column=event_id"},
	{"watermark", "w5", {{W_ITEMS, "window_start, window_end, COUNT(*) AS cnt"}},
		"column-missing=total"},
	{"watermark", "w5", {{W_ITEMS, W_ITEMS ", MAX(reading) AS top"}}, "column-extra=top"},
	{"watermark", "w5", {{"AS cnt", "AS n"}}, "column-names"},
	{"watermark", "w5", {{" AS total", ""}}, "column-names=EXPR$"},
	{"watermark", "w5",
		{{W_ITEMS, "COUNT(*) AS cnt, window_start, window_end, SUM(reading) AS total"}},
		"column-order"},
	{"watermark", "w5",
		{{W_ITEMS, "window_start, window_end, SUM(reading) AS cnt, COUNT(*) AS total"}},
		"column-names"},
	{"watermark", "w5",
		{{"SELECT " W_ITEMS, "SELECT event_id, window_start, window_end, reading"},
			{"\n" W_GROUP, ";"}},
		"aggregated=missing"},
	{"watermark", "late",
		{{"event_id, ts, CURRENT_WATERMARK(ts) AS wm", "COUNT(event_id) AS n"}},
		"aggregated=extra"},
	{"watermark", "late", {{"CURRENT_WATERMARK(ts) AS wm", "ts - INTERVAL '5' SECOND AS wm"}},
		"column-value"},
	/* filters */
	{"watermark", "w5", {{W_FROM, W_FROM "\nWHERE sensor <> 's2'"}}, "where-extra"},
	{"watermark", "w5",
		{{W_FROM, "FROM TUMBLE((SELECT * FROM events WHERE reading < 90), DESCRIPTOR(ts), "
			  "INTERVAL '1' MINUTE)"}},
		"where-extra"},
	{"watermark", "w5",
		{{W_GROUP, "GROUP BY window_start, window_end HAVING SUM(reading) > 2000;"}},
		"where-extra"},
	{"watermark", "w5",
		{{"SELECT " W_ITEMS, "SELECT * FROM (SELECT " W_ITEMS},
			{W_GROUP, "GROUP BY window_start, window_end) WHERE cnt < 40;"}},
		"where-extra"},
	{"watermark", "w5", {{W_FROM, W_FROM " WHERE " W_KEEP}}, "filter-extra"},
	{"watermark", "w5", {{W_FROM, W_FROM " WHERE COALESCE(ts > CURRENT_WATERMARK(ts), TRUE)"}},
		"filter-extra"},
	{"watermark", "filtered", {{"TABLE on_time", "TABLE events"}}, "filter-missing"},
	{"watermark", "filtered", {{"WHERE " W_KEEP, ""}}, "filter-missing"},
	{"watermark", "filtered", {{W_KEEP, "NOT (ts > CURRENT_WATERMARK(ts))"}},
		"filter-inverted"},
	{"watermark", "filtered", {{W_KEEP, W_LATE}}, "filter-inverted"},
	{"watermark", "filtered", {{W_KEEP, "CURRENT_WATERMARK(ts) < ts"}}, "null-first-row"},
	{"watermark", "filtered", {{W_KEEP, "NOT ts <= CURRENT_WATERMARK(ts)"}}, "null-first-row"},
	{"watermark", "filtered",
		{{W_KEEP,
			"NOT (CURRENT_WATERMARK(ts) IS NOT NULL AND ts < CURRENT_WATERMARK(ts))"}},
		"late-cmp=>="},
	{"watermark", "filtered",
		{{W_KEEP, "CURRENT_WATERMARK(ts) IS NOT NULL OR ts > CURRENT_WATERMARK(ts)"}},
		"null-check"},
	{"watermark", "filtered",
		{{W_KEEP, "CURRENT_WATERMARK(ts) IS NULL OR ts + INTERVAL '3' SECOND > "
			  "CURRENT_WATERMARK(ts)"}},
		"late-by=wm-3s"},
	{"watermark", "filtered",
		{{W_KEEP, "CURRENT_WATERMARK(ts) IS NULL OR FLOOR(ts TO MINUTE) + INTERVAL '1' "
			  "MINUTE > "
			  "CURRENT_WATERMARK(ts)"}},
		"late-by=window"},
	{"watermark", "late", {{W_LATE, "ts < CURRENT_WATERMARK(ts)"}}, "late-cmp=<"},
	{"watermark", "late", {{W_LATE, "ts > CURRENT_WATERMARK(ts)"}}, "filter-inverted"},
	{"watermark", "late", {{W_LATE, W_KEEP}}, "filter-inverted"},
	{"watermark", "late", {{W_LATE, "ts <= CURRENT_WATERMARK(ts) - INTERVAL '2' SECOND"}},
		"late-by=wm-2s"},
	{"watermark", "late", {{"\nWHERE " W_LATE, ""}}, "filter-missing"},
	{"watermark", "late",
		{{W_LATE, "CURRENT_WATERMARK(ts) IS NULL OR ts <= CURRENT_WATERMARK(ts)"}},
		"null-check"},
	{"watermark", "late", {{W_LATE, W_LATE " AND reading > 50"}}, "where-extra"},
	/* limits, Top-N */
	{"watermark", "late", {{W_LATE ";", W_LATE " LIMIT 5;"}}, "limit=5"},
	{"window", "tvf", {{"MINUTE);", "MINUTE)\nFETCH FIRST 7 ROWS ONLY;"}}, "limit=7"},
	{"window", "topshop", {{"rn <= 2", "rn < 4"}}, "topn-n=3"},
	{"window", "topshop", {{"rn <= 2", "rn = 1"}}, "topn-n=1"},
	{"window", "toporder", {{"rn <= 3", "rn BETWEEN 1 AND 5"}}, "topn-n=5"},
	{"window", "toporder", {{"amount DESC", "order_id DESC"}}, "topn-order"},
	{"window", "toporder", {{"ORDER BY amount DESC", "ORDER BY amount ASC"}}, "topn-order"},
	{"window", "topshop", {{"ORDER BY total DESC", "ORDER BY total"}}, "topn-order"},
	{"window", "topshop",
		{{"PARTITION BY window_start, window_end ORDER", "PARTITION BY window_start, "
								 "window_end, shop ORDER"}},
		"topn-partition"},
	{"window", "toporder", {{"PARTITION BY window_start, window_end ", ""}}, "topn-partition"},
	{"window", "topshop", {{"SUM(amount)", "COUNT(*)"}}, "agg-function=COUNT"},
	/* the table */
	{"watermark", "w5", {{"reading INT", "reading STRING"}}, "ddl-columns"},
	{"watermark", "w5", {{"sensor STRING,\n  reading INT,", "reading INT,\n  sensor STRING,"}},
		"ddl-columns=order | error-csv"},
	{"watermark", "w5", {{"watermark_events.csv", "watermark_event.csv"}}, "path"},
	{"watermark", "w5", {{"watermark_events.csv", "variants/sorted/events.csv"}},
		"sorted-input"},
	{"watermark", "w5", {{"watermark_events.csv", "variants/other/events.csv"}}, "other-data"},
	{"watermark", "w5", {{",\n  WATERMARK FOR ts AS ts - INTERVAL '5' SECOND", ""}},
		"no-watermark"},
	{"watermark", "w5",
		{{"  ts TIMESTAMP(3),", "  t TIMESTAMP(3),\n  ts AS t - INTERVAL '2' HOUR,"}},
		"time-zone"},
	/* two at once */
	{"watermark", "w5", {{W_DELAY, "ts"}, {W_SIZE, "INTERVAL '2' MINUTE"}},
		"delay=0s, window-size=2min"},
	{"watermark", "w5", {{W_DELAY, "ts"}, {"SUM(reading)", "AVG(reading)"}},
		"delay=0s, agg-function=AVG"},
	{"window", "shop",
		{{"'10' MINUTE", "'5' MINUTE"}, {"window_end, shop;", "window_end, shop, item;"}},
		"window-size=5min, group-key-extra=item"},
	/* one that counts, beside one that changes nothing */
	{"watermark", "w5",
		{{W_SIZE, "INTERVAL '30' SECOND"}, {"COUNT(*)", "COUNT(DISTINCT event_id)"}},
		"window-size=30s"},
	{"watermark", "w5",
		{{W_SIZE, "INTERVAL '30' SECOND"}, {"GROUP BY", "WHERE event_id > 0 GROUP BY"}},
		"window-size=30s"},
	{"watermark", "w5",
		{{W_DELAY, "ts"},
			{STREAM, STREAM "\nSET 'pipeline.auto-watermark-interval' = '100 ms';"}},
		"delay=0s"},
	{"window", "toporder", {{W_DELAY, "ts"}, {"rn <= 3", "rn <= 2"}}, "topn-n=2"},
	/* names of the learner's own, and the table's columns renamed */
	{"watermark", "w5", {{"  reading INT,", "  val INT,"}, {"SUM(reading)", "AVG(val)"}},
		"agg-function=AVG"},
	{"watermark", "w5",
		{{"  event_id BIGINT,\n  sensor STRING,\n  reading INT,\n  ts TIMESTAMP(3),\n  "
		  "WATERMARK FOR ts AS ts - "
		  "INTERVAL '5' SECOND",
			 "  id BIGINT,\n  s STRING,\n  v INT,\n  t TIMESTAMP(3),\n  WATERMARK FOR "
			 "t AS t - "
			 "INTERVAL '6' SECOND"},
			{"SUM(reading)", "SUM(v)"}, {"DESCRIPTOR(ts)", "DESCRIPTOR(t)"}},
		"delay=6s"},
	{"watermark", "w5",
		{{"  reading INT,", "  val INT,"}, {"SUM(reading)", "SUM(val)"},
			{W_GROUP, "GROUP BY window_start, window_end, val;"}},
		"group-key-extra=val"},
	{"watermark", "late",
		{{"  ts TIMESTAMP(3),\n  WATERMARK FOR ts AS ts -",
			 "  t TIMESTAMP(3),\n  WATERMARK FOR t AS t -"},
			{"event_id, ts, CURRENT_WATERMARK(ts) AS wm",
				"event_id, t AS ts, CURRENT_WATERMARK(t) AS wm"},
			{W_LATE, "t < CURRENT_WATERMARK(t)"}},
		"late-cmp=<"},
	/* through views and aliases */
	{"watermark", "w5",
		{{"SELECT " W_ITEMS, "SELECT s AS window_start, e AS window_end, COUNT(*) AS cnt, "
				     "SUM(r) AS total"},
			{W_FROM, "FROM (SELECT window_start AS s, window_end AS e, event_id AS r "
				 "FROM TUMBLE(TABLE "
				 "events, DESCRIPTOR(ts), INTERVAL '1' MINUTE)) AS x"},
			{W_GROUP, "GROUP BY s, e;"}},
		"agg-column=event_id"},
	{"watermark", "filtered",
		{{"CREATE VIEW on_time AS\nSELECT * FROM events\nWHERE " W_KEEP ";",
			"CREATE VIEW wm AS SELECT *, CURRENT_WATERMARK(ts) AS w FROM "
			"events;\nCREATE VIEW on_time AS "
			"SELECT event_id, reading, ts FROM wm WHERE w IS NULL OR w <= ts;"}},
		"late-cmp=>="},
	{"watermark", "late",
		{{"SELECT event_id, ts, CURRENT_WATERMARK(ts) AS wm\nFROM events\nWHERE " W_LATE
		  ";",
			"WITH a AS (SELECT event_id, ts, CURRENT_WATERMARK(ts) AS wm FROM events), "
			"b AS (SELECT * "
			"FROM a WHERE wm IS NOT NULL)\nSELECT event_id, ts, wm FROM b WHERE wm > "
			"ts + INTERVAL '1' "
			"SECOND;"}},
		"late-by=wm-1.001s | late-by=wm-1001ms"},
	{"watermark", "sweep", {{"'30' SECOND", "'1' MINUTE"}}, "delay=1min"},
	{"watermark", "sweep",
		{{"TABLE events_0, DESCRIPTOR(ts), INTERVAL '1'",
			 "TABLE events_0, DESCRIPTOR(ts), INTERVAL '5'"},
			{"TABLE events_30, DESCRIPTOR(ts), INTERVAL '1'",
				"TABLE events_30, DESCRIPTOR(ts), INTERVAL '5'"}},
		"window-size=5min"},
	{"watermark", "sweep", {{"AS ts\n)", "AS ts - INTERVAL '3' SECOND\n)"}}, "delay=3s"},
	{"watermark", "sweep", {{"TABLE events_30,", "TABLE events_0,"}}, "table-repeated"},
	{"watermark", "sweep", {{"SUM(reading)", "MAX(reading)"}}, "agg-function=MAX"},
	{"watermark", "sweep",
		{{"TABLE events_0,", "TABLE x,"}, {"TABLE events_30,", "TABLE events_0,"},
			{"TABLE x,", "TABLE events_30,"}},
		"order-of-tables"},
	/* the ranking through another spelling */
	{"window", "topshop",
		{{"SELECT window_start, window_end, shop, total\nFROM (\n  SELECT *, ROW_NUMBER() "
		  "OVER (PARTITION BY "
		  "window_start, window_end ORDER BY total DESC) AS rn\n  FROM (",
			 "WITH sums AS ("},
			{"    GROUP BY window_start, window_end, shop\n  )\n)\nWHERE rn <= 2;",
				"GROUP BY window_start, window_end, shop), ranked AS (SELECT *, "
				"ROW_NUMBER() OVER "
				"(PARTITION BY window_end, window_start ORDER BY total ASC) AS n "
				"FROM sums)\nSELECT "
				"window_start, window_end, shop, total FROM ranked WHERE n <= 2;"}},
		"topn-order"},
	{"window", "topshop",
		{{"SUM(amount) AS total", "SUM(amount) AS revenue"},
			{"shop, total\n", "shop, revenue AS total\n"},
			{"ORDER BY total DESC", "ORDER BY revenue DESC"}, {"rn <= 2", "rn <= 3"}},
		"topn-n=3"},
	{"window", "toporder", {{"ROW_NUMBER", "RANK"}}, "agg-function=RANK"},
	{"window", "topshop", {{"'10' MINUTE", "'20' MINUTE"}}, "window-size=20min"},
	{"window", "topshop", {{W_DELAY, "ts - INTERVAL '10' MINUTE"}, {"rn <= 2", "rn <= 1"}},
		"topn-n=1 | topn-n=1, delay=10min"},
	/* sessions and keys */
	{"window", "session",
		{{"SELECT window_start, window_end, shop,", "SELECT window_start, window_end,"},
			{"window_end, shop;", "window_end;"}},
		"group-key-missing=shop, column-missing=shop"},
	{"window", "session", {{"'5' MINUTE", "'5' SECOND"}}, "session-gap=5s"},
	{"window", "session",
		{{"SESSION(TABLE orders PARTITION BY shop,",
			 "SESSION(DATA => TABLE orders PARTITION BY shop, TIMECOL =>"},
			{"TIMECOL => DESCRIPTOR(ts), INTERVAL '5' MINUTE",
				"TIMECOL => DESCRIPTOR(ts), GAP => INTERVAL '4' MINUTE"}},
		"session-gap=4min"},
	{"window", "hop",
		{{"HOP(TABLE orders, DESCRIPTOR(ts), INTERVAL '5' MINUTE, INTERVAL '10' MINUTE)",
			"HOP(DATA => TABLE orders, TIMECOL => DESCRIPTOR(ts), SIZE => INTERVAL "
			"'10' MINUTE, SLIDE => INTERVAL '1' MINUTE)"}},
		"window-slide=1min"},
	{"window", "cumulate",
		{{"INTERVAL '10' MINUTE, INTERVAL '1' HOUR",
			"INTERVAL '10' MINUTE, INTERVAL '1' HOUR, INTERVAL '5' MINUTE"}},
		"offset=5min"},
	{"window", "hop",
		{{"INTERVAL '5' MINUTE, INTERVAL '10' MINUTE",
			"INTERVAL '10' MINUTE, INTERVAL '5' MINUTE"}},
		"window-args-swapped"},
	{"window", "cumulate",
		{{"INTERVAL '10' MINUTE, INTERVAL '1' HOUR",
			"INTERVAL '1' HOUR, INTERVAL '10' MINUTE"}},
		"window-args-swapped"},
	{"window", "tvf",
		{{"order_id, shop, amount, ts, window_start, window_end, window_time",
			 "window_start, window_end, COUNT(*) AS n"},
			{"MINUTE);", "MINUTE) GROUP BY window_start, window_end;"}},
		"aggregated=extra"},
	{"window", "tvf", {{"MINUTE);", "MINUTE) WHERE amount > 1000;"}}, "where-extra"},
	{"window", "shop", {{"window_end, shop;", "window_end, shop HAVING SUM(amount) > 1000;"}},
		"where-extra"},
	{"window", "shop",
		{{"window_start, window_end, shop, COUNT(*)",
			 "window_start, window_end, item, COUNT(*)"},
			{"window_end, shop;", "window_end, item;"}},
		"group-key-missing=shop, group-key-extra=item"},
	/* legacy windows with a mistake */
	{"watermark", "w5",
		{{W_ITEMS, "TUMBLE_START(ts, INTERVAL '2' MINUTE) AS window_start, TUMBLE_END(ts, "
			   "INTERVAL '2' MINUTE) AS window_end, COUNT(*) AS cnt, SUM(reading) AS "
			   "total"},
			{W_FROM, "FROM events"},
			{W_GROUP, "GROUP BY TUMBLE(ts, INTERVAL '2' MINUTE);"}},
		"window-size=2min, legacy-window"},
	/* a table's definition */
	{"watermark", "ddl", {{W_DELAY, "ts - INTERVAL '5' HOUR"}}, "delay=5h"},
	{"watermark", "ddl", {{"  reading INT,", "  reading DOUBLE,"}},
		"ddl-columns=reading:DOUBLE"},
	{"watermark", "ddl",
		{{"  sensor STRING,\n  reading INT,", "  reading INT,\n  sensor STRING,"}},
		"ddl-columns=order"},
	{"watermark", "ddl", {{"  reading INT,", "  value_read INT,"}}, "ddl-columns"},
	{"watermark", "ddl", {{"  reading INT,", "  reading INT,\n  note STRING,"}}, "ddl-columns"},
	{"watermark", "ddl",
		{{"CREATE TABLE events", "CREATE TABLE my_events"},
			{"DESCRIBE events", "DESCRIBE my_events"}},
		"table-option=name"},
	{"watermark", "ddl", {{"'csv'", "'json'"}}, "table-option=format"},
	{"watermark", "ddl", {{"watermark_events.csv", "watermark-events.csv"}}, "path"},
	{"watermark", "ddl",
		{{"CREATE TABLE events",
			"SET 'execution.runtime-mode' = 'batch';\nCREATE TABLE events"}},
		"batch-mode"},
	{"watermark", "ddl",
		{{"WATERMARK FOR ts AS ts - INTERVAL '5' SECOND", "WATERMARK FOR ts AS ts"}},
		"delay=0s"},
	/* errors */
	{"watermark", "w5", {{"CREATE TABLE events (", "CREATE TABLE event ("}},
		"error-unknown-name | create-missing"},
	{"watermark", "w5", {{"DESCRIPTOR(ts)", "DESCRIPTOR(reading)"}},
		"no-time-attribute=reading"},
	{"watermark", "late",
		{{"WHERE CURRENT_WATERMARK(ts) IS NOT NULL",
			"WHERE CURRENT_WATERMARK(event_id) IS NOT NULL"}},
		"no-time-attribute=event_id"},
	{"watermark", "w5", {{W_GROUP, "GROUP BY window_start, window_end ORDER BY cnt;"}},
		"order-by=cnt"},
	{"watermark", "w5", {{"\n" W_GROUP, ";"}}, "group-key-missing=all"},
	{"watermark", "slow", {{"'1 h'", "'one hour'"}}, "set-misspelt"},
	{"watermark", "slow", {{"'1 h'", "'1 stunde'"}}, "set-misspelt"},
	{"watermark", "batch", {{"'batch'", "'batched'"}}, "set-misspelt"},
	{"watermark", "w5", {{"SET 'sql-client.execution.result-mode' = 'tableau';\n", ""}},
		"no-tableau"},
	{"watermark", "w5", {{"'tableau'", "'table'"}}, "no-tableau"},
	{"watermark", "w5", {{"result-mode'", "resultmode'"}}, "set-misspelt"},
	{"watermark", "w5",
		{{"SET 'sql-client.execution.result-mode' = 'tableau';\n", ""},
			{W_GROUP, W_GROUP "\nSET 'sql-client.execution.result-mode' = 'tableau';"}},
		"set-after-query"},
	{"watermark", "w5",
		{{",\n  WATERMARK FOR ts AS ts - INTERVAL '5' SECOND", ""},
			{"'streaming'", "'batch'"}},
		"batch-mode | batch-mode, no-watermark"},
	/* not what was asked, and not a column of it either */
	{"watermark", "w5", {{"SUM(reading) AS total", "SUM(reading) * 2 AS total"}},
		"column-value"},
	{"watermark", "w5", {{"SUM(reading) AS total", "SUM(reading) / COUNT(*) AS total"}},
		"column-value"},
	{"watermark", "w5", {{"COUNT(*) AS cnt", "COUNT(*) + 1 AS cnt"}}, "column-value"},
	{"watermark", "w5",
		{{"window_end, COUNT", "window_time AS window_end, COUNT"},
			{W_GROUP, "GROUP BY window_start, window_time;"}},
		"column-value, group-key-missing=window_end | column-value"},
	/* right answers */
	{"watermark", "w5",
		{{W_FROM, "FROM TUMBLE(TABLE v, DESCRIPTOR(t), INTERVAL '60' SECOND)"},
			{"SELECT window_start", "CREATE VIEW v AS SELECT ts AS t, reading FROM "
						"events;\nSELECT window_start"}},
		"-"},
	{"watermark", "late", {{W_LATE, "NOT (ts > CURRENT_WATERMARK(ts))"}}, "-"},
	{"watermark", "filtered", {{W_KEEP, "(ts > CURRENT_WATERMARK(ts)) IS NOT FALSE"}}, "-"},
	{"watermark", "w5", {{"COUNT(*)", "SUM(1)"}}, "-"},
	{"watermark", "w5", {{"SUM(reading)", "SUM(reading * 1)"}}, "-"},
	{"watermark", "w5", {{"COUNT(*)", "COUNT(DISTINCT event_id)"}}, "-"},
	{"watermark", "w5", {{W_FROM, W_FROM "\nWHERE reading IS NOT NULL"}}, "-"},
	{"watermark", "w5", {{W_FROM, W_FROM "\nWHERE event_id > 0"}}, "-"},
	{"watermark", "filtered",
		{{W_KEEP, "CASE WHEN CURRENT_WATERMARK(ts) IS NULL THEN TRUE ELSE ts > "
			  "CURRENT_WATERMARK(ts) END"}},
		"-"},
	{"watermark", "filtered",
		{{W_KEEP, "ts > COALESCE(CURRENT_WATERMARK(ts), TIMESTAMP '1970-01-01 00:00:00')"}},
		"-"},
	{"watermark", "late", {{W_LATE, "CURRENT_WATERMARK(ts) >= ts"}}, "-"},
	{"window", "session", {{"'5' MINUTE", "'300' SECOND(3)"}}, "-"},
	{"window", "toporder", {{"rn <= 3", "rn < 4"}}, "-"},
	{"window", "topshop", {{"rn <= 2", "rn BETWEEN 1 AND 2"}}, "-"},
	{"window", "topshop", {{"rn <= 2", "NOT rn > 2"}}, "-"},
};

/* Without the .sql: what the output itself shows of it. */
static const struct variant echoed[] = {
	{"watermark", "w5", {{W_DELAY, "ts - INTERVAL '2' SECOND"}}, "delay=2s"},
	{"watermark", "w5", {{W_SIZE, "INTERVAL '10' SECOND"}}, "window-size=10s"},
	{"watermark", "batch", {{"SUM(reading)", "AVG(reading)"}}, "agg-function=AVG"},
	{"watermark", "filtered", {{"ts > CURRENT", "ts >= CURRENT"}}, "late-cmp=>="},
	{"watermark", "slow", {{W_SIZE, "INTERVAL '2' MINUTE"}}, "window-size=2min"},
	{"window", "hop", {{"'5' MINUTE", "'2' MINUTE"}}, "window-slide=2min"},
	{"window", "session", {{"'5' MINUTE", "'9' MINUTE"}}, "session-gap=9min"},
};

TEST(a_mistake_is_named_in_every_spelling)
{
	struct arena arena;
	struct labs labs = {0};
	struct lab_places places = {.dirs = {"contrib/labs"}, .count = 1};
	struct diag diag = {0};

	arena_init(&arena, LIMIT_GRADE_ARENA);
	CHECK(labs_load(&labs, &places, RECORDED "/root", NULL, true, &diag) == 0);
	for (size_t i = 0; i < sizeof(variants) / sizeof(variants[0]); i++)
		check_variant(&labs, &variants[i], true);
	for (size_t i = 0; i < sizeof(echoed) / sizeof(echoed[0]); i++)
		check_variant(&labs, &echoed[i], false);
	labs_finish(&labs);
	arena_finish(&arena);
}

int main(void)
{
	RUN(a_mistake_is_named_in_every_spelling);
	return test_finish();
}
