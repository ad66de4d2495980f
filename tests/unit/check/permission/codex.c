/* Rules of Codex: what is matched, and what is refused. If the shared cases are there,
 * each must have the verdict of Codex. */
#include "check/permission/codex.h"

#include <stdlib.h>

#include "tests/unit/shared.h"
#include "tests/unit/unit.h"
#include "json/json.h"

static const struct permission_source file = { .file = "x.rules" };

/* Returns the verdict as the cases name it. */
static const char *
verdict(const struct permission_set *set, const struct str_list *words,
    enum codex_resolve resolve)
{
	static const char *const names[] = { "allow", "none", "prompt",
		"forbidden" };
	struct codex_decision d =
	    codex_decide_words(set, words->list, words->n, resolve, set->arena);

	return d.unknown ? "unknown" : names[d.decision];
}

/* Each text of a file, and a command and its verdict behind "|". */
static const char *const cases[][2] = {
	{ "prefix_rule(pattern=['git', ['push', 'pull']], decision='prompt')",
	    "git pull -f|prompt" },
	{ "prefix_rule(['git'])\nprefix_rule(['git', 'push'], 'forbidden')",
	    "git push|forbidden" },
	{ "prefix_rule(['git'])\nprefix_rule(['git', 'push'], 'forbidden')",
	    "git pull|allow" },
	{ "prefix_rule(['git', ''])", "git x|none" },
	{ "prefix_rule(['git', ''])", "git ''|allow" },
	{ "prefix_rule(['git'])", "|none" },
	{ "prefix_rule(['git'])\nprefix_rule(reversed(['rm']))",
	    "git|unknown" },
	{ "prefix_rule(['git'], 'forbidden')\nx = 1.5\n", "git|forbidden" },
	/* host_executable */
	{ "prefix_rule(['git'])", "/usr/bin/git|allow" },
	{ "prefix_rule(['git'])", "./git|none" },
	{ "prefix_rule(['git'])\nhost_executable('git', ['/a/b/../git'])",
	    "//a/./git|allow" },
	{ "prefix_rule(['git'])\nhost_executable('git', ['/a/git'])\n"
	  "host_executable('git', [])",
	    "/a/git|none" },
	/* what is refused */
	{ "prefix_rule(['git'], decision='ask')", NULL },
	{ "prefix_rule([])", NULL },
	{ "prefix_rule(['git', []])", NULL },
	{ "prefix_rule(['git', ['a', 1]])", NULL },
	{ "prefix_rule(['git'], justification=' \xc2\xa0')", NULL },
	{ "prefix_rule(['git'], reason='x')", NULL },
	{ "prefix_rule(['a'], 'allow', [], [], 'x', 'y')", NULL },
	{ "host_executable('a/b', [])", NULL },
	{ "host_executable('git', ['/a/hg'])", NULL },
	{ "host_executable('git', ['~/git'])", NULL },
	{ "network_rule('a.b', 'https')", NULL },
	{ "network_rule('*.b', 'https', 'deny')", NULL },
	{ "network_rule('http://a', 'https', 'deny')", NULL },
	{ "network_rule('[::1', 'https', 'deny')", NULL },
	{ "network_rule('[::1]:80', 'https', 'deny')\nprefix_rule(['a'])",
	    "a|allow" },
	{ "network_rule('a.b.:80', 'http-connect', "
	  "'allow')\nprefix_rule(['a'])",
	    "a|allow" },
	/* examples */
	{ "prefix_rule(['git', 'a b'], match=[\"git 'a b' c\", ['git', 'a "
	  "b']], "
	  "not_match=['git a b', 'git'])",
	    "git|none" },
	{ "prefix_rule(['git'], match=['hg'])", NULL },
	{ "prefix_rule(['git'], not_match=['/usr/bin/git'])", NULL },
	{ "prefix_rule(['git'], match=['git \\'a'])", NULL },
	{ "prefix_rule(['git'], match=['# git'])", NULL },
	{ "prefix_rule(['git'], match=[[]])", NULL },
	{ "prefix_rule(['a', 'b\"c', 'd\\\\e'], match=['a \"b\\\\\"c\" "
	  "\"d\\\\e\" # x'])",
	    "a|none" },
};

