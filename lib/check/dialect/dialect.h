/* The dialects that assertion files are written in. */
#pragma once

#include "check/dialect/scenarios.h"

struct dialect {
	const char *name, *what; /* `what` describes it on one line */
	enum scalar_types schema;
	/* The keys that hold checks, ended by a row without a key; NULL: there
	 * are none. */
	const struct key_level *levels;
	/* Returns whether the file looks like one of this dialect. NULL: no
	 * file does. */
	bool (*owns)(const struct document *);
	/* The types of the dialect's assertions, ended by an empty list; NULL:
	 * it has none. A row without `make` is of a list of its own. */
	const struct form_list *types;
	bool negates; /* each type also with `not-` before its name */
	/* A harness may have written its own text around the prompt. */
	bool wraps_prompts;
	/* Returns what a run records of the scenario that it is of, beside its
	 * id and prompt; absent: nothing. NULL: no run does. */
	struct str (*run_key)(const struct trace *, struct arena *);
	/* Returns which of n scenarios, each with `own`, the run is of; NULL: the run
	 * does not say. The run's id, key or prompt found the scenarios, or, with
	 * `changed`, did not, and they are those which may be so. NULL: no run of
	 * the dialect says. */
	const struct scenario *(*pick)(const struct scenario *const *, size_t n,
	    bool changed, const struct trace *, struct arena *);
	/* Reads the scenarios of ->doc, whose values are resolved. NULL: no
	 * file is written in the dialect, or `read_text` reads the files. */
	void (*read)(struct scenarios *);
	/* Like `read`, and in its place, for one of the file's values, which are
	 * lines of JSON or documents of YAML. */
	void (*read_root)(struct scenarios *, const struct json *);
	/* Reads the scenarios of a file's text. ->doc has no values. With `read`,
	 * only files with the suffix are read so. */
	void (*read_text)(struct scenarios *, struct str text);
	const char *suffix; /* of such files; NULL: none */
	/* Advice depends on the types of the dialect's assertions: */
	bool advised;
	bool messages;     /* assertions have messages */
	bool caseless;     /* patterns ignore case by themselves */
	unsigned families; /* of which a set of assertions should have each */
	const char
	    *in; /* the key of the mapping with an assertion's keys; NULL:
			   none */
	/* Returns whether the text of a file without the suffix is one for
	 * `read_text`. NULL: none is. */
	bool (*owns_text)(struct str text);
};

extern const struct dialect dialect_agentevals;
extern const struct dialect dialect_adk;
extern const struct dialect dialect_claude_settings;
extern const struct dialect dialect_cursor_permissions, dialect_gemini_settings;
extern const struct dialect dialect_codex_rules;
extern const struct dialect dialect_evolve;
extern const struct dialect dialect_github_models;
extern const struct dialect dialect_mcplab;
extern const struct dialect dialect_mcp_eval;
extern const struct dialect dialect_openai_graders;
extern const struct dialect dialect_promptfoo;
extern const struct dialect dialect_promptkit, dialect_promptkit_2;
extern const struct dialect dialect_rules;
extern const struct dialect dialect_triggers;
extern const struct dialect dialect_waza;

/* All dialects in the order in which they are offered a file, ended by NULL. */
extern const struct dialect *const dialect_table[];

/* Returns the i-th dialect's name and sets *what; NULL behind the last. */
const char *dialect_at(size_t i, const char **what);

/* Returns NULL if there is no dialect of that name. */
const struct dialect *dialect_named(const char *name);

/* Returns the row of a check's type; NULL if the dialect has none. That of a type
 * with `not-` is a copy in the arena. */
const struct form *dialect_form(
    const struct dialect *, struct str type, struct arena *);

/* Tries the types of the dialect's assertions. */
void dialect_suggest(const struct dialect *, struct suggest *, struct arena *);

/* Returns whether files of YAML or JSON are written in the dialect. */
bool dialect_has_values(const struct dialect *);

/* Returns the first dialect that owns the file, or NULL. */
const struct dialect *dialect_of(const struct document *);
