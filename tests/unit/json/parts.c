/* Long values that are read in parts. */
#include <string.h>
#include <unistd.h>

#include "io/out.h"
#include "tests/unit/messages.h"
#include "tests/unit/temporary.h"
#include "tests/unit/unit.h"
#include "json/stream.h"

enum { MAX_LINE = 48 };

/* The list that is read in parts, and the members that each part has. */
struct list {
	const char *path, *keeps;
};

static const char *
splits(void *arg, struct str path, const struct json *part)
{
	const struct list *list = arg;

	CHECK(part != NULL && part->text.n != 0);
	return str_eq(path, str_of(list->path)) ? list->keeps : NULL;
}

/* Checks the parts, each as "LINE:COLUMN TEXT", and the messages without their
 * first words, of an input in which MAX_LINE bytes are a long line. */
static void
reads(struct list list, struct str input, const char *values, const char *said)
{
	struct temporary file = temporary_file(input);
	char *files[] = { file.path, NULL };
	struct messages m = messages_catch();
	struct arena a = { 0 };
	const struct json *value;
	struct json_stream v;
	struct str messages;
	struct in in;
	struct out o;

	in_open(&in, files);
	in.max_line = MAX_LINE;
	json_stream_open(&v, &in, false);
	v.splits = splits;
	v.splits_arg = &list;
	v.repair_cut = true;
	out_open_memory(&o);
	while ((value = json_stream_next(&v)) != NULL)
		out_printf(&o, "%s%s%zu:%zu %.*s\n", v.file_begins ? "F" : "",
		    v.cut ? "C" : "", v.at.line, v.at.column,
		    STR_FMT(value->text));
	json_stream_close(&v);
	in_close(&in);
	messages = messages_end(m, &a);
	CHECK_STR(out_memory(&o), values);
	if (said[0] == '\0')
		CHECK_STR(messages, "");
	else
		CHECK(str_contains(messages, str_of(said)));
	out_close(&o);
	unlink(file.path);
	arena_free(&a);
}

#define TOP ((struct list){ "", "" })
#define A "{\"id\":1,\"t\":\"aaaaaaaa\"}"
#define B "{\"id\":2,\"t\":\"bbbbbbbb\"}"
#define C "{\"id\":3,\"t\":\"cccccccc\"}"
#define D "{\"id\":4,\"t\":\"dddddddd\"}"

static void
lists(void)
{
	reads(TOP, STR("[" A "," B "," C "]\n[7]\n"),
	    "F1:1 [" A "]\n1:26 [" B "," C "]\n2:1 [7]\n", "");
	reads(TOP, STR("[\n" A ",\n" B ",\n" C "\n]{}"),
	    "F1:1 [\n" A "]\n3:1 [" B ",\n" C "\n]\n5:2 {}\n", "");
	reads(TOP, STR("\xef\xbb\xbf [" A ",\r\n" B "]\r\n3"),
	    "F1:2 [" A "]\n2:1 [" B "]\n3:1 3\n", "");
	/* Neither a short value nor one that may not be is read in parts. */
	reads(TOP, STR("[1,2,3]\n"), "F1:1 [1,2,3]\n", "");
	reads(((struct list){ "x", "" }), STR("[" A "," B "," C "]\n[7]\n"),
	    "F2:1 [7]\n", "1: line longer than 48 bytes skipped");
}

/* The members before and behind the list are in one part each. */
static void
members(void)
{
	reads(((struct list){ "x.l", "" }),
	    STR("{\"k\":1,\"x\":{\"y\":[],\"l\":[0," A "," B "],\"z\":2},"
		"\"e\":3}"),
	    "F1:1 {\"k\":1,\"x\":{\"y\":[],\"l\":[0]}}\n"
	    "1:27 {\"x\":{\"l\":[" A "," B "],\"z\":2},\"e\":3}\n",
	    "");
	reads(((struct list){ "l", "k n" }),
	    STR("{\"k\":\n[1],\"o\":0,\"l\":[0," A "," B "]}"),
	    "F1:1 {\"k\":\n[1],\"o\":0,\"l\":[0," A "]}\n"
	    "2:42 {\"k\":[1],\"l\":[" B "]}\n",
	    "");
	/* Lists on the way are passed through. */
	reads(((struct list){ "a.b", "" }),
	    STR("{\"a\":[{\"b\":[" A "," B "]},{\"b\":[" C "]}]}"),
	    "F1:1 {\"a\":[{\"b\":[" A "]}]}\n"
	    "1:37 {\"a\":[{\"b\":[" B "]},{\"b\":[" C "]}]}\n",
	    "");
}

static void
elements_that_cannot_be_read(void)
{
	reads(TOP, STR("[" A "," B ",{\"id\":3,\"t\":x}," D "]\n{}\n"),
	    "F1:1 [" A "]\n1:26 [" B "]\n1:65 [" D "]\n2:1 {}\n",
	    ":1:62: not JSON: expected a value");
	reads(TOP, STR("[" A ",\n" B ",\n{\"id\":3,\"t\n" D "]\n"),
	    "F1:1 [" A "]\n2:1 [" B "]\n4:1 [" D "]\n",
	    ":3:11: not JSON: unescaped control character");
	/* A torn element, and the next one on its line. */
	reads(TOP, STR("[" A "," B ",{\"id\":3,\"" D "," C "]\n"),
	    "F1:1 [" A "]\n1:26 [" B "]\n1:59 [" D "," C "]\n", "not JSON");
	/* A list whose end is lost, and another value. */
	reads(TOP, STR("[" A "," B "," C "\n{\"n\":1}\n"),
	    "F1:1 [" A "]\n1:26 [" B "," C "]\n2:1 {\"n\":1}\n",
	    ":2:1: not JSON: expected ',' or ']'");
	reads(TOP, STR("[" A "," B "," C ",{\"id\":4,\"t\":\"d"),
	    "F1:1 [" A "]\n1:26 [" B "," C "]\nC1:74 [{\"id\":4}]\n",
	    "cut off: text ends within a string");
	reads(TOP, STR("[" A "," B ",{\"id\":3,\"t\":\"\xff\"}]"),
	    "F1:1 [" A "]\n1:26 [" B ",{\"id\":3,\"t\":\"\xef\xbf\xbd\"}]\n",
	    ":1:63: invalid UTF-8");
	reads(((struct list){ "l", "" }),
	    STR("{\"l\":[" A "," B "," C "],\"m\"}"),
	    "F1:1 {\"l\":[" A "]}\nC1:31 {\"l\":[" B "," C "]}\n",
	    "not JSON: expected ':' after a name");
}

int
main(void)
{
	lists();
	members();
	elements_that_cannot_be_read();
	return unit_status();
}
