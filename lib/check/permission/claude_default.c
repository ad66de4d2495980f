/* The decision about a call that no line covers, and the line that would cover the call
 * (table "Permission system" of the page "Configure permissions", and the column of the
 * page "Tools reference" that says which tools need a permission). */
#include "check/permission/claude.h"
#include "check/permission/claude_shell.h"
#include "text/caseless.h"

/* Returns whether the path names what is secret, so that no line is proposed. */
static bool
is_secret(struct str path)
{
	static const char *const names =
	    ".ssh .gnupg .aws .azure .kube .netrc .npmrc .pypirc .docker";

	while (path.s != NULL) {
		struct str name = str_cut(&path, '/');

		if (str_is_one_of(name, names) || str_starts(name, ".env"))
			return true;
	}
	return false;
}

/* Files: those within the working folders are read freely, and written in acceptEdits. */
static void
decide_files(const struct permission_set *set, const struct claude_call *c,
    struct claude_default *d, struct arena *a)
{
	const struct claude_settings *settings = set->of;
	struct str folder = c->of->folder;
	bool edits = c->files == CLAUDE_EDITS;
	bool free = !edits ||
	    (settings != NULL && settings->mode == CLAUDE_ACCEPT_EDITS);

	d->decision = PERMISSION_ALLOW;
	for (size_t i = 0; i < c->n; i++) {
		struct str path = c->values[i];
		enum rule_fit inside =
		    claude_path_is_inside(set, folder, path, a);
		bool guarded =
		    edits && claude_path_is_protected(folder, path, a);

		if (inside == RULE_YES && !guarded && free)
			continue;
		d->unknown |= inside == RULE_MAYBE && !guarded && free;
		if (d->decision == PERMISSION_NONE)
			continue;
		d->decision = PERMISSION_NONE;
		d->cover =
		    claude_path_cover(edits ? "Edit" : "Read", folder, path, a);
		d->cover.irrevocable |= guarded || is_secret(path);
	}
	if (d->unknown)
		d->why = str_of(claude_no_folder);
	else if (d->decision == PERMISSION_ALLOW)
		d->why = edits ? STR("acceptEdits") : STR("read-only");
}

/* Returns the line that covers the call; no entry names a tool that Claude Code does not
 * have. */
static struct permission_cover
cover_of(const struct claude_call *c, struct arena *a)
{
	struct permission_cover cover = { .line = c->mcp.s != NULL ? c->mcp
								   : c->tool };
	struct str value = c->n > 0 ? c->values[0] : (struct str){ 0 },
		   word = value;
	static const char *const gone =
	    "remove-item clear-content stop-process "
	    "invoke-expression format-volume";

	if (c->mcp.s == NULL && c->known == NULL)
		cover.line = (struct str){ 0 };
	if (value.n == 0)
		return cover;
	if (str_is(c->tool, "WebFetch")) {
		cover.line =
		    str_printf(a, "WebFetch(domain:%.*s)", STR_FMT(value));
	} else if (str_is(c->tool, "Skill")) {
		cover.line = str_printf(a, "Skill(%.*s)", STR_FMT(value));
	} else if (str_is(c->tool, "SlashCommand")) {
		cover.line =
		    str_printf(a, "SlashCommand(/%.*s)", STR_FMT(value));
	} else if (str_is(c->tool, "PowerShell")) {
		word = str_cut(&value, ' ');
		cover.line = str_printf(a, "PowerShell(%.*s *)", STR_FMT(word));
		cover.irrevocable = caseless_is_one_of(word, gone);
	}
	return cover;
}

struct claude_default
claude_default_of(const struct permission_set *set, const struct claude_call *c,
    struct arena *a)
{
	struct claude_default d = { .decision = PERMISSION_NONE };

	if (c->files != CLAUDE_NO_FILES) {
		decide_files(set, c, &d, a);
	} else if (c->lacking && c->known != NULL && c->known->main != NULL) {
		d.unknown = true;
		d.why = STR("not recorded: the arguments of a call");
	} else if (c->known != NULL && !c->known->asks) {
		d.decision = PERMISSION_ALLOW;
		d.why = STR("needs no permission");
	} else {
		d.cover = cover_of(c, a);
	}
	return d;
}
