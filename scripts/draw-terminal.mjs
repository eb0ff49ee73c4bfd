// Draws standard input as a terminal window in SVG: node scripts/draw-terminal.mjs TITLE < text > picture.svg
import { readFileSync } from "node:fs";

const title = process.argv[2] ?? "";
const lines = readFileSync(0, "utf8").trimEnd().split("\n");
const escapeXml = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
const width = Math.max(...lines.map((line) => line.length)) * 8.2 + 40;
const height = lines.length * 19 + 62;
const colourOf = (line) =>
  /^\s*\$/.test(line)
    ? "#7ee787"
    : /^\d\. /.test(line)
      ? "#79c0ff"
      : /●/.test(line)
        ? "#d2a8ff"
        : /│/.test(line)
          ? "#e6edf3"
          : /^(→|next|cost|found)/.test(line)
            ? "#8b949e"
            : "#c9d1d9";
const rows = lines.map(
  (line, index) =>
    `<text x="20" y="${58 + index * 19}" fill="${colourOf(line)}" xml:space="preserve">${escapeXml(line)}</text>`,
);
console.log(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${Math.ceil(width)} ${height}" width="${Math.ceil(width)}" height="${height}" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="13.5">
<rect width="100%" height="100%" rx="10" fill="#0d1117"/>
<circle cx="20" cy="20" r="6" fill="#ff5f56"/><circle cx="40" cy="20" r="6" fill="#ffbd2e"/><circle cx="60" cy="20" r="6" fill="#27c93f"/>
<text x="${Math.ceil(width / 2)}" y="25" fill="#8b949e" text-anchor="middle">${escapeXml(title)}</text>
${rows.join("\n")}
</svg>`);
