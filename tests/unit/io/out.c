/* The bytes that are written, their destination, and errors. */
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "io/out.h"
#include "tests/unit/messages.h"
#include "tests/unit/unit.h"

static void
writes_json(void)
{
	struct out o;

	out_open_memory(&o);
	CHECK_STR(out_memory(&o), "");
	out_begin(&o, '{');
	out_key(&o, "a");
	out_json_int(&o, INT64_MIN);
	out_key_str(&o, STR("b\n"));
	out_begin(&o, '[');
	out_json_bool(&o, true);
	out_json_bool(&o, false);
	out_json_null(&o);
	out_begin(&o, '{');
	out_end(&o, '}');
	out_begin(&o, '[');
	out_end(&o, ']');
	out_json_str(&o, STR("x"));
	out_end(&o, ']');
	out_key(&o, "c");
	out_json_raw(&o, STR("{\r\n\t\"d e\" : 1,\n  \"f\": [\n]}"));
	out_end(&o, '}');
	out_line(&o);
	out_json_int(&o, 7);
	out_json_int(&o, 8);
	CHECK_STR(out_memory(&o),
	    "{\"a\":-9223372036854775808,\"b\\n\":[true,false,null,{},[],\"x\"]"
	    ","
	    "\"c\":{\"d e\" : 1,\"f\": []}}\n7,8");
	out_clear(&o);
	out_json_int(&o, 9);
	CHECK_STR(out_memory(&o), "9");
	CHECK(out_close(&o));
}

static void
quotes(void)
{
	const struct {
		struct str text;
		const char *quoted;
	} cases[] = {
		{ STR(""), "\"\"" },
		{ STR("plain \x7f /"), "\"plain \x7f /\"" },
		{ STR("\"\\\b\f\n\r\t"), "\"\\\"\\\\\\b\\f\\n\\r\\t\"" },
		{ STR("\0\x01\v\x1f"), "\"\\u0000\\u0001\\u000b\\u001f\"" },
		{ STR("\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"),
		    "\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\"" },
		{ STR("a\xff\xc3"), "\"a\xef\xbf\xbd\xef\xbf\xbd\"" },
		{ STR("\xed\xa0\x80"),
		    "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"" },
	};
	struct out o;

	out_open_memory(&o);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		out_clear(&o);
		out_quoted(&o, cases[i].text);
		CHECK_STR(out_memory(&o), cases[i].quoted);
	}
	out_close(&o);
}

/* A quote at each place of texts as long as what is looked at together. */
static void
quotes_anywhere(void)
{
	char text[600], quoted[sizeof text + 3];
	struct out o;

	memset(text, 'x', sizeof text);
	memset(quoted, 'x', sizeof quoted);
	out_open_memory(&o);
	for (size_t n = 1; n <= sizeof text; n += n < 20 ? 1 : 47)
		for (size_t i = 0; i < n; i++) {
			text[i] = '"';
			quoted[0] = quoted[i + 2] = quoted[n + 2] = '"';
			quoted[i + 1] = '\\';
			out_clear(&o);
			out_quoted(&o, (struct str){ text, n });
			CHECK(str_eq(
			    out_memory(&o), (struct str){ quoted, n + 3 }));
			text[i] = quoted[i + 1] = quoted[i + 2] =
			    quoted[n + 2] = 'x';
		}
	out_close(&o);
}

static void
writes_doubles(void)
{
	static const struct {
		double value;
		const char *text;
	} cases[] = {
		{ 0, "0" },
		{ -0.0, "-0" },
		{ 1, "1" },
		{ 0.1, "0.1" },
		{ 0.1 + 0.2, "0.30000000000000004" },
		{ 0.0001, "0.0001" },
		{ 0.00005, "5e-05" },
		{ 0.000123456789, "0.000123456789" },
		{ 0.0001234567891, "0.0001234567891" },
		{ 12.5, "12.5" },
		{ 999.999999999999, "999.999999999999" },
		{ 1000.000000000001, "1000.000000000001" },
		{ -0.25, "-0.25" },
		{ 1e21, "1e+21" },
		{ 5e-324, "5e-324" },
		{ 1.7976931348623157e308, "1.7976931348623157e+308" },
		{ INFINITY, "null" },
		{ NAN, "null" },
	};
	struct out o;

	out_open_memory(&o);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		out_clear(&o);
		out_json_double(&o, cases[i].value);
		CHECK_STR(out_memory(&o), cases[i].text);
	}
	out_close(&o);
}

/* Replaces standard output by a pipe. Returns the other end of the pipe. */
static int
take_output(int *standard)
{
	int ends[2];

	*standard = dup(STDOUT_FILENO);
	if (*standard < 0 || pipe(ends) != 0 ||
	    dup2(ends[1], STDOUT_FILENO) < 0)
		abort();
	close(ends[1]);
	return ends[0];
}

static void
give_back(int standard)
{
	dup2(standard, STDOUT_FILENO);
	close(standard);
}

static struct str
what_is_in(int pipe, char *buf, size_t size)
{
	ssize_t n = read(pipe, buf, size);

	return (struct str){ buf, n < 0 ? 0 : (size_t)n };
}

