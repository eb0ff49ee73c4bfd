import type { Random } from "../../../statistics/index.ts";

/** What the platform does: names from which services, paths and messages are taken. */
export type Theme = {
  readonly platform: string;
  readonly edge: readonly string[];
  readonly services: readonly string[];
  readonly paths: readonly string[];
  readonly codes: readonly string[];
};

const themes: readonly Theme[] = [
  {
    platform: "web shop",
    edge: ["gateway", "frontdoor", "edge"],
    services: ["cart", "pricing", "stock", "checkout", "payments", "invoicing"],
    paths: ["/cart/items", "/checkout", "/orders", "/products/search", "/vouchers/redeem"],
    codes: ["E_POOL_EXHAUSTED", "E_LOCK_TIMEOUT", "E_CARD_PROVIDER", "E_STALE_PRICE"],
  },
  {
    platform: "ticketing platform",
    edge: ["proxy", "ingress", "edge"],
    services: ["seating", "catalogue", "holds", "orders", "mailer", "ledger"],
    paths: ["/events/list", "/seats/hold", "/orders/confirm", "/tickets/transfer", "/refunds"],
    codes: ["E_HOLD_EXPIRED", "E_DEADLOCK", "E_SMTP_REFUSED", "E_QUEUE_FULL"],
  },
  {
    platform: "clinic portal",
    edge: ["gateway", "portal", "balancer"],
    services: ["appointments", "records", "consent", "imaging", "billing", "directory"],
    paths: ["/appointments/new", "/records/view", "/images/series", "/bills", "/consents/sign"],
    codes: ["E_LDAP_UNBOUND", "E_DISK_QUOTA", "E_TLS_HANDSHAKE", "E_ROW_CONFLICT"],
  },
  {
    platform: "parcel tracker",
    edge: ["ingress", "frontdoor", "gateway"],
    services: ["routing", "scans", "depots", "customs", "labels", "notices"],
    paths: ["/parcels/track", "/labels/print", "/pickups", "/customs/declare", "/addresses/check"],
    codes: ["E_REPLICA_LAG", "E_SOCKET_CLOSED", "E_GEO_LOOKUP", "E_OUT_OF_MEMORY"],
  },
  {
    platform: "learning site",
    edge: ["proxy", "edge", "balancer"],
    services: ["courses", "grading", "uploads", "quizzes", "profiles", "exports"],
    paths: ["/courses/enrol", "/quiz/submit", "/uploads/new", "/grades/export", "/profile"],
    codes: ["E_QUEUE_FULL", "E_BLOB_MISSING", "E_RATE_LIMITED", "E_DB_READONLY"],
  },
  {
    platform: "energy metering service",
    edge: ["gateway", "collector", "edge"],
    services: ["readings", "tariffs", "forecast", "devices", "settlement", "alerts"],
    paths: ["/meters/readings", "/tariffs/quote", "/devices/register", "/settlements/run", "/alerts/ack"],
    codes: ["E_CLOCK_DRIFT", "E_BROKER_DOWN", "E_LOCK_TIMEOUT", "E_CHECKSUM"],
  },
];

export const drawTheme = (random: Random): Theme => random.pick(themes);
