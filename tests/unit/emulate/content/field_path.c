/* Where mcp-eval finds values, and text, in a tool's result. */
#include "emulate/content/tool_result.h"
#include "tests/unit/unit.h"

static struct arena arena;

static const struct json *
value(const char *text)
{
	struct json_reader reader = { 0 };
	const struct json *v =
	    json_keep(&arena, json_read(&reader, str_of(text), NULL, NULL));

	json_reader_free(&reader);
	return v;
}

/* Returns the source of the value at a path; absent if there is no value. */
static struct str
at(const char *path, const char *text)
{
	struct field_path field;
	struct str why;
	const struct json *v;

	CHECK(field_path_read(&field, &arena, str_of(path), &why));
	v = field_path_get(&field, value(text), &arena);
	return v == NULL ? (struct str){ 0 } : v->text;
}

static bool
is_path(const char *path)
{
	struct field_path field;
	struct str why;

	return field_path_read(&field, &arena, str_of(path), &why);
}

static void
finds_values(void)
{
	CHECK_STR(at("a.b", "{\"a\":{\"b\":1}}"), "1");
	CHECK_STR(at(".a..b.", "{\"a\":{\"b\":1}}"), "1");
	CHECK_STR(at("a[0]b", "{\"a\":[{\"b\":1}]}"), "1");
	CHECK_STR(at("[ -1 ]", "[1,2]"), "2");
	CHECK_STR(at("[+0_1]", "[1,2]"), "2");
	/* As int() has it: Arabic digits, mathematical ones, odd blanks. */
	CHECK_STR(at("[-\xd9\xa1]", "[1,2]"), "2");
	CHECK_STR(at("[\xf0\x9d\x9f\x99]", "[1,2]"), "2");
	CHECK_STR(at("[\xe3\x80\x80\x31\xc2\xa0]", "[1,2]"), "2");
	CHECK(!is_path("[\xc2\xb2]") && !is_path("[\xff]"));
	CHECK_STR(at("a.1", "{\"a\":[1,2]}"), "2");
	CHECK_STR(at("1", "{\"1\":3}"), "3");
	CHECK_STR(at("a]", "{\"a]\":4}"), "4");
	CHECK_STR(at("", "[5]"), "[5]");
	CHECK(at("[2]", "[1,2]").s == NULL && at("[-3]", "[1,2]").s == NULL);
	CHECK(at("[0]", "{\"0\":1}").s == NULL && at("a", "\"a\"").s == NULL);
	CHECK(at("a.b", "{\"a.b\":1}").s == NULL);
	CHECK(!is_path("a[b]") && !is_path("a[") && !is_path("a[]"));
}

static struct str
text(const char *json)
{
	return tool_result_text(value(json), &arena);
}

static void
finds_text(void)
{
	CHECK_STR(text("\"a\""), "a");
	CHECK_STR(text("[\"a\",\"\",1,[\"b\"]]"), "a\nb");
	CHECK_STR(text("{\"text\":\"\",\"content\":\"a\"}"), "");
	CHECK_STR(text("{\"content\":[{\"text\":\"\"},{\"type\":\"image\"}]}"),
	    "\nimage");
	CHECK_STR(text("{\"content\":[],\"output\":{\"a\":\"b\"}}"), "b");
	CHECK_STR(text("{\"output\":\"\",\"a\":\"b\",\"c\":\"d\"}"), "b\nd");
	CHECK(text("{\"a\":1,\"b\":\"\"}").s == NULL && text("1").s == NULL);
}

/* A value without a text is searched once, whatever its depth. */
static void
no_text_is_found_soon(void)
{
	enum { LEVELS = 300 };
	struct str list = STR("1"), object = STR("1");

	for (int i = 0; i < LEVELS; i++) {
		list =
		    str_printf(&arena, "{\"content\":[%.*s]}", STR_FMT(list));
		object =
		    str_printf(&arena, "{\"output\":%.*s}", STR_FMT(object));
	}
	CHECK(text(list.s).s == NULL);
	CHECK(text(object.s).s == NULL);
}

int
main(void)
{
	finds_values();
	finds_text();
	no_text_is_found_soon();
	arena_free(&arena);
	return unit_status();
}
