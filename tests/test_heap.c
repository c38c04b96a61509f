/* sim/heap.c: the order in which equal times leave, no duplicates, removal. */
#include "sim/heap.h"

#include "parser/arena.h"
#include "sim/key.h"
#include "sim/pool.h"
#include "tests/test.h"

struct fixture {
	struct arena arena;
	struct pool pool;
	struct heap heap;
	struct key *keys; /* stand-ins, told by their address alone */
};

static void setup(struct fixture *fixture)
{
	arena_init(&fixture->arena, 1 << 20);
	pool_init(&fixture->pool, &fixture->arena);
	heap_init(&fixture->heap, &fixture->pool);
	fixture->keys = arena_array(&fixture->arena, 64, sizeof(struct key));
}

static void push(struct fixture *fixture, int64_t time_ms, size_t key)
{
	struct timer timer = {
		.time_ms = time_ms, .key = &fixture->keys[key], .end_ms = time_ms + 1};

	CHECK(heap_push(&fixture->heap, timer, NULL) == 0);
}

static size_t pop(struct fixture *fixture)
{
	return (size_t)(heap_pop(&fixture->heap).key - fixture->keys);
}

/* Recorded: semantics/many_04 prints the seven keys of one window as A G F E D C B. */
TEST(equal_times_leave_as_flink_prints_them)
{
	static const size_t order[] = {0, 6, 5, 4, 3, 2, 1};
	struct fixture f;

	setup(&f);
	for (size_t key = 0; key < 7; key++)
		push(&f, 59999, key);
	for (size_t i = 0; i < 7; i++)
		CHECK(pop(&f) == order[i]);
	CHECK(!heap_top(&f.heap));
	arena_finish(&f.arena);
}

TEST(times_leave_in_order_and_none_is_lost)
{
	struct fixture f;
	int64_t last = -1;

	setup(&f);
	for (size_t i = 0; i < 500; i++)
		push(&f, (int64_t)(i * 7919 % 101), i % 64);
	CHECK(f.heap.count == 500);
	while (heap_top(&f.heap)) {
		struct timer top = heap_pop(&f.heap);

		CHECK(top.time_ms >= last);
		last = top.time_ms;
	}
	arena_finish(&f.arena);
}

TEST(a_timer_is_queued_once)
{
	struct fixture f;
	bool added = false;
	struct timer timer = {.time_ms = 9, .end_ms = 10};

	setup(&f);
	timer.key = f.keys;
	CHECK(heap_push(&f.heap, timer, &added) == 0 && added);
	CHECK(heap_push(&f.heap, timer, &added) == 0 && !added);
	timer.start_ms = 1;
	CHECK(heap_push(&f.heap, timer, &added) == 0 && added);
	CHECK(f.heap.count == 2);
	arena_finish(&f.arena);
}

TEST(a_timer_is_removed_from_anywhere)
{
	struct fixture f;
	struct timer timer = {.time_ms = 5, .end_ms = 6};

	setup(&f);
	timer.key = &f.keys[3];
	CHECK(!heap_remove(&f.heap, timer));
	for (size_t i = 0; i < 10; i++)
		push(&f, i == 3 ? 5 : (int64_t)i, i);
	CHECK(heap_remove(&f.heap, timer));
	CHECK(!heap_remove(&f.heap, timer));
	CHECK(f.heap.count == 9);
	for (size_t i = 0; i < 9; i++)
		CHECK(pop(&f) == (i < 3 ? i : i + 1));
	arena_finish(&f.arena);
}

int main(void)
{
	RUN(equal_times_leave_as_flink_prints_them);
	RUN(times_leave_in_order_and_none_is_lost);
	RUN(a_timer_is_queued_once);
	RUN(a_timer_is_removed_from_anywhere);
	return test_finish();
}
