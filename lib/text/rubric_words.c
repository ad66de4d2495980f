#include "text/rubric_words.h"

#include <math.h>

#include "base/ascii.h"

/* ---- phrases ---- */

/* Removes the first word from the text and returns the word. */
static struct str
next_word(struct str *text)
{
	struct str all = *text;
	size_t start = 0, end;

	while (start < all.n && !ascii_is_alnum((unsigned char)all.s[start]))
		start++;
	end = start;
	while (end < all.n && ascii_is_alnum((unsigned char)all.s[end]))
		end++;
	*text = str_from(all, end);
	return str_slice(all, start, end);
}

/* Returns whether the word is in the list, whose words have blanks between. */
static bool
is_of(struct str word, struct str list)
{
	while (list.s != NULL)
		if (str_eq_ascii_nocase(word, str_cut(&list, ' ')))
			return true;
	return false;
}

/* Returns whether the text begins with the phrase: places with commas between, each
 * of which is a list of words, of which the text has one. A place that begins with a
 * question mark may be passed over. */
static bool
begins_with(struct str text, struct str phrase)
{
	while (phrase.s != NULL) {
		struct str list = str_cut(&phrase, ','), rest = text, word;
		bool may = str_starts(list, "?");

		word = next_word(&rest);
		if (is_of(word, may ? str_from(list, 1) : list)) {
			if (may && begins_with(text, phrase))
				return true;
			text = rest;
		} else if (!may) {
			return false;
		}
	}
	return true;
}

/* Returns whether the text has one of the phrases, which end with NULL. */
static bool
has_phrase(struct str text, const char *const *phrases)
{
	for (struct str rest = text; rest.n != 0; (void)next_word(&rest))
		for (size_t i = 0; phrases[i] != NULL; i++)
			if (begins_with(rest, str_of(phrases[i])))
				return true;
	return false;
}

/* ---- evidence ---- */

#define THE \
	"the a an any each every all its their his her your this that these " \
	"those"
#define CALL \
	"tool tools call calls api search searches test tests command " \
	"commands " \
	"query queries server database shell lookup build linter script " \
	"pytest npm cargo jest"
#define ITEM \
	"document documents data record records content passage passages " \
	"page " \
	"pages value values row rows context information facts"
#define RESULT "result results output outputs response responses error errors"
#define ENDED "returned failed passed succeeded"
#define RAN "ran run runs running executed executes executing issued"
#define UNSAFE "shell bash terminal git safe unsafe dangerous destructive"
#define SCRIPT "test tests suite script scripts build linter"
#define EDITED "new edited modified created changed deleted written"
#define ASK "question request query prompt message"
#define USER "user users customer customers"

enum { KINDS = 8 };

/* The phrases of each kind, in the order of the bits. A noun alone says little, since
 * answers speak of commands, files and results, too. */
static const char *const kinds[KINDS][12] = {
	{ "tool tools", "function api,call calls", NULL },
	{ CALL ",?s," RESULT " " ENDED,
	    RESULT ",of from by,?" THE "," CALL " running executing calling",
	    RESULT ",of from by,?" THE ",?last first previous,?" CALL "," CALL,
	    "returned retrieved fetched,by from,?" THE "," CALL,
	    "what,?was were,returned retrieved fetched",
	    "retrieved returned fetched," ITEM,
	    "actual real logged recorded,?" CALL "," RESULT,
	    "data records rows,?was were,returned retrieved fetched",
	    "stdout stderr", "exit,code codes status", NULL },
	{ RAN ",?" THE ",?no,?" UNSAFE ",command commands",
	    RAN ",?" THE ",?unit full whole," SCRIPT,
	    "command commands,?that,?it was were,?the,?agent," RAN,
	    "all its no only these the,?" UNSAFE ",commands",
	    "no,?" UNSAFE ",command", "shell bash terminal,commands",
	    "was were,executed", "agent assistant claude,ran executed", NULL },
	{ THE ",?" EDITED ",?config source test output log,file files",
	    EDITED " wrote reads,?" THE ",file files",
	    "file files,?s,content contents",
	    THE ",diff patch workspace repository repo codebase", NULL },
	{ "the this its whole full,?whole,conversation transcript dialogue",
	    "in across throughout,conversation turns", "the,chat",
	    "several multiple,turns", "chat,history log session",
	    "earlier previous prior,turn turns message messages answer reply",
	    "each every all,turn turns", NULL },
	{ USER ",?s,?original initial first," ASK,
	    USER ",asked asks said told requested",
	    "original initial,question request prompt task", NULL },
	{ "the its,system developer,prompt message instruction instructions",
	    NULL },
	{ "the its final agent s,?final,answer reply", NULL },
};

