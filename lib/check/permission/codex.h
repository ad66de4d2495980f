/*
 * Codex's rules: the .rules files of prefix_rule() calls, and the decision that they
 * make about a command as a list of words, as `codex execpolicy check` of Codex 0.171.0
 * makes it. The files are Starlark, which starlark/ reads.
 */
#pragma once

#include "check/permission/permission.h"
#include "yaml/policy.h"

/* A host_executable(): the only paths by which a program's base name counts. */
struct codex_host {
	struct str name;
	struct str_list paths; /* from the root, without . and .. */
};

/* The rules of all files of a set: ->of of the set. */
struct codex_rules {
	struct hash_table hosts; /* by name, to struct codex_host */
	/* Statements that are not read, and that may have added any rule. */
	struct place *unread;
	size_t nunread;
};

/* The pattern of a line: ->of of the line. A word of a command fits its position if
 * the word is one of these. */
struct codex_pattern {
	const struct str_list *words;
	size_t n; /* at least 1 */
};

/* Programs that are given by a path count by their base name, too: */
enum codex_resolve {
	CODEX_AS_WRITTEN,
	CODEX_ABSOLUTE, /* by an absolute path: --resolve-host-executables */
	CODEX_ANY_PATH, /* by any path: in sessions */
};

struct codex_decision {
	/* ALLOW, ASK (prompt), DENY (forbidden); NONE: no rule matches */
	enum permission decision;
	/* A statement that is not read may decide otherwise: more strictly, or
	 * at all. A DENY is certain. */
	bool unknown;
	const struct permission_line *
	    *lines; /* that match, in the files' order */
	size_t n;
};

/*
 * Reads the text of a file and adds its prefix_rules to the set as lines. The line's
 * decision is the rule's, `written` its pattern ["git", ["push", "fetch"]], `why` the
 * justification, `place` that of the call. A statement that Codex reads and this reader
 * does not is warned of and remembered as unread. A file that Codex refuses (its syntax,
 * an unknown decision, an example that contradicts its rule) is an error, which is
 * reported as the policy says (or NULL), and adds nothing. Returns false then. The text
 * and the source must live as long as the set.
 */
bool codex_read(struct permission_set *, const struct permission_source *,
    struct str text, struct policy *);

/* Decides a command of n words by the lines of the set; without words, none matches. The
 * strictest decision of all matching lines wins. The lines live in the arena. */
struct codex_decision codex_decide_words(const struct permission_set *,
    const struct str *words, size_t n, enum codex_resolve, struct arena *);

/* Returns the words of a text as Rust's shlex::split does for examples. Returns false
 * if a quote is not closed, or a backslash ends the text. */
bool codex_split(struct str text, struct str_list *words, struct arena *);

/* Returns whether each command that the inner line matches is matched by the outer. */
bool codex_covers(
    const struct permission_line *outer, const struct permission_line *inner);

/* Returns a pattern as a list of Starlark: ["git", ["push", "fetch"]]. */
struct str codex_pattern_text(const struct codex_pattern *, struct arena *);

/* Returns whether the text looks like a file of Codex's rules: one of the functions
 * is called at the begin of a line. */
bool codex_owns_text(struct str);

extern const struct permission_product permission_codex;
