/*
 * Says what the author of a mistake meant: words of English in place of those of the
 * grammar, a claim that does not begin as one, and `or` where it reads as part of a
 * claim.
 */
#include "check/rule/parse.h"

#include <stdarg.h>
#include <strings.h>

#include "text/caseless.h"

enum { MENDED_PLACES = 3 }; /* of a rule, at most */

/* ---- the beginning of a claim ---- */

/* Returns the text up to a label. */
static struct str
unlabelled(struct str text)
{
	size_t at = str_find(text, " #");

	return str_trim(str_slice(text, 0, at));
}

/* Returns whether the text has the phrase, and then a blank and more of a claim. */
static bool
begins_with(struct str text, struct str phrase)
{
	struct str next;

	if (text.n <= phrase.n + 1 || text.s[phrase.n] != ' ' ||
	    strncasecmp(text.s, phrase.s, phrase.n) != 0)
		return false;
	next = str_trim(str_from(text, phrase.n));
	next = str_slice(next, 0, str_find_char(next, ' '));
	return !caseless_is_one_of(next, "then and or if in before after as");
}

/* Returns the word that a phrase at the beginning of the claim means, and the longest
 * such phrase; NULL if there is none. */
static const char *
phrase_of(struct str text, struct str *phrase)
{
	const char *meant = NULL;

	phrase->n = 0;
	for (const struct rules_word *w = rules_words; w->word != NULL; w++) {
		struct str rest = str_of(w->phrases);

		while (rest.s != NULL) {
			struct str one = str_cut(&rest, '|');

			if (one.n <= phrase->n || !begins_with(text, one))
				continue;
			*phrase = one;
			meant = w->word;
		}
	}
	return meant;
}

/* Replaces phrases at the beginning of a claim. Returns how many bytes of the text
 * the first of them has; 0: there is none. */
static size_t
rewrite(struct str *text, struct str *meant, struct arena *a)
{
	struct str phrase;
	const char *word;
	size_t length = 0;

	while (meant->n == 0 && (word = phrase_of(*text, &phrase)) != NULL) {
		if (length == 0)
			length = phrase.n;
		*meant = str_of(word);
		*text = str_trim(str_from(*text, phrase.n));
	}
	if (meant->n != 0)
		*text =
		    str_printf(a, "%.*s %.*s", STR_FMT(*meant), STR_FMT(*text));
	return length;
}

bool
rules_is(const struct rules_parser *p, struct str text, size_t *wrong_at)
{
	struct rule_program program = { .arena = p->arena,
		.by_text.arena = p->arena };
	struct rules_parser q = { .arena = p->arena,
		.program = &program,
		.group = rule_group_new(&program),
		.file = p->file,
		.folder = p->folder,
		.line = text,
		.lets = p->lets,
		.nlets = p->nlets,
		.quiet = true };
	struct rules_rule rule;
	bool is = rules_parse(&q, &rule);

	if (is)
		rules_drop(&q);
	*wrong_at = q.wrong_at;
	return is;
}

static bool
is_rule(const struct rules_parser *p, struct str text)
{
	size_t wrong_at;

	return rules_is(p, text, &wrong_at);
}

