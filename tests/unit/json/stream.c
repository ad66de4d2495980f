/* Values in every layout, and messages about the text between them. */
#include <string.h>
#include <unistd.h>

#include "io/out.h"
#include "tests/unit/messages.h"
#include "tests/unit/temporary.h"
#include "tests/unit/unit.h"
#include "json/stream.h"

/* Each value on its line as "LINE:COLUMN value", with F if it is its file's
 * first. */
static struct str
values_of(struct json_stream *v, struct arena *a)
{
	const struct json *value;
	struct str text;
	struct out o;

	out_open_memory(&o);
	while ((value = json_stream_next(v)) != NULL) {
		out_printf(&o, "%s%zu:%zu ", v->file_begins ? "F" : "",
		    v->at.line, v->at.column);
		out_source(&o, value->text);
		out_line(&o);
	}
	text = str_dup(a, out_memory(&o));
	out_close(&o);
	return text;
}

/* Returns the messages without the names of the program and the file. */
static struct str
without_names(struct arena *a, struct str said, const char *path)
{
	struct str left = { "", 0 };

	while (said.n > 0) {
		struct str line = str_cut(&said, '\n');
		size_t names = strlen("mcpl: ") + strlen(path) + 1;

		left = str_printf(a, "%.*s%.*s\n", STR_FMT(left),
		    STR_FMT(str_from(line, names)));
	}
	return left;
}

static void
reads(struct str input, const char *values, const char *said)
{
	struct arena a = { 0 };
	struct temporary file = temporary_file(input);
	char *files[] = { file.path, NULL };
	struct messages m = messages_catch();
	struct str got;
	struct json_stream v;
	struct in in;

	in_open(&in, files);
	json_stream_open(&v, &in, false);
	got = values_of(&v, &a);
	CHECK(json_stream_next(&v) == NULL);
	json_stream_close(&v);
	in_close(&in);
	said = str_c(&a, str_of(said));
	CHECK_STR(without_names(&a, messages_end(m, &a), file.path), said);
	CHECK_STR(got, values);
	unlink(file.path);
	arena_free(&a);
}

#define READS(input, values, said) reads(STR(input), values, said)

static void
any_layout(void)
{
	READS("", "", "");
	READS("{\"a\":1}\n\n[2]\n3\n", "F1:1 {\"a\":1}\n3:1 [2]\n4:1 3\n", "");
	READS("{}", "F1:1 {}\n", "");
	READS("  {\"a\" : 1}  \r\n", "F1:3 {\"a\" : 1}\n", "");
	READS("{}[] {\"a\":2}\t{}\n\"x\"\n",
	    "F1:1 {}\n1:3 []\n1:6 {\"a\":2}\n1:14 {}\n2:1 \"x\"\n", "");
	READS("{\n \"a\": [\r\n  1,\n\n  2\n ]\n}\n{\n}",
	    "F1:1 {\"a\": [1,2]}\n8:1 {}\n", "");
	READS("[\n1\n] [2\n] {\n}\n", "F1:1 [1]\n3:3 [2]\n4:3 {}\n", "");
	READS("\xef\xbb\xbf\x1e{}\n\x1e{\n}\n", "F1:2 {}\n2:2 {}\n", "");
}

static void
lines_that_are_no_values(void)
{
	READS("Loading ...\n{}\n", "F2:1 {}\n",
	    "1:1: not JSON: expected a value\n");
	READS("> tool@1.0.0 start\n> node .\n\n{}\nBye\n", "F4:1 {}\n",
	    "1:1: not JSON: expected a value; lines 1 to 2 passed over\n"
	    "5:1: not JSON: expected a value\n");
	READS("2025-11-21 12:00 up\n  {}\n", "F2:3 {}\n",
	    "1:5: not JSON: more text after the value\n");
	READS("{} x {}\n{}\n", "F1:1 {}\n2:1 {}\n",
	    "1:4: not JSON: expected a value\n");
	READS("{\"a\" 1}\n{\"b\":2}\n", "F2:1 {\"b\":2}\n",
	    "1:6: not JSON: expected ':' after a name\n");
	READS("[INFO] up\n{}\n", "F2:1 {}\n",
	    "1:2: not JSON: expected a value\n");
	READS("x", "", "1:1: not JSON: expected a value\n");
}

