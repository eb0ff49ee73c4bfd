import {
  type CheckSummary,
  renderJson,
  renderJunit,
  renderMarkdown,
  renderSarif,
  renderText,
} from "../../gates/index.ts";

export const checkFormats = ["text", "markdown", "json", "junit", "sarif"] as const;
export type CheckFormat = (typeof checkFormats)[number];

export function renderCheck(summary: CheckSummary, format: CheckFormat): string {
  switch (format) {
    case "text":
      return renderText(summary);
    case "markdown":
      return renderMarkdown(summary);
    case "json":
      return renderJson(summary);
    case "junit":
      return renderJunit(summary);
    case "sarif":
      return renderSarif(summary);
  }
}
