// Plausible names of people, hosts, places and firms, for noise that looks like work.
export * from "./firms.ts";
export * from "./people.ts";