unsigned
rubric_speaks_of(struct str text)
{
	unsigned of = 0;

	for (unsigned i = 0; i < KINDS; i++)
		if (has_phrase(text, kinds[i]))
			of |= 1U << i;
	return of;
}

/* ---- scales ---- */

#define SCORE \
	"score scores scored scoring rate rates rated rating ratings grade " \
	"grades graded grading scale likert award assign"

static const char *const scoring[] = { SCORE, NULL };

/* Words by which a rubric asks for something in the answer, such as a score, */
static const char *const content[] = {
	"includes include shows show shown contains mentions displays states",
	NULL
};

/* and words by which it asks the judge for a score all the same. */
static const char *const asking[] = { "rate rates likert give assign award",
	"scale,of from", NULL };

static const char *const best_is_1[] = {
	"1,?is being means meaning equals for,?the a,best excellent perfect "
	"highest outstanding",
	"1,?is being means meaning equals for,very,good", NULL
};

static const char *const percent[] = { "in as,?a,percent percentage",
	"percent percentage," SCORE, NULL };

/* Words before a range that make its numbers those of parts. */
static const char parts[] =
    "step steps section sections page pages line lines item items criteria "
    "criterion question questions chapter version figure table turn turns "
    "points rules rule";

/* Words that may follow a scale; any other word is what the numbers count. */
static const char behind[] =
    "scale where with and or points point stars star inclusive for on in how "
    "as based depending according whether being is are means the to if by of "
    "rating score when which using per only percent percentage";

/* A number in a text. */
struct number {
	double n;               /* NaN: none */
	struct str until, rest; /* the text before and behind the number */
	struct str before;      /* the word before */
};

/* Returns the number that the word is; NaN if the word is none. */
static double
number_of(struct str word)
{
	static const char *const names[] = { "zero", "one", "two", "three",
		"four", "five", "six", "seven", "eight", "nine", "ten" };
	double n = 0;

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if (str_eq_ascii_nocase(word, str_of(names[i])))
			return (double)i;
	for (size_t i = 0; i < word.n; i++) {
		if (word.s[i] < '0' || word.s[i] > '9' || word.n > 3)
			return (double)NAN;
		n = n * 10 + (word.s[i] - '0');
	}
	return word.n == 0 ? (double)NAN : n;
}

/* Removes the first word from the text and returns the number that the word is, also
 * one with a fraction of zeros. */
static double
next_number(struct str *text)
{
	double n = number_of(next_word(text));
	struct str rest = *text, zeros;

	if (rest.n < 2 || *rest.s != '.' || rest.s[1] < '0' || rest.s[1] > '9')
		return n;
	zeros = next_word(&rest);
	*text = rest;
	return is_of(zeros, STR("0 00")) ? n : (double)NAN;
}

/* Returns the text without blanks, a percent sign and a remark in brackets at its
 * beginning. */
static struct str
past_aside(struct str text)
{
	text = str_trim(text);
	if (str_starts(text, "%"))
		text = str_trim(str_from(text, 1));
	if (str_starts(text, "(") && str_find_char(text, ')') < text.n)
		text = str_trim(str_from(text, str_find_char(text, ')') + 1));
	return text;
}

/* Removes what stands between the ends of a range from the text. Returns false if
 * that is not next. */
static bool
takes_to(struct str *text, struct str before)
{
	static const char *const signs[] = { "to ", "through ", "-",
		"\xe2\x80\x93", "\xe2\x80\x94", "...", "..", "and " };

	*text = past_aside(*text);
	for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++) {
		if (!str_starts(*text, signs[i]))
			continue;
		*text = str_trim(str_from(*text, str_of(signs[i]).n));
		return *signs[i] != 'a' || is_of(before, STR("between"));
	}
	return false;
}

/* Returns whether the text behind a scale does not say what its numbers count. */
static bool
counts_nothing(struct str rest)
{
	struct str next = str_trim(rest);
	bool word = next.n != 0 && ascii_is_letter((unsigned char)*next.s);

	return !word || is_of(next_word(&next), str_of(behind));
}

static bool
is_scale(const struct rubric_scale *s)
{
	return (s->min == 0 || s->min == 1) && s->max > 1 && s->max > s->min;
}

