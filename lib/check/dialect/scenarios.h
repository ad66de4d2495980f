/*
 * Collects what a dialect finds in an assertion file: scenarios, and in them
 * checks and rules that capture values. The dialect knows the shape of its
 * files; this module chooses the form of an assertion's type, and reports
 * mistakes.
 */
#pragma once

#include "base/suggest.h"
#include "check/capture.h"
#include "check/check.h"
#include "check/dialect/role.h"
#include "yaml/fields.h"

struct scenario {
	struct str id, prompt; /* absent: not written */
	struct str *prompts;   /* further prompts that its runs may have */
	size_t nprompts;
	/* The text that `run_key` of the dialect returns for the scenario's
	 * runs; absent: any. */
	struct str key;
	/* Others have the same id, and only its prompt or key says which of
	 * them a run is of. */
	bool variant;
	/* Its runs may record other vars or another prompt than are written. */
	bool changed;
	const void *own;      /* the dialect's, for `pick`; may be NULL */
	bool glob;            /* the id may fit several names in logs */
	struct str logged;    /* its name in logs; absent: the id */
	struct str recording; /* path of the file that holds its run, maybe a
				* pattern; absent: not named */
	size_t number;        /* among those of all files, from 0 */
	struct check *checks;
	size_t n;
	struct capture *captures;
	size_t ncaptures;
	/* The mapping or list that holds the assertions, in the file that was
	 * read; NULL: the whole file does. */
	const struct document *doc;
	const struct json *object;
	struct place place; /* where the scenario begins */
};

struct scenarios {
	struct arena *arena;
	const char *dialect;
	const struct document *doc;          /* the file that is being read */
	struct rule_program *rules;          /* of all files */
	struct permission_sets *permissions; /* of all files */
	/* The file of ADK's with criteria for the eval sets of others, or
	 * else the first eval set; NULL: there was none. */
	const struct document **config;
	/* Run programs while the file is read; NULL: none may run. */
	struct programs *programs;
	struct scenario *scenarios;
	size_t n;
	size_t
	    understood; /* checks and captures of the file without mistakes */
};

struct param;

typedef void param_add(
    struct fields *, const struct param *, const struct json *);

/* A key of a type of assertion, from which its reader, the guess of a type by its
 * keys, and the check of mcpl-spec(5) take what the key is. */
struct param {
	const char *key; /* NULL: the end of a list */
	/* The name by which `make` asks, if the key is spelled in several ways; NULL: the
	 * key. Of several rows with a name the first counts that the object has. */
	const char *as;
	enum fields_kind kind;
	unsigned kinds; /* of a value of several kinds: a bit for each (IS) */
	const struct param
	    *parts; /* keys of a value that is a mapping; or NULL */
	/* `filled`: an empty text is as if the key were missing; `ignored`: the key
	 * is allowed, without effect. */
	bool needed, filled, ignored;
	/* If the key is missing: the number or truth value; or the text. */
	double otherwise;
	const char *word;
	/* Adds the checks of the value, or of each element of a list unless `whole`; NULL:
	 * the key has no checks of its own. `how` and `negate` are for the function. */
	param_add *add;
	int how;
	bool negate, whole;
};

/* Write the keys of a form, at file scope: PARAMS(NEED("name", TEXT), KEY("times", INT),
 * KEY_OR("rate", NUMBER, 0.9)). NEED_AS is NEED with the name by which `make` asks. */
#define PARAMS(...) .params = PARTS(__VA_ARGS__)
#define NEED(name, what) NEED_AS(name, what, NULL)
#define NEED_AS(name, what, alias) \
	{ \
		.key = (name), .kind = FIELDS_##what, .needed = true, \
		.as = (alias) \
	}
/* ALSO is a key of which mcpl-spec(5) tells apart from the type's item: another name of
 * the key before, or a key that several types have. ALSO_AS is another name of a key, by
 * whose name `make` asks. */
#define ALSO(name, what) \
	{ \
		.key = (name), .kind = FIELDS_##what \
	}
#define ALSO_AS(name, what, alias) \
	{ \
		.key = (name), .kind = FIELDS_##what, .as = (alias) \
	}
/* NEED_OR is one of the keys of which one is needed, for which `make` asks. */
#define NEED_OR(name, what) KEY_OR(name, what, 0)
#define NEED_FILLED(name) \
	{ \
		.key = (name), .kind = FIELDS_TEXT, .needed = true, \
		.filled = true \
	}
#define KEY(name, what) KEY_OR(name, what, 0)
#define KEY_OR(name, what, number) \
	{ \
		.key = (name), .kind = FIELDS_##what, .otherwise = (number) \
	}
#define KEY_WORD(name, text) \
	{ \
		.key = (name), .kind = FIELDS_TEXT, .word = (text) \
	}
/* NEED_ONE_OF("value", IS(TEXT) | IS(LIST)) and KEY_ONE_OF are keys whose value is of one of
 * several kinds; with NEED_PARTS and KEY_PARTS a value that is a mapping has the keys
 * PART("min", NUMBER), ... */
