# SPDX-License-Identifier: MIT
"""Announced animations of states: from what is on the screen to the state, by its curve."""
from __future__ import annotations

import math
from typing import Any, Callable, Dict, Mapping

CURVES: Dict[str, Callable[[float], float]] = {
    "linear": lambda share: share,
    "easeIn": lambda share: _bezier(0.42, 0, 1, 1, share),
    "easeOut": lambda share: _bezier(0, 0, 0.58, 1, share),
    "easeInOut": lambda share: _bezier(0.42, 0, 0.58, 1, share),
}


def progress(animation: Mapping[str, Any], seconds: float) -> float:
    """How far an animation is, 0 to 1 and beyond where a spring is, so many seconds after its state came."""
    elapsed = seconds - animation.get("delay", 0)
    if elapsed >= animation["duration"]:
        return 1
    if elapsed <= 0:
        return 0
    if animation["curve"] == "spring":
        return _spring(animation, elapsed)
    return CURVES[animation["curve"]](elapsed / animation["duration"])


def ending(animation: Mapping[str, Any]) -> float:
    """Seconds after which it is over."""
    return float(animation["duration"] + animation.get("delay", 0))


def _bezier(x1: float, y1: float, x2: float, y2: float, share: float) -> float:
    """The curve of CSS, by bisection."""
    low, high = 0.0, 1.0
    for _ in range(24):
        middle = (low + high) / 2
        if _cubic(x1, x2, middle) < share:
            low = middle
        else:
            high = middle
    return _cubic(y1, y2, low)


def _cubic(first: float, second: float, t: float) -> float:
    return 3 * (1 - t) ** 2 * t * first + 3 * (1 - t) * t * t * second + t**3


def _spring(animation: Mapping[str, Any], time: float) -> float:
    mass, stiffness = animation.get("mass", 1), animation.get("stiffness", 100)
    damping, velocity = animation.get("damping", 10), animation.get("initialVelocity", 0)
    frequency = math.sqrt(stiffness / mass)
    ratio = damping / (2 * math.sqrt(stiffness * mass))
    decay = math.exp(-ratio * frequency * time)
    if ratio < 1:
        damped = frequency * math.sqrt(1 - ratio * ratio)
        return 1 - decay * (math.cos(damped * time) + (ratio * frequency - velocity) / damped * math.sin(damped * time))
    return 1 - decay * (1 + (frequency - velocity) * time)
