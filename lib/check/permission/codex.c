/* The product Codex: what do its rules make of a recorded call, by Codex's own reading
 * of the command and by what bash runs? (Permissions page, run with Codex 0.171.0.) */
#include "check/permission/codex.h"

#include "base/ascii.h"
#include "check/permission/codex_shell.h"
#include "check/permission/cover.h"
#include "check/rule/rule.h"
#include "shell/shell.h"

enum { SURE = 1, MAYBE = 2 };

/* A call that is being decided. */
struct judge {
	const struct permission_set *set;
	struct arena *arena;
	struct permission_hit *hits;
	unsigned char *sorts; /* by line: SURE and MAYBE, if it has such hits */
	struct permission_cover *covers;
	bool acts; /* some command does more than read */
	struct permission_verdict verdict;
	bool denied; /* by a rule */
};

static void
add_hit(struct judge *j, struct permission_hit hit)
{
	j->sorts[hit.line->number] |= hit.maybe ? MAYBE : SURE;
	*arena_push(j->arena, j->hits, j->verdict.nhits) = hit;
}

static struct str
join(struct arena *a, const struct str *words, size_t n)
{
	return str_join(a, words, n, STR(" "));
}

/* ---- the command of a call ---- */

/* Returns the words by which Codex runs a text: those of bash -lc, unless the call names
 * another shell. `codex exec --json` has joined the words. */
static struct str_list
words_of_text(struct arena *a, const struct trace_call *call, struct str text)
{
	struct str shell = json_text(json_get(call->args, STR("shell")), a);
	bool login = !json_is(json_get(call->args, STR("login")), JSON_FALSE);
	struct str_list split;
	struct str *words;

	if (str_is(call->tool, "command_execution") &&
	    codex_split(text, &split, a) && split.n > 0)
		return split;
	words = arena_new_n(a, struct str, 3);
	words[0] = shell.n > 0 ? shell : STR("/bin/bash");
	words[1] = login ? STR("-lc") : STR("-c");
	words[2] = text;
	return (struct str_list){ words, 3 };
}

/* Returns the words that Codex starts for the call; none if they are not recorded. */
static struct str_list
words_of(struct arena *a, struct rule_program *p, const struct trace_call *call)
{
	const struct json *command =
	    call->args == NULL ? NULL : rule_role_command(p, call);
	struct str *words;
	size_t n = 0;

	if (json_is(command, JSON_STRING))
		return words_of_text(a, call, json_text(command, a));
	if (!json_is(command, JSON_ARRAY))
		return (struct str_list){ 0 };
	words = arena_new_n(a, struct str, json_count(command) + 1);
	for (json_each(word, command))
		words[n++] = json_text(word, a);
	return (struct str_list){ words, n };
}

/* Returns whether the command is a patch, which Codex applies by itself: the words
 * apply_patch PATCH, or a text with apply_patch and a here-document, maybe behind cd. */
static bool
is_patch(struct arena *a, struct str_list words)
{
	struct str text = codex_text_of(words.list, words.n);
	const struct shell_command *last;
	struct shell shell;

	if (text.s == NULL)
		return words.n == 2 && str_is(words.list[0], "apply_patch");
	if (!str_contains(text, "apply_patch") || !str_contains(text, "<<"))
		return false;
	shell = shell_read_written(a, text);
	last = &shell.list[shell.n - 1];
	return (shell.n == 1 ||
		   (shell.n == 2 && str_is(shell_program(shell.list), "cd"))) &&
	    last->n == 1 && str_is(last->words[0].text, "apply_patch");
}

/* ---- by Codex's own reading ---- */

/* Programs that only read, which Codex trusts by itself. */
static const char readers[] =
    "cat cd cut echo expr false grep head id ls nl numfmt paste pwd rev seq "
    "stat tac tail tr true uname uniq wc which whoami";

/* Returns the line that allows commands which begin with the words. */
static struct str
cover_line(const struct judge *j, const struct str *words, size_t n)
{
	struct str_list *list = arena_new_n(j->arena, struct str_list, n);
	struct codex_pattern pattern = { list, n };

	for (size_t i = 0; i < n; i++)
		list[i] = (struct str_list){ &words[i], 1 };
	return str_printf(j->arena,
	    "prefix_rule(pattern=%.*s, decision=\"allow\")",
	    STR_FMT(codex_pattern_text(&pattern, j->arena)));
}