static void explain(struct rules_parser *p, size_t at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Replaces the mistake by another one. */
static void
explain(struct rules_parser *p, size_t at, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	p->wrong = str_vprintf(p->arena, format, args);
	va_end(args);
	p->wrong_at = at;
}

/* Explains that these words begin no claim. */
static void
explain_claim(struct rules_parser *p, struct str found, struct str meant)
{
	explain(p, p->claim_at,
	    "expected a claim, found '%.*s' (did you mean '%.*s'?)",
	    STR_FMT(found), STR_FMT(meant));
}

/* Explains a claim that begins with words of English. Returns false if it does
 * not. */
static bool
explain_phrase(struct rules_parser *p, struct str claim)
{
	struct str text = claim, meant = { 0 };
	size_t n = rewrite(&text, &meant, p->arena);

	if (n == 0)
		return false;
	text = rules_mended(p, text, MENDED_PLACES);
	if (text.n != 0)
		meant = text;
	if (meant.n == 0)
		return false;
	explain_claim(p, str_slice(claim, 0, n), meant);
	return true;
}

/* Explains a claim that does not say that it is about the answer: `contains "x"`.
 * Returns false if the claim is none. */
static bool
explain_subject(struct rules_parser *p, struct str claim)
{
	struct str words = rules_english(claim), meant;

	if (words.n == 0)
		return false;
	meant = rules_mended(
	    p, str_cat(p->arena, STR("answer "), claim), MENDED_PLACES);
	if (meant.n == 0)
		return false;
	explain(p, p->claim_at,
	    "expected a claim, found '%.*s' (did you mean '%.*s'?)",
	    STR_FMT(words), STR_FMT(meant));
	return true;
}

/* Explains `A before B` without `no`, and `no A then B`. Returns false if the claim is
 * neither. */
static bool
explain_order(struct rules_parser *p)
{
	struct str left = str_slice(p->line, p->claim_at, p->wrong_at);
	struct str right = unlabelled(str_from(p->line, p->wrong_at));
	struct str word = str_cut(&right, ' '), first = left, second = right;
	bool then = str_is(word, "then") && str_starts(left, "no ");
	struct str meant;

	if (right.s == NULL ||
	    (!then && !caseless_is_one_of(word, "before after")))
		return false;
	if (then)
		first = str_from(left, 3);
	else if (str_is(word, "after"))
		first = right, second = left;
	first = str_trim(first);
	second = str_trim(second);
	meant = then ? str_printf(p->arena, "no %.*s after %.*s",
			   STR_FMT(second), STR_FMT(first))
		     : str_printf(p->arena, "no %.*s before %.*s",
			   STR_FMT(second), STR_FMT(first));
	if (!is_rule(p, meant))
		return false;
	if (!then)
		meant = str_printf(p->arena, "%.*s' or '%.*s then %.*s",
		    STR_FMT(meant), STR_FMT(first), STR_FMT(second));
	explain(p, p->wrong_at,
	    "expected and, or, if or the end of the rule, found '%.*s' (did "
	    "you mean '%.*s'?)",
	    STR_FMT(word), STR_FMT(meant));
	return true;
}

/* Returns the operator for a count and the number for which `A OP N` is meant: `A < 3`
 * is `<= 2 A`. */
static struct str
count_of(struct rules_parser *p, struct str op, struct str n)
{
	struct rules_parser q = { .arena = p->arena, .line = n };
	int64_t number = (int64_t)rules_number(&q, RULES_WHOLE);

	if (!rules_ok(&q) || !caseless_is_one_of(op, "< >"))
		return str_printf(
		    p->arena, "%.*s %.*s", STR_FMT(op), STR_FMT(n));
	return *op.s == '<'
	    ? str_printf(p->arena, "<= %lld", (long long)number - 1)
	    : str_printf(p->arena, ">= %lld", (long long)number + 1);
}

/* Explains `A <= 3`, `<= 3 calls`, `no errors`, and `!A`. Returns false if the claim
 * is none of these. */
static bool
explain_count(struct rules_parser *p, struct str claim)
{
	struct str rest = claim, first = str_cut(&rest, ' '), second, meant;

	rest = rest.s == NULL ? STR("") : str_trim(rest);
	second = str_cut(&rest, ' ');
	rest = rest.s == NULL ? STR("") : str_trim(rest);
	if (*first.s == '!' && first.n > 1)
		meant = str_cat(p->arena, STR("no "), str_from(claim, 1));
	else if (str_is(claim, "no errors"))
		meant = STR("errors = 0");
	else if (caseless_is_one_of(second, "<= >= = < >"))
		meant = str_printf(p->arena, "%.*s %.*s",
		    STR_FMT(count_of(p, second, rest)), STR_FMT(first));
	else if (caseless_is_one_of(rest, "calls errors turns tokens"))
		meant = str_printf(p->arena, "%.*s %.*s %.*s", STR_FMT(rest),
		    STR_FMT(first), STR_FMT(second));
	else
		return false;
	if (!is_rule(p, meant))
		return false;
	explain_claim(p, claim, meant);
	return true;
}

/* Explains words of English in place of those of the grammar. Returns false if the
 * mistake is none, or if the rule has others. */
static bool
explain_english(struct rules_parser *p, struct str claim)
{
	struct str words = rules_english(str_from(p->line, p->wrong_at));
	struct str wrong = p->wrong, meant;
	size_t found = str_find(wrong, STR(", found"));

	if (found == wrong.n || str_contains(wrong, ", behind '") ||
	    is_rule(p, claim))
		return false;
	meant = rules_mended(p, claim, MENDED_PLACES);
	if (meant.n == 0)
		return false;
	wrong = str_slice(wrong, 0, str_find(wrong, STR(" (did you mean")));
	if (words.n != 0)
		wrong = str_printf(p->arena, "%.*s, found '%.*s'",
		    STR_FMT(str_slice(wrong, 0, found)), STR_FMT(words));
	p->wrong = str_printf(p->arena, "%.*s (did you mean '%.*s'?)",
	    STR_FMT(wrong), STR_FMT(meant));
	return true;
}

/* Explains how a rule begins, if the mistake follows its first name. */
static void
explain_beginning(struct rules_parser *p, struct str claim)
{
	struct str rest = str_from(p->line, p->wrong_at),
		   next = str_cut(&rest, ' ');
	size_t n = 0;

	while (n < claim.n && rules_is_of_name(claim.s[n]))
		n++;
	if (n == 0 || p->wrong_at <= p->claim_at + n ||
	    rules_is_reserved(str_slice(claim, 0, n)) ||
	    rules_is_reserved(next) ||
	    str_trim(str_slice(p->line, p->claim_at + n, p->wrong_at)).n != 0 ||
	    !str_starts(p->wrong, "expected then, and, or") ||
	    str_contains(p->wrong, "did you mean"))
		return;
	p->wrong = str_printf(p->arena,
	    "%.*s (a rule begins with the name of a tool that must be called, "
	    "or with no, every, only, <= N, >= N, = N, same, answer, prompt, "
	    "calls, errors, turns, tokens, cost, time or judge, as 'no refund "
	    "before verify')",
	    STR_FMT(p->wrong));
}

void
rules_explain(struct rules_parser *p)
{
	struct str claim = unlabelled(str_from(p->line, p->claim_at));

	if (p->quiet || p->trap.s == p->wrong.s || p->wrong_at < p->claim_at ||
	    claim.n == 0 || explain_subject(p, claim) ||
	    explain_phrase(p, claim) || explain_order(p) ||
	    explain_count(p, claim) || explain_english(p, claim))
		return;
	explain_beginning(p, claim);
}

/* ---- traps ---- */

/* Returns the claim at the end of one that `and` joins. */
static const struct rule_claim *
last_of(const struct rule_claim *c)
{
	return c->form == RULE_AND && !c->in_brackets ? c->parts[c->nparts - 1]
						      : c;
}

static const struct rule_claim *
first_of(const struct rule_claim *c)
{
	return c->form == RULE_AND && !c->in_brackets ? c->parts[0] : c;
}

/* Returns what joins another call to the last one of a claim: its list, or its names;
 * NULL if no other call is a part of such a claim. */
static const char *
joint(const struct rule_claim *c)
{
	if (c->form == RULE_CHAIN)
		return !c->absent ? NULL : c->nstages == 1 ? "|" : ", ";
	if (c->form == RULE_BEFORE || c->form == RULE_ONLY)
		return ", ";
	return c->form == RULE_EVERY || c->form == RULE_COUNT ? "|" : NULL;
}

/* Returns the words for a claim that has the other call as a part. */
static struct str
with(const struct rule_claim *c, bool is_and, const struct rule_call *other,
    struct arena *a)
{
	const struct rule_calls *last = &c->stages[c->nstages - 1];
	bool names = *joint(c) == '|', no = c->form == RULE_CHAIN;

	if (is_and && c->form == RULE_BEFORE)
		return str_printf(a, "%.*s and no %.*s before %.*s",
		    STR_FMT(c->written), STR_FMT(c->stages[0].list->written),
		    STR_FMT(other->written));
	if (!names || last->list[last->n - 1].nconds + other->nconds == 0)
		return str_printf(a, "%.*s%s%.*s", STR_FMT(c->written),
		    joint(c), STR_FMT(other->written));
	if (no)
		return str_printf(a, "%.*s and no %.*s", STR_FMT(c->written),
		    STR_FMT(other->written));
	return (struct str){ 0 };
}

/* Returns whether the call reads as a part of the claim before it. */
static bool
is_part(
    const struct rule_claim *one, const struct rule_call *other, bool is_and)
{
	if (one->form == RULE_HAS || one->form == RULE_LACKS ||
	    one->form == RULE_IS)
		return *other->written.s == '"';
	return joint(one) != NULL &&
	    !(is_and && (one->form == RULE_EVERY || one->form == RULE_COUNT));
}

void
rules_check_joined(struct rules_parser *p, const char *word,
    const struct rule_claim *left, const struct rule_claim *right)
{
	const struct rule_claim *one = last_of(left), *other = first_of(right);
	bool is_and = strcmp(word, "and") == 0;
	const struct rule_call *call;
	struct str meant;

	if (!rules_ok(p) || p->trap.s != NULL || one->in_brackets ||
	    other->in_brackets || other->form != RULE_CHAIN || other->absent ||
	    other->nstages != 1)
		return;
	call = other->stages[0].list;
	if (!is_part(one, call, is_and))
		return;
	if (joint(one) == NULL)
		meant = str_printf(p->arena, "%.*s %s %.*s%.*s",
		    STR_FMT(one->written), word,
		    STR_FMT(str_slice(
			one->written, 0, str_find_char(one->written, '"'))),
		    STR_FMT(call->written));
	else
		meant = with(one, is_and, call, p->arena);
	p->trap_at = (size_t)(call->written.s - p->line.s);
	p->trap = str_printf(p->arena,
	    "'%s %.*s' means that %.*s was called (write %s%.*s%s'(%.*s) %s "
	    "%.*s' if that is meant)",
	    word, STR_FMT(call->written), STR_FMT(call->names),
	    meant.n == 0 ? "" : "'", STR_FMT(meant),
	    meant.n == 0 ? "" : "', or ", STR_FMT(one->written), word,
	    STR_FMT(call->written));
}
