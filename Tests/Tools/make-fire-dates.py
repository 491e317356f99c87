#!/usr/bin/env python3
"""Writes Tests/NotificationBridgeTests/Data/fire-dates.tsv: when calendar rules fire, found the slow way.

Knows nothing of the product's search: it goes from minute to minute of universal time, asks Python's zoneinfo what the
clock on the wall shows, and compares. Usage: make-fire-dates.py > fire-dates.tsv (takes a few minutes).
Columns: zone, after (UTC), rule, expected (UTC; "-": not within the searched time).
"""

import random
import sys
from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo

UTC = timezone.utc
EPOCH = datetime(1970, 1, 1)
FIRST = datetime(2024, 1, 1, tzinfo=UTC)
LAST = datetime(2029, 1, 1, tzinfo=UTC)
STEP = 15  # minutes; all changes of these zones in these years are at multiples of it

ZONES = [
    "America/New_York",
    "Europe/Berlin",
    "Europe/Dublin",
    "Europe/Budapest",
    "Australia/Lord_Howe",
    "Australia/Sydney",
    "America/Santiago",
    "Africa/Cairo",
    "America/Nuuk",
    "Africa/Casablanca",
    "Pacific/Chatham",
    "Asia/Kolkata",
    "UTC",
]


def minutes(moment):
    return int(moment.timestamp()) // 60


