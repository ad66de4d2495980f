/* The words of the grammar of rules: each is a row of the one table. */
#pragma once

#include "base/str.h"
#include "check/rule/rule.h"

/* The places of the grammar where a word may stand. */
enum rules_place {
	RULES_NOWHERE = 0,
	RULES_FIRST = 1 << 0,      /* in a rule, before its claim */
	RULES_CLAIM = 1 << 1,      /* begins a claim */
	RULES_BEHIND = 1 << 2,     /* behind a claim or a call */
	RULES_BRACKETS = 1 << 3,   /* behind a claim in brackets */
	RULES_EVERY_CALL = 1 << 4, /* behind the first call of every */
	RULES_SAME_CALL = 1 << 5,  /* behind the call of same */
	RULES_OF_IN = 1 << 6,      /* behind "in" */
	RULES_OF_TEXT = 1 << 7,    /* behind answer and prompt */
	RULES_OF_VALUE = 1 << 8,   /* behind what a condition is about */
	RULES_LIST = 1 << 9,       /* behind a condition */
	RULES_AT_SIGN = 1 << 10,   /* behind @ */
	RULES_COND = 1 << 11,      /* begins a condition */
	RULES_NAME = 1 << 12,      /* in place of a tool's name */
	/* A tool of that name is written in quotes. */
	RULES_RESERVED = 1 << 13,
	/* A text whose first line begins so may be one of rules. */
	RULES_OPENS = 1 << 14,
	RULES_ASKED = 1 << 15, /* behind the question of judge */
	RULES_OF = 1 << 16,    /* behind "of": what the judge is shown */
};

/* A word, or a sign. */
struct rules_word {
	const char *word;
	unsigned places;
	enum rule_form form; /* of the claim that the word makes; else
			      * RULE_FORMS */
	/* Words of English, in lower case, that mean the same: one by one in the
	 * places; and phrases with bars between that begin a claim. NULL: none. */
	const char *english, *phrases;
};

/* The rows, up to one without a word. A row with an empty word has phrases that say
 * nothing. */
extern const struct rules_word rules_words[];

/* Returns the row of the word, which may be at one of the places; NULL if there is
 * none. */
const struct rules_word *rules_word_at(struct str word, unsigned places);

/* Returns the word at one of the places that means the same as this word of English;
 * absent if none does. */
struct str rules_meant(struct str word, unsigned places);

/* Returns whether a text whose first line begins with the word, in letters of any case,
 * may be one of rules. */
bool rules_opens_file(struct str word);

/* Returns the word that makes the form of claim; NULL if none does. */
const char *rules_word_of_form(enum rule_form);
