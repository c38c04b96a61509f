/* The catalogue's entries, between mutate.c and its groups. Each makes its index-th mistake in a
 * fresh scene and says what it was: 0; -EAGAIN: this one does not apply, the next may; -ENOENT:
 * no more. Lack of memory is in scene->nomem. */
#ifndef EWIN_SIM_MISTAKES_H
#define EWIN_SIM_MISTAKES_H

#include "sim/mutate.h"
#include "sim/scene.h"

#define MISTAKE(name) int name(struct scene *scene, size_t index, struct mistake *ret)

/* Adds a cause. */
void cause_add(struct mistake *mistake, const char *id);
void cause_add_duration(struct mistake *mistake, const char *id, int64_t ms);
void cause_add_number(struct mistake *mistake, const char *id, int64_t number);
void cause_add_name(struct mistake *mistake, const char *id, struct text name);

/* Usual lengths of windows, slides, gaps, in ascending order: the index-th in ms; 0: no more. */
int64_t usual_length_ms(size_t index);

/* Do these lengths make windows, and not too many? step_ms: of HOP and CUMULATE. */
bool lengths_fit(enum window_kind kind, int64_t step_ms, int64_t size_ms);

/* Table, time, settings and input: mutate_table.c */
MISTAKE(make_batch_mode);
MISTAKE(make_streaming_mode);
MISTAKE(make_delay);
MISTAKE(make_no_watermark);
MISTAKE(make_interval);
MISTAKE(make_interval_missing);
MISTAKE(make_time_zone);
MISTAKE(make_sorted_input);
MISTAKE(make_other_data);
MISTAKE(make_unbounded);
MISTAKE(make_column_order);
MISTAKE(make_parallelism);

/* Windows: mutate_window.c */
MISTAKE(make_window_size);
MISTAKE(make_window_slide);
MISTAKE(make_args_swapped);
MISTAKE(make_window_kind);
MISTAKE(make_offset);
MISTAKE(make_session_gap);
MISTAKE(make_session_partition);
MISTAKE(make_lengths_exchanged);

/* Grouping and columns: mutate_group.c, mutate_value.c */
MISTAKE(make_key_extra);
MISTAKE(make_key_missing);
MISTAKE(make_key_exchanged);
MISTAKE(make_no_window);
MISTAKE(make_agg_function);
MISTAKE(make_agg_column);
MISTAKE(make_rows_asked);
MISTAKE(make_aggregate_asked);
MISTAKE(make_watermark_value);
MISTAKE(make_doubled_value);

/* Two at once: mutate_pair.c */
MISTAKE(make_delay_and_other);
MISTAKE(make_delay_and_size);
MISTAKE(make_both_lengths);

/* Filters and limits: mutate_filter.c, mutate_where.c */
MISTAKE(make_filter_missing);
MISTAKE(make_filter_extra);
MISTAKE(make_filter_inverted);
MISTAKE(make_filter_place);
MISTAKE(make_late_cmp);
MISTAKE(make_late_by);
MISTAKE(make_null_first_row);
MISTAKE(make_null_check);
MISTAKE(make_where_extra);
MISTAKE(make_having_extra);
MISTAKE(make_cut_data);
MISTAKE(make_limit);

/* Top-N: mutate_topn.c */
MISTAKE(make_topn_n);
MISTAKE(make_topn_order);
MISTAKE(make_topn_partition);
MISTAKE(make_topn_rows);
MISTAKE(make_topn_sums);
MISTAKE(make_topn_limit);

#endif
