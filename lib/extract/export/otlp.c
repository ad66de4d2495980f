#include "extract/export/export.h"
const struct export export_otlp = { "otlp", NULL };