/* A line that breaks off does not affect the lines after it. */
static void
torn_lines(void)
{
	READS("{\"a\":\"x\n{\"b\":1}\n{\"c\":2}\n",
	    "F2:1 {\"b\":1}\n3:1 {\"c\":2}\n",
	    "1:8: cut off: text ends within a string\n");
	READS("{\"a\":1,\n{\"b\":1}\n", "F2:1 {\"b\":1}\n",
	    "1:8: cut off: text ends where a name was expected\n");
	READS("{\"a\":\n{\"b\":1}\n{\"c\":2}\n",
	    "F2:1 {\"b\":1}\n3:1 {\"c\":2}\n",
	    "1:6: cut off: text ends where a value was expected\n");
	READS("[\n{\"b\":1}\n{\"c\":2}\n", "F2:1 {\"b\":1}\n3:1 {\"c\":2}\n",
	    "1:2: cut off: text ends where a value was expected\n");
	READS("[{\n{\"b\":1}\n", "F2:1 {\"b\":1}\n",
	    "1:3: cut off: text ends where a name was expected\n");
	READS("{\"a\":[\n{\"b\":1}\n", "F2:1 {\"b\":1}\n",
	    "1:7: cut off: text ends where a value was expected\n");
	READS("{\"a\":1,\nWarning\n{\"b\":1}\n", "F3:1 {\"b\":1}\n",
	    "2:1: not JSON: expected a name in double quotes; "
	    "lines 1 to 2 passed over\n");
	READS("{} {\"a\":[\n{}\n", "F1:1 {}\n2:1 {}\n",
	    "1:10: cut off: text ends where a value was expected\n");
	READS("{\"a\":1}\n{\"b\":\"x", "F1:1 {\"a\":1}\n",
	    "2:8: cut off: text ends within a string\n");
}

/* A value behind a torn one, on the same line, is read. */
static void
glued_values(void)
{
	READS("{\"a\":\"x{\"b\":{\"c\":1}}\n{}\n",
	    "F1:8 {\"b\":{\"c\":1}}\n2:1 {}\n",
	    "1:10: not JSON: expected ',' or '}'\n");
	READS("{\"a\":1, {\"b\":2}\n", "F1:9 {\"b\":2}\n",
	    "1:9: not JSON: expected a name in double quotes\n");
	READS("{\"a\":tru{\"b\":\"\\u1{\"c\":3}\n", "F1:18 {\"c\":3}\n",
	    "1:6: not JSON: expected a value\n");
	READS("{\"a\":\"\xc3{\"b\":2}\n", "F1:8 {\"b\":2}\n",
	    "1:10: not JSON: expected ',' or '}'\n");
	/* ... but none that is torn, too, nor a part of one */
	READS("{\"a\":{{\"b\":{\"c\":1}\n{}\n", "F2:1 {}\n",
	    "1:7: not JSON: expected a name in double quotes\n");
	READS("{\"a\" {\"b\":1}}\n{}\n", "F2:1 {}\n",
	    "1:6: not JSON: expected ':' after a name\n");
}

static void
bytes_that_are_no_utf8(void)
{
	READS("{\"a\":\"\xff\"}\n{}\n",
	    "F1:1 {\"a\":\"\xef\xbf\xbd\"}\n2:1 {}\n",
	    "1:7: invalid UTF-8; read as U+FFFD\n");
	/* ... a cut character, and a value behind on the same line */
	READS("[\"\xf0\x9f\x9a\x80\xf0\x9f\xe9!\"] {\"a\":1}\n",
	    "F1:1 [\"\xf0\x9f\x9a\x80\xef\xbf\xbd\xef\xbf\xbd!\"]\n"
	    "1:14 {\"a\":1}\n",
	    "1:7: invalid UTF-8; read as U+FFFD\n");
	READS("{\n\"a\":\"\xff\",\n\"b\":\"\xfe\"\n}\n{}\n",
	    "F1:1 {\"a\":\"\xef\xbf\xbd\",\"b\":\"\xef\xbf\xbd\"}\n5:1 {}\n",
	    "2:6: invalid UTF-8; read as U+FFFD\n");
	READS("{\"a\":\"\xff\n{}\n", "F2:1 {}\n",
	    "1:8: cut off: text ends within a string\n");
	READS("\xff\n{}\n", "F2:1 {}\n", "1:1: not JSON: expected a value\n");
}

