/* SHA-256 (FIPS 180-4): says whether two saves have the same bytes. */
#ifndef EWIN_DAEMON_SHA256_H
#define EWIN_DAEMON_SHA256_H

#include "parser/text.h"

#define SHA256_HEX 65 /* 64 digits and a NUL */

/* The digest of the bytes as lower-case hex. */
void sha256_hex(struct text bytes, char hex[SHA256_HEX]);

#endif
