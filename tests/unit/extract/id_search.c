/* All ids of a file are found, wherever a key and its value lie in the blocks that are
 * read, and only ids of keys that were asked for. */
#include "extract/id_search.h"

#include <string.h>

#include "tests/unit/temporary.h"
#include "tests/unit/unit.h"

static const struct log_format spans = { .shared_keys = "trace_id session.id" };
static const struct log_format session = { .shared_session = "payload.id" };

/* Searches a file with this text. */
static struct id_search *
search(struct arena *a, struct str text)
{
	struct temporary file = temporary_file(text);
	struct id_search *s = arena_new(a, struct id_search);

	s->arena = a;
	id_search_add(s, &spans);
	id_search_add(s, &session);
	id_search_file(s, 7, file.path);
	unlink(file.path);
	return s;
}

static bool
has(const struct id_search *s, const char *id)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->ids[i].hash == id_search_hash(str_of(id)))
			return s->ids[i].file == 7;
	return false;
}

static void
finds_ids_of_its_keys(void)
{
	struct arena a = { 0 };
	struct id_search *s = search(&a,
	    STR("{\"id\": \"first\", \"trace_id\" : \"t1\", "
		"\"span_id\":\"no\", "
		"\"x\":\"\\\"trace_id\\\":\\\"no\\\"\",\"my_trace_id\":\"no\","
		"\"trace_id\":5,\"key\":\"session.id\",\"value\":"
		"{\"stringValue\":\"s1\"}}\n{\"id\":\"no\",\"trace_id\":"
		"\"t2\"}"));

	CHECK(s->n == 4);
	CHECK(has(s, "first") && has(s, "t1") && has(s, "s1") && has(s, "t2"));
	CHECK(!has(s, "no"));
	arena_free(&a);
}

static void
finds_ids_at_the_borders_of_blocks(void)
{
	enum { AROUND = 80 };
	static char text[3 * ID_SEARCH_BLOCK];
	const char begin[] = "{\"trace_id\":\"begin\"}\n";
	const char key[] = "\"trace_id\": \"border\"";
	const char next[] = "\"trace_id\":\"next\"";
	const char end[] = "\"trace_id\":\"end\"";

	for (size_t i = 0; i < (size_t)2 * AROUND; i++) {
		struct arena a = { 0 };
		struct id_search *found;

		memset(text, ' ', sizeof text);
		memcpy(text, begin, sizeof begin - 1);
		memcpy(
		    text + ID_SEARCH_BLOCK - AROUND + i, key, sizeof key - 1);
		memcpy(text + (size_t)2 * ID_SEARCH_BLOCK + i, next,
		    sizeof next - 1);
		memcpy(
		    text + sizeof text - (sizeof end - 1), end, sizeof end - 1);
		found = search(&a, (struct str){ text, sizeof text });
		CHECK(has(found, "border") && has(found, "next"));
		CHECK(has(found, "end"));
		arena_free(&a);
	}
}

static void
reads_only_the_start_of_other_files(void)
{
	const char id[] = "{\"id\":\"a\"}", far[] = "\"trace_id\":\"far\"";
	static char text[2 * ID_SEARCH_BLOCK];
	struct arena a = { 0 };
	struct id_search *s;

	memset(text, ' ', sizeof text);
	memcpy(text, id, sizeof id - 1);
	memcpy(text + ID_SEARCH_BLOCK, far, sizeof far - 1);
	s = search(&a, (struct str){ text, sizeof text });
	CHECK(s->n == 1 && has(s, "a"));
	CHECK(search(&a, STR(""))->n == 0);
	arena_free(&a);
}

int
main(void)
{
	finds_ids_of_its_keys();
	finds_ids_at_the_borders_of_blocks();
	reads_only_the_start_of_other_files();
	return unit_status();
}