#define NEED_ONE_OF(name, bits) \
	{ \
		.key = (name), .kinds = (bits), .needed = true \
	}
#define KEY_ONE_OF(name, bits) \
	{ \
		.key = (name), .kinds = (bits) \
	}
#define PART(name, what) ALSO(name, what)
/* KEY_ADD("max", IS(NUMBER), add_limit, .how = TURNS): a key with a function that adds its
 * checks; without another such key, NEED_ADD. */
#define NEED_ADD(name, bits, ...) KEY_ADD(name, bits, __VA_ARGS__)
#define KEY_ADD(name, bits, ...) \
	{ \
		.key = (name), .kinds = (bits), .add = __VA_ARGS__ \
	}
#define PART_ONE_OF(name, bits) KEY_ONE_OF(name, bits)
#define PARTS(...) \
	(const struct param[]) \
	{ \
		__VA_ARGS__, \
		{ \
			0 \
		} \
	}
#define NEED_PARTS(name, bits, ...) \
	{ \
		.key = (name), .kinds = (bits), .needed = true, \
		.parts = PARTS(__VA_ARGS__) \
	}
#define KEY_PARTS(name, bits, ...) \
	{ \
		.key = (name), .kinds = (bits), .parts = PARTS(__VA_ARGS__) \
	}
#define IGNORED(name) \
	{ \
		.key = (name), .kind = FIELDS_ANY, .ignored = true \
	}

/* Makes a check of the keys of an assertion whose type is known. It may return
 * any check if it reports a mistake with fields_mistake. */
typedef struct check form_make(struct fields *);

/* A type of assertion. */
struct form {
	const char *name; /* as authors write it */
	form_make *make;
	/* Parameters of make, which gets them by scenarios_form: */
	const char *key; /* a key or word that differs between types */
	int how;         /* an enum or bool of the dialect */
	const char *label, *fails; /* begin the check's label and reason */
	check_explain *explain;    /* of the check; or NULL */
	bool bare;                 /* the object of its keys may be missing */
	/* The levels of a dialect's file that know the type; 0: all. */
	unsigned levels;
	/* For advice: what the type is for, and what its form with `not-` is for,
	 * in the dialect that has such forms. */
	enum assertion_role role, negated;
	/* The keys, or paths of keys, separated by blanks, of which one has the
	 * tools, the text, the pattern, the rubric or the limit;
	 * NULL: none has. An assertion without keys is its own value. */
	const char *subject;
	/* All keys but the type's; NULL: `make` alone knows them. */
	const struct param *params;
};

/* Writes a struct form: FORM("not_contains", contains, .how = NEGATE). */
#define FORM(type, ...) \
	{ \
		.name = (type), .make = __VA_ARGS__ \
	}

/* Within FORM: what the type is for, and the keys of its subject. */
#define ROLE(what, keys) .role = ROLE_##what, .subject = (keys)

/* Within FORM: how a check's label and the reason of its failure begin. */
#define LABEL(what, reason) .label = (what), .fails = (reason)

/* Rows of types whose checks have this text before the name that authors write;
 * without `n`, the rows end with one without a name. */
struct form_list {
	const struct form *rows;
	size_t n;
	const char *prefix; /* or NULL */
};

/* Writes a struct form_list of an array that has no such row. */
#define FORM_LIST(array) \
	{ \
		.rows = (array), .n = sizeof(array) / sizeof(array)[0] \
	}

/* Returns the i-th row of a list; NULL behind the last. */
const struct form *form_at(const struct form_list *, size_t i);

/* Returns the row of the name that authors write in any of the lists, which end with
 * an empty one; NULL if there is none. */
const struct form *form_find(const struct form_list *, struct str name);

struct forms {
	const char *key;  /* the key that names the type */
	const char *what; /* what messages call the list of assertions */
	const struct form *list;
	size_t n;
	const void *part_of; /* for scenarios_part_of */
	/* Makes the check of each type, for which it calls the row's make; NULL: the
	 * row's make does. */
	form_make *make;
	bool strict; /* a mistake in an assertion refuses the whole file */
	bool
	    by_key; /* the type is one of the object's keys, by which `guess` finds it */
	bool
	    shared; /* each type accepts the keys of all, and ignores others' */
	/* Keys that have no effect in any assertion, separated by blanks; NULL:
	 * there are none. */
	const char *ignored;
	/* Returns the type of an object that names none, or absent text; may be
	 * NULL: each object names its type. */
	struct str (*guess)(const struct json *);
	struct str otherwise; /* the type of an object that names none;
				absent: each must name one */
};

/* Within a struct forms: the forms of an array. */
#define FORMS(array) .list = (array), .n = sizeof(array) / sizeof(array)[0]

/* The context of the struct fields that a form reads. */
struct assertion {
	const struct form *form;
	const void *part_of;
};

/* Returns the form whose make is running. */
const struct form *scenarios_form(const struct fields *);

