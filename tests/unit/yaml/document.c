/* Assertion files: their values, places and messages. */
#include "yaml/document.h"

#include "tests/unit/messages.h"
#include "tests/unit/unit.h"

/* A text, the JSON text of its roots (a line each) after document_resolve with
 * TYPES_CORE, and the messages. */
static const struct row {
	const char *file, *text, *roots, *said;
} rows[] = {
	/* blanks and nothing */
	{ "a.yaml", "", "", "" },
	{ "a.yaml", "\n# a comment\n", "", "" },
	{ "a.json", "", "", "" },
	{ "a.json", " // nothing\n/* at all */", "", "" },
	{ "a.yaml", "---\n", "null\n", "" },
	{ "a.yaml",
	    "\xef\xbb\xbf"
	    "a: 1\r\nb:\r\n  - x\r\n",
	    "{\"a\":1,\"b\":[\"x\"]}\n", "" },
	/* scalars */
	{ "a.yaml",
	    "[a b, 'it''s', \"\\t\\u00e9\\x41\", \"1\", 1, true, ~, x: ]",
	    "[\"a b\",\"it's\",\"\\t\xc3\xa9"
	    "A\",\"1\",1,true,null,"
	    "{\"x\":null}]\n",
	    "" },
	{ "a.yaml", "- !!str 1\n- !!int \"2\"\n- !!float '.5'\n- !!null x\n",
	    "[\"1\",2,0.5,\"x\"]\n",
	    "mcpl: a.yaml:4:10: x: the value does not have the type of its "
	    "tag\n" },
	{ "a.yaml", "- !!int 1.5\n- !!bool 'true'\n- ! 1", "[1.5,true,\"1\"]\n",
	    "mcpl: a.yaml:1:9: 1.5: the value does not have the type of its "
	    "tag\n" },
	{ "a.yaml", "a: |\n  x\nb: >+ # -\n  y",
	    "{\"a\":\"x\\n\",\"b\":\"y\\n\"}\n", "" },
	{ "a.yaml", "a: |-\n  x", "{\"a\":\"x\"}\n", "" },
	{ "a.yaml", "a: '|'", "{\"a\":\"|\"}\n", "" },
	{ "a.yaml", "a: |\n  x\n   y\nb: >-\n  x\n  y\nc: |+\n  z\n\n",
	    "{\"a\":\"x\\n y\\n\",\"b\":\"x y\",\"c\":\"z\\n\\n\"}\n", "" },
	{ "a.yaml", "a: !x 1\nb: !!set {}\n", "{\"a\":\"1\",\"b\":{}}\n",
	    "mcpl: a.yaml:1:4: tag !x is unknown: the value is read as text\n"
	    "mcpl: a.yaml:2:4: tag tag:yaml.org,2002:set is unknown: the tag "
	    "has no effect\n" },
	{ "a.yaml", "[.inf, -.Inf, .nan]", "[1e999,-1e999,\".nan\"]\n",
	    "mcpl: a.yaml:1:15: .nan: JSON has no such number\n" },
	/* keys */
	{ "a.yaml", "1: a\ntrue: b\n~: c\n'': d\n? e\n: f\n.nan: g\n",
	    "{\"1\":\"a\",\"true\":\"b\",\"~\":\"c\",\"\":\"d\",\"e\":\"f\","
	    "\".nan\":\"g\"}\n",
	    "" },
	{ "a.yaml", "[a]: 1\n", NULL,
	    "mcpl: a.yaml:1:1: not YAML: expected text as key, found a list "
	    "or a mapping\n" },
	{ "a.yaml", "a: 1\nb: {c: 1, 'c': 2}\n\"a\": 2\n",
	    "{\"a\":1,\"b\":{\"c\":1,\"c\":2},\"a\":2}\n",
	    "mcpl: a.yaml:3:1: duplicate key \"a\", first in line 1\n"
	    "mcpl: a.yaml:2:11: duplicate key 'c', first in line 2\n" },
	{ "a.json", "{\"a\":1,\n\"\\u0061\":2}", "{\"a\":1,\n\"\\u0061\":2}\n",
	    "mcpl: a.json:2:1: duplicate key \"\\u0061\", first in line 1: the "
	    "last one counts\n" },
	/* documents */
	{ "a.yaml", "%YAML 1.2\n---\na\n...\n---\n- b\n--- c\n",
	    "\"a\"\n[\"b\"]\n\"c\"\n", "" },
	{ "a.yaml", "%YAML 2.0\n---\na\n", NULL,
	    "mcpl: a.yaml:1:1: not YAML: expected %YAML 1.1 or 1.2\n" },
	/* aliases and merge keys: plain in this schema */
	{ "a.yaml", "a: &x {b: [1]}\nc: *x\n*y : 1\n", NULL,
	    "mcpl: a.yaml:3:1: not YAML: *y: no earlier value has this "
	    "anchor\n" },
	{ "a.yaml", "a: &x {b: [1]}\nc: *x\n<<: *x\n&k d: 1\ne: *k\n",
	    "{\"a\":{\"b\":[1]},\"c\":{\"b\":[1]},\"<<\":{\"b\":[1]},\"d\":1,"
	    "\"e\":\"d\"}\n",
	    "" },
	{ "a.yaml", "a: &x [*x]\n", NULL,
	    "mcpl: a.yaml:1:8: not YAML: *x is inside the value that it "
	    "repeats\n" },
	{ "a.yaml", "- &x a\n--- *x\n", NULL,
	    "mcpl: a.yaml:2:5: not YAML: *x: no earlier value has this "
	    "anchor\n" },
	/* escapes that YAML does not know */
	{ "a.yaml",
	    "\xc3\xa9: \"refund\\s+ \\\"\\\\d\\d\" # \\q\nb: '\\q'\n"
	    "c: \"\\\xc3\xa9\"\n",
	    "{\"\xc3\xa9\":\"refund\\\\s+ \\\"\\\\d\\\\d\",\"b\":\"\\\\q\","
	    "\"c\":\"\\\\\xc3\xa9\"}\n",
	    "mcpl: a.yaml:1:12: \\s is not an escape in YAML: the backslash is "
	    "kept (in single quotes a backslash is literal)\n"
	    "mcpl: a.yaml:1:21: \\d is not an escape in YAML: the backslash is "
	    "kept (in single quotes a backslash is literal)\n"
	    "mcpl: a.yaml:3:5: \\\xc3\xa9 is not an escape in YAML: the "
	    "backslash is kept (in single quotes a backslash is literal)\n" },
	{ "a.yaml", "a: \"\\s\\", NULL,
	    "mcpl: a.yaml:1:7: not YAML: unknown escape\n" },
	/* errors of YAML */
	{ "a.yaml", "a: b: c\n", NULL,
	    "mcpl: a.yaml:1:5: not YAML: unexpected ':' (keys of one mapping "
	    "begin in one column; a text with ':' in it needs quotes)\n" },
	{ "a.yaml", "\xc3\xa9: x\na:\n\t- b\n", NULL,
	    "mcpl: a.yaml:3:1: not YAML: tabs are not allowed in "
	    "indentation\n" },
	{ "a.yaml", "a: @b\n", NULL,
	    "mcpl: a.yaml:1:4: not YAML: a text that begins with @ needs "
	    "quotes\n" },
	{ "a.yaml", "a: 'b\nc: d\n", NULL,
	    "mcpl: a.yaml:1:4: not YAML: quotes that are never closed\n" },
	{ "a.yaml", "a:\n  - b\n c: d\n", NULL,
	    "mcpl: a.yaml:3:2: not YAML: expected a key: wrong indentation or "
	    "a stray quote\n" },
	{ "a.yaml", "a: [1, 2\nb: 3\n", NULL,
	    "mcpl: a.yaml:2:2: not YAML: expected ',' or ']'\n" },
	{ "a.yaml", "a: \xff\n", NULL,
	    "mcpl: a.yaml:1:4: not YAML: invalid leading UTF-8 octet\n" },
	{ "a.yaml", "a: !x!y 1\n", NULL,
	    "mcpl: a.yaml:1:4: not YAML: a tag handle that no %TAG "
	    "directive defines\n" },
	/* JSON: comments, commas, several values, and what fails as JSON */
	{ "a.json",
	    "# Before\n[1, // \"x\"\n 2,]\n/* After */ {\"a\": \"#/*\",}",
	    "[1,       \n 2 ]\n{\"a\": \"#/*\" }\n", "" },
	{ "x", "{\"a\": [,]}", NULL,
	    "mcpl: x:1:8: not JSON: expected a value\n" },
	{ "x", "[1,,]", NULL, "mcpl: x:1:4: not JSON: expected a value\n" },
	{ "x", "{'a': b, c: [1, 2]}", "{\"a\":\"b\",\"c\":[1,2]}\n", "" },
	{ "a.json", "\"a\": [\n\"b\"\n]", "{\"a\":[\"b\"]}\n",
	    "mcpl: a.json:1:4: not JSON (expected a value), read as YAML "
	    "instead\n" },
	{ "a.json", "{\"a\": 1}\n{\"b\" 2}", NULL,
	    "mcpl: a.json:2:6: not JSON: expected ':' after a name\n" },
	{ "a.json", "[1, /* 2", NULL,
	    "mcpl: a.json:1:5: not JSON: expected a value\n" },
};

