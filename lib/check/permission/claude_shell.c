#include "check/permission/claude_shell.h"

#include "check/permission/claude_product.h"
#include "check/permission/cover.h"

/* A part as lines look at it. */
struct part {
	const struct claude_part *as;
	const struct claude_start *starts;
	size_t n;
	struct str rest; /* without redirections, and behind what rules of allow
			  * pass over */
	/* The command behind all that is taken off; NULL: no simple command. */
	const struct shell_command *command;
	struct shell shell; /* all that runs in the part */
	bool simple;        /* nothing else runs in the part */
	bool exact;         /* only a line without a pattern allows the part */
	bool critical;      /* no line allows the part */
	bool allowed;       /* by a line */
};

/* The parts of a call. */
struct parts {
	struct part *list;
	size_t n;
	struct str whole;
	bool unparsed, substitutes; /* as claude_parts says */
	bool moves;                 /* some part is a cd into another folder */
	bool git;                   /* some part is of git */
};

/* Returns the number of the hit's sort. */
static unsigned
sort_of(struct permission_hit hit)
{
	return 2 * hit.unseen + hit.maybe;
}

bool
claude_has_hit(const struct claude_deciding *c, struct permission_hit hit)
{
	/* By sort, a bit for each sort that says as much. */
	static const unsigned char as_much[] = { 1, 1 | 2, 1 | 4, 15 };

	return (c->sorts[hit.line->number] & as_much[sort_of(hit)]) != 0;
}

void
claude_hit(struct claude_deciding *c, struct permission_hit hit)
{
	if (claude_has_hit(c, hit))
		return;
	c->sorts[hit.line->number] |= (unsigned char)(1u << sort_of(hit));
	*arena_push(c->arena, c->hits, c->nhits) = hit;
}

void
claude_cover(struct claude_deciding *c, struct permission_cover cover)
{
	c->open = true;
	for (size_t i = 0; i < c->ncovers; i++)
		if (str_eq(c->covers[i].line, cover.line)) {
			/* Two texts of one call are not exactly one. */
			if (!str_eq(c->covers[i].exact, cover.exact))
				c->covers[i].exact = cover.line;
			return;
		}
	*arena_push(c->arena, c->covers, c->ncovers) = cover;
}

/* ---- a text and a pattern ---- */

/* Returns whether the text fits the pattern, in which '*' is any text. */
static bool
fits_stars(struct str pattern, struct str text)
{
	struct str piece = str_cut(&pattern, '*');

	if (pattern.s == NULL)
		return str_eq(piece, text);
	if (!str_starts(text, piece))
		return false;
	text = str_from(text, piece.n);
	for (piece = str_cut(&pattern, '*'); pattern.s != NULL;
	     piece = str_cut(&pattern, '*')) {
		size_t at = str_find(text, piece);

		if (at == text.n && piece.n > 0)
			return false;
		text = str_from(text, at + piece.n);
	}
	return str_ends(text, piece);
}

static struct str
pattern_of(const struct claude_entry *e)
{
	return e->stars.s != NULL ? e->stars : e->value;
}

bool
claude_fits_bare(const struct claude_entry *e)
{
	return str_ends(e->value, " *") &&
	    (e->prefix || str_count_char(pattern_of(e), '*') == 1);
}

bool
claude_text_fits(const struct claude_entry *e, struct str text)
{
	struct str bare = str_slice(e->value, 0, e->value.n - 2);

	if (e->least > text.n + 1)
		return false;
	if (claude_fits_bare(e)) {
		if (str_eq(text, bare))
			return true;
		if (e->prefix)
			return str_starts(text, bare) && text.n > bare.n &&
			    text.s[bare.n] == ' ';
	}
	return fits_stars(pattern_of(e), text);
}

static bool
has_star(const struct claude_entry *e)
{
	return str_find_char(e->value, '*') < e->value.n;
}

/* ---- the parts ---- */

static bool
is_program(const struct part *p, const char *names)
{
	return p->command != NULL &&
	    str_is_one_of(p->command->words[0].text, names);
}

static bool
has_word(const struct shell_command *c, const char *words)
{
	for (size_t i = 1; i < c->n; i++)
		if (str_is_one_of(c->words[i].text, words))
			return true;
	return false;
}

/* Returns the operand of a cd; absent: there is none. */
static struct str
cd_target(const struct shell_command *c)
{
	for (size_t i = 1; i < c->n; i++)
		if (c->words[i].text.n == 0 || c->words[i].text.s[0] != '-')
			return c->words[i].text;
	return (struct str){ 0 };
}