static void
check_case(const char *text, const char *command)
{
	struct arena a = { 0 };
	struct permission_set set = { .arena = &a };
	struct str rest = str_of(command);
	struct str words = str_cut(&rest, '|');
	bool read = codex_read(&set, &file, str_of(text), NULL);
	struct str_list list;

	if (read != (command != NULL)) {
		unit_failures++;
		fprintf(stderr, "%s: %s\n", text, read ? "read" : "refused");
	} else if (read) {
		CHECK(codex_split(words, &list, &a));
		CHECK_STR(rest, verdict(&set, &list, CODEX_ABSOLUTE));
	}
	arena_free(&a);
}

static void
check_texts(void)
{
	struct arena a = { 0 };
	struct permission_set set = { .arena = &a };

	CHECK(codex_read(&set, &file,
	    STR("# x\nprefix_rule(['git', ['push', \"a\\\"b\"]], "
		"justification='why')\n"
		"prefix_rule(pattern=['git'])\nprefix_rule(['git', 'push', "
		"'x'])"),
	    NULL));
	CHECK(set.n == 3);
	CHECK_STR(set.lines[0].written, "[\"git\", [\"push\", \"a\\\"b\"]]");
	CHECK_STR(set.lines[0].why, "why");
	CHECK(set.lines[0].place.line == 2 && set.lines[0].place.column == 1);
	CHECK(codex_covers(&set.lines[1], &set.lines[0]));
	CHECK(codex_covers(&set.lines[0], &set.lines[2]));
	CHECK(!codex_covers(&set.lines[0], &set.lines[1]));
	CHECK(codex_owns_text(STR("# x\n  prefix_rule (\n")));
	CHECK(!codex_owns_text(STR("never prefix_rule(x)\n")));
	arena_free(&a);
}

/* ---- the cases of Codex ---- */

static bool
read_rules(struct permission_set *set, const struct json *text, struct arena *a)
{
	return codex_read(set, &file, json_text(text, a), NULL);
}

static bool
check_line(const struct json *line)
{
	struct arena a = { 0 };
	struct permission_set set = { .arena = &a };
	struct str_list words = { 0 };
	struct str *list = NULL;
	const char *got;
	bool read = read_rules(&set, json_get(line, STR("rules")), &a), same;

	for (json_each(more, json_get(line, STR("more_rules"))))
		read = read && read_rules(&set, more, &a);
	for (json_each(word, json_get(line, STR("command"))))
		*arena_push(&a, list, words.n) = json_text(word, &a);
	words.list = list;
	got = !read
	    ? "error"
	    : verdict(&set, &words,
		  json_get(line, STR("flags")) == NULL ? CODEX_AS_WRITTEN
						       : CODEX_ABSOLUTE);
	same = json_str_is(json_get(line, STR("verdict")), str_of(got));
	if (!same)
		fprintf(stderr, "%.*s: got %s\n",
		    STR_FMT(json_text(json_get(line, STR("id")), &a)), got);
	arena_free(&a);
	return same;
}

static void
check_shared(struct str text)
{
	struct json_reader reader = { 0 };
	struct json_error error;
	size_t n = 0, agree = 0;

	for (; text.n > 0; n++)
		agree += check_line(
		    json_read(&reader, str_cut(&text, '\n'), NULL, &error));
	printf("codex-rules: %zu of %zu agree\n", agree, n);
	CHECK(agree == n);
	json_reader_free(&reader);
}

int
main(void)
{
	struct arena a = { 0 };
	struct str text;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		check_case(cases[i][0], cases[i][1]);
	check_texts();
	if (shared_read(&a, "cases/codex-rules.ndjson", &text))
		check_shared(text);
	arena_free(&a);
	return unit_status();
}
