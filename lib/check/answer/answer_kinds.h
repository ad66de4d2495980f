/* The kinds of check of an answer, or of another text: its words, its
 * likeness to other texts, the JSON or markup that it holds. kind.h says what all
 * kinds have in common. */
#pragma once

#include "check/answer/embedded_json.h"
#include "check/check.h"
#include "emulate/jmespath/jmespath.h"
#include "emulate/jsonpath/jsonpath.h"
#include "emulate/jsonschema/jsonschema.h"
#include "emulate/regex/regex.h"

/* ---- text ---- */

enum text_how {
	TEXT_CONTAINS,
	TEXT_STARTS,
	TEXT_ENDS,
	TEXT_EQUALS,
};

/* Kind text: decides whether the view's text contains, begins with, ends with
 * or equals a literal text. */
struct check text_check(
    struct arena *, enum text_how, enum view_fold, struct str text);

/* Like text_check, of the view's text without white space at both ends, as Go trims
 * texts. */
struct check text_check_trimmed(
    struct arena *, enum text_how, enum view_fold, struct str text);

/* Kind overlap: decides whether the view's text has the same words as another,
 * in any letter case and order. The share is the number of words that both
 * have, of the words that any of both has. */
struct check phrases_overlap(struct arena *, struct str text);

enum phrases_how {
	PHRASES_ALL, /* YES if there are none to look for */
	PHRASES_ANY,
};

/* Kind phrases: decides whether the view's text contains all, or any, of
 * several texts. `decisive` of the finding lists the texts that are missing
 * (ALL) or that are there (ANY). The share of ALL is the part of the texts that
 * is there. */
struct check phrases_check(
    struct arena *, enum phrases_how, enum view_fold, struct str_list);

/* Like phrases_check, but finds each word by its compiled pattern. */
struct check phrases_check_words(struct arena *, enum phrases_how,
    struct str_list words, struct regex **compiled);

/* Kind regex: decides whether a regular expression matches in the view's text.
 * The pattern as its author wrote it and the flags (REGEX_...) that it was
 * compiled with are for --lint. */
struct check pattern_check(
    struct arena *, struct regex *, struct str pattern, unsigned flags);

/* Like pattern_check, but `why` of a YES is the text that matches. */
struct check pattern_check_with_match(
    struct arena *, struct regex *, struct str pattern, unsigned flags);

/* Returns a copy of a pattern's check that also reports a NO which is only due
 * to letter case. `caseless` is the pattern compiled without regard to case;
 * NULL: the check reports nothing more. */
struct check pattern_with_case_hint(
    struct arena *, struct check, struct regex *caseless);

/* The largest size that each measure allows, and the least number of bytes;
 * NULL: no limit. */
struct max_length_want {
	const int64_t *least;
	const int64_t *bytes;
	const int64_t *tokens; /* a token is four bytes */
	const int64_t *sentences;
};

/* Kind length: decides whether the view's text is within limits, by PromptKit's
 * measures. `why` holds the lengths, as members of a JSON object; the share is
 * the least of limit / length and, for the minimum, length / limit; at most
 * 1. */
struct check max_length_check(struct arena *, const struct max_length_want *);

/* Kind instance: decides whether the answer has a Python type: int, float,
 * bool, list, dict; any other name is str. An answer is text, but a record that
 * was not made from a log may hold another value. `why` is how the answer
 * begins. */
struct check answer_value_type(struct arena *, struct str type);

struct answer_value_want {
	const struct json *expected; /* NULL: every answer is a YES */
	bool within;   /* a text that contains the expected text is a YES */
	bool caseless; /* the letter case of text does not count */
};

/* Kind equals: decides whether the answer equals the expected value as Python
 * compares values. `why` is how the answer begins. */
struct check answer_value_equals(
    struct arena *, const struct answer_value_want *);

enum metric {
	METRIC_LEVENSHTEIN, /* edits in UTF-16 code units, at most `limit` */
	METRIC_ROUGE, /* F-measure of the words that both have, as ROUGE-1 */
	/* The same of stems, as Python's rouge_score and so ADK measures it */
	METRIC_ROUGE_STEMS,
	METRIC_BLEU,   /* of one to four words in a row, with brevity penalty */
	METRIC_GLEU,   /* the same, the smaller of precision and recall */
	METRIC_METEOR, /* of words and stems, with a penalty for disorder */
};

struct metric_want {
	enum metric how;
	struct str_list references; /* at least one; the best counts */
	double limit; /* the score is at least this; or see above */
	double alpha, beta, gamma; /* of METRIC_METEOR */
};

/*
 * Kind metric: decides how much the view's text is like another, as promptfoo
 * measures it. The share is the score, which METRIC_LEVENSHTEIN has not. `why` is
 * the score with four digits, or the distance. METEOR also counts synonyms of
 * WordNet, which are not at hand: SKIP if they could change the finding, and no
 * share if they could change the score.
 */
struct check metric_check(struct arena *, const struct metric_want *);

/* The range in which a score lies. */
struct metric_range {
	double low, high;
};

/* Returns the METEOR of a candidate, which is not empty, by the best of the
 * references. The letters are in lower case. */
struct metric_range meteor_score(
    struct arena *, const struct metric_want *, struct str candidate);

/* Returns the score of a text by a metric other than METRIC_LEVENSHTEIN, with the usual
 * parameters of METEOR. */
struct metric_range metric_score(
    struct arena *, enum metric, struct str text, struct str reference);

enum grader_how {
	GRADER_EQ,
	GRADER_NE,
	GRADER_LIKE,   /* the input contains the reference */
	GRADER_ILIKE,  /* the same, in any letter case */
	GRADER_FUZZY,  /* common_ratio */
	GRADER_ROUGE,  /* rouge_score of `order` */
	GRADER_METRIC, /* metric_score of `metric` */
	GRADER_PYTHON, /* what grade() of `source` returns */
};

