/* Which rules of Codex match the words of a command. */
#include "check/permission/codex.h"

#include "io/out.h"
#include "trace/workspace.h"

static bool
fits(const struct str_list *alternatives, struct str word)
{
	for (size_t i = 0; i < alternatives->n; i++)
		if (str_eq(alternatives->list[i], word))
			return true;
	return false;
}

/* Returns whether the pattern matches the words, with this name of the program. */
static bool
matches(const struct codex_pattern *p, struct str program,
    const struct str *words, size_t n)
{
	if (n < p->n || !fits(&p->words[0], program))
		return false;
	for (size_t i = 1; i < p->n; i++)
		if (!fits(&p->words[i], words[i]))
			return false;
	return true;
}

/* Returns the base name by which a program of this path counts, or an absent text. */
static struct str
base_name(const struct permission_set *set, struct str path,
    enum codex_resolve resolve, struct arena *a)
{
	const struct codex_rules *rules = set->of;
	const struct codex_host *host;
	struct str cleaned, name, rest;
	bool absolute = str_starts(path, "/");

	if (resolve == CODEX_AS_WRITTEN ||
	    (resolve == CODEX_ABSOLUTE && !absolute) ||
	    str_find_char(path, '/') == path.n || str_ends(path, "/") ||
	    !workspace_clean(a, path, &cleaned))
		return (struct str){ 0 };
	for (rest = cleaned; rest.s != NULL;)
		name = str_cut(&rest, '/');
	host = rules == NULL ? NULL : hash_get(&rules->hosts, name);
	if (host != NULL && !(absolute && fits(&host->paths, cleaned)))
		return (struct str){ 0 };
	return name;
}

/* Adds the lines that match to the decision. */
static void
add_matches(struct codex_decision *d, const struct permission_set *set,
    struct str program, const struct str_list *words, struct arena *a)
{
	for (size_t i = 0; i < set->n; i++) {
		const struct permission_line *line = &set->lines[i];

		if (!matches(line->of, program, words->list, words->n))
			continue;
		*arena_push(a, d->lines, d->n) = line;
		if (d->n == 1 || line->decision > d->decision)
			d->decision = line->decision;
	}
}

struct codex_decision
codex_decide_words(const struct permission_set *set, const struct str *words,
    size_t n, enum codex_resolve resolve, struct arena *a)
{
	const struct codex_rules *rules = set->of;
	struct codex_decision d = { .decision = PERMISSION_NONE };
	struct str_list all = { words, n };
	struct str name;

	if (n > 0)
		add_matches(&d, set, words[0], &all, a);
	if (n > 0 && d.n == 0 &&
	    (name = base_name(set, words[0], resolve, a)).s != NULL)
		add_matches(&d, set, name, &all, a);
	d.unknown = rules != NULL && rules->nunread > 0 &&
	    d.decision != PERMISSION_DENY;
	return d;
}

bool
codex_covers(
    const struct permission_line *outer, const struct permission_line *inner)
{
	const struct codex_pattern *o = outer->of, *i = inner->of;

	if (o->n > i->n)
		return false;
	for (size_t at = 0; at < o->n; at++)
		for (size_t w = 0; w < i->words[at].n; w++)
			if (!fits(&o->words[at], i->words[at].list[w]))
				return false;
	return true;
}

static struct str
alternatives_text(const struct str_list *words, struct arena *a)
{
	struct str *parts = arena_new_n(a, struct str, words->n), all;

	for (size_t i = 0; i < words->n; i++)
		parts[i] = out_quote(a, words->list[i]);
	all = str_join(a, parts, words->n, STR(", "));
	return words->n == 1 ? all : str_printf(a, "[%.*s]", STR_FMT(all));
}

struct str
codex_pattern_text(const struct codex_pattern *p, struct arena *a)
{
	struct str *parts = arena_new_n(a, struct str, p->n), all;

	for (size_t i = 0; i < p->n; i++)
		parts[i] = alternatives_text(&p->words[i], a);
	all = str_join(a, parts, p->n, STR(", "));
	return str_printf(a, "[%.*s]", STR_FMT(all));
}