static struct str
roots_of(const struct document *d, struct arena *a)
{
	struct str all = STR("");

	for (size_t i = 0; i < d->n; i++)
		all = str_printf(
		    a, "%.*s%.*s\n", STR_FMT(all), STR_FMT(d->roots[i]->text));
	return all;
}

static void
check_row(const struct row *row, struct arena *a)
{
	struct messages messages = messages_catch();
	struct document *d =
	    document_read_text(a, row->file, str_of(row->text), NULL);

	if (d != NULL)
		document_resolve(d, TYPES_CORE);
	CHECK_STR(messages_end(messages, a), row->said);
	CHECK((d == NULL) == (row->roots == NULL));
	if (d != NULL && row->roots != NULL)
		CHECK_STR(roots_of(d, a), row->roots);
}

/* The same content, whatever the syntax; places are each file's own. */
static void
check_places(struct arena *a)
{
	static const char yaml[] = "# refunds\n"
				   "scenarios:\n"
				   "  - id: \xc3\xa9t\xc3\xa9\n"
				   "    n: &n 007\n"
				   "    m: [*n, \"x\\d\", y]\n";
	static const char json[] =
	    "{\"scenarios\": [ // refunds\n"
	    "  {\"id\": \"\xc3\xa9t\xc3\xa9\", \"n\": 7,\n"
	    "   \"m\": [7, \"x\\\\d\", \"y\",]}]}";
	struct messages messages = messages_catch();
	struct document *y = document_read_text(a, "y", str_of(yaml), NULL);
	struct document *j = document_read_text(a, "j", str_of(json), NULL);
	const struct json *first, *m;
	struct place at;

	document_resolve(y, TYPES_CORE);
	messages_end(messages, a);
	CHECK(y->yaml && !j->yaml && y->n == 1 && j->n == 1);
	CHECK(json_equal(y->roots[0], j->roots[0]));
	CHECK(y->roots[0]->span == j->roots[0]->span);

	first = json_at(json_get(y->roots[0], "scenarios"), 0);
	at = document_place(y, first);
	CHECK(str_is(str_of(at.file), "y") && at.line == 3 && at.column == 5);
	at = document_place(y, json_get(first, "n"));
	CHECK(at.line == 4 && at.column == 11);
	CHECK_STR(document_source(y, json_get(first, "n")), "007");
	m = json_get(first, "m");
	CHECK_STR(m->text, "[7,\"x\\\\d\",\"y\"]");
	CHECK_STR(document_source(y, m), "[*n, \"x\\d\", y]");
	CHECK_STR(document_source(y, json_at(m, 0)), "007");
	at = document_place(y, json_at(m, 2));
	CHECK(at.line == 5 && at.column == 20);

	first = json_at(json_get(j->roots[0], "scenarios"), 0);
	m = json_get(first, "m");
	at = document_place(j, json_at(m, 1));
	CHECK(at.line == 3 && at.column == 13);
	CHECK_STR(document_source(j, m), "[7, \"x\\\\d\", \"y\",]");

	at = document_place(j, y->roots[0]);
	CHECK(str_is(str_of(at.file), "j") && at.line == 0);
	CHECK(document_source(j, NULL).s == NULL);
}