class Zone:
    """The offset in minutes for every quarter of an hour."""

    def __init__(self, name):
        self.name = name
        zone = ZoneInfo(name)
        self.begin = minutes(FIRST) - 2 * 1440
        self.offsets = []
        self.second_time = []
        moment = FIRST - timedelta(days=2)
        while moment < LAST + timedelta(days=2):
            local = moment.astimezone(zone)
            self.offsets.append(int(local.utcoffset().total_seconds()) // 60)
            self.second_time.append(local.fold == 1)
            moment += timedelta(minutes=STEP)

    def offset(self, minute):
        return self.offsets[(minute - self.begin) // STEP]

    def is_second_time(self, minute):
        return self.second_time[(minute - self.begin) // STEP]

    def changes(self):
        for index in range(1, len(self.offsets)):
            if self.offsets[index] != self.offsets[index - 1]:
                minute = self.begin + index * STEP
                if minutes(FIRST) + 1440 < minute < minutes(datetime(2027, 1, 1, tzinfo=UTC)):
                    yield minute


UNITS_ABOVE = ("year", "month", "weekdayOrdinal", "quarter", "weekOfYear", "yearForWeekOfYear")
UNITS_OF_DAY = ("day", "weekday", "dayOfYear")


def day_matches(rule, day):
    iso = day.isocalendar()
    found = {
        "year": day.year,
        "month": day.month,
        "day": day.day,
        "weekday": day.isoweekday() % 7 + 1,
        "weekdayOrdinal": (day.day - 1) // 7 + 1,
        "quarter": (day.month - 1) // 3 + 1,
        "dayOfYear": day.timetuple().tm_yday,
        "weekOfYear": iso[1],
        "yearForWeekOfYear": iso[0],
    }
    return all(found[unit] == value for unit, value in rule.items() if unit in found)


def prepare(rule):
    """The rule with its least values filled in: (wall-clock minute -> matches?, is the hour fixed?)"""
    has_time = "hour" in rule or "minute" in rule
    has_day = any(unit in rule for unit in UNITS_OF_DAY)
    hour = rule.get("hour") if has_time else 0
    minute = rule.get("minute", 0)
    only_first = not has_time and not has_day
    known = {}

    def on_day(number):
        if number not in known:
            day = EPOCH + timedelta(days=number)
            good = day_matches(rule, day)
            if good and only_first:
                good = not day_matches(rule, day - timedelta(days=1))
            known[number] = good
        return known[number]

    def matches(wall):
        if wall % 60 != minute:
            return False
        if hour is not None and wall // 60 % 24 != hour:
            return False
        return on_day(wall // 1440)

    return matches, hour is not None


def search(zone, after, rule):
    matches, fixed_hour = prepare(rule)
    minute = after // 60 + 1  # the first whole minute after `after`
    end = minutes(LAST)
    while minute < end:
        wall = minute + zone.offset(minute)
        if matches(wall) and not (fixed_hour and zone.is_second_time(minute)):
            return minute
        if fixed_hour:
            left_out = range(minute - 1 + zone.offset(minute - 1) + 1, wall)
            if len(left_out) and any(matches(lost) for lost in left_out):
                return minute
        minute += 1
    return None


def text(seconds):
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


DAILY = [
    {"hour": 2, "minute": 30},
    {"hour": 1, "minute": 30},
    {"hour": 3},
    {"hour": 0},
    {"hour": 0, "minute": 30},
    {"hour": 23, "minute": 45},
    {"hour": 2, "minute": 15},
    {"minute": 30},
    {"minute": 0},
    {"minute": 45},
]
DAYS = [
    {"day": 31, "hour": 9},
    {"day": 31},
    {"day": 30, "hour": 2, "minute": 30},
    {"day": 1, "hour": 0},
    {"weekday": 1, "hour": 14, "minute": 31},
    {"weekday": 1, "hour": 2, "minute": 30},
    {"weekday": 3, "hour": 14},
    {"weekday": 7},
    {"weekday": 2, "weekdayOrdinal": 1, "hour": 8},
    {"weekday": 6, "weekdayOrdinal": 5, "hour": 17, "minute": 5},
    {"weekdayOrdinal": 2},
    {"weekday": 6, "day": 13, "hour": 13},
    {"month": 6},
    {"month": 6, "hour": 9},
    {"month": 3, "weekday": 1, "hour": 2, "minute": 30},
    {"month": 12, "day": 31, "hour": 23, "minute": 59},
    {"month": 10, "day": 31, "hour": 1, "minute": 30},
    {"quarter": 3},
    {"quarter": 4, "day": 31, "hour": 6},
    {"dayOfYear": 60, "hour": 7},
    {"dayOfYear": 366, "hour": 7},
    {"calendar": "iso8601", "weekOfYear": 1, "weekday": 2, "hour": 9},
    {"calendar": "iso8601", "weekOfYear": 53, "weekday": 5},
    {"calendar": "iso8601", "weekOfYear": 26},
    {"calendar": "iso8601", "yearForWeekOfYear": 2026, "weekOfYear": 1, "hour": 12},
    {"year": 2026, "month": 3, "day": 8, "hour": 2, "minute": 30},
    {"year": 2026, "month": 3, "day": 29, "hour": 2, "minute": 30},
    {"year": 2025},
    {"day": 29, "month": 2, "hour": 9},
]


def main():
    random.seed(20240229)
    print("# Made by Tests/Tools/make-fire-dates.py")
    print("# zone\tafter\trule\texpected")
    begin, end = minutes(FIRST) + 1440, minutes(datetime(2027, 1, 1, tzinfo=UTC))
    for name in ZONES:
        zone = Zone(name)
        rows = []
        for change in zone.changes():
            for rule in DAILY:
                rows.append((change * 60 + random.choice([-7200, -3601, -3600, -1800, -1, 0, 1, 1799, 1800, 3600]), rule))
        rows = random.sample(rows, min(len(rows), 50))
        for rule in DAYS + random.sample(DAILY, 4):
            rows.append((random.randrange(begin, end) * 60 + random.choice([0, 0, 30]), rule))
        if name in ("UTC", "Europe/Berlin"):
            rows.append((minutes(datetime(2025, 1, 1, tzinfo=UTC)) * 60, {"day": 29, "month": 2, "hour": 9}))
        for _ in range(12):
            rule = dict(random.choice(DAYS[:9]))
            rule["hour"], rule["minute"] = random.randrange(24), random.randrange(60)
            rows.append((random.randrange(begin, end) * 60 + random.randrange(60), rule))
        for after, rule in rows:
            found = search(zone, after, rule)
            words = " ".join(f"{unit}={value}" for unit, value in rule.items())
            print(name, text(after), words, "-" if found is None else text(found * 60), sep="\t")
        sys.stdout.flush()


main()
