/* Reads the files of Codex's rules: prefix_rule, host_executable and network_rule, as
 * Starlark calls them. Each function refuses what Codex 0.171.0 refuses. */
#include "check/permission/codex.h"
#include "starlark/starlark.h"
#include "text/unicode.h"
#include "trace/workspace.h"

/* An example of a rule, which must match the rule, or must not. */
struct example {
	size_t rule; /* its number among those of the file */
	struct str written;
	struct str_list words;
	bool match;
};

/* A file that is being read. Its rules are kept apart, since they count only if the
 * whole file does. */
struct reader {
	struct arena *arena;
	const struct permission_source *source;
	struct policy *policy;
	struct permission_set file;
	struct codex_rules rules; /* of all files so far */
	struct example *examples;
	size_t nexamples;
};

/* ---- arguments ---- */

/* Returns the argument, a text; the file is refused if the argument is another value.
 * An argument that is left out gives an absent text. */
static struct str
text_of(struct starlark *s, const struct starlark_value *v, struct place place,
    const char *where)
{
	if (v->type == STARLARK_STRING)
		return v->text;
	if (v->type != STARLARK_ABSENT)
		starlark_refuse(s, place, "%s: expected a string, found %s",
		    where, starlark_type_name(v));
	return (struct str){ 0 };
}

/* Returns the items of an argument, a list, like text_of. */
static struct starlark_list
list_of(struct starlark *s, const struct starlark_value *v, struct place place,
    const char *where)
{
	if (v->type == STARLARK_LIST)
		return *v->list;
	if (v->type != STARLARK_ABSENT)
		starlark_refuse(s, place, "%s: expected a list, found %s",
		    where, starlark_type_name(v));
	return (struct starlark_list){ 0 };
}

static struct str_list
texts_of(struct starlark *s, const struct starlark_list *list,
    struct place place, const char *where)
{
	struct str *texts = arena_new_n(s->arena, struct str, list->n + 1);

	for (size_t i = 0; i < list->n; i++)
		texts[i] = text_of(s, &list->items[i], place, where);
	return (struct str_list){ texts, list->n };
}

static enum permission
decision_of(struct starlark *s, const struct starlark_value *v,
    struct place place, const char *where)
{
	static const struct {
		const char *word;
		enum permission decision;
	} words[] = {
		{ "allow", PERMISSION_ALLOW },
		{ "prompt", PERMISSION_ASK },
		{ "forbidden", PERMISSION_DENY },
	};
	struct str text = text_of(s, v, place, where);

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (str_is(text, words[i].word))
			return words[i].decision;
	if (v->type == STARLARK_STRING)
		starlark_refuse(s, place,
		    "%s: expected allow, prompt or forbidden, found \"%.*s\"",
		    where, STR_FMT(text));
	return PERMISSION_ALLOW;
}

static struct str
justification_of(struct starlark *s, const struct starlark_value *v,
    struct place place, const char *where)
{
	struct str text = text_of(s, v, place, where);

	if (v->type == STARLARK_STRING &&
	    unicode_trim(text, unicode_is_space).n == 0)
		starlark_refuse(
		    s, place, "%s: expected a text, found an empty one", where);
	return text;
}

/* ---- prefix_rule ---- */

enum { PATTERN, DECISION, MATCH, NOT_MATCH, JUSTIFICATION };

static struct codex_pattern *
pattern_of(
    struct starlark *s, const struct starlark_value *v, struct place place)
{
	static const char where[] = "prefix_rule: pattern";
	struct starlark_list list = list_of(s, v, place, where), inner;
	struct codex_pattern *p = arena_new(s->arena, struct codex_pattern);
	struct str_list *words =
	    arena_new_n(s->arena, struct str_list, list.n + 1);

	for (size_t i = 0; i < list.n; i++) {
		inner =
		    (struct starlark_list){ .items = &list.items[i], .n = 1 };
		if (list.items[i].type == STARLARK_LIST)
			inner = *list.items[i].list;
		words[i] = texts_of(s, &inner, place, where);
		if (inner.n == 0)
			starlark_refuse(s, place,
			    "%s: expected alternatives, found an empty list",
			    where);
	}
	if (list.n == 0)
		starlark_refuse(
		    s, place, "%s: expected words, found an empty list", where);
	*p = (struct codex_pattern){ .words = words, .n = list.n };
	return p;
}

/* Takes a word of an example off its text. Returns false at the end. */
static bool
split_word(struct str *rest, char **to, bool *wrong)
{
	char quote = '\0';
	size_t i = 0;

	while (i < rest->n && strchr(" \t\n", rest->s[i]) != NULL &&
	    rest->s[i] != '\0')
		i++;
	if (i < rest->n && rest->s[i] == '#') {
		*rest = str_from(
		    *rest, i + str_find_char(str_from(*rest, i), '\n'));
		return rest->n > 0 && split_word(rest, to, wrong);
	}
	if (i == rest->n)
		return false;
	for (; i < rest->n; i++) {
		char c = rest->s[i];

		if (quote == '\0' && (c == ' ' || c == '\t' || c == '\n'))
			break;
		if (c == quote)
			quote = '\0';
		else if (quote == '\0' && (c == '"' || c == '\''))
			quote = c;
		else if (c != '\\' || quote == '\'')
			*(*to)++ = c;
		else if (++i == rest->n)
			*wrong = true;
		else if (rest->s[i] != '\n') {
			c = rest->s[i];
			if (quote == '"' &&
			    (c == '\0' || strchr("$`\"\\", c) == NULL))
				*(*to)++ = '\\';
			*(*to)++ = c;
		}
	}
	*wrong = *wrong || quote != '\0';
	*rest = str_from(*rest, i);
	return true;
}

