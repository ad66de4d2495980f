#include "cmd/extract_groups.h"

#include "extract/file_groups.h"

/* Returns whether the shell and xargs take the text as one word as it is. */
static bool
is_plain(struct str text)
{
	const struct str marks = STR("/._-+,:@%=");

	for (size_t i = 0; i < text.n; i++) {
		char c = text.s[i];

		if (!(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z') &&
		    !(c >= '0' && c <= '9') &&
		    str_find_char(marks, c) == marks.n)
			return false;
	}
	return text.n != 0;
}

static void
put_word(struct out *o, struct str word)
{
	if (is_plain(word)) {
		out_str(o, word);
		return;
	}
	out_char(o, '\'');
	for (size_t i = 0; i < word.n; i++) {
		if (word.s[i] == '\'')
			out_text(o, "'\\'");
		out_char(o, word.s[i]);
	}
	out_char(o, '\'');
}

void
extract_groups(const struct extract_job *job, char **files, struct out *o)
{
	struct arena a = { 0 };

	for (char ***group = file_tasks(&a, job, files); *group != NULL;
	     group++) {
		for (char **file = *group; *file != NULL; file++) {
			if (file != *group)
				out_char(o, ' ');
			put_word(o, str_of(*file));
		}
		out_char(o, '\n');
	}
	arena_free(&a);
}