/* Returns whether the path is the root, a child of the root, the home folder, the
 * working folder or one around that folder, or all that is behind a variable. */
static bool
is_critical(struct str path, struct str folder)
{
	struct str below;
	size_t slashes;

	while (path.n > 1 && str_ends(path, "/"))
		path = str_slice(path, 0, path.n - 1);
	if (str_ends(path, "/*"))
		path = str_slice(path, 0, path.n > 2 ? path.n - 2 : 1);
	slashes = str_count_char(path, '/');
	return str_is_one_of(path, "/ ~ . .. * ./ ../..") ||
	    (path.n == 1 && path.s[0] == SHELL_UNKNOWN) ||
	    (slashes == 1 && path.s[0] == '/') ||
	    (str_starts(path, "/") &&
		claude_path_is_below(path, folder, &below));
}

/* Returns whether the command removes a critical path, which Claude Code asks about
 * whatever the lines and the mode are: page "Choose a permission mode", section
 * "Critical paths". */
static bool
removes_critical(const struct shell_command *c, struct str folder)
{
	for (size_t i = 1; i < c->n; i++) {
		struct str word = c->words[i].text;

		if (word.n == 1 && word.s[0] == SHELL_UNKNOWN &&
		    !str_is_one_of(c->words[i].source, "$HOME \"$HOME\""))
			continue;
		if ((word.n == 0 || word.s[0] != '-') &&
		    is_critical(word, folder))
			return true;
	}
	return false;
}

/* Notes what the part runs. */
static void
read_command(const struct claude_deciding *c, struct part *p, struct str text)
{
	p->shell = shell_read(c->arena, text);
	for (size_t i = 0; i < p->shell.n && p->command == NULL; i++)
		if (str_eq(p->shell.list[i].source, text) &&
		    p->shell.list[i].by == SHELL_NONE)
			p->command = &p->shell.list[i];
	p->simple = p->command != NULL && p->shell.n == 1 &&
	    !p->shell.unknown && !p->shell.invalid;
	p->exact = is_program(p, "watch setsid ionice flock") ||
	    (is_program(p, "find") &&
		has_word(p->command, "-exec -execdir -ok -okdir -delete"));
	p->critical = is_program(p, "rm rmdir") &&
	    removes_critical(p->command, c->call->folder);
}

static struct part
part_of(const struct claude_deciding *c, const struct claude_part *as)
{
	struct part p = { .as = as };
	struct claude_start starts[2 * CLAUDE_STARTS], *kept;

	p.n = claude_starts(as->plain, starts);
	for (size_t i = 0; i < p.n && starts[i].allows; i++)
		p.rest = starts[i].text;
	read_command(c, &p, starts[p.n - 1].text);
	if (!str_eq(as->text, as->plain))
		p.n += claude_starts(as->text, starts + p.n);
	kept = arena_new_n(c->arena, struct claude_start, p.n);
	memcpy(kept, starts, p.n * sizeof starts[0]);
	p.starts = kept;
	return p;
}

const char claude_no_folder[] =
    "not recorded: the folder in which the run began";

void
claude_lack(
    struct claude_deciding *c, enum permission decision, const char *what)
{
	const char **why =
	    decision == PERMISSION_ALLOW ? &c->doubt : &c->lacking;

	if (*why == NULL)
		*why = what;
}

/* Returns whether the path, as a word names it, is in the working folders, as far as is
 * known. */
static bool
is_inside(struct claude_deciding *c, struct str word)
{
	struct str folder = c->call->folder;
	enum rule_fit inside;

	if (str_find_char(word, SHELL_UNKNOWN) < word.n)
		return false;
	if (word.n == 0)
		word = STR("~");
	inside = claude_path_is_inside(
	    c->set, folder, claude_path_of(folder, word, c->arena), c->arena);
	if (inside == RULE_MAYBE)
		claude_lack(c, PERMISSION_ALLOW, claude_no_folder);
	return inside != RULE_NO;
}

/* Returns whether a part changes into a folder that is not inside the working folders. */
static bool
leaves(struct claude_deciding *c, const struct parts *parts)
{
	for (size_t i = 0; i < parts->n; i++)
		if (is_program(&parts->list[i], "cd pushd") &&
		    !is_inside(c, cd_target(parts->list[i].command)))
			return true;
	return false;
}