/* Until document_resolve, plain scalars are strings that are marked as plain. */
static void
check_plain(struct arena *a)
{
	struct document *d =
	    document_read_text(a, "x", STR("a: [1, '1', yes]"), NULL);
	const struct json *list = json_get(d->roots[0], "a");

	CHECK_STR(list->text, "[\"1\",\"1\",\"yes\"]");
	CHECK(json_at(list, 0)->flags == JSON_PLAIN);
	CHECK(json_at(list, 1)->flags == 0);
	document_resolve(d, TYPES_PYTHON);
	CHECK_STR(d->roots[0]->text, "{\"a\":[1,\"1\",true]}");
	CHECK(json_at(json_get(d->roots[0], "a"), 2)->flags == 0);
}

static void
check_merge(struct arena *a)
{
	static const char text[] = "- &a {x: 1, y: 1}\n"
				   "- &b {y: 2, z: 2, <<: {w: 0}}\n"
				   "- {<<: [*a, *b], x: 3}\n"
				   "- {'<<': 4}\n";
	struct document *d = document_read_text(a, "m", str_of(text), NULL);
	struct messages messages;

	document_resolve(d, TYPES_GO);
	CHECK_STR(
	    json_at(d->roots[0], 2)->text, "{\"x\":3,\"y\":1,\"z\":2,\"w\":0}");
	CHECK_STR(json_at(d->roots[0], 3)->text, "{\"<<\":4}");
	CHECK(document_place(d, json_get(json_at(d->roots[0], 2), "z")).line ==
	    2);

	messages = messages_catch();
	d = document_read_text(a, "m", STR("a:\n  <<: [b]\n"), NULL);
	document_resolve(d, TYPES_PYTHON);
	CHECK_STR(messages_end(messages, a),
	    "mcpl: m:2:8: <<: expected a mapping or a list of mappings\n");
}

