/* Messages as the user sees them, and as JSON. */
#include <errno.h>
#include <unistd.h>

#include "base/diag.h"
#include "tests/unit/messages.h"
#include "tests/unit/unit.h"
#include "json/json.h"

static struct str
file_text(struct arena *a, const char *path)
{
	char *buf = arena_alloc(a, 4096);
	FILE *f = fopen(path, "r");
	size_t n = f == NULL ? 0 : fread(buf, 1, 4096, f);

	if (f != NULL)
		fclose(f);
	return (struct str){ buf, n };
}

static void
say(void)
{
	struct place file = { .file = "a.json" };
	struct place line = { .file = "a.json", .line = 3 };
	struct place column = { .file = "b\n.json", .line = 3, .column = 7 };

	diag_error((struct place){ 0 }, "a %s", "b");
	diag_error(file, "x");
	diag_warn(line, "tab\t, \x1b[31m, \xc2\x85, \xff, \xc3\xa9");
	diag_error(column, "\"x\"");
	errno = ENOENT;
	diag_error(file, "cannot open:");
	errno = ENOSPC;
	diag_system_error("%s:", "out");
	CHECK(errno == ENOSPC);
	diag_quiet();
	diag_warn(line, "unheard");
	diag_error(line, "heard");
}

static void
take_turn(void *turns)
{
	++*(int *)turns;
}

/* Messages that are kept are printed later, in their order. */
static void
keep(struct arena *a)
{
	struct messages m = messages_catch();
	int turns = 0;
	struct diag_log log = { .turn = take_turn, .arg = &turns };
	char file[] = "a.json";
	size_t errors = diag_errors();

	diag_keep(&log);
	diag_error((struct place){ .file = file, .line = 1 }, "first");
	diag_system_error("%s", "second");
	file[0] = '?';
	diag_keep(NULL);
	CHECK(log.errors == 2 && diag_errors() == errors && turns == 0);
	diag_error((struct place){ 0 }, "before");
	diag_print(&log);
	diag_print(&log);
	CHECK(log.errors == 0 && diag_errors() == errors + 3);
	CHECK_STR(messages_end(m, a),
	    "prog: before\n"
	    "prog: a.json:1: first\n"
	    "prog: second\n");
}

static void
check_json(struct arena *a, struct str text)
{
	struct json_reader reader = { 0 };
	size_t lines = 0;

	while (text.n > 0) {
		struct str line = str_cut(&text, '\n');

		CHECK(json_read(&reader, line, NULL, NULL) != NULL);
		CHECK(lines != 2 ||
		    str_contains(
			json_text(json_get(reader.values, "message"), a),
			"\x1b[31m, \xc2\x85, \xef\xbf\xbd, \xc3\xa9"));
		CHECK(lines != 4 ||
		    str_eq(line,
			STR("{\"level\":\"error\",\"file\":\"a.json\","
			    "\"message\":\"cannot open: "
			    "No such file or directory\"}")));
		lines++;
	}
	CHECK(lines == 7);
	json_reader_free(&reader);
}

int
main(void)
{
	struct arena a = { 0 };
	char path[] = "/tmp/mcpl-test-XXXXXX";
	struct messages m;

	close(mkstemp(path));
	CHECK(diag_status(1) == 1);
	diag_init("/usr/bin/prog");
	CHECK(!diag_also_to("/nonexistent/file") && diag_also_to(path));
	m = messages_catch();
	say();
	CHECK_STR(messages_end(m, &a),
	    "prog: a b\n"
	    "prog: a.json: x\n"
	    "prog: a.json:3: tab\t, \\x1b[31m, \\x85, \\xff, \xc3\xa9\n"
	    "prog: b\\x0a.json:3:7: \"x\"\n"
	    "prog: a.json: cannot open: No such file or directory\n"
	    "prog: out: No space left on device\n"
	    "prog: a.json:3: heard\n");
	CHECK(diag_errors() == 6 && diag_status(0) == 2);
	check_json(&a, file_text(&a, path));
	m = messages_catch();
	CHECK(diag_also_to("/dev/full"));
	diag_system_error("a");
	diag_system_error("b");
	CHECK_STR(messages_end(m, &a),
	    "prog: a\n"
	    "prog: cannot write the file of --errors: "
	    "No space left on device\n"
	    "prog: b\n");
	keep(&a);
	unlink(path);
	arena_free(&a);
	return unit_status();
}
