#include "extract/notation/notation.h"

const struct converter log_notations[] = {
	{ aider_history_owns, aider_history_convert },
	{ cassette_owns, cassette_convert },
	{ crew_text_owns, crew_text_convert },
	{ opencode_storage_owns, opencode_storage_convert },
	{ raw_log_owns, raw_log_convert },
	{ NULL, NULL },
};
