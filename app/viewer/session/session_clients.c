#include "app/viewer/session/session_core.h"

tacSessionClient *tac_session_clients_find(tacSessionClients *clients, int number) {
  for (int i = 0; i < TAC_SESSION_MOST_CLIENTS; ++i)
    if (clients->list[i].number == number) return &clients->list[i];
  return NULL;
}

void tac_session_clients_join(tacSessionClients *clients, int number) {
  tacSessionClient *place = tac_session_clients_find(clients, 0);
  if (place != NULL) *place = (tacSessionClient){.number = number, .requests = TAC_VIEW_REQUEST_SURFACES};
}

void tac_session_clients_leave(tacSessionClients *clients, int number) {
  tacSessionClient *place = tac_session_clients_find(clients, number);
  if (place != NULL) *place = (tacSessionClient){0};
}

unsigned tac_session_clients_requests(const tacSessionClients *clients) {
  unsigned requests = 0;
  for (int i = 0; i < TAC_SESSION_MOST_CLIENTS; ++i)
    if (clients->list[i].number != 0) requests |= clients->list[i].requests;
  return requests;
}
