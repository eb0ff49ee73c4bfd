// What tokens cost.
export { costNanoUsd, findPrice, freePrice, type ListPrice, listPrices, type Price } from "./prices.ts";
