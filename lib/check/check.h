/*
 * One check, whatever dialect its author wrote it in. A kind looks at a view
 * and finds YES, NO or CANNOT. check_run alone turns the finding into a
 * status, so that each negative form (not_..., forbidden_...) is one bit.
 */
#pragma once

#include <stddef.h>

#include "check/view.h"
#include "trace/trace.h"

enum found {
	FOUND_NO,
	FOUND_YES,
	FOUND_CANNOT,  /* there is nothing to look at: the check fails, also
			  if it is negated; with bounds, its score is 0 */
	FOUND_SKIP,    /* undecided, and nobody made a mistake */
	FOUND_ERROR,   /* undecided, because of a mistake or a limit */
	FOUND_PENDING, /* mcpl-judge decides */
	FOUND_NOTHING, /* the check is not about this run, and has no result */
};

struct finding {
	enum found found;
	bool open;   /* text or calls that the log cut off could change it; with
			 * the view's `holes`, calls anywhere */
	bool graded; /* the kind also gives a share: */
	bool offered;   /* SKIP: mcpl-judge may decide by what `ask` writes */
	bool ungraded;  /* there is such a share, but it is not known */
	double share;   /* which part of what is wanted holds, 0 to 1 */
	struct str why; /* SKIP, ERROR: the reason; else as the kind says */
	struct str_list decisive; /* the wanted things that decided, of
				     several */
	/* The text that the reason shows; absent: `why`. PENDING, or `offered`: the answer
	 * that is judged in place of the recorded one; absent: that one. */
	struct str cause;
	/* The check that found this, in place of the one that was asked; NULL: that
	 * one. Once it has decided, a fresh one is closed. */
	const struct check *made;
	bool fresh;
	size_t seen, matched; /* how many were looked at, and how many fit */
	union {
		const char *folder; /* PENDING: the run's folder, for the judge;
				       or NULL */
		/* SKIP: the author's own condition that skips the check, by its
		 * key in the assertion file; NULL: what was recorded or
		 * permitted does not suffice */
		const char *skipped_by;
	};
};

static inline struct finding
finding_of(bool yes)
{
	return (struct finding){ .found = yes ? FOUND_YES : FOUND_NO };
}

static inline struct finding
finding_why(enum found found, struct str why)
{
	return (struct finding){ .found = found, .why = why };
}

/* Take a literal or a struct str; finding_skip is a SKIP. */
#define finding_why(found, ...) finding_why((found), AS_STR((__VA_ARGS__)))
#define finding_skip(...) finding_why(FOUND_SKIP, __VA_ARGS__)

/* Returns a finding with a share: the part of the whole, all of it if that is 0. */
static inline struct finding
finding_graded(size_t part, size_t whole)
{
	struct finding f = finding_of(part == whole);

	f.graded = true;
	f.share = whole == 0 ? 1 : (double)part / (double)whole;
	return f;
}

typedef void check_pattern(struct regex *, void *arg);

/* ---- parameters ---- */

/* The parameters of a kind, a row each: from the rows come what --lint shows, the
 * tools that the check names, its patterns and its inner check. */
enum {
	/* The type of the member of the kind's struct. */
	WANT_END,    /* the row behind the last */
	WANT_STR,    /* a struct str; not shown if absent */
	WANT_STRS,   /* a struct str_list */
	WANT_INT,    /* an int64_t */
	WANT_DOUBLE, /* a double */
	WANT_BOOL,   /* a bool */
	WANT_CHARS,  /* a const char *; not shown if NULL */
	WANT_JSON,   /* a const struct json *; not shown if NULL */
	WANT_CHECK,  /* a const struct check *, which has this key or, without a
		       * key, shows its own parameters in this place */
	WANT_REGEX,  /* a struct regex *, which is not shown */
	WANT_WORD, /* an enum; the key is followed by the words of its values, of
		    * which "-" is not shown */
	WANT_KEY, /* an enum; one of the words is the key of the next rows without */
	WANT_TYPE = 15,

	WANT_IF = 16,    /* not shown if it is empty, false or at most 0 */
	WANT_AT = 32,    /* the member is a pointer; not shown if NULL */
	WANT_TOOLS = 64, /* it names tools */
	WANT_GLOBS = 128 /* it names tools that are forbidden or limited */
};

struct check_want {
	const char *key;
	unsigned how; /* WANT_... */
	size_t at;    /* of the member in the struct */
};

/* A row about a member of struct WANT. */
#define WANT(key, how, want, member) \
	{ \
		(key), (how), offsetof(struct want, member) \
	}

