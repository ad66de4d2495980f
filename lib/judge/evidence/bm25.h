/*
 * Ranks passages by the words that they share with a query: Okapi BM25 (S.
 * Robertson and H. Zaragoza, The Probabilistic Relevance Framework, 2009) with
 * k1 = 1.2 and b = 0.75. Texts are JSON source, whose escapes are decoded. Words
 * are runs of letters and digits in lower case, English words their stems; parts
 * of a name (getOrder, create_issue) are words of their own, and so is each
 * character of the scripts that put no blanks between words. Words that carry no
 * meaning ("the") are left out of the query.
 */
#pragma once

#include "base/hash.h"

struct bm25 {
	struct arena *arena;

	/* private */
	struct hash_table terms; /* a stem of the query: its struct bm25_term */
	struct hash_table words; /* a word as it stands: its term or nothing */
	bool *begins;            /* by the first two bytes of the stems */
	struct bm25_hit *hits;
	size_t n_hits;
	size_t *lengths; /* of the passages, in words */
	size_t n;
};

/* Adds the words of the text to the query. All queries come before the first
 * passage. The result does not depend on their order. */
void bm25_query(struct bm25 *, struct str json);

/* Begins a passage, to which bm25_text adds. */
void bm25_passage(struct bm25 *);
void bm25_text(struct bm25 *, struct str json);

/* Returns the scores of the passages, in the arena; 0: no word is shared. */
double *bm25_scores(const struct bm25 *);
