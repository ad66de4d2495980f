/*
 * Every code block of the five documents loads as the manifest of the blocks says.
 * Blocks that repeat one key are valid, blocks with an escape that YAML lacks give a
 * message, and a member without its object is YAML, not JSON.
 */
#include "yaml/document.h"

#include "tests/unit/messages.h"
#include "tests/unit/shared.h"
#include "tests/unit/unit.h"

struct expected {
	size_t escapes, members;
};

static size_t
count(struct str text, struct str what)
{
	size_t n = 0, at;

	while ((at = str_find(text, what)) < text.n) {
		text = str_from(text, at + what.n);
		n++;
	}
	return n;
}

static struct expected
expect(struct str note)
{
	return (struct expected){
		.escapes = str_contains(note, "is no escape of"),
		.members = str_contains(note, "without its object"),
	};
}

static void
check_block(struct str file, struct str note, struct arena *a)
{
	struct expected want = expect(note);
	struct messages messages = messages_catch();
	struct document *d = document_read(a,
	    shared_path(a, str_printf(a, "seeds/blocks/%.*s", STR_FMT(file)).s),
	    NULL);
	struct str said;

	if (d != NULL)
		document_resolve(d, TYPES_CORE);
	said = messages_end(messages, a);
	CHECK(d != NULL && d->n > 0);
	CHECK(count(said, STR("is not an escape")) == want.escapes);
	CHECK(count(said, STR("read as YAML instead")) == want.members);
	CHECK(count(said, STR("\n")) == want.escapes + want.members);
}

int
main(void)
{
	struct arena a = { 0 };
	struct str rest, line;
	size_t n = 0;

	if (!shared_read(&a, "seeds/blocks/manifest.tsv", &rest))
		return 77;
	str_cut(&rest, '\n');
	while (rest.n > 0) {
		struct str file;

		line = str_cut(&rest, '\n');
		file = str_cut(&line, '\t');
		if (str_ends(file, ".mmd"))
			continue;
		check_block(file, line, &a);
		n++;
	}
	CHECK(n > 80);
	printf("seed_docs: %zu blocks\n", n);
	arena_free(&a);
	return unit_status();
}
