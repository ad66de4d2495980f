/* JavaScript's numbers and JSON.stringify; the results are those of an engine. */
#include "emulate/lang/js.h"

#include <math.h>
#include <stdlib.h>

#include "tests/unit/unit.h"

static struct arena arena;

static void
numbers_to_text(void)
{
	static const struct {
		double value;
		const char *text;
	} table[] = {
		{ 0, "0" },
		{ -0.0, "0" },
		{ 1, "1" },
		{ -1.5, "-1.5" },
		{ 100, "100" },
		{ 0.1, "0.1" },
		{ 0.000001, "0.000001" },
		{ 0.0000001, "1e-7" },
		{ 0.00000123, "0.00000123" },
		{ 1.25e-9, "1.25e-9" },
		{ 123456789012345680000.0, "123456789012345680000" },
		{ 1e20, "100000000000000000000" },
		{ 1e21, "1e+21" },
		{ 1.5e300, "1.5e+300" },
		{ 0x1p-44, "5.684341886080802e-14" },
		{ 5e-324, "5e-324" },
		{ 0x1p-1022, "2.2250738585072014e-308" },
		{ 0x1.fffffffffffffp1023, "1.7976931348623157e+308" },
		{ 9007199254740993.0, "9007199254740992" },
		{ 0.1 + 0.2, "0.30000000000000004" },
		{ 999999999999999.9, "999999999999999.9" },
		{ INFINITY, "Infinity" },
		{ -INFINITY, "-Infinity" },
		{ NAN, "NaN" },
	};
	char buf[JS_NUMBER_SIZE];

	for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
		CHECK_STR(js_number(table[i].value, buf), table[i].text);
}

/* Returns String(Number(text)). */
static struct str
converted(struct str text)
{
	char buf[JS_NUMBER_SIZE];
	double value;

	if (!js_to_number(text, &value, &arena))
		return STR("NaN");
	return str_dup(&arena, js_number(value, buf));
}

static void
text_to_numbers(void)
{
	static const char *const table[][2] = {
		{ "", "0" },
		{ " \t\n", "0" },
		{ "12", "12" },
		{ " 12 ", "12" },
		{ "\xc2\xa0"
		  "12\xe2\x80\xa8\xef\xbb\xbf",
		    "12" },
		{ "012", "12" },
		{ "+12", "12" },
		{ "-12.50", "-12.5" },
		{ "-0", "0" },
		{ ".5", "0.5" },
		{ "5.", "5" },
		{ ".", "NaN" },
		{ "+", "NaN" },
		{ "- 1", "NaN" },
		{ "1e3", "1000" },
		{ "1E-2", "0.01" },
		{ "1e", "NaN" },
		{ "1_000", "NaN" },
		{ "1,000", "NaN" },
		{ "12px", "NaN" },
		{ "1e1000", "Infinity" },
		{ "Infinity", "Infinity" },
		{ "+Infinity", "Infinity" },
		{ "-Infinity", "-Infinity" },
		{ "infinity", "NaN" },
		{ "NaN", "NaN" },
		{ "inf", "NaN" },
		{ "0x10", "16" },
		{ "0XfF", "255" },
		{ "-0x10", "NaN" },
		{ "0x", "NaN" },
		{ "0x1p3", "NaN" },
		{ "0x1g", "NaN" },
		{ "0b101", "5" },
		{ "0b2", "NaN" },
		{ "0o17", "15" },
		{ "0o8", "NaN" },
		{ "0x20000000000001", "9007199254740992" },
		{ "0x20000000000003", "9007199254740996" },
		{ "0x80000000000004000", "147573952589676410000" },
		{ "0x80000000000004001", "147573952589676450000" },
		{ "1 2", "NaN" },
	};

	for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
		CHECK_STR(converted(str_of(table[i][0])), table[i][1]);
	CHECK_STR(converted((struct str){ "1\0002", 3 }), "NaN");
}

static void
stringify(const char *source, const char *want)
{
	struct json_reader reader = { 0 };
	struct out out;

	out_open_memory(&out);
	js_stringify(
	    &out, json_read(&reader, str_of(source), NULL, NULL), &arena);
	CHECK_STR(out_memory(&out), want);
	out_close(&out);
	json_reader_free(&reader);
}

static void
many_keys(void)
{
	struct out source, want;

	out_open_memory(&source);
	out_open_memory(&want);
	out_char(&source, '{');
	out_char(&want, '{');
	for (int i = 0; i < 1000; i++) {
		out_printf(&source, "\"%d\": 0,", 999 - i);
		out_printf(&want, "\"%d\":%d,", i, i == 999);
	}
	out_text(&source, "\"999\":1,\"x\":2}");
	out_text(&want, "\"x\":2}");
	stringify(str_c(&arena, out_memory(&source)),
	    str_c(&arena, out_memory(&want)));
	out_close(&source);
	out_close(&want);
}

int
main(void)
{
	numbers_to_text();
	text_to_numbers();
	stringify(" null ", "null");
	stringify("[ true, false , {} , [] ]", "[true,false,{},[]]");
	stringify("[1.0,1e2,-0,-0.0,1E21,12345678901234567890,1e999]",
	    "[1,100,0,0,1e+21,12345678901234567000,null]");
	stringify(
	    "\"a\\/b\\u0041\\u00e9\\u0022\\u005c\\u001F\\u0008\\n\\u000a\"",
	    "\"a/bA\xc3\xa9\\\"\\\\\\u001f\\b\\n\\n\"");
	stringify("\"\\ud83d\\ude00 \\uD83D \\uDe00\\uD83D\\u0041\"",
	    "\"\xf0\x9f\x98\x80 \\ud83d \\ude00\\ud83dA\"");
	stringify("\"\x7f\xe2\x80\xa8\"", "\"\x7f\xe2\x80\xa8\"");
	stringify(
	    "{\"b\":1,\"10\":2,\"a\":3,\"9\":4,\"b\":5,\"01\":6,\"-1\":7}",
	    "{\"9\":4,\"10\":2,\"b\":5,\"a\":3,\"01\":6,\"-1\":7}");
	stringify("{\"4294967295\":1,\"4294967294\":2,\"0\":3}",
	    "{\"0\":3,\"4294967294\":2,\"4294967295\":1}");
	stringify("{\"\":1,\"__proto__\":2,\"\\u0031\":3,\"1\":4}",
	    "{\"1\":4,\"\":1,\"__proto__\":2}");
	many_keys();
	arena_free(&arena);
	return unit_status();
}
