/* The dialect `codex-rules`: the rules by which Codex decides what its agent may run. See
 * mcpl-spec(5). */
#include "check/dialect/dialect.h"
#include "check/dialect/permissions.h"
#include "check/permission/codex.h"

static void
read_text(struct scenarios *s, struct str text)
{
	struct permission_set *set = permissions_begin(s, &permission_codex);
	struct permission_source *source =
	    arena_new(s->arena, struct permission_source);
	size_t first = set->n;

	source->file = s->doc->file;
	if (!codex_read(set, source, text, s->doc->policy))
		return;
	permissions_end(s, set, first, false);
}

const struct dialect dialect_codex_rules = {
	.name = "codex-rules",
	.what = "Codex: the rules of its permissions (*.rules)",
	.read_text = read_text,
	.suffix = ".rules",
	.owns_text = codex_owns_text,
};
