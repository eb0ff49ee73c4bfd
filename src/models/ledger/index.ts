// Tokens and cost per model and purpose, budgets, forecasts.
export { describeSpending } from "./describe-spending.ts";
export { describeForecast, type Forecast, type ForecastItem, forecast, type Range } from "./forecast.ts";
export { type BudgetLimits, Ledger, type LedgerOptions } from "./ledger.ts";
export { type LedgerRow, type LedgerState, type LedgerTotals, parseLedgerState } from "./rows.ts";
export { type WithBudgetOptions, withBudget } from "./with-budget.ts";
