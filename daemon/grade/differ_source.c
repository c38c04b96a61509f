/* Where the rows come from: the file and the options of its table. */
#include "daemon/grade/differing.h"

#include <errno.h>
#include <string.h>

#include "parser/arena.h"
#include "parser/diag.h"
#include "sim/source.h"

static struct text option_of(const struct profile *p, const char *key)
{
	return catalog_option(&p->table, text_of(key));
}

static bool is_on(const struct profile *p, const char *key)
{
	return text_ieq(text_trim(option_of(p, key)), TEXT("true"));
}

/* A file that is larger is no learner's copy of a lab's. */
#define MOST_BYTES (64u << 20)

/* The lines of a file, whatever their order: how many, and the sum of their hashes. Are they in
 * the order of their times? */
struct digest {
	uint64_t sum, hash;
	size_t lines, bytes;
	size_t time, field;	/* the column of the times, and the one at hand, from 0 */
	char now[32], last[32]; /* times as they are written */
	size_t now_len, last_len;
	bool unsorted;
};

#define HASH_START UINT64_C(14695981039346656037)
#define HASH_PRIME UINT64_C(1099511628211)

static void digest_time(struct digest *digest, char c)
{
	if (c == ',')
		digest->field++;
	else if (digest->field == digest->time && digest->now_len < sizeof(digest->now))
		digest->now[digest->now_len++] = c;
}

static void end_time(struct digest *digest)
{
	struct text now = {digest->now, digest->now_len}, last = {digest->last, digest->last_len};

	digest->unsorted = digest->unsorted || text_cmp(now, last) < 0;
	memcpy(digest->last, digest->now, digest->now_len);
	digest->last_len = digest->now_len;
	digest->now_len = digest->field = 0;
}

static void digest_bytes(struct digest *digest, const char *bytes, size_t count)
{
	digest->bytes += count;
	for (size_t i = 0; i < count; i++) {
		if (bytes[i] == '\r')
			continue;
		if (bytes[i] != '\n') {
			digest->hash = (digest->hash ^ (unsigned char)bytes[i]) * HASH_PRIME;
			digest_time(digest, bytes[i]);
			continue;
		}
		end_time(digest);
		digest->sum += digest->hash;
		digest->hash = HASH_START;
		digest->lines++;
	}
}

/* The column of the file's times, from 0. */
static size_t time_column(const struct differing *d)
{
	const struct lab *lab = d->grading->grader->lab;
	struct text path = source_path(&d->asked->table);

	for (size_t i = 0; i < lab->fixture_count; i++)
		if (text_ends(path, lab->fixtures[i].path))
			return lab->fixtures[i].rowtime;
	return SIZE_MAX;
}

/* 0, or -errno as open() and read() say; -EFBIG. */
static int digest_file(struct differing *d, struct text path, struct digest *ret)
{
	const struct sim_files *files = d->grading->grader->data;
	struct digest digest = {.hash = HASH_START, .time = time_column(d)};
	struct reader reader;
	struct diag diag;
	char buf[4096];
	int err = files->open(files->ctx, path, &reader, &diag);
	long got = 1;

	if (err)
		return err;
	while (got > 0 && digest.bytes < MOST_BYTES) {
		got = reader.read(reader.ctx, buf, sizeof(buf));
		digest_bytes(&digest, buf, got > 0 ? (size_t)got : 0);
	}
	if (reader.close)
		reader.close(reader.ctx);
	*ret = digest;
	return got > 0 ? -EFBIG : (int)got;
}

static bool same_lines(const struct digest *a, const struct digest *b)
{
	return a->lines == b->lines && a->sum == b->sum && a->hash == b->hash;
}

static struct text file_name(struct text path)
{
	size_t from = path.len;

	while (from && path.ptr[from - 1] != '/')
		from--;
	return text_slice(path, from, path.len);
}

/* Did the query find a file under its path, though none is here? Other rows are from somewhere. */
static bool is_read(const struct differing *d)
{
	return !differ_described(d) && !d->error.len && !d->right;
}

/* A path that leads elsewhere: to nothing, to the same rows in another order, to other rows. */
static void differ_path(struct differing *d)
{
	struct text asked = source_path(&d->asked->table), mine = source_path(&d->mine->table);
	struct digest a, m;
	int err;

	if (text_eq(asked, mine))
		return;
	if (!mine.len) {
		differ_say(d, DIAG_TABLE_OPTION, TEXT("path"));
		return;
	}
	err = differ_described(d) ? -ENOENT : digest_file(d, mine, &m);
	if (err == -ENOMEM)
		d->causes->nomem = true;
	else if (text_has(d->error, "does not exist") || (err == -ENOENT && !is_read(d)))
		differ_say(d, DIAG_PATH, (struct text){0});
	else if (!err && !m.unsorted && !digest_file(d, asked, &a) && same_lines(&a, &m))
		differ_say(d, DIAG_SORTED_INPUT, (struct text){0});
	else
		differ_say(d, DIAG_OTHER_DATA, file_name(mine));
}

void differ_source(struct differing *d)
{
	static const char *const options[] = {"connector", "format"};
	bool other = false;

	if (!differ_tables(d))
		return;
	if (d->mine->table.option_count == 0 && d->asked->table.option_count) {
		differ_say(d, DIAG_TABLE_OPTION, (struct text){0}); /* no WITH at all */
		return;
	}
	differ_path(d);
	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++)
		if (!text_eq(option_of(d->asked, options[i]), option_of(d->mine, options[i])))
			differ_say(d, DIAG_TABLE_OPTION, text_of(options[i]));
	other = causes_have(d->causes, DIAG_OTHER_DATA);
	if (is_on(d->mine, "csv.ignore-parse-errors") && (other || !d->mine->as_in_lab))
		differ_say(d, DIAG_TABLE_OPTION, TEXT("ignore-parse-errors"));
	if (option_of(d->mine, "source.monitor-interval").ptr &&
		!option_of(d->asked, "source.monitor-interval").ptr)
		differ_say(d, DIAG_UNBOUNDED_SOURCE, (struct text){0});
	if (differ_described(d) && !text_eq(d->asked->table.name, d->mine->table.name))
		differ_say(d, DIAG_TABLE_OPTION, TEXT("name"));
}
