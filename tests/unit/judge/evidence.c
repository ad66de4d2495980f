/* lib/judge/evidence: passages, their ranks, marks for base64, estimates of tokens. */
#include <string.h>

#include "judge/evidence/bm25.h"
#include "judge/evidence/media.h"
#include "judge/evidence/passages.h"
#include "judge/evidence/tokens.h"
#include "tests/unit/unit.h"

static struct arena arena;
static struct json_reader reader;

static const struct json *
value_of(struct str text)
{
	struct json_error error;
	const struct json *v = json_read(&reader, text, NULL, &error);

	CHECK(v != NULL);
	return v;
}

/* Returns n copies of the text between two others. */
static struct str
many(const char *before, const char *text, size_t n, const char *after)
{
	struct out o;

	out_open_memory(&o);
	out_text(&o, before);
	while (n-- != 0)
		out_text(&o, text);
	out_text(&o, after);
	return out_keep(&o, &arena);
}

/* Checks that the passages are the whole value, and that each is JSON between
 * quotes. */
static void
check_passages(struct str json, size_t least)
{
	const struct json *v = value_of(json);
	struct passages all = passages_of(&arena, v);
	struct json_reader one = { 0 };
	struct json_error error;
	size_t n = 0, quotes = v->type == JSON_STRING && json.n > 1000 ? 2 : 0;

	for (size_t i = 0; i < all.n; i++) {
		struct out o;

		CHECK(all.list[i].text.n <= 1012);
		n += all.list[i].text.n;
		out_open_memory(&o);
		out_char(&o, '"');
		passage_write(&o, &all.list[i], &arena);
		out_char(&o, '"');
		CHECK(json_read(&one, out_keep(&o, &arena), NULL, &error) !=
		    NULL);
	}
	CHECK(n == json.n - quotes && all.n >= least);
	json_reader_free(&one);
}

static void
test_passages(void)
{
	check_passages(STR("\"short\""), 1);
	check_passages(many("\"", "line\\n", 1000, "\""), 6);
	check_passages(many("\"", "\\ud83d\\ude00", 1000, "\""), 12);
	check_passages(many("\"", "\xf0\x9f\x98\x80", 1000, "\""), 4);
	check_passages(many("\"", "\\\\", 3001, "\""), 6);
	check_passages(many("[{\"a\":\"", "x", 5000, "\"},1,\"\\u00e9\"]"), 6);
	check_passages(many("[", "{\"a\":\"\\n\"},", 500, "0]"), 5);
}

static void
test_ranks(void)
{
	static const char *const texts[] = { "a refund is denied",
		"REFUNDING getRefund", "ledger status", "" };
	struct bm25 b = { .arena = &arena };
	const double *scores;

	bm25_query(&b, STR("\"Is the refund accepted?\""));
	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
		bm25_passage(&b);
		bm25_text(&b, str_of(texts[i]));
	}
	scores = bm25_scores(&b);
	CHECK(scores[1] > scores[0] && scores[0] > 0);
	CHECK(scores[2] == 0 && scores[3] == 0);
}

static void
check_mark(struct str json, const char *want, size_t images)
{
	struct media m = { .arena = &arena };

	CHECK_STR(media_mark(&m, value_of(json)), want);
	CHECK(m.n == images);
}

static void
test_marks(void)
{
	check_mark(many("{\"a\":[1,\"iVBORw0KGgo", "A", 1325, "\"],\"b\":2}"),
	    "{\"a\":[1,\"[image/png, 1 kB]\"],\"b\":2}", 1);
	check_mark(many("\"x data:image/webp;base64,\\/9j\\/", "A", 96, " y\""),
	    "\"x [image/jpeg, 75 bytes] y\"", 1);
	check_mark(many("\"\\niVBORw0KGgo", "ABCD", 20, "=\\nnext\""),
	    "\"\\n[image/png, 69 bytes]\\nnext\"", 1);
	check_mark(
	    STR("[\"iVBORw0KGgo\",\"/9j/\"]"), "[\"iVBORw0KGgo\",\"/9j/\"]", 0);
	check_mark(many("\"", "aB3", 171, "\""), "\"[base64, 384 bytes]\"", 0);
	CHECK_STR(media_mark(&(struct media){ .arena = &arena },
		      value_of(many("\"", "x", 600, "\""))),
	    str_c(&arena, many("\"", "x", 600, "\"")));
}

static void
test_tokens(void)
{
	CHECK(tokens_of(STR("")) == 0 && tokens_of(STR("a")) == 1);
	CHECK(tokens_of(STR("The tests pass.")) == 5);
	CHECK(tokens_of(STR("0123456789")) == 6);
}

int
main(void)
{
	test_passages();
	test_ranks();
	test_marks();
	test_tokens();
	json_reader_free(&reader);
	arena_free(&arena);
	return unit_status();
}
