/* The input is a text of Codex's rules, and behind a line with only a NUL byte the words
 * of a command, one a line. The text is read or refused; of what is read, each line has
 * words, matches the command of its own words, and covers itself. */
#include <assert.h>
#include <stdint.h>

#include "check/permission/codex.h"

int LLVMFuzzerTestOneInput(const uint8_t *, size_t);

/* Checks that a line decides the command of the first word at each of its places. */
static void
check_line(const struct permission_set *set, const struct permission_line *line)
{
	const struct codex_pattern *p = line->of;
	struct arena a = { 0 };
	struct str *words = arena_new_n(&a, struct str, p->n);
	struct codex_decision d;
	bool found = false;

	assert(p->n > 0 && line->place.line > 0 && line->written.n >= 4);
	for (size_t i = 0; i < p->n; i++) {
		assert(p->words[i].n > 0);
		words[i] = p->words[i].list[0];
	}
	d = codex_decide_words(set, words, p->n, CODEX_AS_WRITTEN, &a);
	for (size_t i = 0; i < d.n; i++)
		found = found || d.lines[i] == line;
	assert(found && d.decision >= line->decision);
	assert(!d.unknown || d.decision != PERMISSION_DENY);
	assert(codex_covers(line, line));
	arena_free(&a);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct permission_source source = { .file = "x.rules" };
	struct str text = { (const char *)data, size }, command, *words = NULL;
	struct arena a = { 0 };
	struct permission_set set = { .arena = &a };
	struct policy policy = { .keep_going = true };
	size_t at = str_find(text, STR("\n\0\n")), n = 0;
	bool read;

	diag_quiet();
	policy_begin_file(&policy, &a);
	read = codex_read(&set, &source, str_slice(text, 0, at), &policy);
	assert(read || (set.n == 0 && set.of == NULL));
	command = str_from(text, at + 3);
	while (command.n > 0)
		*arena_push(&a, words, n) = str_cut(&command, '\n');
	codex_decide_words(&set, words, n, CODEX_ABSOLUTE, &a);
	codex_decide_words(&set, words, n, CODEX_ANY_PATH, &a);
	/* Each line matches all others of its words: time is quadratic. */
	for (size_t i = 0; i < set.n && i < 100; i++)
		check_line(&set, &set.lines[i]);
	codex_owns_text(text);
	arena_free(&a);
	return 0;
}
