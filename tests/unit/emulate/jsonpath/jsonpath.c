/* A table of paths in both flavours, and the messages of invalid paths. */
#include "emulate/jsonpath/jsonpath.h"

#include "tests/unit/unit.h"

static const char document[] =
    "{\"store\":{\"book\":["
    "{\"title\":\"Alpha\",\"price\":8.5,\"tags\":[\"x\",\"y\"]},"
    "{\"title\":\"beta two\",\"price\":12,\"isbn\":null},"
    "{\"title\":\"Gamma\",\"price\":20,\"isbn\":\"7-1\",\"sub\":{\"n\":1}}],"
    "\"bike\":{\"price\":19.5}},"
    "\"na-me\":\"J\xc3\xbcrgen \xf0\x9f\x99\x82\",\"n\":null,\"z\":0,"
    "\"dup\":1,\"dup\":{\"last\":true},\"big\":1e999,"
    "\"pattern\":\"[A-Z].*\",\"a,b\":5,\"\":6}";

/* Returns what a path selects, as a JSON list, or the error as OFFSET: WHY. */
static const struct row {
	const char *path, *want;
} standard[] = {
	{ "$.store.book[0].title", "[\"Alpha\"]" },
	{ "$['store']\n.bike [ 'price' , 'price' ]", "[19.5,19.5]" },
	{ "$.store.book[-1, 0].price", "[20,8.5]" },
	{ "$.store.book[::-2].price", "[20,8.5]" },
	{ "$.store.book[1:].price", "[12,20]" },
	{ "$.store.book[:0]", "[]" },
	{ "$.store.book[0:3:0]", "[]" },
	{ "$..price", "[8.5,12,20,19.5]" },
	{ "$..[0]",
	    "[{\"title\":\"Alpha\",\"price\":8.5,\"tags\":[\"x\",\"y\"]},"
	    "\"x\"]" },
	{ "$.store.*.price", "[19.5]" },
	{ "$.store.book[?@.isbn].price", "[12,20]" },
	{ "$.store.book[?@.isbn==null].price", "[12]" },
	{ "$.store.book[?@.price<12||@.sub.n==1].title",
	    "[\"Alpha\",\"Gamma\"]" },
	{ "$.store.book[?!(@.price<=12)].price", "[20]" },
	{ "$.store.book[?@.title<'a'].price", "[8.5,20]" },
	{ "$.store.book[?length(@.title)==5&&count(@.*)>3].price", "[20]" },
	{ "$.store.book[?match(@.title,'[A-Z]..*a')].price", "[8.5,20]" },
	{ "$.store.book[?search(@.title,'^b|\\\\p{Lu}am')].price", "[12,20]" },
	{ "$.store.book[?match(@.title,$.pattern)].price", "[8.5,20]" },
	{ "$.store.book[?match(@.title,$.n)]", "[]" },
	{ "$.store.book[?value(@..n)==1].price", "[20]" },
	{ "$.store.book[?@.tags==$.store.book[0]['tags']].price", "[8.5]" },
	{ "$[?length(@)==8]", "[\"J\xc3\xbcrgen \xf0\x9f\x99\x82\"]" },
	{ "$['\\u006e\\u0061-me']", "[\"J\xc3\xbcrgen \xf0\x9f\x99\x82\"]" },
	{ "$.dup", "[{\"last\":true}]" },
	{ "$..last", "[true]" },
	{ "$[?@.last]", "[{\"last\":true}]" },
	{ "$[?@==1e999]", "[1e999]" },
	/* not well-formed, or not valid */
	{ "", "0: the path is empty" },
	{ "store", "0: a path begins with '$'" },
	{ "$.store.",
	    "8: expected a name, '*' or '[' (a name with other "
	    "characters is written ['name'])" },
	{ "$.a b", "3: expected '.', '..' or '['" },
	{ "$['a'", "5: expected ',' or ']'" },
	{ "$['a]", "2: quotes without end" },
	{ "$['\\x']", "3: unknown escape" },
	{ "$['\\ud83d']", "5: half of a pair of surrogates" },
	{ "$[01]", "2: an integer has no leading zero, and there is no -0" },
	{ "$[9007199254740992]", "2: the integer is too large" },
	{ "$[?@.a=1]", "6: expected ',' or ']'" },
	{ "$[?@..a==1]",
	    "3: only values can be compared: literals, queries "
	    "that select one at most, length, count and value" },
	{ "$[?1]", "3: a value must be compared" },
	{ "$[?!@.a==1]", "4: a comparison after '!' needs (...)" },
	{ "$[?size(@)==1]", "3: no such function" },
	{ "$[?count(1)==1]", "9: count takes a query" },
	{ "$[?length(@.*)==1]",
	    "10: length takes a value: of queries only "
	    "those that select one at most" },
	{ "$[?match(@.a)]", "12: match takes two arguments" },
	{ "$[?search(@,'\\\\d+')]",
	    "3: search: the pattern is wrong: no "
	    "escape of I-Regexp (RFC 9485), which has "
	    "no \\d, \\s or \\w" },
	{ "$[(@.length-1)]",
	    "2: expected a name in quotes, an index, a "
	    "slice, '*' or '?'" },
};

