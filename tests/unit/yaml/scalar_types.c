/* Which plain scalars are no strings in each schema, and what they become. */
#include "yaml/scalar_types.h"

#include "tests/unit/unit.h"

#define HEX_64 \
	"ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
#define HEX_257 HEX_64 HEX_64 HEX_64 HEX_64 "f"

/* What each scalar is for TYPES_CORE, TYPES_GO, TYPES_EVOLVE, TYPES_PYTHON: its JSON
 * text; NULL: a string of the scalar itself. */
static const struct row {
	const char *scalar;
	const char *want[4];
} rows[] = {
	{ "", { "null", "null", "null", "null" } },
	{ "~", { "null", "null", "null", "null" } },
	{ "null", { "null", "null", "null", "null" } },
	{ "NULL", { "null", "null", "null", "null" } },
	{ "nUll", { NULL, NULL, NULL, NULL } },
	{ "none", { NULL, NULL, NULL, NULL } },
	{ "true", { "true", "true", "true", "true" } },
	{ "True", { "true", "true", "true", "true" } },
	{ "tRUE", { NULL, NULL, NULL, NULL } },
	{ "FALSE", { "false", "false", "false", "false" } },
	{ "yes", { NULL, NULL, NULL, "true" } },
	{ "Off", { NULL, NULL, NULL, "false" } },
	{ "y", { NULL, NULL, NULL, NULL } },
	{ "0", { "0", "0", "0", "0" } },
	{ "-0", { "-0", "-0", "-0", "-0" } },
	{ "+12", { "12", "12", "12", "12" } },
	{ "12345678901234567890123",
	    { "12345678901234567890123", "12345678901234567890123",
		"12345678901234567890123", "12345678901234567890123" } },
	{ "007", { "7", "7", "7", "7" } },
	{ "010", { "10", "8", "8", "8" } },
	{ "01234", { "1234", "668", "668", "668" } },
	{ "08901", { "8901", "8901", "8901", NULL } },
	{ "0o17", { "15", "15", "15", NULL } },
	{ "0O17", { NULL, "15", "15", NULL } },
	{ "-0o17", { NULL, "-15", "-15", NULL } },
	{ "0o8", { NULL, NULL, NULL, NULL } },
	{ "0x1F", { "31", "31", "31", "31" } },
	{ "0X1f", { NULL, "31", "31", NULL } },
	{ "-0x10", { NULL, "-16", "-16", "-16" } },
	{ "0x", { NULL, NULL, NULL, NULL } },
	{ "0xffffffffffffffff",
	    { "18446744073709551615", "18446744073709551615",
		"18446744073709551615", "18446744073709551615" } },
	{ "0x10000000000000000",
	    { "1.8446744073709552e+19", NULL, NULL,
		"1.8446744073709552e+19" } },
	{ "-0x8000000000000000",
	    { NULL, "-9223372036854775808", "-9223372036854775808",
		"-9223372036854775808" } },
	{ "-0x8000000000000001", { NULL, NULL, NULL, "-9223372036854775809" } },
	{ "07777777777777777777777",
	    { "7777777777777777777777", "7777777777777777777777",
		"7777777777777777777777", "7.3786976294838206e+19" } },
	{ "0x" HEX_257, { "1e999", NULL, NULL, "1e999" } },
	{ "0b11", { NULL, "3", "3", "3" } },
	{ "1_000", { NULL, "1000", "1000", "1000" } },
	{ "_1", { NULL, NULL, NULL, NULL } },
	{ "1.0", { "1.0", "1.0", "1", "1.0" } },
	{ "1.", { "1", "1", "1", "1" } },
	{ ".5", { "0.5", "0.5", "0.5", "0.5" } },
	{ "-.5", { "-0.5", "-0.5", "-0.5", NULL } },
	{ "00.5", { "0.5", "0.5", "0.5", "0.5" } },
	{ ".", { NULL, NULL, NULL, NULL } },
	{ "1.2.3", { NULL, NULL, NULL, NULL } },
	{ "1e3", { "1e3", "1e3", "1000", NULL } },
	{ "1.E+3", { "1e+3", "1e+3", "1000", "1e+3" } },
	{ "1.5e3", { "1.5e3", "1.5e3", "1500", NULL } },
	{ "2024-02-29", { NULL, NULL, "\"2024-02-29T00:00:00Z\"", NULL } },
	{ "2023-02-29", { NULL, NULL, NULL, NULL } },
	{ "2100-2-29", { NULL, NULL, NULL, NULL } },
	{ "1e400", { "1e400", NULL, NULL, NULL } },
	{ "-1.0e+400", { "-1.0e+400", NULL, NULL, "-1.0e+400" } },
	{ "1e", { NULL, NULL, NULL, NULL } },
	{ "e3", { NULL, NULL, NULL, NULL } },
	{ "-", { NULL, NULL, NULL, NULL } },
	{ "--1", { NULL, NULL, NULL, NULL } },
	{ "1:30", { NULL, NULL, NULL, "90" } },
	{ "-1:30:15", { NULL, NULL, NULL, "-5415" } },
	{ "1:30.5", { NULL, NULL, NULL, "90.5" } },
	{ "01:30", { NULL, NULL, NULL, NULL } },
	{ "1:60", { NULL, NULL, NULL, NULL } },
	{ ".Inf", { "1e999", "1e999", NULL, "1e999" } },
	{ "-.inf", { "-1e999", "-1e999", NULL, "-1e999" } },
	{ ".iNF", { NULL, NULL, NULL, NULL } },
	{ "2024-01-15", { NULL, NULL, "\"2024-01-15T00:00:00Z\"", NULL } },
	{ "2024-1-5", { NULL, NULL, "\"2024-01-05T00:00:00Z\"", NULL } },
	{ "2024-13-01", { NULL, NULL, NULL, NULL } },
	{ "2024-1-5 6:7:8", { NULL, NULL, "\"2024-01-05T06:07:08Z\"", NULL } },
	{ "2024-01-15t10:20:30.50-05:30",
	    { NULL, NULL, "\"2024-01-15T10:20:30.5-05:30\"", NULL } },
	{ "2024-01-15T10:20:30+00:00",
	    { NULL, NULL, "\"2024-01-15T10:20:30Z\"", NULL } },
	{ "24-01-15", { NULL, NULL, NULL, NULL } },
	{ "2024-01-15 10:20", { NULL, NULL, NULL, NULL } },
	{ "2024-01-15T10:20:30", { NULL, NULL, NULL, NULL } },
	{ "1e3 ", { NULL, NULL, NULL, NULL } },
	{ "12a", { NULL, NULL, NULL, NULL } },
};