/* Adds the line that would cover a command. Text that is not plain has none. */
static void
add_cover(struct judge *j, const struct codex_command *c, bool is_text)
{
	size_t n = permission_cover_words(c->words, c->n);
	struct permission_cover cover = { 0 };

	if (!is_text) {
		cover.line = cover_line(j, c->words, n);
		cover.irrevocable = permission_irrevocable(c->words, n);
		cover.exact = cover_line(j, c->words, c->n);
	}
	*arena_push(j->arena, j->covers, j->verdict.ncovers) = cover;
}

/* Decides one command of those that Codex sees. */
static enum permission
decide_command(struct judge *j, const struct codex_command *c, bool is_text)
{
	struct codex_decision d = codex_decide_words(
	    j->set, c->words, c->n, CODEX_ANY_PATH, j->arena);
	struct str part = c->source;

	j->acts |= !str_is_one_of(shell_base_name(c->words[0]), readers);
	if (part.s == NULL)
		part = is_text ? c->words[c->n - 1]
			       : join(j->arena, c->words, c->n);
	j->verdict.unknown |= d.unknown;
	for (size_t i = 0; i < d.n; i++)
		add_hit(j,
		    (struct permission_hit){
			.line = d.lines[i], .part = part });
	j->denied |= d.decision == PERMISSION_DENY;
	if (d.decision != PERMISSION_NONE)
		return d.decision;
	if (codex_forces_rm(j->arena, c->words, c->n)) {
		j->verdict.why = STR("rm -f");
		return PERMISSION_DENY;
	}
	add_cover(j, c, is_text);
	return PERMISSION_NONE;
}

/* Returns the first statement of the rules that is not read, as a reason. */
static struct str
not_read(const struct judge *j)
{
	const struct codex_rules *rules = j->set->of;

	return str_printf(j->arena, "not read: %s:%zu", rules->unread->file,
	    rules->unread->line);
}

static void
decide_seen(struct judge *j, struct codex_commands commands)
{
	struct permission_verdict *v = &j->verdict;
	const struct codex_command *first = commands.list;
	bool is_text = first->source.s == NULL &&
	    codex_text_of(first->words, first->n).s != NULL;

	for (size_t i = 0; i < commands.n; i++) {
		enum permission p =
		    decide_command(j, &commands.list[i], is_text);

		if (p > v->decision)
			v->decision = p;
	}
	v->unknown &= !j->denied;
	if (v->unknown)
		v->why = not_read(j);
}

/* ---- by what bash runs ---- */

/* Returns whether a word, which the shell may compute, can be one of these. */
static bool
can_be(struct str word, struct str_list list, struct arena *a)
{
	struct str glob = str_replace(a, word, STR("\xff"), STR("*"));

	for (size_t i = 0; i < list.n; i++)
		if (rule_glob_fits(glob, list.list[i]))
			return true;
	return false;
}

static bool
is_open(const struct shell_word *w)
{
	return w->glob || shell_word_is_computed(w);
}

/* Returns whether the line fits the command if the shell computes the right words. A
 * word that is known must fit; behind a word that may split, nothing is known. */
static bool
may_fit(const struct permission_line *line, const struct shell_command *c,
    struct arena *a)
{
	const struct codex_pattern *p = line->of;
	bool known = false;

	for (size_t i = 0; i < p->n; i++) {
		const struct shell_word *w = &c->words[i];

		if (i >= c->n ||
		    !can_be(
			i == 0 ? shell_program(c) : w->text, p->words[i], a))
			return false;
		if (w->splits)
			return known;
		known |= !is_open(w);
	}
	return known;
}

/* Returns the first words of a command, with ? for what the shell computes. */
static struct str
first_words(const struct shell_command *c, size_t n, struct arena *a)
{
	struct str *words = arena_new_n(a, struct str, n + 1);

	for (size_t i = 0; i < n; i++)
		words[i] =
		    str_replace(a, c->words[i].text, STR("\xff"), STR("?"));
	return join(a, words, n);
}

/* Returns the words of `root`, which starts the command in the end, in front of those in
 * which the command stands: what hides the command from Codex. */
static struct str
behind(const struct shell_command *root, const struct shell_command *c,
    struct arena *a)
{
	size_t n = root->n, same = 0, end = 1;

	if (root == c)
		return (struct str){ 0 };
	while (same < c->n && same + 1 < n &&
	    str_eq(
		root->words[n - 1 - same].text, c->words[c->n - 1 - same].text))
		same++;
	if (same == c->n)
		return first_words(root, n - same, a);
	while (
	    end < n && !str_contains(root->words[end].text, c->words[0].text))
		end++;
	return first_words(root, end, a);
}

