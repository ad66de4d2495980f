/*
 * Permissions: the lines of agents' own policy files (Claude Code's settings, Codex's
 * rules, the allow-lists of Cursor and of Gemini CLI), and the decision that a product
 * makes by them about a recorded call. A product reads its lines into a set; the kinds
 * of check in kinds.c ask the set about each call of a run.
 */
#pragma once

#include "check/check.h"
#include "check/rule/roles.h"
#include "trace/trace.h"

/* Decisions, the strictest last. A call of several parts gets the strictest decision
 * of its parts. */
enum permission {
	PERMISSION_ALLOW,
	PERMISSION_NONE, /* no line covers the call: the agent would ask */
	PERMISSION_ASK,
	PERMISSION_DENY,
	PERMISSIONS,
};

/* Returns allow, none, ask or deny. */
const char *permission_name(enum permission);

/* A file of lines. */
struct permission_source {
	const char *file;
	struct str folder; /* what relative paths of its lines begin with */
	int level;         /* of precedence, as the product counts */
};

struct permission_line {
	enum permission decision;
	struct str written; /* without the decision: Bash(git push *) */
	struct str why;     /* the author's justification; absent: none */
	struct place place;
	const struct permission_source *source;
	size_t number;  /* in the set */
	bool skipped;   /* malformed: the agent never applies the line */
	const void *of; /* what the product knows of the line */
};

/* A recorded call, as products look at it. */
struct permission_call {
	const struct trace_call *call;
	struct str command; /* the text that bash reads; absent: no such text */
	/* The role of the tool (shell, other_shell, read, edit, search, fetch, agent,
	 * ...), by which calls of other agents' tools are understood; NULL: none. */
	const struct rule_role *role;
	struct str folder; /* in which the run began; absent: not recorded */
};

/* A line that applies to a call. */
struct permission_hit {
	const struct permission_line *line;
	struct str part; /* the part of the command, or the value, that fits */
	/* Unseen: the words of `part` that hide the rest from the agent (xargs -n1);
	 * absent: no words do. */
	struct str behind;
	/* Only what bash runs fits the line; the agent, by its own reading, does not
	 * see the part. Such a hit does not change the agent's decision. */
	bool unseen;
	/* The line fits if a word that the shell computes is the right one. */
	bool maybe;
	/* Maybe: what the log lacks; absent: unseen, the shell computes a word. */
	struct str why;
};

/* A line that would cover a part of a call which no line covers. */
struct permission_cover {
	struct str line;  /* absent: no line can */
	struct str exact; /* covers nothing else; absent: no such line */
	bool irrevocable; /* allows what cannot be undone: never proposed */
};

struct permission_verdict {
	enum permission decision; /* by the agent's own reading */
	bool open;      /* bash may run commands that the text does not name */
	bool unknown;   /* the record lacks what the decision depends on */
	struct str why; /* what decided, if no line did: "read-only" */
	const struct permission_hit *hits;
	size_t nhits;
	const struct permission_cover *covers; /* if `decision` is NONE */
	size_t ncovers;
};

struct permission_set;

/* An agent product with permissions. */
struct permission_product {
	const char *dialect; /* of the files: "claude-settings" */
	const char *agent;   /* as texts name the agent: "Claude Code" */
	/* Says what the agent does with calls that no line covers. */
	const char *uncovered;
	/* Decides a call. The verdict lives in the arena. */
	struct permission_verdict (*decide)(const struct permission_set *,
	    const struct permission_call *, struct arena *);
	/* Returns the calls that the line is about as a rule of mcpl-rules(5)
	 * names them, for --lint; absent: rules have no words for the calls. */
	struct str (*calls)(const struct permission_line *, struct arena *);
	/* Returns whether each call that fits `inner` fits `outer`. */
	bool (*covers)(const struct permission_line *outer,
	    const struct permission_line *inner);
};

/* All lines of all files of one dialect, which decide together. */
struct permission_set {
	const struct permission_product *product;
	struct arena *arena; /* of the files */
	struct permission_line *lines;
	size_t n;
	struct rule_program *program; /* with the roles of tools */
	void *of;    /* what the product keeps beside the lines: the mode */
	bool summed; /* the checks of all calls were made */
	bool
	    decides; /* some line, or some other setting, says what becomes of calls */
};

/* The sets of all files, by product. */
struct permission_sets {
	struct permission_set **list;
	size_t n;
};

/* Adds a line to the set. The line's number is set, its texts are not copied. Returns
 * the line, which the next addition may move. */
struct permission_line *permission_add(
    struct permission_set *, struct permission_line);

/* Returns a line by which another one of the set says nothing: a stricter line that
 * covers the other, else one of the same decision. NULL: there is none. */
const struct permission_line *permission_idled_by(
    const struct permission_set *, const struct permission_line *);

/* The checks of a set, which share one pass over the calls of a run. A check of a line
 * gives no result if the line applies to no call; `rest` is about the calls that no line
 * decides, `count` counts all calls by their decisions. The set may grow until the first
 * run is checked. */
struct check permission_check_line(
    struct arena *, const struct permission_set *, size_t number);
struct check permission_check_rest(
    struct arena *, const struct permission_set *, enum permission);
struct check permission_check_count(
    struct arena *, const struct permission_set *);

/* The lines that applied in the runs of a view, by set. */
struct permission_applied;

/* Adds the lines of the view's runs to the sum, which may be NULL at first. Returns the
 * sum, in the arena. */
struct permission_applied *permission_applied_add(
    struct permission_applied *, struct arena *, const struct view *);

/* Warns of the lines that applied to no call of any run, once for a set. Says nothing if
 * no run has a call. */
void permission_warn_idle(const struct permission_applied *);