/* Within a struct check_kind at file scope: the rows of its parameters. */
#define WANTS(...) \
	.wants = (const struct check_want[]) \
	{ \
		__VA_ARGS__, \
		{ \
			0 \
		} \
	}

struct check_kind {
	const char *name;
	/* The rows of the parameters or NULL. The functions below that
	 * write or return parameters are for what no row says. */
	const struct check_want *wants;
	struct finding (*find)(const void *want, struct view *);
	/* Returns whether the kind finds YES and has nothing more to say than how
	 * many it has seen, which it sets; `find` decides where this is false,
	 * or NULL. */
	bool (*holds)(const void *want, struct view *, size_t *seen);
	/* Writes more parameters as members of a JSON object, behind those of the
	 * rows; NULL: none. */
	void (*show)(const void *want, struct out *);
	/* Returns the check that this check asks of something else, or NULL.
	 * NULL: the kind has no inner check. */
	const struct check *(*inner)(const void *want);
	/* Calls `each` with each of the regular expressions, some of which may
	 * be NULL. NULL: the kind has none. */
	void (*patterns)(const void *want, check_pattern *each, void *arg);
	/* Frees what neither an arena nor `patterns` holds; NULL: nothing. */
	void (*release)(const void *want);
	/* Returns the tools that the check names. NULL: it names none. */
	struct str_list (*tools)(const void *want, struct arena *);
	/* Returns the globs of the tools whose calls a check forbids or limits,
	 * if these are not `tools`. NULL: none. */
	struct str_list (*globs)(const void *want, struct arena *);
	/* Returns whether a NO is only due to letter case, which the reason
	 * then says. NULL: letter case never matters. */
	bool (*case_differs)(const void *want, struct view *);
	/* Writes what the judge, who decides, gets to see, with or without the
	 * run's folder. NULL: no judge. */
	void (*ask)(const void *want, bool folder, struct out *);
	/* Decides whether the event of the view's guard breaks the check. NULL: a single
	 * call tells nothing. */
	struct guard_finding (*guard)(const void *want, struct view *);
	bool counts;          /* a result says how many the kind `seen` */
	bool ordered;         /* the order of the calls matters */
	bool tools_as_logged; /* a tool is found by its logged name alone */
	bool explains_skips;  /* check.explain is called for a SKIP, too */
};

/* Returns a list of this tool; none if the tool is absent or empty. */
struct str_list check_one_tool(struct str tool, struct arena *);

/* Limits of a check's score: the finding's share, else 1 if the check would
 * pass and 0 if it would fail. NULL: no limit. */
struct check_bounds {
	const double *least, *most;
};

struct check;
struct check_result;
struct document;

/* The assertion as its author wrote it. */
struct check_source {
	struct place place;         /* no file: not of a file */
	const struct document *doc; /* NULL: not of a file of values */
	/* The assertion; where the file has its keys beside its name, the name.
	 * NULL without a doc. */
	const struct json *value;
	const struct json *keys; /* the object with its keys; NULL: none */
};

/* Sets the reason or metadata of a result if they depend on the finding. */
typedef void check_explain(const struct check *, const struct finding *,
    struct view *, struct check_result *);

/* The ways to decide a check on a run that ended in an error. */
enum check_after_error {
	AFTER_ERROR_SKIPPED,
	/* As if the log were cut off there: it fails, or else is skipped. */
	AFTER_ERROR_MAY_FAIL,
	AFTER_ERROR_DECIDED, /* as on any other run */
};

struct check {
	const struct check_kind *kind;
	const void *want;      /* the kind's own parameters */
	struct str_list tools; /* the tools that the check names */
	unsigned needs; /* evidence (VIEW_...) without which it is skipped */
	bool negate;    /* passes on NO, fails on YES */
	enum check_after_error after_error;
	struct scope scope; /* the part of the run that it looks at */
	const struct check_bounds *bounds; /* the check passes if its score is
					      within them; or NULL */
	const struct check *when; /* unless all of these find YES in their own
				     scope, the check is skipped */
	size_t nwhen;
	struct str type, label;
	struct str dialect, scenario; /* scenario may be absent */
	struct str at;     /* file:line of the assertion, or the option */
	struct str reason; /* why it failed */
	struct str cannot; /* why it failed if there was nothing to look at */
	const char *severity; /* warning or note; NULL: error */
	/* Called if it passed or failed, without bounds. NULL: a failure of a check
	 * with a detail is explained by check_explain_found. */
	check_explain *explain;
	struct str detail;   /* for explain */
	struct str metadata; /* of its results, if explain sets none */
	struct str rule; /* a rule that says the same, for --lint; or absent */
	struct check_source source;
	/* Set by check_seal. */
	struct str head, tail;
	struct str judge[2]; /* without and with the run's folder */
	/* The result if it passed, without more to say, of check_prepare_passes;
	 * behind the text is a comma. `number` is the place of the digit that stands
	 * for how many events were judged; 0: there is none. */
	struct str passed;
	size_t number;
	bool asks_kind; /* the check passes if the kind `holds` */
};

