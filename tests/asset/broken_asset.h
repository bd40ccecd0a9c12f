/* Files of assets that are wrong, for tests of their readers. */
#pragma once

#include "asset/make_checks.h"
#include "base/broken_chunks.h"
