/* Cuts the input of many threads up: see extract_parts.h. */
#ifndef EXTRACT_SUPPLY_H
#define EXTRACT_SUPPLY_H

#include "extract/parallel_part.h"
#include "io/workers.h"

struct extract_supply {
	const struct extraction *job;
	const struct fileset *given; /* the files that are to be read */
	char **files;                /* ... that were not begun yet */
	struct in *in;               /* the crew's */

	/* private */
	bool stdin_used;
	bool endless; /* no value was seen to end where the next file begins */
	/* The file that is cut: its path and NULL; its format, NULL if there
	 * is none; and whether its runs share an id. */
	char *cut[2];
	const struct logfmt *format;
	bool shares_id;
	struct extractor scout; /* which reads its start */
};

void extract_supply_open(struct extract_supply *);
void extract_supply_close(struct extract_supply *);

/* Takes the next part. One thread at a time. */
enum in_lent extract_supply_next(
    struct extract_supply *, struct part *, struct crew_piece *, size_t size);

#endif