bool
codex_split(struct str text, struct str_list *words, struct arena *a)
{
	char *to = arena_room(a, text.n + 1), *start = to;
	struct str *list = NULL;
	bool wrong = false;
	size_t n = 0;

	while (split_word(&text, &to, &wrong)) {
		*arena_push(a, list, n) =
		    (struct str){ start, (size_t)(to - start) };
		start = to;
	}
	*words = (struct str_list){ list, n };
	return !wrong;
}

static void
add_examples(struct starlark *s, const struct starlark_value *v,
    struct place place, bool match)
{
	struct reader *r = s->arg;
	const char *where =
	    match ? "prefix_rule: match" : "prefix_rule: not_match";
	struct starlark_list list = list_of(s, v, place, where);

	for (size_t i = 0; i < list.n; i++) {
		const struct starlark_value *item = &list.items[i];
		struct example e = { .rule = r->file.n, .match = match };

		if (item->type == STARLARK_LIST)
			e.words = texts_of(s, item->list, place, where);
		else {
			e.written = text_of(s, item, place, where);
			if (!codex_split(e.written, &e.words, s->arena))
				starlark_refuse(s, place,
				    "%s: expected quotes in pairs, found %.*s",
				    where, STR_FMT(e.written));
		}
		if (e.words.n == 0)
			starlark_refuse(s, place,
			    "%s: expected words, found an empty example",
			    where);
		if (e.written.s == NULL)
			e.written = str_join(
			    s->arena, e.words.list, e.words.n, STR(" "));
		*arena_push(s->arena, r->examples, r->nexamples) = e;
	}
}

static void
prefix_rule(
    struct starlark *s, const struct starlark_value *args, struct place place)
{
	struct reader *r = s->arg;
	struct codex_pattern *pattern = pattern_of(s, &args[PATTERN], place);
	struct permission_line line = { .place = place, .source = r->source };

	line.decision =
	    decision_of(s, &args[DECISION], place, "prefix_rule: decision");
	line.why = justification_of(
	    s, &args[JUSTIFICATION], place, "prefix_rule: justification");
	add_examples(s, &args[NOT_MATCH], place, false);
	add_examples(s, &args[MATCH], place, true);
	if (s->wrong.s != NULL)
		return;
	line.written = codex_pattern_text(pattern, s->arena);
	line.of = pattern;
	permission_add(&r->file, line);
}

/* ---- host_executable ---- */

static void
host_executable(
    struct starlark *s, const struct starlark_value *args, struct place place)
{
	struct reader *r = s->arg;
	struct str name = text_of(s, &args[0], place, "host_executable: name");
	struct starlark_list list =
	    list_of(s, &args[1], place, "host_executable: paths");
	struct str_list given =
	    texts_of(s, &list, place, "host_executable: paths");
	struct str *paths = arena_new_n(s->arena, struct str, given.n + 1);
	struct str end = str_cat(s->arena, STR("/"), name), path;
	struct codex_host *host = arena_new(s->arena, struct codex_host);

	if (name.n == 0 || str_find_char(name, '/') < name.n ||
	    str_is_one_of(name, ". .."))
		starlark_refuse(s, place,
		    "host_executable: name: expected the name of a program, "
		    "found \"%.*s\"",
		    STR_FMT(name));
	for (size_t i = 0; i < given.n; i++) {
		path = given.list[i];
		if (!str_starts(path, "/") ||
		    !workspace_clean(s->arena, path, &path))
			starlark_refuse(s, place,
			    "host_executable: paths: expected absolute paths, "
			    "found \"%.*s\"",
			    STR_FMT(path));
		else if (!str_eq(path, name) && !str_ends(path, end))
			starlark_refuse(s, place,
			    "host_executable: paths: expected paths of %.*s, "
			    "found \"%.*s\"",
			    STR_FMT(name), STR_FMT(given.list[i]));
		paths[i] = path;
	}
	host->name = name;
	host->paths = (struct str_list){ paths, given.n };
	*hash_put(&r->rules.hosts, name) = host;
}

/* ---- network_rule ---- */

/* Returns whether the text is a colon and a port. */
static bool
is_port(struct str text)
{
	for (size_t i = 1; i < text.n; i++)
		if (text.s[i] < '0' || text.s[i] > '9')
			return false;
	return text.n > 1 && text.s[0] == ':';
}

/* Returns whether a host is a name or an address of one host, with or without a
 * port. */
