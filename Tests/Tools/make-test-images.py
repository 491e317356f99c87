#!/usr/bin/env python3
"""Writes the pictures in Tests/DesktopEnvironmentTests/Data. Needs Pillow. Usage: make-test-images.py FOLDER

All are made of four equal fields: red and green above, blue and white below (grey ones: 0, 85, 170, 255).
"""

import io
import struct
import sys
import zlib
from pathlib import Path

from PIL import Image

RED, GREEN, BLUE, WHITE = (255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 255)
GREYS = (0, 85, 170, 255)


def fields(mode, size, colours):
    image = Image.new(mode, size)
    for y in range(size[1]):
        for x in range(size[0]):
            image.putpixel((x, y), colours[(y >= size[1] // 2) * 2 + (x >= size[0] // 2)])
    return image


def png(width, height, depth, colour_type, rows, interlace=0):
    """A PNG of raw rows, for what Pillow does not write."""

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, depth, colour_type, 0, 0, interlace)
    data = zlib.compress(b"".join(b"\0" + row for row in rows), 9)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", data) + chunk(b"IEND", b"")


def interlaced(image):
    """The rows of the seven passes of Adam7."""
    for x0, y0, dx, dy in [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]:
        for y in range(y0, image.height, dy):
            row = b"".join(bytes(image.getpixel((x, y))) for x in range(x0, image.width, dx))
            if row:
                yield row


def main():
    folder = Path(sys.argv[1])
    colours = (RED, GREEN, BLUE, WHITE)
    small = fields("RGB", (8, 6), colours)
    deep = [
        b"".join(struct.pack(">HHH", *(value * 257 for value in small.getpixel((x, y)))) for x in range(8))
        for y in range(6)
    ]

    small.quantize(4).save(folder / "palette.png")
    see_through = fields("P", (8, 6), (0, 1, 2, 3))
    see_through.putpalette([value for colour in colours for value in colour])
    see_through.save(folder / "palette-transparent.png", transparency=bytes([255, 255, 0, 128]))
    fields("L", (8, 6), GREYS).save(folder / "grey.png")
    fields("LA", (8, 6), [(grey, alpha) for grey, alpha in zip(GREYS, (255, 0, 128, 64))]).save(folder / "grey-alpha.png")
    fields("RGBA", (8, 6), [c + (a,) for c, a in zip(colours, (255, 128, 0, 64))]).save(folder / "rgba.png")
    (folder / "rgb16.png").write_bytes(png(8, 6, 16, 2, deep))
    (folder / "grey16.png").write_bytes(
        png(8, 6, 16, 0, [b"".join(struct.pack(">H", GREYS[(y >= 3) * 2 + (x >= 4)] * 257) for x in range(8)) for y in range(6)]))
    (folder / "interlaced.png").write_bytes(png(8, 6, 8, 2, interlaced(small), interlace=1))
    fields("RGB", (33, 7), colours).save(folder / "rgb-33x7.png")
    fields("RGB", (600, 400), colours).save(folder / "wide.png", optimize=True)

    photo = fields("RGB", (32, 16), colours)
    photo.save(folder / "rgb.jpg", quality=95, subsampling=0)
    photo.save(folder / "progressive.jpg", quality=95, subsampling=0, progressive=True)
    fields("L", (32, 16), GREYS).save(folder / "grey.jpg", quality=95)
    # Inks: none where there is light.
    inks = fields("CMYK", (32, 16), [tuple(255 - value for value in colour) + (0,) for colour in colours])
    inks.save(folder / "cmyk.jpg", quality=95, subsampling=0)
    for orientation in range(2, 9):
        exif = Image.Exif()
        exif[0x0112] = orientation
        photo.save(folder / f"exif{orientation}.jpg", quality=95, subsampling=0, exif=exif)

    frames = [Image.new("RGB", (8, 6), colour) for colour in (RED, GREEN, BLUE)]
    frames[0].save(folder / "animation.gif", save_all=True, append_images=frames[1:], duration=100, loop=0)
    small.save(folder / "still.gif")

    whole = (folder / "rgb.jpg").read_bytes()
    (folder / "truncated.jpg").write_bytes(whole[: len(whole) - 12])
    whole = (folder / "progressive.jpg").read_bytes()
    (folder / "truncated-progressive.jpg").write_bytes(whole[: len(whole) - 12])
    whole = (folder / "rgb-33x7.png").read_bytes()
    (folder / "truncated.png").write_bytes(whole[: len(whole) // 2])
    whole = (folder / "interlaced.png").read_bytes()
    (folder / "truncated-interlaced.png").write_bytes(whole[: len(whole) - 20])
    whole = (folder / "animation.gif").read_bytes()
    (folder / "truncated.gif").write_bytes(whole[: len(whole) // 2])
    damaged = bytearray((folder / "rgb-33x7.png").read_bytes())
    damaged[damaged.index(b"IDAT") + 8] ^= 0xFF
    (folder / "damaged.png").write_bytes(damaged)
    # All chunks there, but only half of the rows in them.
    (folder / "half-rows.png").write_bytes(png(8, 6, 8, 2, [b"\xff\0\0" * 8] * 3))
    # Says that it has 200 million pixels.
    (folder / "enormous.png").write_bytes(png(20_000, 10_000, 1, 0, [b"\0"]))
    # A frame that is far larger than its picture, and one that lies inside.
    still = bytearray((folder / "still.gif").read_bytes())
    frame = still.index(b"\x2c", 13 + 3 * 2 ** ((still[10] & 7) + 1)) + 5
    still[frame : frame + 4] = struct.pack("<HH", 20_000, 10_000)
    (folder / "enormous-frame.gif").write_bytes(still)
    still = bytearray((folder / "still.gif").read_bytes())
    still[6:10] = struct.pack("<HH", 16, 12)
    still[frame - 4 : frame] = struct.pack("<HH", 8, 6)
    (folder / "offset-frame.gif").write_bytes(still)
    (folder / "html.png").write_text("<!DOCTYPE html>\n<html><body><h1>404 Not Found</h1></body></html>\n")


main()
