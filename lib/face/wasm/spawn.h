/* No processes: posix_spawnp fails with ENOSYS. */
#pragma once

#include <errno.h>

typedef int posix_spawn_file_actions_t, posix_spawnattr_t;

#define POSIX_SPAWN_SETSIGDEF 0
#define posix_spawnattr_init(how) ((void)(how))
#define posix_spawnattr_setsigdefault(how, set) ((void)(set))
#define posix_spawnattr_setflags(how, flags) ((void)(how))
#define posix_spawnattr_destroy(how) ((void)(how))
#define posix_spawn_file_actions_init(files) ((void)(files))
#define posix_spawn_file_actions_adddup2(files, from, to) ((void)(from), 0)
#define posix_spawn_file_actions_addopen(files, fd, path, flags, mode) \
	((void)(fd), 0)
#define posix_spawn_file_actions_destroy(files) ((void)(files))
#define posix_spawnp(pid, program, files, how, argv, environ) \
	((void)(pid), (void)(environ), ENOSYS)
