#include "app/cli/scene/scene_picture.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "app/cli/console/browser.h"
#include "app/cli/console/console.h"
#include "app/cli/console/program.h"
#include "app/viewer/server/page.h"
#include "app/viewer/server/server.h"
#include "app/viewer/session/session.h"
#include "base/clock.h"
#include "base/files/folder.h"
#include "base/files/new_file.h"
#include "base/memory/array.h"

enum { PATIENCE = 120 }; /* s for the browser: software rendering on a busy machine is slow */

/* What the page sends, on a thread of the server. */
typedef struct {
  pthread_mutex_t lock;
  unsigned char *bytes;
  size_t size;
} Drawing;

static void take(void *context, const unsigned char *bytes, size_t size) {
  Drawing *drawing = context;
  pthread_mutex_lock(&drawing->lock);
  if (drawing->bytes == NULL) drawing->bytes = tac_array_create(size, 1, "a picture", NULL);
  if (drawing->bytes != NULL && drawing->size == 0) {
    memcpy(drawing->bytes, bytes, size);
    drawing->size = size;
  }
  pthread_mutex_unlock(&drawing->lock);
}

static bool is_there(Drawing *drawing) {
  pthread_mutex_lock(&drawing->lock);
  bool there = drawing->size > 0;
  pthread_mutex_unlock(&drawing->lock);
  return there;
}

static tacStatus wait_for(Drawing *drawing, const char *address, tacError *error) {
  char folder[] = "/tmp/tactus-picture-XXXXXX";
  pid_t browser = 0;
  if (mkdtemp(folder) == NULL)
    return tac_error_set(error, TAC_ERR_FILE, "%s: cannot make this folder: %s", folder, strerror(errno));
  tacStatus status = tac_browser_start(address, folder, &browser, error);
  if (status == TAC_OK) {
    int64_t end = tac_clock_now() + PATIENCE * TAC_NS_PER_SECOND;
    bool runs = true, before = tac_console_interrupted(); /* that ended the run, not its results */
    while (!is_there(drawing) && status == TAC_OK) {
      tac_clock_sleep_until(tac_clock_now() + TAC_NS_PER_SECOND / 20);
      runs = runs && tac_browser_runs(browser);
      if (is_there(drawing)) break;
      if (!before && tac_console_interrupted())
        status = tac_error_set(error, TAC_ERR_CANCELLED, "the picture was interrupted");
      else if (!runs)
        status = tac_error_set(error, TAC_ERR_UNSUPPORTED, "the browser ended before it had drawn the picture");
      else if (tac_clock_now() > end)
        status = tac_error_set(
            error, TAC_ERR_UNSUPPORTED,
            "the browser drew nothing in %d s; it must have WebGL 2 (open the viewer with it to see)", PATIENCE);
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
  tacSession *session = NULL;
  tacViewServer *server = NULL;
  char token[33], address[300];
  tacStatus status = tac_browser_token(token, error);
  if (status == TAC_OK) status = tac_session_create(&def, &session, error);
  if (status != TAC_OK) return status;
  tacViewServerDef server_def = {.address = "127.0.0.1", .token = token, .handler = tac_session_handler(session)};
  status = tac_view_server_start(&server_def, &server, error);
  tacViewSink sink = tac_view_server_sink(server);
  if (status == TAC_OK) status = tac_session_begin(session, &sink, error);
  if (status == TAC_OK) {
    snprintf(address, sizeof address, "http://127.0.0.1:%d/?picture=%dx%d&token=%s&theme=%s&colour=%s",
             tac_view_server_port(server), picture->width, picture->height, token, picture->dark ? "dark" : "light",
             picture->colour);
    status = wait_for(drawing, address, error);
  }
  tac_session_end(session);
  tac_view_server_stop(server);
  tac_session_destroy(session);
  return status;
}

tacStatus tac_scene_picture_write(const tacScenePicture *picture, const char *path, tacError *error) {
  if (tac_page_missing()[0] != 0) return tac_error_set(error, TAC_ERR_UNSUPPORTED, "%s", tac_page_missing());
  Drawing drawing = {.lock = PTHREAD_MUTEX_INITIALIZER};
  tacStatus status = draw(picture, &drawing, error);
  tacNewFile file;
  if (status == TAC_OK) status = tac_new_file_open(path, &file, error);
  if (status == TAC_OK) {
    fwrite(drawing.bytes, 1, drawing.size, file.stream);
    status = tac_new_file_commit(&file, error);
  }
  free(drawing.bytes);
  return status;
}
