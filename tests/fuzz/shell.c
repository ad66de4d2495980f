/* A text is read as bash reads it: what is read has words, and each command is
 * started by a command before it. Patterns take each command. */
#include <assert.h>
#include <stdint.h>

#include "shell/pattern.h"

int LLVMFuzzerTestOneInput(const uint8_t *, size_t);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena a = { 0 };
	struct str text = { (const char *)data, size };
	struct shell s = shell_read(&a, text);
	const char *why;
	const struct shell_pattern *p =
	    shell_pattern_read(&a, STR("rm|git push *x? -r|--force"), &why);

	for (size_t i = 0; i < s.n; i++) {
		const struct shell_command *c = &s.list[i];

		assert(c->n > 0 && c->by < (int)i && c->by >= SHELL_NONE);
		assert(c->source.s == NULL ||
		    (c->source.s >= text.s &&
			c->source.s + c->source.n <= text.s + text.n));
		shell_pattern_fits(p, c);
		shell_pattern_fits(
		    shell_pattern_read(&a, c->words[0].text, &why) == NULL
			? p
			: shell_pattern_read(&a, c->words[0].text, &why),
		    c);
	}
	shell_pattern_find(p, &s);
	arena_free(&a);
	return 0;
}
