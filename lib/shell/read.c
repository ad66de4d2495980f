/* The texts and lists of words that others ask about. */
#include "shell/parser.h"

static struct shell
result_of(const struct shell_state *s)
{
	return (struct shell){ s->list, s->n, s->unknown, s->invalid };
}

static struct shell
read_text(struct shell_state s)
{
	struct shell_parser p = {
		.state = &s, .by = SHELL_NONE, .params_unknown = s.written
	};

	shell_nested(&p, s.text, (struct shell_words){ 0 },
	    (struct shell_stdin){ .kind = INPUT_NONE }, SHELL_NONE);
	return result_of(&s);
}

struct shell
shell_read(struct arena *a, struct str text)
{
	return read_text((struct shell_state){ .arena = a, .text = text });
}

struct shell
shell_read_written(struct arena *a, struct str text)
{
	return read_text(
	    (struct shell_state){ .arena = a, .text = text, .written = true });
}

struct shell
shell_read_words(struct arena *a, const struct str *words, size_t n)
{
	struct shell_state s = { .arena = a };
	struct shell_parser p = { .state = &s, .by = SHELL_NONE };
	struct shell_words list = { 0 };

	for (size_t i = 0; i < n; i++)
		shell_add_word(
		    a, &list, (struct shell_word){ words[i], .quoted = true });
	if (n > 0)
		shell_command(&p, list,
		    (struct shell_stdin){ .kind = INPUT_NONE },
		    (struct str){ 0 });
	return result_of(&s);
}
