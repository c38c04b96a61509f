/* Options: what SET and RESET change, and the settings that a run reads from them. */
#ifndef EWIN_SIM_OPTIONS_H
#define EWIN_SIM_OPTIONS_H

#include "parser/text.h"

struct arena;

struct option {
	struct text key, value;
	bool is_set;
	struct option *next; /* in order of the first SET */
};

struct options {
	struct arena *arena;
	struct option *first;
	size_t count;
};

/* 0 or -ENOMEM. The texts are copied. */
int options_set(struct options *options, struct text key, struct text value);

/* Back to the default; an empty key: all. */
void options_reset(struct options *options, struct text key);

/* The value, or `otherwise` where the key is not set. */
struct text options_get(const struct options *options, const char *key, const char *otherwise);

/* Is it there and true (in any case)? */
bool options_true(const struct options *options, const char *key);

/* A duration as Flink reads it: "200", "200 ms", "1 h", "1min", "PT1H". 0; -EINVAL: no number in
 * front; -ENOTSUP: a unit or size that is not known here. *ret in milliseconds. */
int duration_parse(struct text text, int64_t *ret_ms);

/* The label of a duration that is no unit of Flink's; empty where that is not sure. */
struct text duration_bad_label(struct text text);

/* execution.runtime-mode is batch. */
bool options_batch(const struct options *options);

/* pipeline.auto-watermark-interval in ms. */
int64_t options_interval_ms(const struct options *options);

#endif
