/* The Haply Inverse3, through the vendor's service, which speaks JSON over a WebSocket: each command is answered by a state.
 * With a VerseGrip there are an orientation and buttons. Options: url=, device=, command=, force_limit=,
 * stiffness_limit=, wait=. */
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "base/clock.h"
#include "base/error.h"
#include "drivers/driver_life.h"
#include "drivers/driver_options.h"
#include "drivers/websocket.h"
#include "math/geometry/quat.h"

static const double answer_timeout = 0.02; /* s */
#define SILENCE (TAC_NS_PER_SECOND / 2)

typedef struct {
  tacDriverLink link;
  tacWebSocket socket;
  char url[200], device[64], command[16];
  double force_limit, stiffness_limit, wait; /* wait: s for the service and its first state */
  int64_t last_state;
} Device;

static tacStatus read_options(void *device, const char *options, tacError *error) {
  Device *d = device;
  const tacDriverOption table[] = {{"url", d->url, sizeof d->url, NULL, 0.0, 0.0},
                                   {"device", d->device, sizeof d->device, NULL, 0.0, 0.0},
                                   {"command", d->command, sizeof d->command, NULL, 0.0, 0.0},
                                   {"force_limit", NULL, 0, &d->force_limit, 0.1, 20.0},
                                   {"stiffness_limit", NULL, 0, &d->stiffness_limit, 10.0, 5000.0},
                                   {"wait", NULL, 0, &d->wait, 0.01, 60.0}};
  d->socket.socket = -1;
  snprintf(d->url, sizeof d->url, "ws://localhost:10001");
  snprintf(d->command, sizeof d->command, "values");
  d->force_limit = 4.0; /* on the safe side of what is stated */
  d->stiffness_limit = 700.0;
  d->wait = 2.0;
  tacStatus status = tac_driver_options_read(options, (int)(sizeof table / sizeof *table), table, error);
  if (status == TAC_OK && strcmp(d->command, "vector") != 0 && strcmp(d->command, "values") != 0)
    status = tac_error_set(
        error, TAC_ERR_ARGUMENT,
        "options: command is %s; it must be values or vector (some versions of the service need vector)", d->command);
  return status;
}

/* ---- states ---- */

static const char *id_of(const json_t *entry) {
  const char *id = json_string_value(json_object_get(entry, "device_id"));
  return id != NULL ? id : "";
}

/* The Inverse3 that we talk to, or the first. */
static const json_t *own_entry(const Device *d, const json_t *message) {
  const json_t *list = json_object_get(message, "inverse3");
  for (size_t i = 0; i < json_array_size(list); ++i) {
    const json_t *entry = json_array_get(list, i);
    if (d->device[0] == 0 || strcmp(id_of(entry), d->device) == 0) return entry;
  }
  return NULL;
}

