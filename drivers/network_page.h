/* The browser client, clients/network_device.html, as network_page.S has it. */
#pragma once

#include <stdint.h>

extern const char tac_network_page[];
extern const uint64_t tac_network_page_size;