static struct str
source_of(const struct shell_command *c, struct arena *a)
{
	return c->source.s != NULL ? c->source : first_words(c, c->n, a);
}

/* Adds a line that says ask or deny about a command that bash runs, unless Codex sees
 * the line's command. */
static void
add_unseen(struct judge *j, const struct shell *shell,
    const struct shell_command *c, const struct permission_line *line,
    bool maybe)
{
	const struct shell_command *root = c;

	if (line->decision < PERMISSION_ASK)
		return;
	if (j->sorts[line->number] & (maybe ? SURE | MAYBE : SURE))
		return;
	while (root->by != SHELL_NONE)
		root = &shell->list[root->by];
	add_hit(j,
	    (struct permission_hit){
		.line = line,
		.part = source_of(root, j->arena),
		.behind = behind(root, c, j->arena),
		.unseen = true,
		.maybe = maybe,
	    });
}

/* Decides a command that bash runs, by the words in front of the first one that the shell
 * computes, and by what that word and others may be. */
static void
decide_run(
    struct judge *j, const struct shell *shell, const struct shell_command *c)
{
	struct str *words = arena_new_n(j->arena, struct str, c->n);
	struct codex_decision d;
	size_t known = 0;

	for (; known < c->n && !is_open(&c->words[known]); known++)
		words[known] = c->words[known].text;
	d = codex_decide_words(j->set, words, known, CODEX_ANY_PATH, j->arena);
	for (size_t i = 0; i < d.n; i++)
		add_unseen(j, shell, c, d.lines[i], false);
	for (size_t i = 0; known < c->n && i < j->set->n; i++) {
		const struct permission_line *line = &j->set->lines[i];
		const struct codex_pattern *pattern = line->of;

		if (pattern->n > known && may_fit(line, c, j->arena))
			add_unseen(j, shell, c, line, true);
	}
	j->verdict.open |= known == 0;
}

/* Looks for commands that bash runs in the text. */
static void
decide_ran(struct judge *j, struct str text)
{
	struct shell shell = shell_read(j->arena, text);

	j->verdict.open = shell.unknown;
	for (size_t i = 0; i < shell.n; i++)
		decide_run(j, &shell, &shell.list[i]);
}

/* ---- the product ---- */

static struct permission_verdict
undecided(struct str why)
{
	return (struct permission_verdict){
		.decision = PERMISSION_NONE, .unknown = true, .why = why
	};
}

static struct permission_verdict
allowed(struct str why)
{
	return (struct permission_verdict){ .why = why };
}

static struct permission_verdict
decide(const struct permission_set *set, const struct permission_call *call,
    struct arena *a)
{
	struct judge j = { .set = set, .arena = a };
	struct permission_verdict *v = &j.verdict;
	struct str_list words;
	struct str text;

	if (call->role == rule_role_find(set->program, STR("other_shell")))
		return undecided(STR("not read: a shell that is not bash"));
	if (call->role != rule_role_find(set->program, STR("shell")))
		return allowed(STR("not a command, which rules are about"));
	words = words_of(a, set->program, call->call);
	if (words.n == 0)
		return undecided(STR("not recorded: the command of a call"));
	if (is_patch(a, words))
		return allowed(STR("a patch, which Codex applies by itself"));
	j.sorts = arena_new_n(a, unsigned char, set->n);
	decide_seen(&j, codex_commands_of(a, words.list, words.n));
	text = codex_text_of(words.list, words.n);
	decide_ran(&j, text.s != NULL ? text : call->command);
	v->hits = j.hits;
	v->covers = j.covers;
	if (v->decision != PERMISSION_NONE || !j.acts)
		v->ncovers = 0;
	return *v;
}

static struct str
calls(const struct permission_line *line, struct arena *a)
{
	const struct codex_pattern *p = line->of;
	struct str *words = arena_new_n(a, struct str, p->n), text;

	for (size_t i = 0; i < p->n; i++)
		words[i] =
		    str_join(a, p->words[i].list, p->words[i].n, STR("|"));
	text = join(a, words, p->n);
	for (size_t i = 0; i < text.n; i++)
		if (!ascii_is_alnum(text.s[i]) &&
		    !ascii_is_among(text.s[i], " |-_./:@+,"))
			return (struct str){ 0 };
	return str_printf(a, "run \"%.*s\"", STR_FMT(text));
}

const struct permission_product permission_codex = {
	.dialect = "codex-rules",
	.agent = "Codex",
	.uncovered = "would leave in its sandbox, or ask about,",
	.decide = decide,
	.calls = calls,
	.covers = codex_covers,
};
