/* Keys, interned by reference count. Flink keys its state by the bytes of a row; one pointer a key
 * makes the lookups of windows and timers a comparison of two words. */
#include "sim/key.h"

#include <string.h>

#include "sim/pool.h"

#define FIRST_BUCKETS 64

void key_table_init(
	struct key_table *table, struct pool *pool, const struct sql_type *types, size_t width)
{
	*table = (struct key_table){.pool = pool, .types = types, .width = width};
}

bool type_is_text(const struct sql_type *type)
{
	switch (type->kind) {
	case SQL_ANY:
	case SQL_CHAR:
	case SQL_VARCHAR:
	case SQL_BINARY:
	case SQL_VARBINARY: return true;
	default: return false;
	}
}

static uint64_t mix(uint64_t hash, uint64_t word)
{
	hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
	return hash ^ hash >> 32;
}

static uint64_t hash_text(struct text text)
{
	uint64_t hash = text.len;
	size_t i = 0;

	for (; i + 8 <= text.len; i += 8) {
		uint64_t word;

		memcpy(&word, text.ptr + i, sizeof(word));
		hash = mix(hash, word);
	}
	if (i < text.len) {
		uint64_t word = 0;

		for (; i < text.len; i++)
			word = word << 8 | (unsigned char)text.ptr[i];
		hash = mix(hash, word);
	}
	return hash;
}

uint64_t value_hash(const struct sql_type *type, const struct value *value)
{
	if (value->null)
		return 1;
	if (type_is_text(type))
		return hash_text(value->s);
	if (type->kind == SQL_DECIMAL)
		return mix((uint64_t)value->dec, (uint64_t)(value->dec >> 64));
	return mix((uint64_t)value->i, (uint64_t)value->nanos);
}

bool value_same(const struct sql_type *type, const struct value *a, const struct value *b)
{
	if (a->null || b->null)
		return a->null && b->null;
	if (type_is_text(type))
		return text_eq(a->s, b->s);
	if (type->kind == SQL_DECIMAL)
		return a->dec == b->dec;
	return a->i == b->i && a->nanos == b->nanos;
}

static uint64_t hash_values(const struct key_table *table, const struct value *values)
{
	uint64_t hash = 0;

	for (size_t i = 0; i < table->width; i++)
		hash = mix(hash, value_hash(&table->types[i], &values[i]));
	return hash;
}

static bool same_values(
	const struct key_table *table, const struct key *key, const struct value *values)
{
	for (size_t i = 0; i < table->width; i++)
		if (!value_same(&table->types[i], &key->values[i], &values[i]))
			return false;
	return true;
}

static bool grow(struct key_table *table)
{
	size_t count = table->bucket_count ? table->bucket_count * 2 : FIRST_BUCKETS;
	struct key **buckets;

	if (table->count < table->bucket_count)
		return true;
	buckets = pool_alloc(table->pool, count * sizeof(struct key *));
	if (!buckets)
		return false;
	for (size_t i = 0; i < table->bucket_count; i++) {
		struct key *next;

		for (struct key *key = table->buckets[i]; key; key = next) {
			next = key->next;
			key->next = buckets[key->hash & (count - 1)];
			buckets[key->hash & (count - 1)] = key;
		}
	}
	pool_free(table->pool, table->buckets, table->bucket_count * sizeof(struct key *));
	table->buckets = buckets;
	table->bucket_count = count;
	return true;
}

static size_t key_size(const struct key_table *table, const struct value *values)
{
	size_t size = sizeof(struct key) + table->width * sizeof(struct value);

	for (size_t i = 0; i < table->width; i++)
		if (type_is_text(&table->types[i]) && !values[i].null)
			size += values[i].s.len;
	return size;
}

static struct key *new_key(struct key_table *table, const struct value *values, uint64_t hash)
{
	size_t size = key_size(table, values);
	struct key *key = pool_alloc(table->pool, size);
	char *bytes;

	if (!key)
		return NULL;
	*key = (struct key){.hash = hash, .size = size};
	bytes = (char *)&key->values[table->width];
	for (size_t i = 0; i < table->width; i++) {
		key->values[i] = values[i];
		if (!type_is_text(&table->types[i]) || values[i].null || !values[i].s.len)
			continue;
		key->values[i].s.ptr = memcpy(bytes, values[i].s.ptr, values[i].s.len);
		bytes += values[i].s.len;
	}
	return key;
}

struct key *key_get(struct key_table *table, const struct value *values)
{
	uint64_t hash = hash_values(table, values);
	struct key *key = table->recent, **bucket;

	if (key && key->hash == hash && same_values(table, key, values))
		return key_hold(key);
	if (!grow(table))
		return NULL;
	bucket = &table->buckets[hash & (table->bucket_count - 1)];
	for (key = *bucket; key; key = key->next)
		if (key->hash == hash && same_values(table, key, values))
			return key_hold(table->recent = key);
	key = new_key(table, values, hash);
	if (!key)
		return NULL;
	key->next = *bucket;
	*bucket = key;
	table->count++;
	return key_hold(table->recent = key);
}

struct key *key_hold(struct key *key)
{
	key->refs++;
	return key;
}

void key_release(struct key_table *table, struct key *key)
{
	struct key **at;

	if (--key->refs)
		return;
	at = &table->buckets[key->hash & (table->bucket_count - 1)];
	while (*at != key)
		at = &(*at)->next;
	*at = key->next;
	table->count--;
	if (table->recent == key)
		table->recent = NULL;
	pool_free(table->pool, key, key->size);
}