static bool
is_host(struct str host)
{
	size_t end;

	host = unicode_trim(host, unicode_is_space);
	if (str_starts(host, "[")) {
		end = str_find_char(host, ']');
		if (end == host.n ||
		    (end + 1 < host.n && !is_port(str_from(host, end + 1))))
			return false;
		host = str_slice(host, 1, end);
	} else if (str_count_char(host, ':') == 1 &&
	    is_port(str_from(host, str_find_char(host, ':'))))
		host = str_slice(host, 0, str_find_char(host, ':'));
	while (str_ends(host, "."))
		host = str_slice(host, 0, host.n - 1);
	for (size_t i = 0, length; i < host.n; i += length)
		if (unicode_is_space(
			unicode_decode(str_from(host, i), &length)) ||
		    strchr("/?#*", host.s[i]) != NULL)
			return false;
	return host.n > 0;
}

static void
network_rule(
    struct starlark *s, const struct starlark_value *args, struct place place)
{
	struct str host = text_of(s, &args[0], place, "network_rule: host");
	struct str protocol =
	    text_of(s, &args[1], place, "network_rule: protocol");

	if (!str_is_one_of(protocol,
		"http https https_connect http-connect socks5_tcp socks5_udp"))
		starlark_refuse(s, place,
		    "network_rule: protocol: expected http, https, socks5_tcp "
		    "or "
		    "socks5_udp, found \"%.*s\"",
		    STR_FMT(protocol));
	if (args[2].type != STARLARK_STRING || !str_is(args[2].text, "deny"))
		decision_of(s, &args[2], place, "network_rule: decision");
	justification_of(s, &args[3], place, "network_rule: justification");
	if (!is_host(host))
		starlark_refuse(s, place,
		    "network_rule: host: expected the name of one host, found "
		    "\"%.*s\"",
		    STR_FMT(host));
}

/* ---- files ---- */

/* Reports each example that contradicts its rule. Returns whether none does. */
static bool
check_examples(struct reader *r)
{
	bool good = true;

	for (size_t i = 0; i < r->nexamples; i++) {
		const struct example *e = &r->examples[i];
		struct permission_line *rule = &r->file.lines[e->rule];
		struct permission_set alone = {
			.lines = rule, .n = 1, .of = &r->rules
		};
		bool matches = codex_decide_words(&alone, e->words.list,
				   e->words.n, CODEX_ABSOLUTE, r->arena)
				   .n > 0;

		if (matches == e->match)
			continue;
		good = false;
		policy_report(r->policy, MISTAKE_REFUSES, rule->place,
		    "prefix_rule: expected an example that %s %.*s, found %.*s",
		    e->match ? "matches" : "does not match",
		    STR_FMT(rule->written), STR_FMT(e->written));
	}
	return good;
}

static void
note_unread(struct starlark *s, struct place place, struct str why)
{
	struct reader *r = s->arg;

	*arena_push(r->arena, r->rules.unread, r->rules.nunread) = place;
	policy_report(r->policy, MISTAKE_REMARK, place,
	    "not read: %.*s; rules that depend on it are unknown",
	    STR_FMT(why));
}

bool
codex_read(struct permission_set *set, const struct permission_source *source,
    struct str text, struct policy *policy)
{
	static const struct starlark_function functions[] = {
		{ "prefix_rule",
		    "pattern decision match not_match justification", 1,
		    prefix_rule },
		{ "host_executable", "name paths", 2, host_executable },
		{ "network_rule", "host protocol decision justification", 3,
		    network_rule },
		{ 0 },
	};
	struct reader r = {
		.arena = set->arena, .source = source, .policy = policy
	};
	struct starlark s = { .arena = set->arena,
		.file = source->file,
		.text = text,
		.functions = functions,
		.unread = note_unread,
		.arg = &r };

	r.file.arena = set->arena;
	r.rules.hosts.arena = set->arena;
	if (set->of != NULL) {
		r.rules = *(const struct codex_rules *)set->of;
		r.rules.hosts = hash_copy(&r.rules.hosts);
	}
	if (unicode_repair(set->arena, text).s != text.s)
		starlark_refuse(&s, (struct place){ .file = source->file },
		    "expected UTF-8, found other bytes");
	if (s.wrong.s != NULL || !starlark_run(&s)) {
		policy_report(policy, MISTAKE_REFUSES, s.wrong_at, "%.*s",
		    STR_FMT(s.wrong));
		return false;
	}
	if (!check_examples(&r))
		return false;
	for (size_t i = 0; i < r.file.n; i++)
		permission_add(set, r.file.lines[i]);
	if (set->of == NULL)
		set->of = arena_new(set->arena, struct codex_rules);
	*(struct codex_rules *)set->of = r.rules;
	return true;
}

bool
codex_owns_text(struct str text)
{
	while (text.s != NULL) {
		struct str line = str_trim(str_cut(&text, '\n'));
		struct str name = str_slice(line, 0, str_find_char(line, '('));

		if (name.n < line.n &&
		    str_is_one_of(str_trim(name),
			"prefix_rule host_executable network_rule"))
			return true;
	}
	return false;
}