static enum json_type
type_of(const char *json)
{
	switch (json == NULL ? '"' : *json) {
	case 'n':
		return JSON_NULL;
	case 't':
		return JSON_TRUE;
	case 'f':
		return JSON_FALSE;
	case '"':
		return JSON_STRING;
	default:
		return JSON_NUMBER;
	}
}

int
main(void)
{
	struct arena a = { 0 };

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		for (enum scalar_types s = TYPES_CORE; s <= TYPES_PYTHON; s++) {
			const char *want = rows[i].want[s];
			struct typed_scalar got =
			    scalar_types_read(&a, s, str_of(rows[i].scalar));

			CHECK_STR(
			    got.json.s == NULL ? STR("(string)") : got.json,
			    want == NULL ? "(string)" : want);
			CHECK(got.type == type_of(want));
		}
	CHECK(scalar_types_read(&a, TYPES_CORE, STR(".nan")).mistake != NULL);
	CHECK(scalar_types_read(&a, TYPES_EVOLVE, STR(".inf")).mistake != NULL);
	CHECK(scalar_types_read(&a, TYPES_CORE, STR(".inf")).mistake == NULL);
	CHECK(scalar_types_key(&a, TYPES_EVOLVE, STR("1")) != NULL);
	CHECK(scalar_types_key(&a, TYPES_EVOLVE, STR("a")) == NULL);
	CHECK(scalar_types_key(&a, TYPES_CORE, STR("1")) == NULL);
	arena_free(&a);
	return unit_status();
}
