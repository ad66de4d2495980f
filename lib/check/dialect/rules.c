/* The dialect `rules`: one rule a line, about calls; sections by scenario. See
 * mcpl-rules(5). */
#include "check/dialect/rules.h"

#include "check/dialect/dialect.h"
#include "check/dialect/rubric.h"
#include "check/rule/parse.h"
#include "text/unicode.h"

/* ---- checks ---- */

/* Returns the check of a parsed rule. */
static struct check
check_of(struct arena *a, const struct rules_rule *rule)
{
	static const char *const severities[] = {
		[RULES_WARNING] = "warning",
		[RULES_NOTE] = "note",
	};
	struct check c = rule_check(a, rule->want);
	struct str written = rule->want.written;

	c.type = STR("rule");
	c.severity = severities[rule->severity];
	c.label = rule->label.s != NULL ? rule->label : written;
	c.reason = rule->label.s != NULL
	    ? str_printf(a, "%.*s (broken: %.*s)", STR_FMT(rule->label),
		  STR_FMT(written))
	    : str_cat(a, STR("broken: "), written);
	return c;
}

/* Remarks on the claim for the judge, if the rule has one. */
static void
remark_judge(struct rules_parser *p, const struct rules_rule *rule,
    struct policy *policy)
{
	const struct rule_claim *c = rule_judged(rule->want.claim);

	if (c != NULL)
		rubric_remark_rule(policy,
		    (struct place){ .file = p->file,
			.line = p->number,
			.column = (size_t)(c->written.s - p->line.s) + 1 },
		    c->judge->want);
}

/* ---- files ---- */

struct reader {
	struct scenarios *scenarios;
	struct rules_parser parser;
};

static struct place
place_of(const struct rules_parser *p)
{
	return (struct place){
		.file = p->file, .line = p->number, .column = p->wrong_at + 1
	};
}

/* Adds the check of the line that was parsed last. */
static void
add_rule(struct reader *r, struct check c)
{
	const struct rules_parser *p = &r->parser;
	struct str shown = str_trim(p->line);

	c.source.place = place_of(p);
	c.source.place.column = (size_t)(shown.s - p->line.s) + 1;
	scenarios_add_check_at(r->scenarios, c,
	    str_printf(r->scenarios->arena, "%s:%zu", p->file, p->number));
}

static void
read_rule(struct reader *r)
{
	struct rules_parser *p = &r->parser;
	struct scenarios *s = r->scenarios;
	struct rules_rule rule;
	struct check c;

	if (rules_parse(p, &rule)) {
		remark_judge(p, &rule, s->doc->policy);
		add_rule(r, check_of(s->arena, &rule));
		return;
	}
	policy_report(s->doc->policy, MISTAKE_REFUSES, place_of(p), "%.*s",
	    STR_FMT(p->wrong));
	c = check_broken(s->arena, STR("rule"), p->wrong);
	c.label = str_trim(p->line);
	add_rule(r, c);
}

static void
begin_scenario(struct reader *r, struct str glob)
{
	bool all = glob.s == NULL || str_is(glob, "*");
	struct scenario *s;

	if (all)
		glob = (struct str){ 0 };
	scenarios_begin(r->scenarios, NULL, glob, (struct str){ 0 });
	s = scenarios_current(r->scenarios);
	s->glob = !all;
	s->place.line = r->parser.number;
	r->parser.group = rule_group_new(r->parser.program);
}

/* Returns what a line has between brackets: a glob, or one in quotes. */
static struct str
section_of(struct rules_parser *p)
{
	struct str rest = str_from(p->line, p->at), glob;
	size_t end = str_find_char(rest, ']');

	if (rules_peek(p) == '"')
		glob = rules_string(p, "the glob of a section");
	else if (end == rest.n)
		return (struct str){ 0 };
	else {
		glob = str_trim(str_slice(rest, 0, end));
		p->at += end;
	}
	if (!rules_take_sign(p, "]") || !rules_at_end(p) || glob.n == 0)
		return (struct str){ 0 };
	return glob;
}

static void
read_section(struct reader *r)
{
	struct rules_parser *p = &r->parser;
	struct str glob;

	p->wrong = (struct str){ 0 };
	p->at = 0;
	rules_take_sign(p, "[");
	glob = section_of(p);
	if (glob.s == NULL) {
		p->wrong_at = p->at;
		policy_report(r->scenarios->doc->policy, MISTAKE_REFUSES,
		    place_of(p),
		    "expected a section as [SCENARIO], with no more than a "
		    "label behind it");
		return;
	}
	begin_scenario(r, glob);
}