struct grader_want {
	enum grader_how how;
	size_t order;
	enum metric metric;
	struct str source; /* of Python, instead of texts */
	struct str input,
	    reference; /* with places {{item.PATH}} and {{sample.PATH}} */
	const struct json *item; /* NULL: not known */
	/* NULL: YES with a score of 1, NO with 0, else SKIP. */
	const double *least;
};

/* Kind grader: decides whether the score of a text by a reference is at least a number, as
 * OpenAI's graders do. `sample` is the answer and the calls of the record. The share is the
 * score, and so is `why`. SKIP if a place cannot be filled; CANNOT if the answer lacks what
 * should fill the place. */
struct check grader_check(struct arena *, const struct grader_want *);

/* Returns the value that the path selects, as text; absent if there is none. */
struct str grader_value(const struct json *, struct str path, struct arena *);

/* Returns the finding of a score, as of grader_check. */
struct finding grader_finding(
    struct metric_range, const double *least, struct view *);

struct formula_part {
	struct str name;
	const struct check *check;
};

struct formula_want {
	struct str formula;
	const struct formula_part *parts;
	size_t n;
	const double *least; /* as of struct grader_want */
};

/* Kind formula: decides whether the value of an arithmetical expression of the scores of
 * checks is at least a number. SKIP if one of the scores is not known. */
struct check formula_check(struct arena *, const struct formula_want *);

/* Computes the expression, in which the callback gives the value of a name: numbers, + - * / ^,
 * brackets, and the functions abs, ceil, exp, floor, log, max, min and sqrt. Returns why the
 * text is no such expression, or that a name has no value; absent text: *value is set. */
struct str formula_value(struct arena *, struct str text,
    bool (*named)(struct str name, double *value, void *arg), void *arg,
    double *value);

/* Kind refusal: decides whether the view's text refuses to answer, by the turns
 * of phrase that promptfoo knows, in any letter case. YES if the text is empty,
 * with a share of 0 unless the check will be negated. */
struct check refusal_check(struct arena *, bool negated);

/* Kind html: decides whether the view's text is HTML, or has HTML `within`, as
 * check/content/html.h says. `why` of a NO is the reason. */
struct check html_check(struct arena *, bool within);

struct xml_want {
	bool within;           /* a part of the text is enough */
	struct str_list paths; /* of elements, as xml_has_path() reads them */
};

/* Kind xml: decides whether the view's text is XML that has these elements. `why`
 * of a NO is the reason. SKIP if the text has parts that are not well-formed and
 * could count. */
struct check xml_check(struct arena *, const struct xml_want *);

/* The limits of a number of words; NULL: no limit. */
struct words_want {
	const double *least, *most;
};

/* Kind words: decides whether the number of words in the view's text, which
 * JavaScript's white space separates, is within limits. `why` is the number. */
struct check words_check(struct arena *, const struct words_want *);

/* Kind finish_reason: decides whether the model's answer ended for this reason,
 * in any letter case. A reason of a provider's own is recorded as promptfoo
 * calls it: stop, length, tool_calls, content_filter. SKIP if no reason was
 * recorded. `why` is the recorded reason. */
struct check finish_reason_check(struct arena *, struct str reason);

/* ---- JSON ---- */

struct json_text_want {
	bool within; /* an object anywhere in the text is enough, also one that
		      * is only YAML, or whose braces do not close */
	const struct json *equals;   /* the text's value; NULL: any */
	const struct json *schema;   /* NULL: any JSON is a YES */
	struct jsonschema *compiled; /* from `schema` */
};

/* Kind json: decides whether the view's text is, or contains, JSON that is equal
 * to a value or that a JSON Schema accepts. Text that is no JSON is a NO. `why`
 * of a NO is what is wrong. */
struct check json_text_check(struct arena *, const struct json_text_want *);

/* Kind jsonpath: decides whether a JSONPath selects any value in the view's
 * text, or, if `equals` is not NULL, a scalar that is equal to it: an object or
 * list equals nothing, as with JavaScript's ===. CANNOT if the text is no JSON.
 * `written` is the path's text, for --lint. */
struct check json_path_check(struct arena *, struct jsonpath *,
    struct str written, const struct json *equals);

/* The limits for what a JMESPath expression selects. A limit that is NULL, or
 * 0, does not apply. */
struct json_query_want {
	struct embedded_json where;
	struct str written;
	struct jmespath *path;
	const struct json *equals;
	const struct json *contains;     /* a list; the result has all items */
	const struct json *least, *most; /* numbers; the result is a number */
	int64_t least_items, most_items; /* the result is a list */
};

/* Kind jsonpath with JMESPath in its stead: decides whether the expression's
 * result in the view's JSON is within the limits. CANNOT if the text is no
 * JSON. `why` of a NO or CANNOT is members of a JSON object: `error` and
 * `content`, or `message` and the values. */
struct check json_query_check(struct arena *, const struct json_query_want *);

struct json_schema_want {
	struct embedded_json where;
	const struct json *written;  /* the schema; NULL: any JSON is a YES */
	struct jsonschema *compiled; /* from `written` */
};

/* Kind schema: decides whether the view's text is JSON that a JSON Schema
 * accepts. CANNOT if the text is no JSON. `why` of a NO or CANNOT is members of
 * a JSON object: `error` and `content`, or `errors`. */
struct check json_schema_check(struct arena *, const struct json_schema_want *);

/* Kind members: decides whether the view's text is a JSON object that has the
 * given members, each equal as a whole as Python compares values; a missing
 * member equals null. */
struct check members_check(struct arena *, const struct json *members);
