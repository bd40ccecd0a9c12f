/* One client of the viewer's server: what waits for it, and the loop that speaks WebSocket with it. */
#pragma once

#include "app/viewer/protocol/handler.h"
#include "app/viewer/protocol/packet.h"
#include "base/socket_frame.h"

typedef struct tacViewClient tacViewClient;

/* `socket` is connected, the handshake is done; it stays the caller's. */
tacStatus tac_view_client_create(int number, int socket, tacViewClient **client, tacError *error);
void tac_view_client_destroy(tacViewClient *client); /* NULL is allowed */
int tac_view_client_number(const tacViewClient *client);

/* Any thread; none waits for the network. */
/* `to_all`: left out where it has not been sent anything of its own yet, so that its welcome comes first. */
void tac_view_client_send(tacViewClient *client, tacPacket *packet, bool to_all);
void tac_view_client_frame(tacViewClient *client, tacPacket *packet);
/* Sent before the next frame; of more than `most` that wait the oldest are dropped. */
void tac_view_client_ticks(tacViewClient *client, tacPacket *packet, int most);
bool tac_view_client_wants_frame(tacViewClient *client);
void tac_view_client_close(tacViewClient *client, tacSocketReason reason);

/* Sends and receives until the connection has ended or has been closed; calls `handler->message` only. Returns soon
 * after tac_view_client_close, whatever the client does. Afterwards the socket is shut down. */
void tac_view_client_run(tacViewClient *client, const tacViewHandler *handler);