/* Returns whether a text that speaks of no scores calls the range behind it one. */
static bool
introduces(struct str until, struct str before)
{
	until = str_trim(until);
	return is_of(before, STR("from of scale between")) ||
	    (until.n != 0 &&
		str_find_char(STR(",:("), until.s[until.n - 1]) < 3);
}

/* Returns whether a range begins with the number. */
static bool
range(const struct number *from, bool scored, struct rubric_scale *scale)
{
	struct str rest = from->rest;
	double end;

	if (is_of(from->before, str_of(parts)) ||
	    !takes_to(&rest, from->before) || rest.n == 0 ||
	    !ascii_is_alnum((unsigned char)*rest.s) ||
	    !(scored || introduces(from->until, from->before)))
		return false;
	end = next_number(&rest);
	if (str_starts(rest, "%"))
		rest = str_from(rest, 1);
	*scale =
	    (struct rubric_scale){ fmin(from->n, end), fmax(from->n, end) };
	return !isnan(end) && counts_nothing(rest);
}

/* Returns whether the number begins a list of three scores or more: "1, 2 or 3". */
static bool
list(const struct number *from, struct rubric_scale *scale)
{
	struct str rest = from->rest, next = rest;
	double n = from->n;

	while (next.n != 0 && next_number(&next) == n + 1) {
		size_t gap = 0;

		while (
		    gap < rest.n && !ascii_is_digit((unsigned char)rest.s[gap]))
			gap++;
		if (gap == 0 || gap > 5) /* ", or " */
			break;
		n++;
		rest = next;
		if (begins_with(next, STR("or")))
			(void)next_word(&next);
	}
	*scale = (struct rubric_scale){ from->n, n };
	return n >= from->n + 2 && !is_of(from->before, str_of(parts)) &&
	    counts_nothing(rest);
}

/* Returns whether the number is the best score: "out of 10", "/10", "10-point scale",
 * "5 stars". */
static bool
best(const struct number *n, bool scored, struct rubric_scale *scale)
{
	bool slash = scored && str_ends(n->until, "/") &&
	    (n->n == 5 || n->n == 10 || n->n == 20 || n->n == 100);
	bool points = begins_with(n->rest,
			  STR("point points star stars level levels,scale "
			      "scales rating ratings likert")) ||
	    (scored && begins_with(n->rest, STR("stars")));
	bool out_of = str_ends(str_trim(n->until), "out of");

	*scale = (struct rubric_scale){ points && n->n < 100 ? 1 : 0, n->n };
	return points || ((slash || out_of) && counts_nothing(n->rest));
}

/* Returns whether the number is a level: "1 = poor", "Score 1: ...". Widens the scale
 * to the number. */
static void
add_level(const struct number *n, struct rubric_scale *scale)
{
	struct str next = str_trim(n->rest);

	if (str_starts(next, "=") ||
	    (str_starts(next, ":") && is_of(n->before, STR(SCORE " level")))) {
		scale->min = fmin(scale->min, n->n);
		scale->max = fmax(scale->max, n->n);
	}
}

bool
rubric_scale(struct str text, struct rubric_scale *scale)
{
	bool scored = has_phrase(text, scoring);
	struct rubric_scale levels = { (double)INFINITY, (double)-INFINITY };
	struct number n = { .rest = text, .before = STR("") };

	if (has_phrase(text, best_is_1) ||
	    (has_phrase(text, content) && !has_phrase(text, asking) &&
		!begins_with(text, STR(SCORE))))
		return false;
	for (struct str word; n.rest.n != 0; n.before = word) {
		struct str next = n.rest;

		word = next_word(&next);
		n.until = str_slice(text, 0, (size_t)(word.s - text.s));
		n.n = next_number(&n.rest);
		if (isnan(n.n))
			continue;
		add_level(&n, &levels);
		if (!range(&n, scored, scale) && !best(&n, scored, scale) &&
		    !(scored && list(&n, scale)))
			continue;
		if (is_scale(scale))
			return true;
		if (scale->min == 0 && scale->max == 1)
			return false;
	}
	*scale = levels;
	if (scored && levels.max > 2 && is_scale(scale))
		return true;
	*scale = (struct rubric_scale){ 0, 100 };
	return scored && has_phrase(text, percent);
}

bool
rubric_share(struct str text, double least, double *share)
{
	struct rubric_scale scale;

	if (!(least > 1) || !rubric_scale(text, &scale) || least > scale.max)
		return false;
	*share = (least - scale.min) / (scale.max - scale.min);
	return true;
}
