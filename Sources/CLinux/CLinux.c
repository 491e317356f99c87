#define _GNU_SOURCE /* pipe2 */
#include "CLinux.h"

int clinux_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }
