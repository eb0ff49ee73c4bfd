import type { Random } from "../../../statistics/index.ts";
import { dateOf, lastDateOf, monthNames, timeText, weekdayNames, weekdayOf } from "./clock.ts";

/** When a job starts, on the wall of its zone. */
export type Rule =
  | { readonly kind: "daily"; readonly minute: number }
  | { readonly kind: "weekly"; readonly weekdays: readonly number[]; readonly minute: number }
  | { readonly kind: "every"; readonly hours: number; readonly minute: number }
  | { readonly kind: "workdays"; readonly minute: number }
  | { readonly kind: "monthly"; readonly date: number | "last" | "last workday"; readonly minute: number }
  | {
      readonly kind: "cron";
      readonly text: string;
      readonly minutes: readonly number[];
      readonly hours: readonly number[];
      /** null: any. */
      readonly dates: readonly number[] | null;
      readonly weekdays: readonly number[] | null;
    };

export function ruleText(rule: Rule): string {
  switch (rule.kind) {
    case "daily":
    case "workdays":
      return `${rule.kind} ${timeText(rule.minute)}`;
    case "weekly":
      return `weekly ${rule.weekdays.map((day) => weekdayNames[day]).join("+")} ${timeText(rule.minute)}`;
    case "every":
      return `every ${rule.hours}h from ${timeText(rule.minute)}`;
    case "monthly":
      return `monthly ${rule.date} ${timeText(rule.minute)}`;
    case "cron":
      return `cron ${rule.text}`;
  }
}

/** The wall times (minutes of the day) at which a job starts on a day. */
export function startsOn(rule: Rule, day: number, isWorkday: (day: number) => boolean, bug: string | null): number[] {
  const { year, month, date } = dateOf(day);
  const last = lastDateOf(year, month);
  switch (rule.kind) {
    case "daily":
      return [rule.minute];
    case "weekly":
      return rule.weekdays.includes(weekdayOf(day)) ? [rule.minute] : [];
    case "every":
      return Array.from(
        { length: Math.ceil((1440 - rule.minute) / (rule.hours * 60)) },
        (_, index) => rule.minute + index * rule.hours * 60,
      );
    case "workdays":
      return isWorkday(day) ? [rule.minute] : [];
    case "monthly": {
      let wanted = rule.date === "last" || rule.date === "last workday" ? last : Math.min(rule.date, last);
      if (rule.date === "last workday") while (!isWorkday(day - date + wanted)) wanted--;
      return wanted === date ? [rule.minute] : [];
    }
    case "cron": {
      const byDate = rule.dates?.includes(date) ?? true;
      const byWeekday = rule.weekdays?.includes(weekdayOf(day)) ?? true;
      const either = rule.dates !== null && rule.weekdays !== null && bug !== "either-field";
      if (either ? !byDate && !byWeekday : !byDate || !byWeekday) return [];
      return rule.hours.flatMap((hour) => rule.minutes.map((minute) => hour * 60 + minute));
    }
  }
}

/** A rule of five fields; with `either`, both the date and the weekday are restricted. */
export function drawCron(random: Random, either: boolean): Rule {
  const minute = random.integer(0, 59);
  const from = random.integer(1, 7);
  const step = random.pick([4, 5, 6]);
  const hours: number[] = [];
  for (let hour = from; hour <= 20; hour += step) hours.push(hour);
  if (!either) {
    const weekdays = random.pick([
      { text: "1-5", days: [1, 2, 3, 4, 5] },
      { text: "0,3", days: [0, 3] },
      { text: "2-6/2", days: [2, 4, 6] },
      { text: "*", days: null },
    ]);
    const text = `${minute} ${from}-20/${step} * * ${weekdays.text}`;
    return { kind: "cron", text, minutes: [minute], hours, dates: null, weekdays: weekdays.days };
  }
  const dates = random.pick([
    { text: "1-31/9", days: [1, 10, 19, 28] },
    { text: "3,22,25", days: [3, 22, 25] },
    { text: "24-27", days: [24, 25, 26, 27] },
  ]);
  const weekday = random.pick([1, 2, 4]);
  const text = `${minute} ${from} ${dates.text} * ${weekday}`;
  return { kind: "cron", text, minutes: [minute], hours: [from], dates: dates.days, weekdays: [weekday] };
}

export const monthName = (month: number) => monthNames[month - 1] as string;