/* Returns the line that is noted as torn when all values were read. */
static size_t
torn(const char *text)
{
	struct temporary file = temporary_file(str_of(text));
	char *files[] = { file.path, NULL };
	struct messages m = messages_catch();
	struct arena a = { 0 };
	struct json_stream v;
	struct in in;

	in_open(&in, files);
	in.max_line = 40;
	json_stream_open(&v, &in, false);
	while (json_stream_next(&v) != NULL)
		continue;
	json_stream_close(&v);
	in_close(&in);
	messages_end(m, &a);
	arena_free(&a);
	unlink(file.path);
	return v.torn;
}

/* Text that no value was is not taken for a torn one. */
static void
lost_values(void)
{
	CHECK(torn("{}\n{\"a\":\n{}\n") == 2);
	CHECK(torn("{}\n[{\"a\":\"x\n{}\n") == 2);
	CHECK(torn("{\n{}\n") == 1);
	CHECK(torn("{}\nd\",\"b\":1}}\n{}\n") == 2);
	CHECK(torn("up\nd\",\"b\":1}}\n{}\n") == 2);
	CHECK(torn("{\"a\":\"x{\"b\":1}\n") == 1);
	CHECK(torn("{\"a\":\"0123456789012345678901234567890123456789\"}\n"
		   "{}\n") == 1);
	CHECK(torn("Loading ...\n[INFO] up {\"a\":1}\n[1/3] x\n{}\n") == 0);
	CHECK(torn("{\n  level: 'info'\n}\n{'a': 1}\n{}\n") == 0);
	CHECK(torn("{\"a\":\"\xff\"}\n") == 0);
}

/* A crash of the machine may leave NUL bytes; no value after them is lost. */
static void
nul_bytes(void)
{
	READS("{}\n\0\0\0", "F1:1 {}\n", "2:1: NUL bytes passed over: 3\n");
	READS("{}\n\0\0{\"a\":1}\n{}\n", "F1:1 {}\n2:3 {\"a\":1}\n3:1 {}\n",
	    "2:1: NUL bytes passed over: 2\n");
	/* ... in the last line of those that a torn value was joined with */
	READS("{\"a\":\n[\0\0{\"b\":1}\n", "F2:4 {\"b\":1}\n",
	    "1:6: cut off: text ends where a value was expected\n"
	    "2:2: NUL bytes passed over: 2\n");
	READS("\0{}\n", "F1:2 {}\n", "1:1: NUL bytes passed over: 1\n");
	READS("{\"a\":\"x\0\0{\"b\":1}\n{}\n", "F1:10 {\"b\":1}\n2:1 {}\n",
	    "1:8: not JSON: unescaped control character in a string\n"
	    "1:8: NUL bytes passed over: 2\n");
	READS("\0\0", "", "1:1: NUL bytes passed over: 2\n");
}

/* A broken value of many lines is reported once, at the place of the error. */
static void
broken_documents(void)
{
	READS("{\n  \"a\": 1\n  \"b\": {\n    \"c\": 2\n  }\n}\n{}\n",
	    "F7:1 {}\n",
	    "3:3: not JSON: expected ',' or '}'; lines 1 to 6 passed over\n");
	READS("  [\n    {\n      \"a\": x\n    },\n    {}\n  ]\n  {}\n",
	    "F7:3 {}\n",
	    "3:12: not JSON: expected a value; lines 1 to 6 passed over\n");
	READS("{\n  \"a\": [\n    {\"b\": 1},\n    {\"c\":\n", "",
	    "4:10: cut off: text ends where a value was expected; "
	    "lines 1 to 4 passed over\n");
	READS("{\n  \"a\": \"x\n}\n{}\n", "F4:1 {}\n",
	    "2:10: not JSON: unescaped control character in a string; "
	    "lines 1 to 3 passed over\n");
}

