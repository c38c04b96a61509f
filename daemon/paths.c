/* Paths: what follows from their text alone, but for reading a link. */
#include "daemon/paths.h"

#include <string.h>
#include <unistd.h>

struct text path_next(struct text *rest)
{
	struct text name;
	size_t len;

	do {
		while (rest->len && rest->ptr[0] == '/')
			*rest = text_slice(*rest, 1, rest->len);
		len = text_find(*rest, TEXT("/"));
		name = text_slice(*rest, 0, len);
		*rest = text_slice(*rest, len, rest->len);
	} while (text_eq(name, TEXT(".")));
	return name;
}

bool path_climbs(struct text path)
{
	struct text name;

	while ((name = path_next(&path)).len)
		if (text_eq(name, TEXT("..")))
			return true;
	return false;
}

struct text path_folder(struct text path)
{
	while (path.len && path.ptr[path.len - 1] != '/')
		path.len--;
	return path;
}

struct text path_name(struct text path)
{
	return text_slice(path, path_folder(path).len, path.len);
}

bool path_link(int dirfd, const char *path, char ret[NAME_MAX + 1])
{
	/* Not into *ret: GCC, with sanitizers, takes an array of a caller for one that may be NULL. */
	char target[NAME_MAX + 1];
	ssize_t len = readlinkat(dirfd, path, target, sizeof(target));

	if (len <= 0 || len > NAME_MAX || memchr(target, '/', (size_t)len))
		return false;
	target[len] = '\0';
	memcpy(ret, target, (size_t)len + 1);
	return strcmp(target, ".") != 0 && strcmp(target, "..") != 0;
}