/* What is no number is none: the guard finds it. */
static double number(const json_t *object, const char *key) {
  const json_t *value = json_object_get(object, key);
  return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

static bool is_pressed(const json_t *buttons, const char *key) {
  return json_is_true(json_object_get(buttons, key));
}

/* A grip that was not there when we began may come later; one that is away leaves the orientation as it is. Button a grabs,
 * b indexes; the wired grip's only button grabs. */
static void read_grip(const json_t *message, tacDeviceState *state) {
  const json_t *wireless = json_array_get(json_object_get(message, "wireless_verse_grip"), 0);
  const json_t *wired = json_array_get(json_object_get(message, "verse_grip"), 0);
  const json_t *grip = json_object_get(wireless != NULL ? wireless : wired, "state");
  const json_t *orientation = json_object_get(grip, "orientation"), *buttons = json_object_get(grip, "buttons");
  if (orientation != NULL) {
    tacQuat q = tac_quat(number(orientation, "w"), number(orientation, "x"), number(orientation, "y"),
                         number(orientation, "z"));
    double norm = tac_quat_norm(q);
    if (!(fabs(norm - 1.0) > 0.1)) q = tac_quat_combine(1.0 / norm, q, 0.0, q); /* is rounded on its way */
    memcpy(state->orientation, (double[]){q.w, q.x, q.y, q.z}, sizeof state->orientation);
  }
  if (grip != NULL)
    state->buttons = (is_pressed(buttons, "a") || is_pressed(grip, "button") ? TAC_BUTTON_GRAB : 0u) |
                     (is_pressed(buttons, "b") ? TAC_BUTTON_INDEX : 0u);
}

/* False where the message tells nothing of our device. */
static bool read_state(const Device *d, const json_t *message, tacDeviceState *state) {
  const json_t *entry = own_entry(d, message);
  const json_t *position = json_object_get(json_object_get(entry, "state"), "cursor_position");
  if (position == NULL) return false;
  state->position = (tacVec3){number(position, "x"), number(position, "y"), number(position, "z")};
  read_grip(message, state);
  return true;
}

/* ---- the thread ---- */

static tacStatus send_force(Device *d, tacError *error) {
  tacVec3 force, torque;
  char text[400];
  tac_driver_link_force(&d->link, &force, &torque, NULL);
  int length = snprintf(text, sizeof text,
                        "{\"inverse3\":[{\"device_id\":\"%s\",\"commands\":{\"set_cursor_force\":{\"%s\":"
                        "{\"x\":%.9g,\"y\":%.9g,\"z\":%.9g}}}}]}",
                        d->device, d->command, force.x, force.y, force.z);
  return tac_websocket_send(&d->socket, text, (size_t)length, error);
}

/* Waits for one message and tells what it holds; TAC_ERR_FILE where the service is gone. */
static tacStatus take_message(Device *d, double timeout, tacDeviceState *state, bool *has_state, tacError *error) {
  const char *text;
  *has_state = false;
  tacStatus status = tac_websocket_receive(&d->socket, timeout, &text, error);
  if (status != TAC_OK || text == NULL) return status;
  json_error_t wrong;
  json_t *message = json_loads(text, 0, &wrong);
  if (message == NULL) return tac_error_set(error, TAC_ERR_FORMAT, "sent invalid JSON: %s", wrong.text);
  if (d->device[0] == 0) { /* from now on it is this one */
    const json_t *entry = own_entry(d, message);
    const char *id = entry != NULL ? id_of(entry) : "";
    if (strpbrk(id, "\"\\") == NULL) snprintf(d->device, sizeof d->device, "%s", id);
  }
  *has_state = read_state(d, message, state);
  json_decref(message);
  return TAC_OK;
}

static void talk(void *context) {
  Device *d = context;
  tacDeviceState state = {.orientation = {1.0, 0.0, 0.0, 0.0}};
  tacError error = {.text = ""};
  tacStatus status = TAC_OK;
  d->last_state = tac_clock_now();
  while (status == TAC_OK && !tac_driver_link_stops(&d->link)) {
    bool has_state;
    status = send_force(d, &error);
    if (status == TAC_OK) status = take_message(d, answer_timeout, &state, &has_state, &error);
    if (status != TAC_OK) break;
    if (has_state) {
      tac_driver_link_report(&d->link, &state);
      d->last_state = tac_clock_now();
    } else if (tac_clock_now() - d->last_state > SILENCE) {
      tac_driver_link_lose(&d->link, "the service sent no state of the device %s for 0.5 s", d->device);
      break;
    }
  }
  if (status != TAC_OK) tac_driver_link_lose(&d->link, "the service at %s %s", d->url, error.text);
  send_force(d, NULL); /* zero: the link stops, or is lost */
}

/* ---- the driver ---- */

static tacStatus connect_service(Device *d, tacError *error) {
  tacError reason;
  if (tac_websocket_open(d->url, d->wait, &d->socket, &reason) == TAC_OK) return TAC_OK;
  return tac_error_set(error, reason.status,
                       "the Haply Inverse service at %s: %s; install and start it (haply.co, Haply Hub)", d->url,
                       reason.text);
}

/* The first messages tell which devices there are. */
static tacStatus find_device(Device *d, tacError *error) {
  tacDeviceState state = {.orientation = {1.0, 0.0, 0.0, 0.0}};
  tacError reason = {.text = "sends nothing"};
  for (int64_t end = tac_clock_now() + tac_clock_nanoseconds(d->wait); tac_clock_now() < end;) {
    bool has_state;
    if (take_message(d, 0.1, &state, &has_state, &reason) != TAC_OK)
      return tac_error_set(error, TAC_ERR_FILE, "the service at %s %s", d->url, reason.text);
    if (!has_state) continue;
    tac_driver_link_report(&d->link, &state);
    return TAC_OK;
  }
  return tac_error_set(error, TAC_ERR_FILE, "the service at %s reports no Inverse3%s%s; plug it in and calibrate it",
                       d->url, d->device[0] != 0 ? " named " : "", d->device);
}

/* The service's answers set the pace. */
static tacStatus begin(void *device, double period, tacDeviceInfo *info, tacError *error) {
  (void)period;
  Device *d = device;
  *info = (tacDeviceInfo){.name = "Inverse3",
                          .dof = 3,
                          .workspace = {{-0.1, -0.2, 0.05}, {0.1, 0.0, 0.25}},
                          .force_limit = d->force_limit,
                          .stiffness_limit = d->stiffness_limit};
  tacStatus status = connect_service(d, error);
  if (status == TAC_OK) status = find_device(d, error);
  return status == TAC_OK ? tac_driver_link_start(&d->link, "tac haply", talk, d, error) : status;
}

static void end(void *device) {
  tac_websocket_close(&((Device *)device)->socket);
}

static tacStatus probe_service(void *device, tacDeviceProbe *probe, tacError *error) {
  Device *d = device;
  const char *text = NULL;
  tacStatus status = connect_service(d, error);
  if (status != TAC_OK) return status;
  snprintf(probe->needs, sizeof probe->needs, "the service at %s", d->url);
  json_t *message = NULL;
  if (tac_websocket_receive(&d->socket, d->wait, &text, error) == TAC_OK && text != NULL)
    message = json_loads(text, 0, NULL);
  const json_t *list = json_object_get(message, "inverse3");
  probe->count = (int)json_array_size(list);
  for (int i = 0; i < probe->count && i < TAC_DEVICE_MOST_FOUND; ++i)
    snprintf(probe->found[i], sizeof probe->found[i], "device=%s", id_of(json_array_get(list, (size_t)i)));
  json_decref(message);
  return TAC_OK;
}

static const tacDriverLife life = {sizeof(Device), read_options, begin, end, probe_service};
TAC_DRIVER_EXPORT("haply", "Haply Inverse3, with a VerseGrip where there is one", life)
