/* Mounts: by /proc/self/mountinfo, which names what is mounted as it is called at the moment: a
 * folder that was renamed has its new name, one that was removed "//deleted" behind the old one
 * (seen with Linux 6.18, on ext4 and an overlay). Events tell neither: a folder that is mounted
 * is not freed by its removal. */
#include "daemon/mounts.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "parser/arena.h"

/* Some thousand mounts; what is behind them is not looked at. */
#define TABLE_BYTES (256u << 10)

static struct text read_table(struct arena *arena)
{
	char *bytes = arena_alloc(arena, TABLE_BYTES);
	int fd = open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC);
	struct text table = {bytes, 0};
	ssize_t n = 1;

	while (bytes && fd >= 0 && n > 0 && table.len < TABLE_BYTES) {
		n = read(fd, bytes + table.len, TABLE_BYTES - table.len);
		table.len += n > 0 ? (size_t)n : 0;
	}
	if (fd >= 0)
		close(fd);
	return table;
}

/* ID PARENT DEVICE ROOT POINT ...; blanks in paths are written as \040. */
static struct mount read_line(struct text line)
{
	struct mount mount = {.id = text_next_word(&line)};

	text_next_word(&line);
	text_next_word(&line);
	mount.root = text_next_word(&line);
	mount.point = text_next_word(&line);
	return mount;
}

static bool is_below(struct text point, struct text folder)
{
	return text_starts(point, folder) && point.len > folder.len && point.ptr[folder.len] == '/';
}

void mounts_note(struct arena *arena, const char *folder, struct mounts *ret)
{
	struct mounts mounts = {0};
	struct arena scratch;
	struct text table, line;
	size_t room = 0;

	arena_init(&scratch, 2 * TABLE_BYTES);
	table = read_table(&scratch);
	while (text_next_line(&table, &line)) {
		struct mount mount = read_line(line);

		if (!is_below(mount.point, text_of(folder)) ||
			arena_grow(arena, &mounts.items, mounts.count, &room,
				sizeof(*mounts.items)) < 0)
			continue;
		mounts.items[mounts.count++] = (struct mount){text_copy(arena, mount.id),
			text_copy(arena, mount.root), text_copy(arena, mount.point)};
	}
	arena_finish(&scratch);
	*ret = mounts;
}

static bool is_stale(const struct mount *before, const struct mount *now)
{
	return text_eq(before->id, now->id) && text_eq(before->point, now->point) &&
	       (!text_eq(before->root, now->root) || text_ends(now->root, TEXT("//deleted")));
}

const struct mount *mounts_stale(const struct mounts *mounts)
{
	const struct mount *stale = NULL;
	struct arena scratch;
	struct text table, line;

	if (!mounts->count)
		return NULL;
	arena_init(&scratch, 2 * TABLE_BYTES);
	table = read_table(&scratch);
	while (!stale && text_next_line(&table, &line)) {
		struct mount now = read_line(line);

		for (size_t i = 0; !stale && i < mounts->count; i++)
			if (is_stale(&mounts->items[i], &now))
				stale = &mounts->items[i];
	}
	arena_finish(&scratch);
	return stale;
}