/* What the text tagged as binary becomes. */
static struct str
binary(struct arena *a, const char *yaml, enum scalar_types schema)
{
	struct document *d = document_read_text(a, "b", str_of(yaml), NULL);

	document_resolve(d, schema);
	return json_text(d->roots[0], a);
}

static void
check_binary(struct arena *a)
{
	struct messages messages = messages_catch();

	CHECK_STR(binary(a, "!!binary aGVsbG8=", TYPES_EVOLVE), "hello");
	CHECK_STR(binary(a, "!!binary 'aGk='", TYPES_GO), "hi");
	CHECK_STR(binary(a, "!!binary |\n  +/\n  8=\n", TYPES_GO),
	    "\xef\xbf\xbd\xef\xbf\xbd");
	CHECK_STR(binary(a, "!!binary ''", TYPES_EVOLVE), "");
	CHECK_STR(messages_end(messages, a), "");

	messages = messages_catch();
	CHECK_STR(binary(a, "!!binary aGk=", TYPES_CORE), "aGk=");
	binary(a, "!!binary aGk", TYPES_EVOLVE);
	binary(a, "!!binary aGk=a", TYPES_EVOLVE);
	binary(a, "!!binary a===", TYPES_EVOLVE);
	binary(a, "!!binary a@==", TYPES_EVOLVE);
	CHECK_STR(messages_end(messages, a),
	    "mcpl: b:1:10: tag tag:yaml.org,2002:binary is unknown: "
	    "the value is read as text\n"
	    "mcpl: b:1:10: aGk: expected base64, as the tag requires\n"
	    "mcpl: b:1:10: aGk=a: expected base64, as the tag requires\n"
	    "mcpl: b:1:10: a===: expected base64, as the tag requires\n"
	    "mcpl: b:1:10: a@==: expected base64, as the tag requires\n");
}