static const struct row plus[] = {
	/* spellings of its own */
	{ "store.bike.price", "[19.5]" },
	{ "$.store.book[(@.length-1)].price", "[20]" },
	{ "$.na-me.length", "[9]" },
	{ "$.na-me[7]", "[\"\xef\xbf\xbd\"]" },
	{ "$.store.book.1.price", "[12]" },
	{ "$.store.bike.price^^.book.length", "[3]" },
	{ "$.store.*~", "[\"book\",\"bike\"]" },
	{ "$.store.book[*]~", "[0,1,2]" },
	{ "$..price@number()", "[8.5,12,20,19.5]" },
	{ "$..isbn@null()", "[null]" },
	{ "$.store.book[",
	    "[[{\"title\":\"Alpha\",\"price\":8.5,"
	    "\"tags\":[\"x\",\"y\"]},"
	    "{\"title\":\"beta two\",\"price\":12,"
	    "\"isbn\":null},"
	    "{\"title\":\"Gamma\",\"price\":20,"
	    "\"isbn\":\"7-1\",\"sub\":{\"n\":1}}]]" },
	{ "$.`$", "[]" },
	{ "$.store.book[?(@.isbn)].price", "[20]" },
	{ "$.store.book[?(@.price > 10 && @.title.match(/^b/i))].price",
	    "[12]" },
	{ "$.store.book[?(@.price===12||/^G/.test(@.title))].price",
	    "[12,20]" },
	{ "$.store.book[?(@.title.split(' ').length == 2)].price", "[12]" },
	{ "$.store.book[?(@.title.toLowerCase().includes(\"alp\"))].price",
	    "[8.5]" },
	{ "$.store.book[?(@.price == '12')].price", "[12]" },
	{ "$.store.book[?(@property !== 1)].price", "[8.5,20]" },
	{ "$.store.book[?(@path == \"$['store']['book'][2]\")].price", "[20]" },
	{ "$.store.book[?(@root.z + @.price % 5 == 2)].price", "[12]" },
	{ "$.store.book[?(typeof @.isbn != 'undefined' ? true : false)].price",
	    "[12,20]" },
	{ "$.store.book[?(x = @.price, x > 10)].price", "[12,20]" },
	{ "$.store.book[?([12, 20].indexOf(@.price) >= 0)].price", "[12,20]" },
	{ "$.store.book[?(@parentProperty == 'book')].price", "[8.5,12,20]" },
	{ "$.store.book[?(@.isbn.slice(-1) + @.isbn.charAt(0) == '17')].price",
	    "[20]" },
	/* tokens that are operators wherever they come from */
	{ "$.store.bike['~']", "[\"bike\"]" },
	{ "$['~'].n", "[null]" },
	{ "$.store['~']x", "[]" },
	{ "$[(@property)].store.bike.price", "[19.5]" },
	{ "$.store.bike[('*')]", "[19.5]" },
	{ "$.store.bike[(@path && 'price')]", "[19.5]" },
	{ "$.store.book[('-1')]", "[]" },
	{ "$.store.book[(@.length-1) ].price", "[20]" },
	{ "$.store.book[1,?(@.price > 15)].price", "[12,20]" },
	{ "$.store.book[(1]", "16: expected an operator or the end" },
	{ "$.z.$^", "[0]" },
	{ "$.z.$~", "[null]" },
	{ "$.store.book[0,2].price^^[0].price", "[8.5,8.5]" },
	{ "$.store.bike.price^.^", "[{\"price\":19.5}]" },
	{ "$.store.book[0]'']", "[]" },
	{ "$['z']1,n,z]", "[null,0]" },
	/* halves of pairs of surrogates, and the order of code units */
	{ "$.na-me[8]", "[\"\xef\xbf\xbd\"]" },
	{ "$.store.bike[?(@root['na-me'].slice(7, 8) == '\xef\xbf\xbd')]",
	    "[19.5]" },
	{ "$.store.bike[?('\xef\xac\x80' > '\xf0\x9f\x99\x82')]", "[19.5]" },
	{ "$[?(@root['na-me'].match(/./g).length == 9)].bike.price", "[19.5]" },
	{ "$[?(@root['na-me'].match(/(?:)/g).length == 10)].bike.price",
	    "[19.5]" },
	{ "$[?(@root['na-me'].match(/n .|[^x]$/g).length == 2)].bike.price",
	    "[19.5]" },
	{ "$[?(@root['na-me'].search(/[^ -\xc3\xbf]/) == 7)].bike.price",
	    "[19.5]" },
	{ "$[?(@root['na-me'].search(/.$/) == 8)].bike.price", "[19.5]" },
	{ "$[?(@root['na-me'].split('').length == 9)].bike.price", "[19.5]" },
	{ "$[?([1].concat(2, [3, [4]]) == '1,2,3,4')].bike.price", "[19.5]" },
	{ "$[?([1].concat(2, [3, [4]]).length == 4)].bike.price", "[19.5]" },
	{ "$[?([].concat() ? true : false)].bike.price", "[19.5]" },
	/* where methods begin and end */
	{ "$[?('abcab'.indexOf('a', 1) == 3)].bike.price", "[19.5]" },
	{ "$[?('abcab'.indexOf('', 9) == 5)].bike.price", "[19.5]" },
	{ "$[?('abcab'.lastIndexOf('ab', 2) == 0)].bike.price", "[19.5]" },
	{ "$[?('abcab'.lastIndexOf('ab', 3) == 3)].bike.price", "[19.5]" },
	{ "$[?('abcab'.lastIndexOf('ab', -1) == 0)].bike.price", "[19.5]" },
	{ "$[?('abcab'.includes('c', 3))].bike.price", "[]" },
	{ "$[?('abcab'.startsWith('ca', 2))].bike.price", "[19.5]" },
	{ "$[?('abcab'.endsWith('abc', 3))].bike.price", "[19.5]" },
	{ "$[?('a,b,c'.split(',', 2).length == 2)].bike.price", "[19.5]" },
	{ "$[?([1, 2, 1].indexOf(1, -2) == 2)].bike.price", "[19.5]" },
	{ "$[?([1, 2, 1].includes(2, 2))].bike.price", "[]" },
	{ "$[?([1, 2, 1].lastIndexOf(1, -2) == 0)].bike.price", "[19.5]" },
	{ "$[?([1, 2, 1].lastIndexOf(1, -4) == -1)].bike.price", "[19.5]" },
	/* all matches, the last place in a list */
	{ "$.store.book[?(@.title.match(/a|$/g).length == 3)].price", "[20]" },
	{ "$.store.book[?(@.title.match(/z/g) === null)].price",
	    "[8.5,12,20]" },
	{ "$.store.book[?([].slice(0).length == 0)].price", "[8.5,12,20]" },
	{ "$.store.book[?(@.tags.lastIndexOf('y') == 1)].price", "[8.5]" },
	/* where RFC 9535 holds */
	{ "$.store.book[-1].price", "[20]" },
	{ "$.store.book[:0]", "[]" },
	{ "$.store.book[::-1].price", "[20,12,8.5]" },
	{ "$.store['book','bike'].price", "[19.5]" },
	{ "$['a,b']", "[5]" },
	{ "$.store.book[?@.isbn].price", "[12,20]" },
	{ "$.store.book[?@.price>=12].price", "[12,20]" },
	{ "$.store.book[?(@.sub.n>0)].price", "[20]" },
	{ "$.store.book[?(@.price>12)].price", "[20]" },
	{ "$.store.book[?(length(@.title) == 5)].price", "[8.5,20]" },
	{ "$.store.book[?(@.tags[?(@ == 'x')])].price", "[8.5]" },
	{ "$.z[?(@.a)]", "[]" },
	{ "$..[?(@.n.x.y.z)]", "[]" },
	{ "$..[?(@.n.match(/x/))]", "[]" },
	{ "$^", "[]" },
	{ "$~", "[null]" },
	/* mistakes */
	{ "", "0: the path is empty" },
	{ "$.store.book[?(@.price = 12)]", "23: '=' assigns: write '=='" },
	{ "$.store.book[?(@.price > max)]", "25: max is not defined" },
	{ "$.store.book[?(Math.max(1, 2))]", "15: Math is not defined" },
	{ "$.store.book[?(@.title.upper())]",
	    "23: there is no method upper here" },
	{ "$.store.book[?(@.title.match(/(/))]",
	    "30: the pattern is wrong: unterminated group" },
	{ "$.store.book[?(@.price > )]", "25: the expression ends too early" },
	{ "$.store.book[?(@.a @.b)]", "19: expected an operator or the end" },
	{ "$.store.book[?(@who)]",
	    "15: after '@' expected '.', property, "
	    "parent, parentProperty, root or path" },
	{ "$.store.book[?@.name.match(/x/)]", "26: expected ',' or ']'" },
};

