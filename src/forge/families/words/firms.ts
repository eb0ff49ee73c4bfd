import type { Random } from "../../../statistics/index.ts";

const first =
  "Alder Baltic Cobalt Delta Ember Falcon Granite Harbour Indigo Juniper Kestrel Lumen Marlin Nordic Orchard Pioneer Quarry Raven Sable Tundra Umber Vantage Willow Zephyr Amber Birch Cinder Dune".split(
    " ",
  );
const second =
  "Foods Freight Glass Instruments Joinery Labs Logistics Marine Metals Optics Paper Pharma Plastics Power Print Seeds Steel Supply Textiles Timber Tools Travel Valves Works".split(
    " ",
  );
const forms = ["GmbH", "Ltd", "S.A.", "AB", "B.V.", "Oy", "SRL", "Inc"];

/** Different firms' names, legal form included. */
export function drawFirms(random: Random, count: number): string[] {
  const names = new Set<string>();
  while (names.size < count) names.add(`${random.pick(first)} ${random.pick(second)} ${random.pick(forms)}`);
  return [...names];
}
