/* A command is decided by Claude Code's reading, whatever its text: parts are of the text,
 * no line of deny that fits is left out, and a hit says where. The first line of the input
 * is the pattern of a line. */
#include <assert.h>
#include <stdint.h>

#include "check/permission/claude.h"
#include "check/permission/claude_parts.h"

int LLVMFuzzerTestOneInput(const uint8_t *, size_t);

static const enum permission decisions[] = { PERMISSION_ALLOW, PERMISSION_ASK,
	PERMISSION_DENY };

static void
check_parts(struct arena *a, struct str command)
{
	struct claude_parts parts = claude_parts_read(a, command);

	for (size_t i = 0; i < parts.n; i++) {
		const struct claude_part *p = &parts.list[i];
		struct claude_start starts[CLAUDE_STARTS];
		size_t n = claude_starts(p->text, starts);

		assert(p->text.n > 0 && p->text.s >= command.s &&
		    p->text.s + p->text.n <= command.s + command.n);
		assert(n > 0 && n <= CLAUDE_STARTS && starts[0].allows);
	}
}

/* Decides by three lines with the pattern, and the mode. */
static struct permission_verdict
decide(struct arena *a, struct str pattern, struct str command,
    enum claude_mode mode)
{
	struct claude_settings settings = { .mode = mode };
	struct permission_source source = { .file = "settings.json" };
	struct permission_set set = {
		.product = &permission_claude, .arena = a, .of = &settings
	};
	struct trace_call call = { .tool = STR("Bash") };

	for (size_t i = 0; i < sizeof decisions / sizeof decisions[0]; i++) {
		struct claude_entry *e = arena_new(a, struct claude_entry);

		*e = (struct claude_entry){ .form = CLAUDE_SHELL,
			.tool = STR("Bash"),
			.value = pattern };
		permission_add(&set,
		    (struct permission_line){ .decision = decisions[i],
			.written = pattern,
			.source = &source,
			.of = e });
	}
	return permission_claude.decide(&set,
	    &(struct permission_call){
		.call = &call, .command = command, .folder = STR("/w") },
	    a);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena a = { 0 };
	struct str command = { (const char *)data, size }, pattern;

	pattern = str_cut(&command, '\n');
	if (command.s == NULL)
		command = STR("");
	check_parts(&a, command);
	for (int mode = CLAUDE_DEFAULT; mode < CLAUDE_MODES; mode++) {
		struct permission_verdict v =
		    decide(&a, pattern, command, (enum claude_mode)mode);

		assert(v.decision == PERMISSION_NONE || v.ncovers == 0);
		for (size_t i = 0; i < v.nhits; i++) {
			const struct permission_hit *hit = &v.hits[i];

			assert(hit->part.s != NULL);
			assert(hit->unseen || hit->maybe ||
			    hit->line->decision <= v.decision);
		}
	}
	arena_free(&a);
	return 0;
}