static struct parts
parts_of(const struct claude_deciding *c, struct claude_parts read)
{
	struct parts parts = { .n = read.n,
		.whole = str_trim(c->call->command),
		.unparsed = read.unparsed,
		.substitutes = read.substitutes };

	parts.list = arena_new_n(c->arena, struct part, read.n + 1);
	for (size_t i = 0; i < read.n; i++) {
		struct part *p = &parts.list[i];

		*p = part_of(c, &read.list[i]);
		parts.git |= is_program(p, "git");
		if (is_program(p, "cd pushd"))
			parts.moves |= !str_is(cd_target(p->command), ".") &&
			    !str_eq(cd_target(p->command), c->call->folder);
	}
	return parts;
}

/* ---- lines ---- */

static bool
fits_part(const struct permission_line *line, const struct part *p)
{
	const struct claude_entry *e = line->of;
	bool allows = line->decision == PERMISSION_ALLOW;

	if (allows && p->exact && has_star(e))
		return false;
	for (size_t i = 0; i < p->n; i++)
		if ((p->starts[i].allows || !allows) &&
		    claude_text_fits(e, p->starts[i].text))
			return true;
	return false;
}

/* Returns whether the line is about the whole command: a line of allow without a pattern
 * that says the same, or one of deny or ask that has a separator itself. */
static bool
fits_whole(const struct permission_line *line, const struct parts *parts)
{
	const struct claude_entry *e = line->of;

	if (line->decision == PERMISSION_ALLOW)
		return !has_star(e) && str_eq(e->value, parts->whole) &&
		    parts->whole.n <= CLAUDE_LONGEST;
	for (size_t i = 0; i < e->value.n; i++)
		if (ascii_is_among(e->value.s[i], "|;&\n"))
			return claude_text_fits(e, parts->whole);
	return false;
}

static void
match_line(struct claude_deciding *c, const struct permission_line *line,
    struct parts *parts)
{
	bool allows = line->decision == PERMISSION_ALLOW;

	if (fits_whole(line, parts)) {
		claude_hit(
		    c, (struct permission_hit){ line, .part = parts->whole });
		for (size_t i = 0; allows && i < parts->n; i++)
			parts->list[i].allowed = true;
		return;
	}
	for (size_t i = 0; i < parts->n; i++) {
		struct part *p = &parts->list[i];

		if ((allows && parts->unparsed) || !fits_part(line, p))
			continue;
		p->allowed |= allows;
		claude_hit(
		    c, (struct permission_hit){ line, .part = p->as->text });
	}
}

/* ---- without a line ---- */

/* Returns whether the agent runs the part without a question since it only reads. */
static bool
reads_only(
    struct claude_deciding *c, const struct parts *parts, const struct part *p)
{
	if (parts->unparsed || parts->substitutes || !p->simple ||
	    !str_eq(p->command->source, p->rest) ||
	    !claude_knows_expansions(p->rest))
		return false;
	if (is_program(p, "git") && parts->moves)
		return false;
	if (!is_program(p, "cd"))
		return claude_reads_only(p->command);
	if (parts->git && parts->moves)
		return false;
	return is_inside(c, cd_target(p->command));
}

/* Returns whether the file may be written without a question in acceptEdits. */
static bool
is_free(struct claude_deciding *c, const struct shell_word *w)
{
	struct str folder = c->call->folder;

	return !shell_word_is_computed(w) &&
	    !claude_path_is_protected(
		folder, claude_path_of(folder, w->text, c->arena), c->arena) &&
	    is_inside(c, w->text);
}

/* Returns whether acceptEdits lets the part pass: a command on files that are inside the
 * working folders. */
static bool
edits_inside(struct claude_deciding *c, const struct part *p)
{
	bool script = is_program(p, "sed");

	if (!p->simple || !str_eq(p->command->source, p->rest) ||
	    !is_program(p, "mkdir touch rm rmdir mv cp sed"))
		return false;
	for (size_t i = 1; i < p->command->n; i++) {
		const struct shell_word *w = &p->command->words[i];

		if (str_starts(w->text, "-")) {
			/* A flag may name a folder. */
			if (str_find_char(w->text, '/') < w->text.n)
				return false;
			script &= !str_is_one_of(w->text, "-e -f -ne -nf");
		} else if (script) {
			script = false;
		} else if (!is_free(c, w)) {
			return false;
		}
	}
	return true;
}

/* ---- covers ---- */

/* Parts of a call for which a line is looked for; nobody wants more. */
enum { MOST_COVERS = 256 };