/* Returns what the dialect's forms->part_of says of the scenario, turn or case
 * that the assertion belongs to. */
const void *scenarios_part_of(const struct fields *);

/* Lets the document's watcher know of which kinds the row's key may be in the object, and
 * whether the key is required. */
void scenarios_note(
    const struct document *, const struct json *object, const struct param *);

/* Returns the row of a key of the form whose make is running, by the name by which
 * make asks; NULL: the form has no such key. */
const struct param *scenarios_param(const struct fields *, const char *name);

/* Return what the key's row says how to read, after mistakes. If an optional key is
 * missing, or the form has no such key: the text that the row has or absent text, the
 * number or truth value that the row has, no list, no value. scenarios_value returns
 * any value, also null. */
struct str scenarios_text(struct fields *, const char *name);
int64_t scenarios_int(struct fields *, const char *name);
double scenarios_number(struct fields *, const char *name);
bool scenarios_bool(struct fields *, const char *name);
struct str_list scenarios_texts(struct fields *, const char *name);
const struct json *scenarios_list(struct fields *, const char *name);
const struct json *scenarios_object(struct fields *, const char *name);
const struct json *scenarios_value(struct fields *, const char *name);

/* Reads the keys of all types, for mistakes in keys that the type has not. */
void scenarios_read_shared(struct fields *, const struct forms *);

/* Returns the value of the first of these names, between which are blanks, that the object
 * has; NULL: the value has none of them. */
const struct json *scenarios_any(const struct json *object, const char *names);

/* Begins a scenario, which is this value of the file (NULL: the whole file);
 * everything that is added later belongs to it. */
void scenarios_begin(
    struct scenarios *, const struct json *, struct str id, struct str prompt);

/* Begins a scenario of all runs. */
void scenarios_begin_all(struct scenarios *, const struct json *);

/* Starts on an object of the file, which messages call `where`. */
struct fields scenarios_open(
    struct scenarios *, const struct json *object, const char *where);

/* Returns the scenario that was begun last. */
static inline struct scenario *
scenarios_current(const struct scenarios *r)
{
	return &r->scenarios[r->n - 1];
}

/* Sets the value of the file that the current scenario is. */
void scenarios_set_object(struct scenarios *, const struct json *);

/* Sets the name that logs of its own system give to the current scenario. */
void scenarios_set_logged_name(struct scenarios *, struct str name);

/* Adds a prompt that runs of the current scenario may have. */
void scenarios_add_prompt(struct scenarios *, struct str prompt);

/* Sets what else runs of the current scenario record, and whether the scenario is
 * one of several with its id. */
void scenarios_set_key(struct scenarios *, struct str key, bool variant);

/* Sets what `pick` of the dialect needs to know of the current scenario, and
 * whether its runs may record other vars or another prompt than are written. */
void scenarios_set_own(struct scenarios *, const void *own, bool changed);

/* Sets the path of the file that holds the run of the current scenario. */
void scenarios_set_recording(struct scenarios *, struct str path);

/* Adds a check to the current scenario; its assertion is at this value. With
 * --keep-going a check that has mistakes is left out. */
void scenarios_add_check(
    struct scenarios *, struct check, const struct json *at);

/* Like scenarios_add_check, for an assertion at this place ("file:line"), of
 * which the check's source is set. */
void scenarios_add_check_at(struct scenarios *, struct check, struct str at);

/* Adds the check that was made of an assertion's keys. If they have mistakes,
 * reports these, and adds a check that is an error for every run in its
 * stead. */
void scenarios_close_check(struct scenarios *, struct fields *, struct check);

/* Ends an object that is not an assertion itself, and reports its mistakes. If
 * there are any, adds a check that is an error for every run, so that what was
 * lost is not taken for passed. */
void scenarios_end_object(struct scenarios *, struct fields *);

/* Tries the names of all forms. */
void scenarios_suggest(struct suggest *, const struct forms *);

/* Lets the document's watcher know that the value is read by one of the forms;
 * with `named` its only key is the type. */
void scenarios_note_forms(const struct scenarios *, const struct json *,
    const struct forms *, bool named);

/* Adds the assertion at this value, by the form of its type. */
void scenarios_read_assertion(
    struct scenarios *, const struct json *, const struct forms *);

/* Adds the assertion whose type is this name, often a member's key, and whose
 * keys are in `value`. Messages call such a type forms->key. */
void scenarios_read_named(struct scenarios *, const struct json *name,
    const struct json *value, const struct forms *);

/* Returns the check of an assertion within another one, after its mistakes; a broken one
 * if there are some. */
struct check scenarios_make(
    struct fields *outer, const struct json *, const struct forms *);

/* Adds the assertions of a list (NULL: none), each by the form of its type. */
void scenarios_read_assertions(
    struct scenarios *, const struct json *list, const struct forms *);

void scenarios_add_capture(struct scenarios *, struct capture);

/* Returns "file:line" of the value. */
struct str scenarios_locate(const struct scenarios *, const struct json *);
