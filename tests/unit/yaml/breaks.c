/* The line breaks of YAML 1.1 and what stands for them. */
#include <string.h>

#include "yaml/text.h"

#include "tests/unit/unit.h"

static void
check_hidden(struct arena *a, struct str text)
{
	struct yaml_breaks b;
	struct str hidden = yaml_breaks_hide(&b, a, text);
	char *shown = memcpy(arena_alloc(a, text.n), hidden.s, hidden.n);

	CHECK(hidden.n == text.n);
	CHECK(str_find(hidden, "\xc2\x85") == hidden.n);
	CHECK(str_find(hidden, "\u2028") == hidden.n);
	CHECK(str_find(hidden, "\u2029") == hidden.n);
	yaml_breaks_restore(&b, shown, text.n);
	CHECK(str_eq((struct str){ shown, text.n }, text));
}

int
main(void)
{
	struct arena a = { 0 };
	struct yaml_breaks b;
	struct str none = STR("a: b\r\nc: \ue000");

	CHECK(yaml_breaks_hide(&b, &a, none).s == none.s);
	CHECK(yaml_breaks_hide(&b, &a, STR("")).n == 0);
	check_hidden(&a, STR("\u2028\u2028a\u2029 \xc2\x85"));
	/* What would have stood for them is in the text. */
	check_hidden(&a,
	    STR("\u0400\u0401\ue000\xc2\x85\u2028\uf000\u2029\ue001\u2028"));
	arena_free(&a);
	return unit_status();
}
