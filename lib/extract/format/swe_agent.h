/* What trajectories of SWE-agent and of mini-swe-agent have in common. */
#pragma once

#include "extract/format/log.h"

/* Tells the builder of a run's end: how it went, what it took and used. */
void swe_agent_info(struct builder *, const struct json *info);
