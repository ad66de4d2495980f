/* Kind state: where the run's workflow is, or where it has been. Of a turn:
 * after that turn. */
#pragma once

#include "check/check.h"

enum state_how {
	STATE_IS,       /* `why` is the state */
	STATE_REACHED,  /* some transition led there */
	STATE_COMPLETE, /* it is at its end */
};

struct state_want {
	enum state_how how;
	struct str state; /* of STATE_COMPLETE: absent */
};

struct check state_check(struct arena *, enum state_how, struct str state);

/* Whether the transition was made when the view's turn ended. */
bool state_made(const struct view *, const struct json *transition);
