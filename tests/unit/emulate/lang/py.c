/* Python's conversions and comparisons of values. */
#include "emulate/lang/py.h"

#include <math.h>

#include "io/out.h"
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

static bool
equal(const char *a, const char *b)
{
	return py_equal(value(a), value(b), &arena);
}

static void
compares(void)
{
	CHECK(equal("1", "1.0") && equal("1.0", "true") && equal("0", "-0.0"));
	CHECK(equal("false", "0") && !equal("false", "null"));
	CHECK(!equal("\"1\"", "1") && !equal("\"\"", "null"));
	CHECK(!equal("9007199254740993", "9007199254740992.0"));
	CHECK(!equal("9007199254740993", "9007199254740992"));
	CHECK(equal("9007199254740993.0", "9007199254740992.0"));
	CHECK(!equal("1e999", "1") && equal("1e999", "2e999"));
	CHECK(!equal("1.5", "1") && !equal("2", "1"));
	CHECK(equal("[1,[true]]", "[1.0,[1]]") && !equal("[1]", "[1,1]"));
	CHECK(equal("{\"a\":1,\"b\":[]}", "{\"b\":[],\"a\":true}"));
	CHECK(!equal("{\"a\":1}", "{\"a\":1,\"b\":1}"));
	CHECK(!equal("{\"a\":1,\"b\":1}", "{\"a\":1}"));
	CHECK(equal("{\"a\":1,\"a\":2}", "{\"a\":2}"));
}

/* Each level has its key ten times, and only the last one counts: a comparison of the
 * values of all ten would take exponential time. */
static void
compares_repeated_keys_once(void)
{
	enum { LEVELS = 20, TIMES = 10 };
	struct out o;
	struct str text;
	const char *nested;

	out_open_memory(&o);
	for (int i = 0; i < LEVELS; i++) {
		out_char(&o, '{');
		for (int k = 1; k < TIMES; k++)
			out_text(&o, "\"a\":0,");
		out_text(&o, "\"a\":");
	}
	out_char(&o, '1');
	for (int i = 0; i < LEVELS; i++)
		out_char(&o, '}');
	text = out_keep(&o, &arena);
	nested = str_c(&arena, text);
	CHECK(equal(nested, nested));
}

/* Returns the integer of a field, or 77 if the field is no integer. */
static int64_t
integer(const char *text)
{
	int64_t n;

	return py_int(value(text), &n, &arena) ? n : 77;
}

static void
reads_integers(void)
{
	CHECK(
	    integer("1") == 1 && integer("2.0") == 2 && integer("1e3") == 1000);
	CHECK(integer("true") == 1 && integer("false") == 0);
	CHECK(integer("\" 2 \"") == 2 && integer("\"2.00\"") == 2);
	CHECK(integer("\"+3\"") == 3 && integer("\"-1_000\"") == -1000);
	CHECK(integer("1000000000000000000") == INT64_C(1000000000000000000));
	CHECK(integer("\"9223372036854775807\"") == INT64_MAX);
	CHECK(integer("9223372036854775806") == INT64_MAX - 1);
	CHECK(integer("-9223372036854775808") == INT64_MIN);
	CHECK(integer("1e18") == INT64_C(1000000000000000000));
	CHECK(integer("1e19") == 77 && integer("-1e99") == 77);
	CHECK(integer("1.0000000000000000001") == 1);
	CHECK(integer("12345678901234567890") == INT64_MAX);
	CHECK(integer("2.5") == 77 && integer("\"2.5\"") == 77);
	CHECK(integer("\"1e3\"") == 77 && integer("\"\"") == 77);
	CHECK(integer("\"_1\"") == 77 && integer("\"1__0\"") == 77);
	CHECK(integer("\"-\"") == 77 && integer("\".0\"") == 77);
	CHECK(integer("\"8.\"") == 77 && integer("\"8.0\"") == 8);
	CHECK(integer("\"1_0.0\"") == 10 && integer("\"1.0_0\"") == 77);
	CHECK(integer("\"1_.0\"") == 77 && integer("\"1 .0\"") == 77);
	CHECK(integer("\"\u00a08\u3000\"") == 8);
	CHECK(integer("\"\u0663\"") == 77);
	CHECK(integer("null") == 77 && integer("[]") == 77);
}