struct check_result {
	const struct check *check;
	enum status status;
	bool none;    /* FOUND_NOTHING: to be dropped; else taken for skipped */
	bool plain;   /* it passed and has no more to say */
	bool of_turn; /* the check looked at this turn: */
	size_t turn;  /* counted from 0 */
	struct str reason; /* absent if there is none */
	size_t applied; /* of a kind that counts: how many events it judged */
	struct str got; /* of a failed check: what was there; or absent */
	struct str metadata; /* a JSON object; absent: none */
	/* {"turn","step"} of the call that decided; or absent. */
	struct str call;
	const char *severity; /* if the check has none, or NULL */
	bool offered;         /* skipped: as in its finding */
	struct str answer;    /* for the judge, as in the finding; or absent */
	union {
		const char *folder;     /* pending: as in its finding */
		const char *skipped_by; /* skipped: as in its finding */
		/* Passed or failed: the part of what the check wants that
		 * holds, 1 or 0 if its kind does not grade; NaN: not known. */
		double score;
	};
};

/* Returns a check of this kind, which needs this evidence (VIEW_... bits), with
 * a copy of the parameters: size bytes at want. */
struct check check_new(struct arena *, const struct check_kind *,
    const void *want, size_t size, unsigned needs);

/* Returns a check that is an error for every run, since its author made a
 * mistake, which `why` describes. */
struct check check_broken(struct arena *, struct str type, struct str why);

bool check_is_broken(const struct check *);

/* Prepares the constant parts of the check's results. Must be the last step of
 * making a check. */
void check_seal(struct check *, struct arena *);

/* Prepares the texts of the results of sealed checks if these pass, one behind the
 * other, so that check_write copies those of adjacent passes at once. */
void check_prepare_passes(struct check *, size_t n, struct arena *);

/* Returns the tools whose calls the check forbids, or globs of the tools whose calls
 * the check forbids or limits; none if the check does neither. */
struct str_list check_forbids(const struct check *, struct arena *);

/* Calls `each` with each regular expression of the check and its inner
 * checks. */
void check_patterns(const struct check *, check_pattern *each, void *arg);

/* Frees what the arena does not hold: patterns, paths, schemas. */
void check_close(const struct check *);

/* Decides the check. The strings of the result live in the view's arena. */
struct check_result check_run(const struct check *, struct view *);

/* Like check_run, but finds the part of the run that the check is about, and fills
 * *result. */
void check_run_part(
    const struct check *, struct view *whole, struct check_result *result);

/* Like check_run_part, and sets *score to the part of what the check wants that
 * holds: 1 or 0 if its kind does not grade. *score is not set unless the check
 * passed or failed. A check whose score is not known is skipped. */
struct check_result check_score(
    const struct check *, struct view *run, double *score);

/* Returns whether the check's NO is only due to letter case. */
bool check_case_differs(const struct check *, struct view *);

/* Returns the severity of the result; NULL: error, which counts for the run. */
static inline const char *
check_severity(const struct check_result *r)
{
	return r->severity != NULL ? r->severity : r->check->severity;
}

/* Returns the result of a check that is skipped for this reason. */
struct check_result check_skip(const struct check *, struct str why);

/* Explains a failure by what was expected, the check's `detail`, and by what
 * was found, the finding's `why`. */
check_explain check_explain_found;

/* Writes the results as elements of check_results. */
void check_write(struct out *, const struct check_result *, size_t n);

/* Writes the check itself as a JSON object, for --lint. */
void check_show(struct out *, const struct check *);

/* Writes the parameters of the check alone as members of a JSON object. */
void check_show_wanted(const struct check *, struct out *);

/* Writes the parameters as members of a JSON object. */
void check_wants_show(
    const struct check_want *, const void *want, struct out *);

/* Returns the tools that the parameters with one of the bits, WANT_TOOLS or WANT_GLOBS, name. */
struct str_list check_wants_tools(
    const struct check_want *, const void *want, unsigned bits, struct arena *);

/* Calls `each` with the patterns among the parameters, some of which may be NULL. */
void check_wants_patterns(const struct check_want *, const void *want,
    check_pattern *each, void *arg);

/* Returns the check among the parameters, or NULL. */
const struct check *check_wants_inner(
    const struct check_want *, const void *want);
