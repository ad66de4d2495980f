/*
 * One check, whatever dialect it came from. A kind looks at a view and finds
 * YES, NO or that it CANNOT tell; check_run alone makes a status of that, so
 * that every not_..., forbidden_... form is one bit.
 */
#pragma once

#include "check/view.h"
#include "trace/trace.h"

enum found {
	FOUND_NO,
	FOUND_YES,
	FOUND_CANNOT,  /* nothing there that could be looked at: fails, also
			  when negated */
	FOUND_SKIP,    /* not decided, and nobody's fault */
	FOUND_ERROR,   /* not decided, and somebody's fault */
	FOUND_PENDING, /* for the judge */
};

struct failure {
	enum found found;
	bool open;      /* what the log cut off could turn it */
	struct str why; /* SKIP, ERROR: the reason; else what the kind tells */
	struct str_list decisive; /* of several wanted things those that
				     decided */
	struct str cause; /* what of `why` the reason tells, where not all */
	size_t seen, matched; /* how many were looked at, and how many fit */
	struct str folder;    /* PENDING: the run's, that a judge is shown */
};

typedef void check_pattern(struct regex *, void *arg);

struct check_kind {
	const char *name;
	struct failure (*find)(const void *want, struct view *);
	/* What it wants, as members of a JSON object. */
	void (*show)(const void *want, struct out *);
	/* The check that this one asks of something else; NULL: none, or the
	 * kind has none. */
	const struct check *(*inner)(const void *want);
	/* Hands over each of its regular expressions, some of which may be
	 * NULL; NULL: it has none. */
	void (*patterns)(const void *want, check_pattern *each, void *arg);
	/* Of one that leaves all to the judge, who is told what it wants. */
	bool judged;
	/* Frees what else no arena holds; NULL: there is no such thing. */
	void (*release)(const void *want);
	/* Of a NO: whether it is only that letters are of another case, which
	 * the reason says then. NULL: case never counts. */
	bool (*case_differs)(const void *want, struct view *);
};

/* `inner` and `show` of a kind that wants nothing but another check. */
const struct check *check_wanted(const void *want);
void check_show_wanted(const void *want, struct out *);

struct check_result;

struct check {
	const struct check_kind *kind;
	const void *want; /* the kind's own parameters */
	unsigned needs;   /* evidence (VIEW_...) without which it is skipped */
	bool negate;
	bool despite_error; /* also of a run that failed itself */
	struct scope scope; /* what it looks at */
	struct str type, label;
	struct str dialect, scenario; /* scenario may be absent */
	struct str at;     /* file:line where its author wrote it, or option */
	struct str reason; /* why it failed */
	struct str cannot; /* ... where there was nothing to look at */
	/* Sets reason or metadata where they hang on what was found; or NULL.
	 * Called of checks that passed or failed; `detail` is its own. */
	void (*explain)(const struct check *, const struct failure *,
	    struct view *, struct check_result *);
	struct str detail;
	struct str metadata; /* of its results, if explain gives none */
	/* Set by check_seal. */
	struct str head, tail, judge;
};

struct check_result {
	const struct check *check;
	enum status status;
	struct str reason;   /* absent if there is none to give */
	struct str metadata; /* a JSON object; absent: none */
	bool of_turn;        /* it looked at this turn, from 0 */
	size_t turn;
	struct str folder; /* of one that is pending: as finding's */
};

/* A check that no run can decide, since its author made a mistake. */
struct check check_broken(struct arena *, struct str type, struct str why);

bool check_is_broken(const struct check *);

/* Prepares the constant parts of its results. The last step of making one. */
void check_seal(struct check *, struct arena *);

/* Calls `each` of the check's regular expressions. */
void check_patterns(const struct check *, check_pattern *each, void *arg);

/* Frees what no arena holds. */
void check_close(const struct check *);

/* Decides; what the result holds lives in the view's arena. */
struct check_result check_run(const struct check *, struct view *);

/* The same of the part of the run that the check is about. */
struct check_result check_run_part(const struct check *, struct view *run);

/* Of what the check found not to be so: whether only letter case differs. */
bool check_case_differs(const struct check *, struct view *);

/* The result without looking: the check is skipped for this reason. */
struct check_result check_skip(const struct check *, struct str why);

/* An `explain` for a check whose detail is what was expected, and whose finding
 * says what was found. */
void check_explain_found(const struct check *, const struct failure *,
    struct view *, struct check_result *);

/* Writes the result as an element of check_results. */
void check_write(struct out *, const struct check_result *);

/* Writes the check itself as an object, for --lint. */
void check_show(struct out *, const struct check *);
