#include "app/cli/scene/scene_picture.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "app/cli/console/browser.h"
#include "app/cli/console/console.h"
#include "app/viewer/server/page.h"
#include "app/viewer/server/server.h"
#include "app/viewer/session/session.h"
#include "base/clock.h"
#include "base/files/folder.h"
#include "base/files/new_file.h"
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "base/threads/hold.h"

enum { TIMEOUT = 120 }; /* s for the browser: software rendering on a busy machine is slow */

/* What the page sends, on a thread of the server. */
typedef struct {
  pthread_mutex_t lock;
  unsigned char *bytes;
  size_t size;
} Drawing;

static void free_drawing(Drawing *drawing) {
  free(drawing->bytes);
}

static void take(void *context, const unsigned char *bytes, size_t size) {
  Drawing *drawing = context;
  TAC_FREED(tac_hold_end, tacHold, hold) = tac_hold(&drawing->lock);
  if (drawing->bytes == NULL) drawing->bytes = tac_array_create(size, 1, "a picture", NULL);
  if (drawing->bytes != NULL && drawing->size == 0) {
    memcpy(drawing->bytes, bytes, size);
    drawing->size = size;
  }
}

static bool is_there(Drawing *drawing) {
  TAC_FREED(tac_hold_end, tacHold, hold) = tac_hold(&drawing->lock);
  return drawing->size > 0;
}

static tacStatus wait_for(Drawing *drawing, const char *address, tacError *error) {
  char folder[] = "/tmp/tactus-picture-XXXXXX";
  pid_t browser = 0;
  if (mkdtemp(folder) == NULL)
    return tac_error_set(error, TAC_ERR_FILE, "%s: cannot make this folder: %s", folder, strerror(errno));
  tacStatus status = tac_browser_start(address, folder, &browser, error);
  if (status == TAC_OK) {
    int64_t end = tac_clock_now() + TIMEOUT * TAC_NS_PER_SECOND;
    bool runs = true;
    while (!is_there(drawing) && status == TAC_OK) {
      tac_clock_sleep_until(tac_clock_now() + TAC_NS_PER_SECOND / 20);
      runs = runs && tac_browser_runs(browser);
      if (is_there(drawing)) break;
      if (tac_console_interrupted())
        status = tac_error_set(error, TAC_ERR_CANCELLED, "the picture was interrupted");
      else if (!runs)
        status = tac_error_set(error, TAC_ERR_UNSUPPORTED, "the browser exited before it had drawn the picture");
      else if (tac_clock_now() > end)
        status = tac_error_set(error, TAC_ERR_UNSUPPORTED,
                               "the browser drew nothing in %d s; it needs WebGL 2 (to check, open the viewer with it)",
                               TIMEOUT);
    }
    tac_browser_end(browser); /* its helpers too, where it has ended */
  }
  tac_folder_remove(folder);
  return status;
}

static tacStatus draw(const tacScenePicture *picture, Drawing *drawing, tacError *error) {
  tacSessionDef def = {.recording = picture->recording,
                       .moment = picture->moment,
                       .cache = picture->cache,
                       .program = tac_program_text(),
                       .drawn = take,
                       .context = drawing};
  TAC_FREED(tac_served_session_end, tacServedSession, served) = {0};
  char token[33], address[300];
  TAC_TRY(tac_browser_token(token, error));
  TAC_TRY(tac_session_create(&def, &served.session, error));
  tacViewServerDef server = {.address = "127.0.0.1", .token = token, .handler = tac_session_handler(served.session)};
  TAC_TRY(tac_view_server_start(&server, &served.server, error));
  tacViewSink sink = tac_view_server_sink(served.server);
  TAC_TRY(tac_session_begin(served.session, &sink, error));
  snprintf(address, sizeof address, "http://127.0.0.1:%d/?picture=%dx%d&token=%s&theme=%s&colour=%s",
           tac_view_server_port(served.server), picture->width, picture->height, token,
           picture->dark ? "dark" : "light", picture->colour);
  return wait_for(drawing, address, error);
}

tacStatus tac_scene_picture_write(const tacScenePicture *picture, const char *path, tacError *error) {
  if (tac_page_missing()[0] != 0) return tac_error_set(error, TAC_ERR_UNSUPPORTED, "%s", tac_page_missing());
  TAC_FREED(free_drawing, Drawing, drawing) = {.lock = PTHREAD_MUTEX_INITIALIZER};
  TAC_TRY(draw(picture, &drawing, error));
  tacNewFile file;
  TAC_TRY(tac_new_file_open(path, &file, error));
  fwrite(drawing.bytes, 1, drawing.size, file.stream);
  return tac_new_file_commit(&file, error);
}
