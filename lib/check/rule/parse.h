/* The parser of the dialect `rules`; mcpl-rules(5) has the grammar. */
#pragma once

#include "base/suggest.h"
#include "check/kind/kind.h"
#include "check/rule/rule.h"
#include "check/rule/words.h"

enum rules_severity {
	RULES_ERROR,
	RULES_WARNING,
	RULES_NOTE,
};

/* A place in the line that is being parsed, and what the rule holds so far. The
 * first mistake is kept, and the rest of the line is then passed over, so that
 * a function needs no check but the one at the end. */
struct rules_parser {
	struct arena *arena;
	struct rule_program *program;
	struct rule_group *group;
	size_t machines;   /* of the group, before the rule */
	const char *file;  /* for messages */
	size_t number;     /* of the line */
	struct str folder; /* of the rule file; empty: the current one */
	struct str line;
	size_t at;

	struct str wrong; /* the first mistake; absent: none */
	size_t wrong_at;
	struct str trap; /* a mistake unless there is another; absent: none */
	size_t trap_at;
	const struct rules_let *lets; /* of the file so far */
	size_t nlets;
	/* The roles of the call whose conditions are parsed. */
	const struct rule_role **roles;
	size_t nroles;
	struct suggest word; /* the last bare name, if it is no word of the
			      * grammar, but near to one */
	/* The claim's variables, how often each is named, and where first. */
	struct str variables[RULE_VARIABLES];
	size_t named[RULE_VARIABLES], first[RULE_VARIABLES];
	size_t nvariables;
	unsigned captured; /* variables that groups of patterns bind */
	size_t depth;      /* of brackets and `not` */
	bool judged;       /* a claim waits for the judge */
	bool quiet;        /* mistakes are not explained */
	size_t claim_at;   /* where the last claim about one thing begins */
	/* The patterns and paths of the rules. */
	struct regex **regexes;
	size_t nregexes;
	struct jsonpath **paths;
	size_t npaths;
};

/* A name that `let` gives to a call. */
struct rules_let {
	struct str name, call;
};

/* A parsed rule. */
struct rules_rule {
	struct rule_want want;
	enum rules_severity severity;
	struct str label; /* absent: none */
};

/* Parses p->line. Returns false after a mistake, which is in p->wrong; then
 * nothing of the rule is left in the group. */
bool rules_parse(struct rules_parser *, struct rules_rule *);

/* ---- lex.c and lex_pattern.c: what a line is made of ---- */

static inline bool
rules_is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	    (c >= '0' && c <= '9') || c == '_' || (unsigned char)c >= 0x80;
}

/* Returns whether only a label or nothing is left. */
bool rules_at_end(struct rules_parser *);
/* Returns the place of what is next, behind blanks. */
size_t rules_start(struct rules_parser *);
/* Returns the text from that place up to here. */
struct str rules_written(const struct rules_parser *, size_t from);
/* Returns the next character that is no blank; '\0' at the end. */
char rules_peek(struct rules_parser *);
/* Returns the characters from here on for which `is` is true. */
struct str rules_span(const struct rules_parser *, bool (*is)(char));
/* Returns the name or word that begins here; empty if none does. */
struct str rules_peek_word(struct rules_parser *);
/* Takes the word or sign if it is next, and returns whether it was. */
bool rules_take_word(struct rules_parser *, const char *word);
bool rules_take_sign(struct rules_parser *, const char *sign);

/* Each takes what must be next, or records a mistake, which says `what` was
 * expected, and returns an empty value. */
struct str rules_string(struct rules_parser *, const char *what);
struct str rules_glob(struct rules_parser *, const char *what);
struct str rules_path(struct rules_parser *);
struct str rules_jsonpath(struct rules_parser *);
const struct json *rules_scalar(struct rules_parser *);
/* Like rules_scalar, for the value behind the operator, which a bare word of letters
 * cannot be if the operator is < or > or their kin. */
const struct json *rules_compared(struct rules_parser *, enum rule_op);

enum rules_unit {
	RULES_WHOLE,  /* a whole number */
	RULES_AMOUNT, /* with k or M, or without */
	RULES_TIME,   /* with ms, s, m or h: seconds */
};
double rules_number(struct rules_parser *, enum rules_unit);

/* A regular expression and its flag. */
struct rules_regex {
	struct regex *regex;
	struct str pattern;
	bool caseless;
	bool stays; /* more text behind a match cannot undo the match */
};
struct rules_regex rules_regex(struct rules_parser *);

/* Takes an operator of comparison. Returns false if none is next. `==` is a
 * mistake. */
bool rules_op(struct rules_parser *, enum rule_op *);

/* Takes the name behind a colon. Returns an empty text if none is next. */
struct str rules_colon_name(struct rules_parser *);

/* Returns the number of the variable whose name, with its $, is next. */
int rules_variable(struct rules_parser *);

