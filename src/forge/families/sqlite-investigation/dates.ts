const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

export type DateForm = "iso" | "compact" | "dotted" | "slashed" | "named";

const two = (value: number) => String(value).padStart(2, "0");

/** Days since 1970-01-01 of a calendar date. */
export const dayOf = (year: number, month: number, day: number) => Date.UTC(year, month - 1, day) / 86_400_000;

/** A day as text; `dayFirst` decides how the slashed form reads. */
export function writeDay(day: number, form: DateForm, dayFirst: boolean): string {
  const date = new Date(day * 86_400_000);
  const [y, m, d] = [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()];
  switch (form) {
    case "iso":
      return `${y}-${two(m)}-${two(d)}`;
    case "compact":
      return `${y}${two(m)}${two(d)}`;
    case "dotted":
      return `${two(d)}.${two(m)}.${y}`;
    case "slashed":
      return dayFirst ? `${two(d)}/${two(m)}/${y}` : `${two(m)}/${two(d)}/${y}`;
    case "named":
      return `${months[m - 1]} ${d}, ${y}`;
  }
}

export const isoDay = (day: number) => writeDay(day, "iso", true);
