/* No processes. */
#pragma once

#include <sys/types.h>

#define WIFEXITED(status) ((void)(status), 0)
#define WIFSIGNALED(status) ((void)(status), 0)
#define WEXITSTATUS(status) (status)
#define WTERMSIG(status) (status)

pid_t waitpid(pid_t, int *status, int options);