/* Returns int() of the text, or 77. */
static int64_t
int_of(const char *text)
{
	int64_t n;

	return py_int_text(str_of(text), &n, &arena) ? n : 77;
}

/* ASCII's separators (U+001C to U+001F) are none of its blanks. */
static void
reads_indices(void)
{
	CHECK(int_of(" +1 ") == 1 && int_of("-0_2\n") == -2);
	CHECK(int_of("\xd9\xa3\xe3\x80\x80") == 3);
	CHECK(int_of("\x1f"
		     "5") == 77 &&
	    int_of("5\x1c") == 77);
	CHECK(int_of("1.0") == 77 && int_of("+ 1") == 77);
}

static double
number(const char *text)
{
	double d;

	return py_float(value(text), &d, &arena) ? d : 77;
}

static void
reads_floats(void)
{
	CHECK(number("1.5") == 1.5 && number("true") == 1);
	CHECK(number("\"100\"") == 100 && number("\" 1e3 \"") == 1000);
	CHECK(number("\".5\"") == 0.5 && number("\"5.\"") == 5);
	CHECK(number("\"1_0\"") == 10 && number("\"+1\"") == 1);
	CHECK(isinf(number("\"inf\"")) && isinf(number("\"-Infinity\"")));
	CHECK(isnan(number("\"NaN\"")));
	CHECK(number("\"\u20031e3\u00a0\"") == 1000);
	CHECK(number("\"0x10\"") == 77 && number("\"abc\"") == 77);
	CHECK(number("\"\"") == 77 && number("\"85%\"") == 77);
	CHECK(number("\"1e\"") == 77 && number("null") == 77);
	CHECK(number("\"1._5\"") == 1.5 && number("\"1e_2\"") == 100);
	CHECK(number("\"1__5\"") == 77 && number("\"1_\"") == 77);
	CHECK(number("\" 1_0\"") == 77 && number("\"\u0663\"") == 77);
}

/* Returns float() of the text, or 77. */
static double
float_of(const char *text)
{
	double d;

	return py_float_text(str_of(text), &d, &arena) ? d : 77;
}

static void
reads_scores(void)
{
	CHECK(float_of(" 1_0.5\n") == 10.5 && float_of("-1e0_2") == -100);
	CHECK(float_of("1._5") == 77 && float_of("1_") == 77);
	CHECK(float_of("\xd9\xa3.\xd9\xa5\xe3\x80\x80") == 3.5);
	CHECK(isinf(float_of("inf")) && float_of("in_f") == 77);
	CHECK(float_of("") == 77 && float_of("1\x1c") == 77);
}

static int
truth(const char *text)
{
	bool b;

	return py_bool(value(text), &b, &arena) ? b : 77;
}

static void
reads_booleans(void)
{
	CHECK(truth("true") == 1 && truth("0") == 0 && truth("1.0") == 1);
	CHECK(truth("\"Yes\"") == 1 && truth("\"OFF\"") == 0);
	CHECK(truth("\"1\"") == 1 && truth("\"f\"") == 0);
	CHECK(truth("2") == 77 && truth("0.5") == 77 && truth("\"2\"") == 77);
	CHECK(truth("\"\"") == 77 && truth("null") == 77);
}

static void
quotes(void)
{
	CHECK_STR(py_repr(&arena, STR("")), "''");
	CHECK_STR(py_repr(&arena, STR("a'b")), "\"a'b\"");
	CHECK_STR(py_repr(&arena, STR("'\"\\")), "'\\'\"\\\\'");
	CHECK_STR(py_repr(&arena, STR("\n\t\r\x1b ")), "'\\n\\t\\r\\x1b '");
	CHECK_STR(py_repr(&arena, STR("\xc2\xad\xc3\xa9")), "'\\xad\xc3\xa9'");
	CHECK_STR(py_repr(&arena, STR("\xe2\x80\xa8")), "'\\u2028'");
	CHECK_STR(py_repr(&arena, STR("\xf0\x9f\x98\x80\xf3\xa0\x80\x81")),
	    "'\xf0\x9f\x98\x80\\U000e0001'");
	CHECK(py_isalpha(0xe9) && py_isalpha('a') && !py_isalpha('5'));
}

int
main(void)
{
	compares();
	compares_repeated_keys_once();
	reads_integers();
	reads_indices();
	reads_floats();
	reads_scores();
	reads_booleans();
	quotes();
	arena_free(&arena);
	return unit_status();
}