static struct str
selected(const char *path, enum jsonpath_flavour flavour,
    const struct json *root, struct arena *a)
{
	struct jsonpath_error error = { 0 };
	struct jsonpath *compiled =
	    jsonpath_compile(a, str_of(path), flavour, &error);
	struct str text = STR("[");
	struct jsonpath_list list;

	if (compiled == NULL)
		return str_printf(
		    a, "%zu: %.*s", error.offset, STR_FMT(error.why));
	list = jsonpath_select(compiled, root, a);
	for (size_t i = 0; i < list.n && !list.cut; i++)
		text = str_printf(a, "%.*s%s%.*s", STR_FMT(text),
		    i > 0 ? "," : "", STR_FMT(list.values[i]->text));
	jsonpath_free(compiled);
	return list.cut ? STR("cut") : str_cat(a, text, STR("]"));
}

static void
check_rows(const struct row *rows, size_t n, enum jsonpath_flavour flavour,
    const struct json *root)
{
	struct arena a = { 0 };

	for (size_t i = 0; i < n; i++) {
		struct str got = selected(rows[i].path, flavour, root, &a);

		CHECK_STR(got, rows[i].want);
		if (!str_is(got, rows[i].want))
			fprintf(stderr, "\tby %s\n", rows[i].path);
		arena_reset(&a);
	}
	arena_free(&a);
}

