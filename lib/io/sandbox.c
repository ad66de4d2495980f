#include "io/sandbox.h"

#include <string.h>

#include "base/diag.h"
#include "io/proc.h"

static void
add(struct arena *a, char ***list, size_t *n, const char *word)
{
	*arena_push(a, *list, *n) =
	    word == NULL ? NULL : str_c(a, str_of(word));
}

char **
sandbox_command(struct arena *a, const char *folder, const char *command)
{
	static const char *const view[] = { "bwrap", "--unshare-all",
		"--die-with-parent", "--new-session", "--cap-drop", "ALL",
		"--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc",
		"--tmpfs", "/tmp" };
	char **list = NULL;
	size_t n = 0;

	for (size_t i = 0; i < sizeof view / sizeof *view; i++)
		add(a, &list, &n, view[i]);
	if (folder != NULL) { /* also where it lies below /tmp */
		const char *const where[] = { "--bind", folder, folder,
			"--chdir", folder };

		for (size_t i = 0; i < sizeof where / sizeof *where; i++)
			add(a, &list, &n, where[i]);
	}
	add(a, &list, &n, "/bin/sh");
	add(a, &list, &n, "-c");
	add(a, &list, &n, command);
	add(a, &list, &n, NULL);
	return list;
}

void
sandbox_require(void)
{
	enum { SECONDS = 30, OUTPUT_MAX = 4096 };
	struct arena a = { 0 };
	struct proc p = { .argv = sandbox_command(&a, NULL, "exit 0"),
		.seconds = SECONDS,
		.limit = OUTPUT_MAX,
		.arena = &a,
		.errors = true };
	struct str said, line;

	proc_run(&p);
	if (p.failed != 0)
		diag_die("--sandbox: bwrap (bubblewrap) cannot be run: %s",
		    strerror(p.failed));
	said = p.output[1].text;
	line = str_cut(&said, '\n');
	if (proc_trouble(&p).n != 0)
		diag_die("--sandbox: no sandbox can be made here: %.*s",
		    STR_FMT(line.n != 0 ? line : proc_trouble(&p)));
	arena_free(&a);
}
