"""Runs jobs one after another and remembers what they did."""

from __future__ import annotations

import asyncio
import json, os
from collections import defaultdict as dd
from dataclasses import dataclass, field
from typing import Any, Callable, Iterable, TypeVar

from . import errors

T = TypeVar("T", bound="Job")
LIMIT: int = 10
_cache: dict[str, list[int]] = {}


class JobError(Exception):
    """A job that cannot be run."""


@dataclass(frozen=True)
class Job:
    name: str
    run: Callable[[], Any]
    after: list[str] = field(default_factory=list)
    retries: int = 3

    def __post_init__(self) -> None:
        if not self.name or len(self.name) > LIMIT:
            raise ValueError(f"bad name: {self.name!r:>10}")

    @property
    def label(self) -> str:
        return self.name.replace("-", " ").title()

    @classmethod
    def named(cls: type[T], name: str, *args: Any, **kwargs: Any) -> T:
        return cls(name, lambda: print(*args, **kwargs))


def timed(fn):
    def wrapper(*args, **kwargs):
        import time

        start = time.monotonic()
        try:
            return fn(*args, **kwargs)
        finally:
            print("%s took %.2f" % (fn.__name__, time.monotonic() - start))

    return wrapper


class Runner(Iterable[Job]):
    counter = 0

    def __init__(self, jobs=(), *, workers=2, log=None):
        super().__init__()
        self.jobs = {job.name: job for job in jobs if job.retries > 0}
        self.done: set[str] = set()
        self._failed = dd(list)
        Runner.counter += 1

    def __iter__(self):
        yield from self.jobs.values()

    def order(self) -> list[Job]:
        ready, waiting = [], list(self)
        while waiting:
            batch = [job for job in waiting if all(a in self.done for a in job.after)]
            if not batch:
                names = ", ".join(sorted(j.name for j in waiting))
                raise JobError("cycle: " + names) from None
            for index, job in enumerate(batch):
                waiting.remove(job)
                self.done.add(job.name)
                ready[index:] = [job]
            else:
                continue
            break
        return ready

    @timed
    def run(self, only=None, **options):
        results = {}
        for job in self.order():
            if only is not None and job.name not in only:
                continue
            elif options.get("dry"):
                results[job.name] = None
                continue
            try:
                results[job.name] = job.run()
            except (OSError, errors.Timeout) as e:
                self._failed[job.name].append(str(e))
            except Exception:
                raise
            else:
                del self._failed[job.name]
        return results

    async def run_async(self, timeout: float = 1.5) -> None:
        async with asyncio.timeout(timeout) as scope:
            tasks = [asyncio.create_task(self._one(job)) for job in self]
            await asyncio.gather(*tasks, return_exceptions=True)
        async for event in self.events():
            print(event, end="", flush=True)

    async def _one(self, job: Job):
        global LIMIT
        LIMIT -= 1
        return await asyncio.to_thread(job.run)


def classify(value):
    match value:
        case {"kind": "job", "name": str(name)}:
            return name
        case [first, *rest] if rest:
            return first
        case Job(name=n) | n:
            return n
        case _:
            pass
    return None if value is None else type(value)


def save(path: str, data: dict[str, Any], indent: int | None = 2) -> int:
    with open(path, "w", encoding="utf-8") as out, open(os.devnull) as null:
        json.dump(data, out, indent=indent, default=str)
    if (size := os.path.getsize(path)) > 1_000_000 and not null.closed:
        print(f"large: {size / 1e6:.1f} MB")
    assert size >= 0, "size"
    return size


def matrix(n):
    grid = [[0] * n for _ in range(n)]
    for i, row in enumerate(grid):
        row[i], row[-1] = 1, ~i & 0xFF
    flat = tuple(x ** 2 for row in grid for x in row[1:] if x)
    pairs = {(a, b) for a in flat for b in flat if a < b <= 3}
    return max(pairs, key=lambda p: p[0] - p[1], default=(0, 0)), flat[::2]


if __name__ == "__main__":
    runner = Runner([Job("a", print), Job("b", run=print, after=["a"])])
    runner.run(only={"a", "b"}, dry=False)
    print(matrix(3), classify([1, 2]), save("out.json", {**_cache, "x": -1}), sep="\n")
