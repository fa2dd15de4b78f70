"""A program for a terminal: asks to begin, then writes lines, each with the moment in which it is written."""

import sys
import time

from bench.pieces import Order, piece

PROMPT = "write> "


def main() -> None:
    while True:
        message = input(PROMPT)
        order = Order.read(message)
        assert order is not None
        input("Begin? (y/n): ")
        started_at = time.monotonic()
        for number in range(order.pieces):
            time.sleep(order.wait(started_at, number))
            sys.stdout.write(piece(0, number, order.size) + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
