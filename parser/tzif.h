/* TZif: the files of the tz database, /usr/share/zoneinfo (RFC 8536). */
#ifndef EWIN_PARSER_TZIF_H
#define EWIN_PARSER_TZIF_H

#include "parser/zone.h"

struct arena;
struct diag;

/* Reads a file of version 2 or later. 0; -EINVAL with a diag: it is none; -ENOMEM. */
int tzif_read(struct arena *arena, struct text bytes, struct zone *ret, struct diag *reterr);

#endif
