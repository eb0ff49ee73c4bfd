import type { Random } from "../../../statistics/index.ts";

/** What the database is about: the nouns from which tables and columns are named. */
export type Theme = {
  readonly place: string;
  readonly party: string;
  readonly parties: string;
  readonly entry: string;
  readonly entries: string;
  readonly codePrefix: string;
  readonly group: string;
  readonly groups: readonly string[];
  readonly category: string;
  readonly categories: readonly string[];
  readonly day: string;
  readonly amount: string;
};

const themes: readonly Theme[] = [
  {
    place: "clinic",
    party: "patient",
    parties: "patients",
    entry: "visit",
    entries: "visits",
    codePrefix: "PT",
    group: "site",
    groups: ["Harbour Street", "Old Mill", "Northgate", "Riverside", "Station Road", "West Park"],
    category: "department",
    categories: ["cardiology", "dermatology", "imaging", "physiotherapy", "laboratory", "dental"],
    day: "visited_on",
    amount: "fee_cents",
  },
  {
    place: "warehouse",
    party: "supplier",
    parties: "suppliers",
    entry: "shipment",
    entries: "shipments",
    codePrefix: "SUP",
    group: "country",
    groups: ["Austria", "Denmark", "Estonia", "Ireland", "Portugal", "Slovenia"],
    category: "goods",
    categories: ["fasteners", "lumber", "paint", "tools", "glass", "insulation"],
    day: "received_on",
    amount: "value_cents",
  },
  {
    place: "library",
    party: "member",
    parties: "members",
    entry: "charge",
    entries: "charges",
    codePrefix: "LM",
    group: "branch",
    groups: ["Central", "Eastfield", "Hilltop", "Lakeside", "Quayside", "Meadow Lane"],
    category: "reason",
    categories: ["late return", "damage", "print", "room hire", "copy card", "lost item"],
    day: "charged_on",
    amount: "amount_cents",
  },
  {
    place: "energy cooperative",
    party: "customer",
    parties: "customers",
    entry: "invoice",
    entries: "invoices",
    codePrefix: "EC",
    group: "district",
    groups: ["Alder", "Birch", "Cedar", "Elm", "Hazel", "Rowan"],
    category: "tariff",
    categories: ["day", "night", "solar", "heat pump", "street lighting", "charging"],
    day: "billed_on",
    amount: "total_cents",
  },
  {
    place: "tool hire shop",
    party: "account",
    parties: "accounts",
    entry: "rental",
    entries: "rentals",
    codePrefix: "AC",
    group: "depot",
    groups: ["Bridge End", "Canal Yard", "Dockside", "Foundry", "Gasworks", "Tannery"],
    category: "equipment",
    categories: ["excavator", "scaffold", "generator", "compressor", "pump", "trailer"],
    day: "rented_on",
    amount: "price_cents",
  },
  {
    place: "conference office",
    party: "exhibitor",
    parties: "exhibitors",
    entry: "booking",
    entries: "bookings",
    codePrefix: "EX",
    group: "hall",
    groups: ["Hall A", "Hall B", "Hall C", "Pavilion", "Atrium", "Gallery"],
    category: "service",
    categories: ["stand", "power", "catering", "network", "furniture", "parking"],
    day: "booked_on",
    amount: "cost_cents",
  },
  {
    place: "freight desk",
    party: "carrier",
    parties: "carriers",
    entry: "job",
    entries: "jobs",
    codePrefix: "CR",
    group: "region",
    groups: ["North", "South", "East", "West", "Islands", "Uplands"],
    category: "cargo",
    categories: ["bulk", "chilled", "parcel", "oversize", "hazardous", "livestock"],
    day: "carried_on",
    amount: "charge_cents",
  },
  {
    place: "music school",
    party: "student",
    parties: "students",
    entry: "lesson",
    entries: "lessons",
    codePrefix: "MS",
    group: "house",
    groups: ["Bach House", "Clara House", "Elgar House", "Holst House", "Nadia House", "Verdi House"],
    category: "instrument",
    categories: ["violin", "cello", "piano", "oboe", "voice", "percussion"],
    day: "taught_on",
    amount: "price_cents",
  },
];

export const drawTheme = (random: Random): Theme => random.pick(themes);

const given = [
  "Ada",
  "Bram",
  "Carla",
  "Dario",
  "Edith",
  "Farid",
  "Greta",
  "Hugo",
  "Ines",
  "Jonas",
  "Kaja",
  "Leo",
  "Mira",
  "Nils",
  "Olga",
  "Pavel",
  "Rosa",
  "Sven",
  "Tilda",
  "Yusuf",
];
const family = [
  "Abel",
  "Brandt",
  "Costa",
  "Dvořák",
  "Eriksen",
  "Fischer",
  "Grünwald",
  "Haas",
  "Ibsen",
  "Jansen",
  "Kovač",
  "Lindqvist",
  "Moreau",
  "Novák",
  "O'Neill",
  "Petersen",
  "Quist",
  "Romero",
  "Silva",
  "Tanaka",
];

/** A person's or a firm's name; some contain a comma or an apostrophe. */
export function drawName(random: Random): string {
  const name = `${random.pick(given)} ${random.pick(family)}`;
  if (random.boolean(0.12)) return `${random.pick(family)}, ${random.pick(given)}`;
  return random.boolean(0.1) ? `${random.pick(family)} & ${random.pick(family)} Ltd` : name;
}
