/* Bench: libcsv alone over a file, with the settings of parser/csv.c: the yardstick for ewin-sim.
 *
 *	csv_parse FILE
 *
 * Prints the rows and fields that libcsv calls back for. */
#include <csv.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

struct counts {
	int64_t fields, rows;
};

static void take_field(void *bytes, size_t len, void *ctx)
{
	struct counts *counts = ctx;

	(void)bytes;
	(void)len;
	counts->fields++;
}

static void take_row(int end, void *ctx)
{
	struct counts *counts = ctx;

	(void)end;
	counts->rows++;
}

static int no_space(unsigned char c)
{
	(void)c;
	return 0;
}

int main(int argc, char **argv)
{
	static char bytes[65536];
	struct counts counts = {0, 0};
	struct csv_parser parser;
	ssize_t got;
	int fd = argc == 2 ? open(argv[1], O_RDONLY | O_CLOEXEC) : -1;

	if (fd < 0 || csv_init(&parser, CSV_STRICT | CSV_STRICT_FINI | CSV_REPALL_NL) != 0) {
		fputs("usage: csv_parse FILE\n", stderr);
		return 2;
	}
	csv_set_space_func(&parser, no_space);
	csv_set_blk_size(&parser, 16384);
	while ((got = read(fd, bytes, sizeof(bytes))) > 0)
		if (csv_parse(&parser, bytes, (size_t)got, take_field, take_row, &counts) !=
			(size_t)got)
			return 1;
	csv_fini(&parser, take_field, take_row, &counts);
	csv_free(&parser);
	printf("%" PRId64 " rows, %" PRId64 " fields\n", counts.rows, counts.fields);
	return 0;
}
