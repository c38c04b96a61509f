/* Errors: a file that could not be opened for want of a descriptor is neither missing nor
 * unreadable. Whoever asked keeps what it knew, says so, and asks again. */
#include "daemon/errors.h"

#include <errno.h>

bool error_passes(int err)
{
	switch (err) {
	case EMFILE:
	case ENFILE:
	case ENOMEM:
	case ENOBUFS:
	case EINTR:
	case EAGAIN:
	case EBUSY:
	case EIO:
	case ENOSPC:
	case EDQUOT:
	case ESTALE:
	case ETIMEDOUT: return true;
	default: return false;
	}
}
