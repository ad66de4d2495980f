/* What the forms of PromptKit Arena's assertions have in common. */
#pragma once

#include "check/dialect/promptkit.h"
#include "regex/regex.h"

/* Where the assertion stands. */
const struct promptkit_place *promptkit_place_of(const struct fields *);

/* Whether it is about the run, or a step of its workflow: there PromptKit has
 * other names for some parameters. */
bool promptkit_is_wide(const struct fields *);

/* The assertion's parameters. Where they are needed and missing that is told,
 * once. */
struct fields promptkit_params(struct fields *, bool needed);

/* The end of an assertion: tells what is wrong with its parameters. The label
 * is its author's message, or the type with what it is about. */
struct check promptkit_finish(
    struct fields *, struct fields *params, struct check, struct str about);

/* A list of texts that must be there; of names, under either of two keys:
 * upstream knows one on a turn and the other elsewhere (deviation P1). */
struct str_list promptkit_texts(struct fields *params, const char *key);
struct str_list promptkit_names(
    struct fields *params, const char *of_turn, const char *of_run);

/* NULL if the text is absent, or is no pattern, which is told of the value at
 * `at` and its key. */
struct regex *promptkit_compile(struct fields *params, const char *key,
    const struct json *at, struct str text);

/* A fraction, which is a number that is written as one (1.0), or NULL: of
 * others PromptKit takes no notice, which is told. */
const struct json *promptkit_fraction(struct fields *params, const char *key);

/* Texts with commas between them. */
struct str promptkit_joined(struct arena *, struct str_list);

/* A type of assertion, and where PromptKit knows it (PROMPTKIT_...). */
struct promptkit_type {
	const char *name; /* NULL ends a list */
	struct check (*make)(struct fields *);
	unsigned levels;
};

extern const struct promptkit_type promptkit_arguments[], promptkit_calls[],
    promptkit_content[], promptkit_json[], promptkit_judge[], promptkit_media[],
    promptkit_states[], promptkit_validators[];