static void
check_evolve(struct arena *a)
{
	struct messages messages = messages_catch();
	struct document *d = document_read_text(
	    a, "e", STR("1: .inf\n\"2\": 3\n2024-01-02: 4\n.nan: 5\n"), NULL);

	document_resolve(d, TYPES_EVOLVE);
	CHECK_STR(messages_end(messages, a),
	    "mcpl: e:1:1: 1: expected text as key (quotes make the key text)\n"
	    "mcpl: e:1:4: .inf: JSON has no such number\n"
	    "mcpl: e:3:1: 2024-01-02: expected text as key (quotes make the "
	    "key text)\n"
	    "mcpl: e:4:1: .nan: expected text as key (quotes make the key "
	    "text)\n");
}

/* Texts that grow by their aliases or nest without end. */
static void
check_hostile(struct arena *a)
{
	struct str text = STR("a0: &a0 [x,x,x,x,x,x,x,x,x]\n");
	struct messages messages = messages_catch();
	struct str said;
	char deep[5000];

	for (int i = 1; i < 10; i++)
		text = str_printf(a,
		    "%.*sa%d: &a%d [*a%d,*a%d,*a%d,*a%d,*a%d,*a%d,*a%d]\n",
		    STR_FMT(text), i, i, i - 1, i - 1, i - 1, i - 1, i - 1,
		    i - 1, i - 1);
	CHECK(document_read_text(a, "laughs", text, NULL) == NULL);
	for (size_t i = 0; i < sizeof deep; i++)
		deep[i] = '[';
	CHECK(document_read_text(a, "d", (struct str){ deep, 1025 }, NULL) ==
	    NULL);
	CHECK(document_read_text(a, "deep.yaml",
		  (struct str){ deep, sizeof deep }, NULL) == NULL);
	text = STR("a0: &a0 []\n");
	for (int i = 1; i < 1025; i++)
		text = str_printf(
		    a, "%.*sa%d: &a%d [*a%d]\n", STR_FMT(text), i, i, i - 1);
	CHECK(document_read_text(a, "chain", text, NULL) == NULL);
	said = messages_end(messages, a);
	CHECK(str_contains(said, ": aliases repeat more than 64 MiB\n"));
	CHECK(str_contains(said,
	    "mcpl: chain:1024:16: not YAML: nested too "
	    "deeply\n"));
	CHECK(str_contains(said, "mcpl: d:1:1025: not JSON: nested too "));
}

static void
check_files(struct arena *a)
{
	struct messages messages = messages_catch();

	CHECK(document_read(a, "/nowhere/x.yaml", NULL) == NULL);
	CHECK(document_read(a, "/", NULL) == NULL);
	CHECK_STR(messages_end(messages, a),
	    "mcpl: /nowhere/x.yaml: cannot read: No such file or directory\n"
	    "mcpl: /: cannot read: Is a directory\n");
}

int
main(void)
{
	struct arena a = { 0 };

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		check_row(&rows[i], &a);
	check_places(&a);
	check_plain(&a);
	check_merge(&a);
	check_binary(&a);
	check_evolve(&a);
	check_hostile(&a);
	check_files(&a);
	arena_free(&a);
	return unit_status();
}