/* Hostile paths and documents end in an error within a short time. */
static void
check_traps(struct arena *a)
{
	struct str deep = STR("1"), path = STR("$"), wide = STR("[0");
	struct json_reader reader = { 0 };
	struct json_error error;
	const struct json *root;

	for (int i = 0; i < 900; i++)
		deep = str_printf(a, "[%.*s]", STR_FMT(deep));
	for (int i = 0; i < 12; i++)
		path = str_cat(a, path, STR("..*"));
	root = json_read(&reader, deep, NULL, &error);
	CHECK_STR(selected(str_c(a, path), JSONPATH_RFC9535, root, a), "cut");
	CHECK_STR(selected(str_c(a, path), JSONPATH_PLUS, root, a), "cut");
	path = STR("@");
	for (int i = 0; i < 300; i++)
		path = str_printf(a, "(%.*s)", STR_FMT(path));
	path = str_printf(a, "$[?%.*s]", STR_FMT(path));
	CHECK_STR(selected(str_c(a, path), JSONPATH_RFC9535, root, a),
	    "203: the expression is nested too deeply");
	CHECK_STR(selected(str_c(a, path), JSONPATH_PLUS, root, a),
	    "204: the script is nested too deeply");
	path = STR("$[?(x = 'aaaaaaaa'");
	for (int i = 0; i < 13; i++)
		path = str_cat(a, path, STR(", x = x + x"));
	path = str_cat(a, path, STR(", x.split('').join(x))]"));
	CHECK_STR(selected(str_c(a, path), JSONPATH_PLUS, root, a), "cut");
	for (int i = 0; i < 2000; i++)
		wide = str_cat(a, wide, STR(",0"));
	wide = str_printf(a,
	    "{\"w\":%.*s],\"p\":\"(a*)*b\",\"t\":\"%0*d\",\"l\":\"%0*d\"}",
	    STR_FMT(wide), 9999, 0, 300000, 0);
	root = json_read(&reader, wide, NULL, &error);
	CHECK_STR(
	    selected("$.w[?match($.t,$.p)]", JSONPATH_RFC9535, root, a), "[]");
	CHECK_STR(selected("$.w[?(@root.t.match(/(0*)*\\1!/))]", JSONPATH_PLUS,
		      root, a),
	    "cut");
	CHECK_STR(selected("$.w[?(@root.l.endsWith('b', 9))]", JSONPATH_PLUS,
		      root, a),
	    "cut");
	CHECK_STR(selected("$.w[?(@root.t.match(/(0*)*\\1!/g))]", JSONPATH_PLUS,
		      root, a),
	    "cut");
	json_reader_free(&reader);
}