static void
read_let(struct reader *r)
{
	struct rules_parser *p = &r->parser;

	if (!rules_parse_let(p))
		policy_report(r->scenarios->doc->policy, MISTAKE_REFUSES,
		    place_of(p), "%.*s", STR_FMT(p->wrong));
}

static void
read_line(struct reader *r, struct str line)
{
	struct rules_parser *p = &r->parser;
	struct str valid = unicode_repair(r->scenarios->arena, line);

	p->number++;
	p->line = line;
	if (str_trim(line).n == 0 || *str_trim(line).s == '#')
		return;
	if (valid.s != line.s) {
		p->wrong_at = 0;
		policy_report(r->scenarios->doc->policy, MISTAKE_REFUSES,
		    place_of(p), "expected UTF-8");
		return;
	}
	if (*str_trim(line).s == '[')
		read_section(r);
	else if (rules_is_let(p))
		read_let(r);
	else
		read_rule(r);
}

static void
read_text(struct scenarios *s, struct str text)
{
	struct reader r = { .scenarios = s,
		.parser = { .arena = s->arena,
		    .program = s->rules,
		    .file = s->doc->file,
		    .folder = str_folder(str_of(s->doc->file)) } };

	if (str_starts(text, "\xef\xbb\xbf"))
		text = str_from(text, 3);
	begin_scenario(&r, (struct str){ 0 });
	while (text.s != NULL) {
		struct str line = str_cut(&text, '\n');

		if (str_ends(line, "\r"))
			line.n--;
		read_line(&r, line);
	}
}

/* Returns whether the first line that is no comment begins as a rule does, and not as
 * a mapping. */
static bool
owns_text(struct str text)
{
	struct str line = { 0 };

	while (text.s != NULL && (line.n == 0 || *line.s == '#'))
		line = str_trim(str_cut(&text, '\n'));
	return rules_opens_file(str_cut(&line, ' ')) && line.n != 0 &&
	    !str_contains(line, ": ") && !str_ends(line, ":");
}

const struct dialect dialect_rules = {
	.name = "rules",
	.what = "rules: one line each, about calls (mcpl-rules(5))",
	.read_text = read_text,
	.suffix = ".rules",
	.owns_text = owns_text,
};

/* ---- the command line ---- */

/* Returns the rule of --forbid-call TOOL=REGEX; absent if there is no '='. */
static struct str
forbidden_call(struct arena *a, struct str argument)
{
	size_t at = str_find_char(argument, '=');

	if (at == argument.n)
		return (struct str){ 0 };
	return str_printf(a, "no %.*s(@args ~ /%.*s/)",
	    STR_FMT(str_slice(argument, 0, at)),
	    STR_FMT(rules_pattern(a, str_from(argument, at + 1))));
}

static bool
parse_option(struct rules_parser *p, struct rules_rule *rule)
{
	if (p->line.s == NULL)
		rules_mistake(p, 0, "expected TOOL=REGEX, found no '='");
	else if (str_find_char(p->line, '\n') < p->line.n)
		rules_mistake(p, str_find_char(p->line, '\n'),
		    "expected one rule on one line");
	return rules_ok(p) && rules_parse(p, rule);
}

bool
rules_option(struct rule_group *group, const char *option, struct str argument,
    size_t number, struct check *c)
{
	struct arena *a = group->program->arena;
	bool forbids = str_is(str_of(option), "forbid-call");
	struct str name = str_cat(a, STR("--"), str_of(option));
	struct rules_parser p = { .arena = a,
		.program = group->program,
		.group = group,
		.file = str_c(a, name),
		.number = number,
		.line = forbids ? forbidden_call(a, argument) : argument };
	struct rules_rule rule;

	if (!parse_option(&p, &rule)) {
		if (forbids && p.line.s != NULL)
			diag_error((struct place){ .file = p.file },
			    "%.*s, in the rule '%.*s'", STR_FMT(p.wrong),
			    STR_FMT(p.line));
		else
			diag_error(place_of(&p), "%.*s", STR_FMT(p.wrong));
		return false;
	}
	remark_judge(&p, &rule, NULL);
	*c = check_of(a, &rule);
	if (forbids) {
		c->type = str_of(option);
		c->label = str_printf(a, "%s %.*s", option, STR_FMT(argument));
	}
	c->dialect = str_of(dialect_rules.name);
	c->at = name;
	check_seal(c, a);
	return true;
}