static void
files_apart(void)
{
	struct arena a = { 0 };
	struct temporary one = temporary_file(STR("banner\n{\"a\":["));
	struct temporary two = temporary_file(STR("  {\"b\":1}\n{\"c\":2}\n"));
	struct messages m = messages_catch();
	char *files[] = { one.path, two.path, one.path, NULL };
	struct json_stream v;
	struct in in;

	in_open(&in, files);
	json_stream_open(&v, &in, false);
	CHECK_STR(values_of(&v, &a), "F1:3 {\"b\":1}\n2:1 {\"c\":2}\n");
	CHECK(str_contains(messages_end(m, &a), ":2:7: cut off: "));
	json_stream_close(&v);

	in_close(&in);
	files[0] = two.path;
	files[1] = one.path;
	m = messages_catch();
	in_open(&in, files);
	json_stream_open(&v, &in, true);
	CHECK_STR(values_of(&v, &a), "F1:3 {\"b\":1}\n2:1 {\"c\":2}\n");
	CHECK(str_ends(
	    messages_end(m, &a), ":1:1: not JSON: expected a value\n"));
	json_stream_close(&v);
	in_close(&in);
	unlink(one.path);
	unlink(two.path);
	arena_free(&a);
}

static void
values_that_are_too_long(void)
{
	struct arena a = { 0 };
	struct temporary file =
	    temporary_file(STR("{\n \"a\": 1,\n \"b\": 2\n}\n[\n1\n]\n"));
	struct messages m = messages_catch();
	char *files[] = { file.path, NULL };
	struct json_stream v;
	struct in in;

	in_open(&in, files);
	in.max_line = 12;
	json_stream_open(&v, &in, false);
	CHECK_STR(values_of(&v, &a), "F5:1 [1]\n");
	CHECK_STR(without_names(&a, messages_end(m, &a), file.path),
	    "1:1: not JSON: value longer than --max-line allows; "
	    "lines 1 to 4 passed over\n");
	json_stream_close(&v);
	in_close(&in);
	unlink(file.path);
	arena_free(&a);
}

/* A value larger than the buffer, which moves while it is read. */
static void
large_values(void)
{
	enum { ELEMENTS = 200000 };
	struct arena a = { 0 };
	struct str element = STR("  {\"k\": [\"v\\n\", 1.5]}"), text;
	char *all = arena_alloc_n(&a, ELEMENTS, element.n + 2), *p = all;
	const struct json *value;
	struct temporary file;
	char *files[] = { file.path, NULL };
	struct json_stream v;
	struct in in;

	for (size_t i = 0; i < ELEMENTS; i++)
		p += sprintf(
		    p, "%s%.*s", i == 0 ? "[" : ",\n", STR_FMT(element));
	*p++ = ']';
	text = (struct str){ all, (size_t)(p - all) };
	file = temporary_file(text);
	in_open(&in, files);
	json_stream_open(&v, &in, false);
	value = json_stream_next(&v);
	CHECK(value != NULL && str_eq(value->text, text));
	CHECK(json_count(value) == ELEMENTS);
	for (json_each(e, value))
		CHECK(str_eq(e->text, str_trim(element)));
	CHECK(json_stream_next(&v) == NULL);
	json_stream_close(&v);
	in_close(&in);
	unlink(file.path);
	arena_free(&a);
}

int
main(void)
{
	any_layout();
	lines_that_are_no_values();
	torn_lines();
	glued_values();
	bytes_that_are_no_utf8();
	lost_values();
	nul_bytes();
	broken_documents();
	files_apart();
	values_that_are_too_long();
	large_values();
	return unit_status();
}
