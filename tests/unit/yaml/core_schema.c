/* Plain scalars by the core schema of YAML 1.2.2, section 10.3.2: the regular
 * expressions of its table, by the C library, against lib/yaml/scalar_types for every
 * text of up to five characters of those that matter, and its words. */
#include <regex.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/unit.h"
#include "yaml/scalar_types.h"

static const struct rule {
	const char *pattern;
	enum json_type type;
} rules[] = {
	{ "^(null|Null|NULL|~|)$", JSON_NULL },
	{ "^(true|True|TRUE)$", JSON_TRUE },
	{ "^(false|False|FALSE)$", JSON_FALSE },
	{ "^[-+]?[0-9]+$", JSON_NUMBER },
	{ "^0o[0-7]+$", JSON_NUMBER },
	{ "^0x[0-9a-fA-F]+$", JSON_NUMBER },
	{ "^[-+]?(\\.[0-9]+|[0-9]+(\\.[0-9]*)?)([eE][-+]?[0-9]+)?$",
	    JSON_NUMBER },
	{ "^[-+]?(\\.inf|\\.Inf|\\.INF)$", JSON_NUMBER },
	/* A number for YAML, but none of JSON: a mistake (lib/yaml/document.h). */
	{ "^(\\.nan|\\.NaN|\\.NAN)$", JSON_NUMBER },
};

enum { RULES = sizeof rules / sizeof *rules };

static regex_t compiled[RULES];
static const char symbol_classes[] = "0178+-.eExoaF~_";
static const char *const words[] = { "null", "Null", "NULL", "nULL", "true",
	"True", "TRUE", "tRUE", "false", "False", "FALSE", "fALSE", ".inf",
	"-.Inf", "+.INF", ".iNF", ".nan", ".NaN", ".NAN", "-.nan", ".Nan", "y",
	"yes", "no", "on", "off", "0b1", "1:30", "<<", "=", "2024-01-15" };

/* What the table has for it; a text that no row fits is a string. */
static enum json_type
expected(const char *scalar)
{
	for (size_t i = 0; i < RULES; i++)
		if (regexec(&compiled[i], scalar, 0, NULL, 0) == 0)
			return rules[i].type;
	return JSON_STRING;
}

/* A number that C reads as the schema does. */
static bool
value_agrees(const char *scalar, struct str json)
{
	bool octal = strncmp(scalar, "0o", 2) == 0;
	double want = octal ? (double)strtoull(scalar + 2, NULL, 8)
			    : strtod(scalar, NULL);

	return strtod(json.s, NULL) == want;
}

static bool
agrees(struct arena *a, const char *scalar)
{
	struct typed_scalar got =
	    scalar_types_read(a, TYPES_CORE, str_of(scalar));
	enum json_type want = expected(scalar);
	bool is_nan = want == JSON_NUMBER && strpbrk(scalar, "nN") != NULL &&
	    strpbrk(scalar, "fF") == NULL;

	if (is_nan)
		return got.mistake != NULL;
	if (got.type != want || got.mistake != NULL)
		return false;
	return want != JSON_NUMBER ||
	    strpbrk(scalar, "iI") != NULL || /* 1e999 */
	    value_agrees(scalar, str_dup(a, got.json));
}

/* All texts of so many characters from `at` on. */
static size_t
try_all(struct arena *a, char *scalar, size_t at, size_t n)
{
	size_t bad = 0;

	if (n == 0) {
		scalar[at] = '\0';
		arena_reset(a);
		if (agrees(a, scalar))
			return 0;
		fprintf(stderr, "differs: %s\n", scalar);
		return 1;
	}
	for (const char *c = symbol_classes; *c != '\0'; c++) {
		scalar[at] = *c;
		bad += try_all(a, scalar, at + 1, n - 1);
	}
	return bad;
}

int
main(void)
{
	enum { LENGTH = 5 };
	struct arena a = { 0 };
	char scalar[LENGTH + 1];
	size_t all = 0, bad = 0, power = 1;

	for (size_t i = 0; i < RULES; i++)
		CHECK(regcomp(&compiled[i], rules[i].pattern,
			  REG_EXTENDED | REG_NOSUB) == 0);
	for (size_t n = 0; n <= LENGTH; n++) {
		bad += try_all(&a, scalar, 0, n);
		all += power;
		power *= sizeof symbol_classes - 1;
	}
	for (size_t i = 0; i < sizeof words / sizeof *words; i++, all++)
		if (!agrees(&a, words[i])) {
			fprintf(stderr, "differs: %s\n", words[i]);
			bad++;
		}
	printf("yaml-core: %zu agreed, %zu disagreed\n", all - bad, bad);
	CHECK(bad == 0);
	for (size_t i = 0; i < RULES; i++)
		regfree(&compiled[i]);
	arena_free(&a);
	return unit_status();
}
