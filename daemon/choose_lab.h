/* Choosing a lab: which one a folder's files belong to, where nobody says it. */
#ifndef EWIN_DAEMON_CHOOSE_LAB_H
#define EWIN_DAEMON_CHOOSE_LAB_H

#include "daemon/labs.h"

/* The lab whose work lies in an open folder, -1 for none: the only lab there is; the only one
 * whose own folder it is; the only one that has this step, where one was named (else empty); the
 * one with most of its steps' files there, and among equals the one whose data their SQL names.
 * NULL where that does not decide. */
struct loaded_lab *choose_lab(const struct labs *labs, int dirfd, struct text step);

/* Is the open folder the lab's own, or does a file of its steps lie there? */
bool lab_works_in(const struct loaded_lab *lab, int dirfd);

#endif