/* Returns the entry of a shell with this pattern. */
static struct str
entry(struct arena *a, struct str value)
{
	value = str_replace(a, value, STR("\\"), STR("\\\\"));
	value = str_replace(a, value, STR("("), STR("\\("));
	value = str_replace(a, value, STR(")"), STR("\\)"));
	return str_printf(a, "Bash(%.*s)", STR_FMT(value));
}

static struct str *
texts_of(struct arena *a, const struct shell_command *c)
{
	struct str *words = arena_new_n(a, struct str, c->n);

	for (size_t i = 0; i < c->n; i++)
		words[i] = c->words[i].text;
	return words;
}

/* Returns whether a line for the part would allow what cannot be undone. */
static bool
is_irrevocable(struct arena *a, const struct part *p)
{
	for (size_t i = 0; i < p->shell.n; i++) {
		const struct shell_command *c = &p->shell.list[i];
		const struct str *words = texts_of(a, c);
		size_t named = permission_cover_words(words, c->n);

		/* The command that is started counts, not what starts the
		 * command, where a line cannot say another. */
		if ((!c->starts || (c->by == SHELL_NONE && !p->exact)) &&
		    permission_irrevocable(words, named))
			return true;
	}
	return p->critical;
}

/* Returns the beginning of the part that a line should name. Absent: the whole part. */
static struct str
beginning(struct arena *a, const struct part *p)
{
	const struct shell_command *c = p->command;
	size_t named = permission_cover_words(texts_of(a, c), c->n);
	struct str last = named == 0 ? STR("") : c->words[named - 1].source;

	if (p->exact || last.s < p->rest.s ||
	    last.s + last.n > p->rest.s + p->rest.n)
		return (struct str){ 0 };
	return (struct str){ p->rest.s, (size_t)(last.s + last.n - p->rest.s) };
}

/* Notes the line that would cover the part. */
static void
cover_part(
    struct claude_deciding *c, const struct parts *parts, const struct part *p)
{
	struct claude_entry e = { .form = CLAUDE_SHELL };
	struct permission_cover cover = { 0 };
	struct str named;

	c->open = true;
	c->uncovered++;
	if (c->uncovered <= MOST_COVERS)
		cover.irrevocable = is_irrevocable(c->arena, p);
	if (c->uncovered > MOST_COVERS || parts->unparsed ||
	    p->command == NULL || p->critical ||
	    str_find_char(p->command->words[0].text, SHELL_UNKNOWN) <
		p->command->words[0].text.n) {
		claude_cover(c, cover);
		return;
	}
	named = beginning(c->arena, p);
	e.value = str_cat(c->arena, named, STR(" *"));
	if (named.s == NULL || !claude_text_fits(&e, p->rest))
		e.value = p->rest;
	if (str_find_char(p->rest, '\n') == p->rest.n &&
	    str_find_char(p->rest, '*') == p->rest.n)
		cover.exact = entry(c->arena, p->rest);
	if (str_find_char(e.value, '\n') == e.value.n &&
	    (!p->exact || !has_star(&e)))
		cover.line = entry(c->arena, e.value);
	claude_cover(c, cover);
}

/* ---- the command ---- */

static void
decide_part(
    struct claude_deciding *c, const struct parts *parts, const struct part *p)
{
	const struct claude_settings *s = c->set->of;

	c->critical |= p->critical;
	if (p->as->plain.n == 0 || (!p->critical && (p->allowed || c->allowed)))
		return;
	if (reads_only(c, parts, p))
		c->why = "read-only";
	else if (!p->critical && !parts->unparsed &&
	    s->mode == CLAUDE_ACCEPT_EDITS && edits_inside(c, p) &&
	    !leaves(c, parts))
		c->why = "mode acceptEdits";
	else
		cover_part(c, parts, p);
}

void
claude_decide_parts(struct claude_deciding *c, struct claude_parts read)
{
	struct parts parts = parts_of(c, read);

	for (size_t i = 0; i < c->set->n; i++) {
		const struct claude_entry *e = c->set->lines[i].of;

		if (e->form == CLAUDE_SHELL && str_is(e->tool, "Bash"))
			match_line(c, &c->set->lines[i], &parts);
	}
	for (size_t i = 0; i < parts.n; i++) {
		decide_part(c, &parts, &parts.list[i]);
		claude_decide_files(
		    c, parts.list[i].as, parts.list[i].command, parts.moves);
	}
}