/* Checks what a condition says of a value: yes, no, or the offset of a mistake. */
static void
check_condition(
    struct arena *a, const char *text, const char *json, const char *want)
{
	struct json_reader reader = { 0 };
	struct json_error wrong;
	struct jsonpath_error error;
	const struct json *v = json_read(&reader, str_of(json), NULL, &wrong);
	struct jsonpath *path = jsonpath_condition(a, str_of(text), &error);

	if (path == NULL) {
		CHECK_STR(str_printf(
			      a, "%zu: %.*s", error.offset, STR_FMT(error.why)),
		    want);
	} else {
		CHECK_STR(
		    str_of(jsonpath_holds(path, v, a) ? "yes" : "no"), want);
		jsonpath_free(path);
	}
	json_reader_free(&reader);
}

static void
check_conditions(struct arena *a)
{
	static const struct {
		const char *text, *json, *want;
	} rows[] = {
		{ "$.a == 'x'", "{\"a\":\"\\u0078\"}", "yes" },
		{ "@.a == $.b", "{\"a\":1,\"b\":1.0}", "yes" },
		{ "$.a", "{\"a\":null}", "yes" },
		{ "$.a", "{\"b\":{\"a\":1}}", "no" },
		{ "$", "null", "yes" },
		{ "$.a == 1", "{\"a\":2,\"a\":1}", "yes" },
		{ "$[-1] == 2 && !$[2]", "[1,2]", "yes" },
		{ "$[?@.a == 1]", "{\"a\":1}", "yes" },
		{ "$[?@.a == 1]", "{\"b\":{\"a\":1}}", "no" },
		{ "$[?@.a].b == 1", "{}",
		    "0: only values can be compared: literals, queries that "
		    "select one at most, length, count and value" },
		{ "count($[?@.a].b[*]) == 2", "{\"a\":1,\"b\":[1,2]}", "yes" },
		{ "$[?@.a][?@.b]", "{\"a\":{\"b\":1}}", "yes" },
		{ "$[?@.a][?@.b]", "{\"a\":1,\"b\":1}", "no" },
		{ "@[?@.b]", "{\"a\":{\"b\":1}}", "yes" },
		{ "count($[?true == true].*) == 2", "{\"a\":1,\"b\":2,\"a\":3}",
		    "yes" },
		{ "$.a )", "{}", "4: expected '&&' or '||'" },
		{ "", "{}", "0: expected a query, a literal or a function" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		check_condition(a, rows[i].text, rows[i].json, rows[i].want);
}

int
main(void)
{
	struct arena a = { 0 };
	struct json_reader reader = { 0 };
	struct json_error error;
	const struct json *root =
	    json_read(&reader, str_of(document), NULL, &error);

	check_rows(standard, sizeof standard / sizeof standard[0],
	    JSONPATH_RFC9535, root);
	check_rows(plus, sizeof plus / sizeof plus[0], JSONPATH_PLUS, root);
	check_traps(&a);
	check_conditions(&a);
	arena_free(&a);
	json_reader_free(&reader);
	return unit_status();
}
