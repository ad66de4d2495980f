/* Where PromptKit looks for JSON in an answer. */
#include "check/answer/embedded_json.h"
#include "tests/unit/unit.h"

enum { WHOLE, FENCED, LOOSE, BOTH };

static struct arena arena;

/* Returns the source of the JSON that is found, or the message. */
static struct str
read(const char *text, unsigned how)
{
	const struct embedded_json e = { .fenced = how & FENCED,
		.loose = how & LOOSE };
	struct view none = { .arena = &arena };
	struct view *view = view_of_text(&none, str_of(text));
	struct embedded_json_error wrong;
	const struct json *v = embedded_json_read(&e, view, &wrong);

	CHECK((v == NULL) == (wrong.members.s != NULL));
	CHECK((v == NULL) == (wrong.what.s != NULL));
	CHECK(embedded_json_read(&e, view, &wrong) == v);
	return v == NULL ? wrong.members : v->text;
}

static void
whole(void)
{
	CHECK_STR(read(" 42\n", WHOLE), "42");
	CHECK_STR(read("{\"a\":1,\"a\":2}", WHOLE), "{\"a\":1,\"a\":2}");
	CHECK_STR(read("1e999", WHOLE),
	    "\"error\":\"a number is out of range\",\"content\":\"1e999\"");
	CHECK_STR(read("", WHOLE),
	    "\"error\":\"text ends where a value was "
	    "expected\",\"content\":\"\"");
}

static bool
is_refused(const char *text, unsigned how)
{
	return str_starts(read(text, how), "\"error\":");
}

static void
fences(void)
{
	CHECK_STR(read("x\n```json\n [1]\n```\n", FENCED), "[1]");
	CHECK_STR(read("``` \t\n\n1\n```", FENCED), "1");
	CHECK_STR(read("````\n1\n```", FENCED), "1");
	CHECK_STR(read("```\n\u00a0[1]\u3000\n```", FENCED), "[1]");
	CHECK(is_refused("```\n\ufeff[1]\n```", FENCED));
	CHECK_STR(read("```json 1 ``` ```\n2\n```", FENCED), "2");
	CHECK_STR(read("[1]", FENCED), "[1]");
	CHECK_STR(read("```json\n[1]\n```\n```\n[2]\n```", FENCED), "[1]");
	CHECK(is_refused("```json\n[1]\n```", WHOLE));
	CHECK(is_refused("```{\"a\":1}```", FENCED));
	CHECK(is_refused("```yaml\n1\n```", FENCED));
	CHECK(is_refused("```json\n1```", FENCED));
	CHECK(is_refused("```json\n```", FENCED));
	/* An empty fence is one: nothing else is looked for. */
	CHECK(is_refused("```json\n\n``` [1]", BOTH));
	CHECK_STR(read("```json\n``` [1]", BOTH), "[1]");
}

static void
brackets(void)
{
	CHECK_STR(read("Sure: {\"a\":[1,2]} ok", LOOSE), "{\"a\":[1,2]}");
	CHECK_STR(read("of [1] and {\"a\":1}", LOOSE), "{\"a\":1}");
	CHECK_STR(read("} {\"a\":\"}\\\"}\"} {", LOOSE), "{\"a\":\"}\\\"}\"}");
	CHECK_STR(read("a { [1, [2]] ]", LOOSE), "[1, [2]]");
	CHECK_STR(read("3", LOOSE), "3");
	CHECK(is_refused("{b} [1]", LOOSE));
	CHECK(is_refused("{\"a\":1", LOOSE));
	CHECK(is_refused("[\"", LOOSE));
	CHECK(is_refused("[\\", LOOSE));
}

int
main(void)
{
	whole();
	fences();
	brackets();
	arena_free(&arena);
	return unit_status();
}
