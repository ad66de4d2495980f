#include "cmd/extract_specs.h"

#include "base/diag.h"
#include "check/dialect/dialect.h"

#include <sys/stat.h>

/* Returns whether the document, or the first element of the list, has a member
 * that only an assertion file has. Members such as role, turns and steps, by
 * which PromptKit's parts of scenarios are known, are those of many logs. */
static bool
asserts(const struct json *document)
{
	const struct json *v =
	    json_is(document, JSON_ARRAY) ? json_first(document) : document;

	return json_has(v, "apiVersion") || json_has(v, "assertions") ||
	    json_has(v, "conversation_assertions") || json_has(v, "cases") ||
	    json_has(v, "scenarios") || json_has(v, "tests");
}

const char *
extract_specs_dialect(const struct json *document)
{
	const struct dialect *d =
	    dialect_of(&(struct document){ .roots = &document, .n = 1 });

	/* A single assertion of these is known by one key, as in many a log. */
	if (d == &dialect_promptkit || d == &dialect_mcp_eval)
		d = asserts(document) ? d : NULL;
	return d == NULL ? NULL : d->name;
}

/* Returns the dialect of an assertion file. Returns NULL if the file's name is
 * not that of a YAML file (no log is YAML), if its text is of no dialect, or if
 * it is a pipe. */
static const struct dialect *
dialect_of_file(char *file)
{
	const struct dialect *d = NULL;
	struct diag_log discarded = { 0 };
	struct str name = str_of(file);
	struct arena a = { 0 };
	struct document *doc = NULL;
	struct stat st;

	if (!str_ends(name, ".yaml") && !str_ends(name, ".yml"))
		return NULL;
	if (stat(file, &st) != 0 || !S_ISREG(st.st_mode))
		return NULL;
	diag_keep(&discarded);
	doc = document_read(&a, file, NULL);
	diag_keep(NULL);
	diag_forget(&discarded);
	if (doc != NULL && doc->n != 0)
		d = dialect_of(doc);
	arena_free(&a);
	return d;
}

bool
extract_specs_leave_out(char **files)
{
	char **kept = files, **file = files;

	for (; *file != NULL; file++) {
		const struct dialect *d = dialect_of_file(*file);

		if (d == NULL)
			*kept++ = *file;
		else
			diag_error((struct place){ .file = *file },
			    "expected a log, found an assertion file of %s "
			    "(mcpl-check -s reads it)",
			    d->name);
	}
	*kept = NULL;
	return kept != files || file == files;
}
