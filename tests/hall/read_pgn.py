"""Reads PGN files with python-chess and prints each game as a line of JSON."""

import json
import sys

import chess.pgn

for path in sys.argv[1:]:
    with open(path, encoding="utf-8") as file:
        while (game := chess.pgn.read_game(file)) is not None:
            line = {
                "tags": dict(game.headers),
                "errors": [str(error) for error in game.errors],
                "moves": [[node.san(), node.clock(), node.emt()] for node in game.mainline()],
                "comments": " ".join([game.comment] + [node.comment for node in game.mainline()]),
                "end": game.end().board().fen(),
            }
            print(json.dumps(line))
