#include "io/sandbox.h"

#include <stdlib.h>
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

/* Sets the variable in the list, whose text is NAME=VALUE. */
static void
set_variable(struct arena *a, char ***list, size_t *n, struct str variable)
{
	struct str name =
	    str_slice(variable, 0, str_find_char(variable, '=') + 1);
	size_t i = 0;

	while (i < *n && !str_starts(str_of((*list)[i]), name))
		i++;
	if (i == *n)
		(void)arena_push(a, *list, *n);
	(*list)[i] = str_c(a, variable);
}

char **
sandbox_environment(struct arena *a, const char *const *named, size_t n)
{
	static const char *const always[] = { "PATH", "HOME", "LANG",
		"TMPDIR=/tmp" };
	enum { ALWAYS = sizeof always / sizeof *always };
	char **list = NULL;
	size_t total = 0;

	for (size_t i = 0; i < ALWAYS + n; i++) {
		const char *name = i < ALWAYS ? always[i] : named[i - ALWAYS];
		const char *value = getenv(name);

		if (strchr(name, '=') != NULL)
			set_variable(a, &list, &total, str_of(name));
		else if (value != NULL)
			set_variable(a, &list, &total,
			    str_printf(a, "%s=%s", name, value));
	}
	add(a, &list, &total, NULL);
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
