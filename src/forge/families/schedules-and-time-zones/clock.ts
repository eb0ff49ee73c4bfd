/** Times are whole minutes since 1970-01-01T00:00, in UTC or on the wall of a zone; days are whole days since then. */
export const dayMinutes = 1440;
export const weekdayNames = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"] as const;
export const monthNames = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");

export const weekdayOf = (day: number) => (((day + 4) % 7) + 7) % 7;
export const dayOf = (year: number, month: number, date: number) => Date.UTC(year, month - 1, date) / 86_400_000;
export function dateOf(day: number): { readonly year: number; readonly month: number; readonly date: number } {
  const moment = new Date(day * 86_400_000);
  return { year: moment.getUTCFullYear(), month: moment.getUTCMonth() + 1, date: moment.getUTCDate() };
}
export const lastDateOf = (year: number, month: number) => new Date(Date.UTC(year, month, 0)).getUTCDate();
export const dateText = (day: number) => new Date(day * 86_400_000).toISOString().slice(0, 10);
export const timeText = (minute: number) =>
  `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`;
export const instantText = (minute: number) => `${new Date(minute * 60_000).toISOString().slice(0, 16)}Z`;
export const offsetText = (offset: number) => `${offset < 0 ? "-" : "+"}${timeText(Math.abs(offset))}`;
export const localText = (minute: number, offset: number) =>
  `${new Date((minute + offset) * 60_000).toISOString().slice(0, 16)}${offsetText(offset)}`;
