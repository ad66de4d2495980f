#include "io/confine.h"

#if defined(__linux__) && !defined(UNCONFINED)

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/diag.h"

/* ---- files ---- */

/* The rights that change a file or a folder in Landlock's first version, and
 * the rights that its second (MOVE) and third (TRUNCATE) version added. */
enum {
	CHANGES = LANDLOCK_ACCESS_FS_WRITE_FILE |
	    LANDLOCK_ACCESS_FS_REMOVE_DIR | LANDLOCK_ACCESS_FS_REMOVE_FILE |
	    LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_DIR |
	    LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_MAKE_SOCK |
	    LANDLOCK_ACCESS_FS_MAKE_FIFO | LANDLOCK_ACCESS_FS_MAKE_BLOCK |
	    LANDLOCK_ACCESS_FS_MAKE_SYM,
	MOVE = 1 << 13,
	TRUNCATE = 1 << 14,
	/* The rights that apply to anything but a folder. */
	OF_FILES = LANDLOCK_ACCESS_FS_WRITE_FILE | TRUNCATE,
};

/* Allows the rights below the path if it is a folder, else below the folder of
 * the path. */
static void
allow(int rules, const char *path, bool folder, uint64_t rights)
{
	struct landlock_path_beneath_attr rule = { .allowed_access = rights };
	char *copy = strdup(path);

	if (copy == NULL)
		diag_die("out of memory");
	rule.parent_fd =
	    open(folder ? copy : dirname(copy), O_PATH | O_CLOEXEC);
	if (rule.parent_fd >= 0) {
		syscall(SYS_landlock_add_rule, rules,
		    LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
		close(rule.parent_fd);
	}
	free(copy);
}

/* Allows the rights in the folder of the path, or of its target if the path is
 * a link, which is where a write goes. "-" is open already. */
static void
allow_beside(int rules, const char *path, uint64_t rights)
{
	char *real;

	if (path == NULL || strcmp(path, "-") == 0)
		return;
	real = realpath(path, NULL);
	allow(rules, real != NULL ? real : path, false, rights);
	free(real);
}

static bool
confine_files(const char *const *paths, size_t n)
{
	const char *temporary = getenv("TMPDIR");
	struct landlock_ruleset_attr changes = { .handled_access_fs = CHANGES };
	long version = syscall(SYS_landlock_create_ruleset, NULL, 0,
	    LANDLOCK_CREATE_RULESET_VERSION);
	int rules;
	bool done;

	if (version >= 2)
		changes.handled_access_fs |= MOVE;
	if (version >= 3)
		changes.handled_access_fs |= TRUNCATE;
	rules = version < 1 ? -1
			    : (int)syscall(SYS_landlock_create_ruleset,
				  &changes, sizeof changes, 0);
	if (rules < 0)
		return false;
	if (temporary == NULL || *temporary == '\0')
		temporary = "/tmp";
	allow(rules, temporary, true, changes.handled_access_fs);
	allow(rules, "/dev/null", true, changes.handled_access_fs & OF_FILES);
	for (size_t i = 0; i < n; i++)
		allow_beside(rules, paths[i], changes.handled_access_fs);
	done = syscall(SYS_landlock_restrict_self, rules, 0) == 0;
	close(rules);
	return done;
}

/* ---- the network ---- */

#if defined(__x86_64__) || defined(__i386__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#elif defined(__arm__)
#define ARCHITECTURE AUDIT_ARCH_ARM
#elif defined(__s390x__)
#define ARCHITECTURE AUDIT_ARCH_S390X
#elif defined(__riscv) && __riscv_xlen == 64
#define ARCHITECTURE AUDIT_ARCH_RISCV64
#elif defined(__powerpc64__) && defined(__LITTLE_ENDIAN__)
#define ARCHITECTURE AUDIT_ARCH_PPC64LE
#endif

#ifdef ARCHITECTURE
/* An architecture, and the system calls that create a socket there, with the
 * one of io_uring, which could create one too. */
struct machine {
	uint32_t architecture;
	uint32_t numbers_end; /* this number and those above are refused */
	uint32_t refused[3];
};

static const struct machine machines[] = {
#if defined(__x86_64__) || defined(__i386__)
	/* Each of the two runs programs of both. The system calls of x32 have
	 * numbers from 0x40000000 on. */
	{ AUDIT_ARCH_X86_64, 0x40000000, { 41, 41, SYS_io_uring_setup } },
	{ AUDIT_ARCH_I386, INT32_MAX, { 359, 102, SYS_io_uring_setup } },
#elif defined(SYS_socketcall)
	{ ARCHITECTURE, INT32_MAX,
	    { SYS_socket, SYS_socketcall, SYS_io_uring_setup } },
#else
	{ ARCHITECTURE, INT32_MAX,
	    { SYS_socket, SYS_socket, SYS_io_uring_setup } },
#endif
};

enum {
	MACHINES = sizeof machines / sizeof machines[0],
	RULES = 9, /* for each machine */
};

static void
network_rules(const struct machine *m, struct sock_filter to[RULES])
{
	enum {
		NUMBER = offsetof(struct seccomp_data, nr),
		KIND = offsetof(struct seccomp_data, arch)
	};
	const struct sock_filter rules[RULES] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, KIND),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, m->architecture, 0, 7),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, NUMBER),
		BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, m->numbers_end, 3, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, m->refused[0], 2, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, m->refused[1], 1, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, m->refused[2], 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};

	memcpy(to, rules, sizeof rules);
}

/* Makes all calls fail that create a socket, directly or by io_uring. The calls
 * of another architecture, whose numbers mean something else, all fail. */
static bool
confine_network(void)
{
	struct sock_filter code[MACHINES + 1][RULES];
	struct sock_fprog filter = { MACHINES * RULES + 1, code[0] };

	for (size_t i = 0; i < MACHINES; i++)
		network_rules(&machines[i], code[i]);
	code[MACHINES][0] = (struct sock_filter)BPF_STMT(
	    BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM);
	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}
#else
static bool
confine_network(void)
{
	return false;
}
#endif

struct confine_done
confine(const char *const *paths, size_t n)
{
	struct confine_done done = { false, false };

	/* Otherwise the filter could mislead a program that has more rights. */
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
		return done;
	done.files = confine_files(paths, n);
	done.network = confine_network();
	return done;
}

#else

struct confine_done
confine(const char *const *paths, size_t n)
{
	(void)paths;
	(void)n;
	return (struct confine_done){ false, false };
}

#endif
