/* The input is a file of rules (empty: the built-in rules), a line with only a NUL
 * byte, and JSON. The redacted text must be JSON, the same in a second redaction, and
 * unchanged if it has no marks. */
#include <assert.h>

#include "base/diag.h"
#include "memory_file.h"
#include "redact/redact.h"
#include "redact/rules.h"

int LLVMFuzzerTestOneInput(const uint8_t *, size_t);

typedef struct str redactor(struct redaction *, const struct json *);

static void
redact_by(redactor *redact, struct redact *rules, const struct json *v)
{
	struct json_reader reader = { 0 };
	struct arena arena = { 0 };
	struct redaction once = redaction_begin(rules, &arena);
	struct redaction again = redaction_begin(rules, &arena);
	struct json_error error;
	struct str text = redact(&once, v);

	assert(json_read(&reader, text, NULL, &error) != NULL);
	assert(once.marks != 0 || str_eq(text, v->text));
	assert(str_eq(redact(&again, v), text) && again.marks == once.marks);
	json_reader_free(&reader);
	arena_free(&arena);
}

static void
redact_all(struct redact *rules, const struct json *v)
{
	if (v == NULL)
		return;
	redact_by(redact_json, rules, v);
	redact_by(redact_context, rules, v);
	redact_by(redact_record, rules, v);
}

/* Returns the built-in rules. They are read once, since reading takes most of the
 * time. */
static struct redact *
built_in(void)
{
	static struct arena arena;
	static struct redact *rules;

	if (rules == NULL)
		redact_file(&rules, &arena, "default");
	return rules;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str text = { (const char *)data, size };
	size_t split = str_find(text, (struct str){ "\n\0\n", 3 });
	struct memory_file file = memory_file(str_slice(text, 0, split));
	struct json_reader reader = { 0 };
	struct arena arena = { 0 };
	struct redact *rules = NULL;
	const struct json *v =
	    json_read(&reader, str_from(text, split + 3), NULL, NULL);

	diag_quiet();
	if (split == 0)
		redact_all(built_in(), v);
	else if (redact_file(&rules, &arena, file.path))
		redact_all(rules, v);
	redact_free(rules);
	json_reader_free(&reader);
	arena_free(&arena);
	close(file.fd);
	return 0;
}
