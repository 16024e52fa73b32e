"""Slow, obvious answers to the questions of `sitegrain.arrays.trees.preorder`."""

from __future__ import annotations


def kids(parent: list[int], i: int) -> list[int]:
    return [j for j, p in enumerate(parent) if p == i]


def subtree(parent: list[int], i: int) -> list[int]:
    out = [i]
    for j in kids(parent, i):
        out += subtree(parent, j)
    return out


def way_up(parent: list[int], i: int) -> list[int]:
    out = []
    while i >= 0:
        out.append(i)
        i = parent[i]
    return out
