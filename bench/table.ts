/** A plain table for a terminal: the first column left-aligned, figures right-aligned. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, nth) =>
    Math.max(title.length, ...rows.map((row) => (row[nth] ?? '').length)),
  )
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, nth) => (nth === 0 ? cell.padEnd(widths[nth] ?? 0) : cell.padStart(widths[nth] ?? 0)))
      .join('  ')
      .trimEnd()
  return [head, widths.map((width) => '-'.repeat(width)), ...rows].map(line).join('\n')
}

/** A line about progress, on stderr. */
export const tell = (line: string): void => void process.stderr.write(`  ${line}\n`)