static void
flushes_lines(void)
{
	int standard, end = take_output(&standard);
	char buf[64];
	struct out o;

	out_open(&o, NULL, true);
	o.seq = true;
	out_text(&o, "a");
	fcntl(end, F_SETFL, O_NONBLOCK);
	CHECK_STR(what_is_in(end, buf, sizeof buf), "");
	out_line(&o);
	CHECK_STR(what_is_in(end, buf, sizeof buf),
	    "\x1e"
	    "a\n");
	out_begin(&o, '[');
	out_end(&o, ']');
	out_line(&o);
	CHECK_STR(what_is_in(end, buf, sizeof buf), "\x1e[]\n");
	o.by_line = false;
	out_text(&o, "b");
	out_line(&o);
	CHECK_STR(what_is_in(end, buf, sizeof buf), "");
	CHECK(out_close(&o));
	give_back(standard);
	CHECK_STR(what_is_in(end, buf, sizeof buf),
	    "\x1e"
	    "b\n");
	close(end);
}

/* Texts of every size around those of the buffer, in their order. */
static void
writes_much(void)
{
	enum { LARGEST = 300000, STEP = 7919 };
	struct arena a = { 0 };
	char path[] = "/tmp/mcpl-test-XXXXXX";
	char *text = arena_alloc(&a, LARGEST), *again;
	int fd = mkstemp(path);
	struct out o;

	out_open(&o, path, false);
	for (size_t n = 1; n < LARGEST; n += STEP) {
		memset(text, 'a' + (int)(n % 26), n);
		out_str(&o, (struct str){ text, n });
		out_line(&o);
	}
	CHECK(out_close(&o));
	close(fd);
	fd = open(path, O_RDONLY);
	again = arena_alloc(&a, LARGEST);
	for (size_t n = 1; n < LARGEST; n += STEP) {
		memset(text, 'a' + (int)(n % 26), n);
		CHECK(read(fd, again, n + 1) == (ssize_t)n + 1);
		CHECK(memcmp(text, again, n) == 0 && again[n] == '\n');
	}
	CHECK(read(fd, again, 1) == 0);
	close(fd);
	unlink(path);
	arena_free(&a);
}

/* More texts than one call of the system writes, some of them empty, through a pipe that
 * holds less, after the contents of the buffer. */
static void
writes_many(void)
{
	enum { TEXTS = 1000, LENGTH = 999 };
	int standard, end = take_output(&standard);
	char text[LENGTH], buf[LENGTH];
	struct str texts[TEXTS];
	struct out o;

	memset(text, 'x', LENGTH);
	for (size_t i = 0; i < TEXTS; i++)
		texts[i] = (struct str){ text, i % LENGTH };
	if (fork() == 0) {
		close(end);
		out_open(&o, NULL, false);
		out_text(&o, "before");
		out_strs(&o, (struct str_list){ texts, TEXTS });
		out_text(&o, "behind");
		_exit(out_close(&o) ? 0 : 1);
	}
	give_back(standard);
	CHECK(read(end, buf, 6) == 6 && memcmp(buf, "before", 6) == 0);
	for (size_t i = 0; i < TEXTS; i++)
		for (size_t n = 0, got; n < texts[i].n; n += got) {
			got = what_is_in(end, buf, texts[i].n - n).n;
			CHECK(got != 0 && memcmp(buf, text, got) == 0);
			if (got == 0)
				break;
		}
	CHECK_STR(what_is_in(end, buf, LENGTH), "behind");
	CHECK(wait(NULL) > 0);
	close(end);
}

static void
notices_a_full_disk(void)
{
	struct arena a = { 0 };
	struct messages m = messages_catch();
	struct out o;

	out_open(&o, "/dev/full", false);
	for (int i = 0; i < 100000; i++)
		out_text(&o, "more than the buffer holds\n");
	CHECK(o.error != 0);
	CHECK(!out_close(&o));
	out_open(&o, "/dev/full", false);
	out_char(&o, 'x');
	CHECK(!out_close(&o));
	CHECK_STR(messages_end(m, &a),
	    "mcpl: /dev/full: cannot write: No space left on device\n"
	    "mcpl: /dev/full: cannot write: No space left on device\n");
	arena_free(&a);
}

/* If the reader has gone, the program ends as SIGPIPE ends it, even if SIGPIPE is
 * ignored. */
static void
ends_with_its_reader(void (*action)(int))
{
	int status, standard, end = take_output(&standard);
	pid_t child;
	struct out o;

	close(end);
	child = fork();
	if (child == 0) {
		signal(SIGPIPE, action);
		out_open(&o, NULL, false);
		out_text(&o, "x");
		out_close(&o);
		_exit(1);
	}
	give_back(standard);
	CHECK(waitpid(child, &status, 0) == child);
	CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGPIPE);
}

int
main(void)
{
	writes_json();
	quotes();
	quotes_anywhere();
	writes_doubles();
	flushes_lines();
	writes_much();
	writes_many();
	notices_a_full_disk();
	ends_with_its_reader(SIG_DFL);
	ends_with_its_reader(SIG_IGN);
	return unit_status();
}
