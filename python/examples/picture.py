"""Pictures of surfaces without a plotting library: triangles in orthographic view, coloured by a number, as PNG."""

import struct
import zlib

import numpy as np

COLOURS = np.array([(68, 1, 84), (59, 82, 139), (33, 145, 140), (94, 201, 98), (253, 231, 37)], float)  # dark to bright


def colour(values):
    """[n][3] of [n] from 0 to 1; grey where a value is no number."""
    known = np.nan_to_num(np.clip(values, 0.0, 1.0))
    at = known * (len(COLOURS) - 1)
    index = np.minimum(at.astype(int), len(COLOURS) - 2)
    mixed = COLOURS[index] + (at - index)[:, None] * (COLOURS[index + 1] - COLOURS[index])
    return np.where(np.isnan(values)[:, None], 160.0, mixed)


def draw(vertices, triangles, values, axis=1, width=480):
    """[height][width][3]: seen along an axis, from its positive side; `values` are of vertices, the picture spans them."""
    across, up = [(1, 2), (2, 0), (0, 1)][axis]
    least, most = np.nanmin(values), np.nanmax(values)
    shade = (values - least) / (most - least if most > least else 1.0)
    low, high = vertices.min(0), vertices.max(0)
    scale = 0.9 * width / max(high[across] - low[across], high[up] - low[up])
    place = (vertices - (low + high) / 2) * scale
    x, y, depth = width / 2 + place[:, across], width / 2 - place[:, up], place[:, axis]
    image = np.full((width, width, 3), 255, np.uint8)
    nearest = np.full((width, width), -np.inf)
    corners = vertices[triangles]
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    light = 0.55 + 0.45 * np.abs(normal[:, axis]) / np.maximum(np.linalg.norm(normal, axis=1), 1e-300)
    painted = colour(shade[triangles].mean(1)) * light[:, None]
    for number, (a, b, c) in enumerate(triangles):
        area = (x[b] - x[a]) * (y[c] - y[a]) - (x[c] - x[a]) * (y[b] - y[a])
        if area == 0.0:
            continue
        left, right = int(min(x[a], x[b], x[c])), int(max(x[a], x[b], x[c])) + 2
        top, bottom = int(min(y[a], y[b], y[c])), int(max(y[a], y[b], y[c])) + 2
        column, row = np.meshgrid(np.arange(left, right), np.arange(top, bottom))
        w_b = ((column - x[a]) * (y[c] - y[a]) - (x[c] - x[a]) * (row - y[a])) / area
        w_c = ((x[b] - x[a]) * (row - y[a]) - (column - x[a]) * (y[b] - y[a])) / area
        z = depth[a] + w_b * (depth[b] - depth[a]) + w_c * (depth[c] - depth[a])
        seen = (w_b >= 0) & (w_c >= 0) & (w_b + w_c <= 1) & (z > nearest[row, column])
        nearest[row[seen], column[seen]] = z[seen]
        image[row[seen], column[seen]] = painted[number]
    return image


def write_png(path, image):
    """[height][width][3] of bytes."""
    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    height, width, _ = image.shape
    rows = np.concatenate([np.zeros((height, 1), np.uint8), image.reshape(height, -1)], axis=1)
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
                   + chunk(b"IDAT", zlib.compress(rows.tobytes(), 9)) + chunk(b"IEND", b""))
