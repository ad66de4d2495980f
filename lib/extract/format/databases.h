/* The databases of SQLite in which agents keep their sessions, and the queries that
 * write out their rows as records of a log format. */
#pragma once

#include "io/database.h"

/* All queries, ended by a row without a query. */
extern const struct database_query log_databases[];
