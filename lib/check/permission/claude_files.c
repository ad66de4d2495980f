/* Decides the files that a part of a command writes or reads, by the lines of Edit and
 * Read: page "Configure permissions", sections "Redirections" and "Read and Edit". */
#include "check/permission/claude_shell.h"

/* A file as a word names it. */
struct file {
	struct str path; /* as claude_path_of gives paths */
	bool odd; /* a shell computes the name, or ~ or a glob is in it */
	bool relative;
	struct str part; /* of the command */
};

static struct file
file_of(const struct claude_deciding *c, const struct shell_word *w,
    struct str part)
{
	return (struct file){
		.path = claude_path_of(c->call->folder, w->text, c->arena),
		.odd = w->glob || shell_word_is_computed(w) ||
		    (!w->quoted && str_starts(w->text, "~")),
		.relative = !str_starts(w->text, "/"),
		.part = part,
	};
}

/* Adds hits of the tool's lines that fit the file. Returns whether a line allows the
 * file. */
static bool
match_file(struct claude_deciding *c, const char *tool, const struct file *f,
    bool only_deny)
{
	bool allowed = false;

	for (size_t i = 0; i < c->set->n; i++) {
		const struct permission_line *line = &c->set->lines[i];
		const struct claude_entry *e = line->of;
		enum rule_fit fit;

		if (e->form != CLAUDE_PATH || !str_is(e->tool, tool) ||
		    (only_deny && line->decision != PERMISSION_DENY) ||
		    (f->odd && line->decision == PERMISSION_ALLOW))
			continue;
		fit = claude_path_fits(
		    line, c->call->folder, f->path, 0, c->arena);
		if (fit == RULE_MAYBE)
			claude_lack(c, line->decision, claude_no_folder);
		if (fit == RULE_NO)
			continue;
		claude_hit(c,
		    (struct permission_hit){ line, .part = f->part,
			.maybe = fit == RULE_MAYBE,
			.why = fit == RULE_MAYBE ? str_of(claude_no_folder)
						 : (struct str){ 0 } });
		allowed |= line->decision == PERMISSION_ALLOW;
	}
	return allowed;
}

/* Decides the target of a redirection. */
static void
decide_target(struct claude_deciding *c, const struct file *f, bool moves)
{
	const struct claude_settings *s = c->set->of;
	bool placed = !f->odd && !(moves && f->relative), allowed;
	bool guarded =
	    claude_path_is_protected(c->call->folder, f->path, c->arena);
	enum rule_fit inside = RULE_NO;

	allowed = match_file(c, "Edit", f, false) && placed && !guarded;
	allowed |= c->allowed && !guarded;
	if (!allowed && placed && !guarded &&
	    (s->mode == CLAUDE_ACCEPT_EDITS || s->mode == CLAUDE_AUTO))
		inside = claude_path_is_inside(
		    c->set, c->call->folder, f->path, c->arena);
	if (inside == RULE_MAYBE)
		claude_lack(c, PERMISSION_ALLOW, claude_no_folder);
	if (inside == RULE_YES)
		c->why =
		    s->mode == CLAUDE_AUTO ? "mode auto" : "mode acceptEdits";
	if (allowed || inside != RULE_NO)
		return;
	if (placed && !guarded)
		claude_cover(c,
		    claude_path_cover(
			"Edit", c->call->folder, f->path, c->arena));
	else
		claude_cover(c, (struct permission_cover){ 0 });
}

/* Programs of which Claude Code knows that their operands are files, but for the first
 * `skips`; the last one is written, or all are, or none. */
struct file_program {
	const char *names;
	unsigned skips;
	enum { WRITES_NONE, WRITES_LAST, WRITES_ALL } writes;
};

static const struct file_program file_programs[] = {
	{ "cat head tail less more nl tac wc sort uniq cut paste strings od "
	  "hexdump "
	  "base64 stat file diff",
	    0, WRITES_NONE },
	{ "grep egrep fgrep rg sed awk jq", 1, WRITES_NONE },
	{ "cp", 0, WRITES_LAST },
	{ "mv rm rmdir mkdir touch tee truncate", 0, WRITES_ALL },
};

/* Matches the operands of a program that reads or writes files. Only lines of deny are
 * about these. */
static void
match_operands(struct claude_deciding *c, const struct file_program *p,
    const struct shell_command *command, struct str part)
{
	bool edits = false;
	unsigned skips = p->skips;

	for (size_t i = 1; i < command->n; i++) {
		struct file f = file_of(c, &command->words[i], part);

		if (str_starts(command->words[i].text, "-")) {
			edits |= str_is(command->words[0].text, "sed") &&
			    str_starts(command->words[i].text, "-i");
			continue;
		}
		if (skips > 0) {
			skips--;
			continue;
		}
		if (p->writes == WRITES_ALL ||
		    (p->writes == WRITES_LAST && i + 1 == command->n))
			match_file(c, "Edit", &f, true);
		else
			match_file(c, "Read", &f, true);
		if (edits)
			match_file(c, "Edit", &f, true);
	}
}

void
claude_decide_files(struct claude_deciding *c, const struct claude_part *part,
    const struct shell_command *command, bool moves)
{
	for (size_t i = 0; i < part->ntargets; i++) {
		struct shell target = shell_read(
		    c->arena, str_cat(c->arena, STR("x "), part->targets[i]));

		if (target.n > 0 && target.list[0].n == 2) {
			struct file f =
			    file_of(c, &target.list[0].words[1], part->text);

			decide_target(c, &f, moves);
		} else {
			claude_cover(c, (struct permission_cover){ 0 });
		}
	}
	for (size_t i = 0; command != NULL &&
	     i < sizeof file_programs / sizeof file_programs[0];
	     i++)
		if (str_is_one_of(
			command->words[0].text, file_programs[i].names))
			match_operands(
			    c, &file_programs[i], command, part->text);
}
