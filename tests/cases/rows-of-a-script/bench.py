import sys

slower = 1.0
for size in (64, 256):
    for repetition in range(5):
        noise = 1 + 0.001 * ((repetition * 7 + size) % 5)
        print('{"name": "scan/%d", "value": %.6g, "unit": "us"}' % (size, size * slower * noise))
        print('{"name": "served/%d", "value": %.6g, "unit": "tokens/s"}' % (size, 1000 / size / slower / noise))
    print("measured", size, file=sys.stderr)
