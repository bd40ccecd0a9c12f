/* Who looks at a session, and what each wishes to see. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include "app/viewer/server/server.h"

/* Those that have joined and not yet left: more than there are clients, since the server tells that one left after it has let
 * another one in. */
enum { TAC_SESSION_MOST_CLIENTS = 8 * TAC_VIEW_MOST_CLIENTS };

typedef struct tacSessionClient {
  int number; /* 0: a free place */
  unsigned wishes;
  bool refused;    /* it was told that another one holds the tool that it wants to touch with */
  uint32_t shells; /* 1 + the load whose pointshells it is sent; 0: none */
} tacSessionClient;

typedef struct tacSessionClients {
  tacSessionClient list[TAC_SESSION_MOST_CLIENTS];
} tacSessionClients;

/* It wishes for surfaces until it says otherwise. */
void tac_session_clients_join(tacSessionClients *clients, int number);
void tac_session_clients_leave(tacSessionClients *clients, int number);
tacSessionClient *tac_session_clients_find(tacSessionClients *clients, int number); /* NULL where it is not here */
/* What any of them wishes: TAC_VIEW_WISH_*. */
unsigned tac_session_clients_wishes(const tacSessionClients *clients);