/* Makes each named group of the pattern bind the variable of its name. */
void rules_captures(struct rules_parser *, struct rule_cond *);

/* Returns whether the word is one of the grammar's that cannot be a name. */
bool rules_is_reserved(struct str word);
/* Returns whether a name may have the character without quotes. */
bool rules_is_of_name(char);
/* Returns a regular expression as it is written between slashes. */
struct str rules_pattern(struct arena *, struct str pattern);

/* Parses a time behind `within`, if that is next, and returns whether it was. */
bool rules_time(struct rules_parser *, struct rule_claim *);
/* Parses the path of an argument of the last call. */
struct rule_cond rules_argument(struct rules_parser *);
/* Parses the paths of arguments that a claim ignores, which are in its call. */
void rules_paths(struct rules_parser *, struct rule_claim *);

/* Records a mistake here: `what` was expected. The nearest of the words at these
 * places of the grammar (enum rules_place) is suggested. */
void rules_expected(struct rules_parser *, const char *what, unsigned places);
/* Records another mistake at this place of the line. */
void rules_mistake(struct rules_parser *, size_t at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Returns whether there was no mistake so far. */
bool rules_ok(const struct rules_parser *);

/* ---- hints.c: what the author of a mistake meant ---- */

/* Returns whether the text is a rule in the place of p->line. If not, *wrong_at is the
 * place of the mistake. */
bool rules_is(const struct rules_parser *, struct str text, size_t *wrong_at);

/* ---- mend.c: rules in English ---- */

/* Returns the text as a rule, with up to so many places mended where words of English
 * stand for those of the grammar; absent if it does not become a rule. */
struct str rules_mended(struct rules_parser *, struct str text, size_t places);
/* Returns the words of English with which the text begins, or an empty text. */
struct str rules_english(struct str text);

/* Adds to the mistake what may have been meant. */
void rules_explain(struct rules_parser *);
/* Sets p->trap if the word joins a claim and a call that reads as a part of the claim:
 * `no A or B`. */
void rules_check_joined(struct rules_parser *, const char *word,
    const struct rule_claim *left, const struct rule_claim *right);
/* Frees what the last rule was compiled to. */
void rules_drop(struct rules_parser *);

/* ---- parse_names.c: names of calls ---- */

/* Parses the names of a call, with the conditions that belong to them. */
void rules_names(struct rules_parser *, struct rule_call *);
/* Makes the call, which has its names, a call of any tool but these. */
void rules_negate(struct rules_parser *, struct rule_call *);
/* Returns whether p->line begins with `let :`. */
bool rules_is_let(struct rules_parser *);
/* Parses `let :NAME = CALL`. Returns false after a mistake, like rules_parse. */
bool rules_parse_let(struct rules_parser *);

/* ---- parse_call.c: calls and their conditions ---- */

struct rule_call rules_call(struct rules_parser *);
/* Parses what follows ~ in a condition. */
void rules_match(struct rules_parser *, struct rule_cond *);

/* Parses a member of the record behind "trace.", and what it must be. */
struct rule_cond rules_trace(struct rules_parser *);
/* Returns whether such a claim is next, and not a tool whose name begins so. */
bool rules_is_trace(struct rules_parser *);

/* ---- parse_event.c: events and their order ---- */

/* Parse a call; `calls` a list with commas. */
struct rule_calls rules_calls(struct rules_parser *);
struct rule_calls rules_one_call(struct rules_parser *);

/* Add a stage to the claim: these calls, or the event that is next. */
void rules_add_stage(
    struct rules_parser *, struct rule_claim *, struct rule_calls);
void rules_add_event(struct rules_parser *, struct rule_claim *, bool just);

/* Parse claims, which began at this place: a chain; what follows `no` and `every`. */
void rules_chain(struct rules_parser *, struct rule_claim *, size_t at);
void rules_absence(struct rules_parser *, struct rule_claim *);
void rules_response(struct rules_parser *, struct rule_claim *, size_t at);
/* Parses a claim about the first or the last event, if one is next. */
bool rules_takes_end(struct rules_parser *, struct rule_claim *);

/* ---- parse_judge.c: claims for the judge ---- */

/* Parses what follows `judge`, which stood at this place. */
void rules_judge(struct rules_parser *, struct rule_claim *, size_t at);

/* ---- bounds.c: what can never hold ---- */

/* Records a mistake if the last condition of a call excludes one of the n before. */
void rules_check_condition(struct rules_parser *, const struct rule_cond *,
    size_t n, const struct rule_cond *last);
/* Records a mistake if two of the claims, which `and` joins, exclude each other. */
void rules_check_limits(
    struct rules_parser *, const struct rule_claim *const *, size_t n);

/* Checks that each variable of the claim, which began at this place, is bound
 * and is named more than once. */
void rules_check_variables(
    struct rules_parser *, const struct rule_claim *, size_t at);
