import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { projectRoot } from '../src/config/projectRoot.ts'

/** A bar of a chart. All values of a chart have one unit. */
export interface Bar {
  readonly label: string
  readonly value: number
  /** The label after the bar. */
  readonly text: string
  /** The quartiles. */
  readonly spread: readonly [low: number, high: number]
}

const themes = {
  light: { ink: '#1f2328', bar: '#5b8def', mark: '#1f2328', ground: '#ffffff' },
  dark: { ink: '#e6edf3', bar: '#3d6fd1', mark: '#e6edf3', ground: '#0d1117' },
}
type Theme = (typeof themes)[keyof typeof themes]

const [labelWidth, plotWidth, textWidth, lineHeight, top] = [235, 420, 150, 24, 40]

/**
 * Writes a chart as `docs/benchmarks/NAME-light.svg` and `-dark.svg`; returns the Markdown that
 * shows the one for the reader's colour scheme.
 */
export async function drawChart(
  name: string,
  title: string,
  bars: readonly Bar[],
): Promise<string> {
  const directory = join(projectRoot, 'docs', 'benchmarks')
  await mkdir(directory, { recursive: true })
  for (const [kind, theme] of Object.entries(themes)) {
    await writeFile(join(directory, `${name}-${kind}.svg`), chart(title, bars, theme))
  }
  const dark = `<source media="(prefers-color-scheme: dark)" srcset="benchmarks/${name}-dark.svg">`
  return `<picture>${dark}<img alt="${title}" src="benchmarks/${name}-light.svg"></picture>`
}

function chart(title: string, bars: readonly Bar[], theme: Theme): string {
  const most = Math.max(...bars.flatMap(({ value, spread }) => [value, spread[1]]))
  const at = (value: number) => (labelWidth + (plotWidth * value) / most).toFixed(1)
  const [width, height] = [labelWidth + plotWidth + textWidth, top + lineHeight * bars.length + 12]
  const lines = bars.map(({ label, value, text, spread }, index) => {
    const y = top + lineHeight * index
    const middle = y + lineHeight / 2
    return [
      `<text x="${labelWidth - 10}" y="${middle + 4}" text-anchor="end">${label}</text>`,
      `<path d="M${labelWidth} ${middle}H${at(value)}" stroke="${theme.bar}" stroke-width="14"/>`,
      `<path d="M${at(spread[0])} ${middle}H${at(spread[1])}" stroke="${theme.mark}" stroke-width="2"/>`,
      `<text x="${labelWidth + plotWidth + 10}" y="${middle + 4}">${text}</text>`,
    ]
  })
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" role="img" aria-label="${title}">`,
    `<rect width="100%" height="100%" fill="${theme.ground}"/>`,
    `<g font-family="system-ui, sans-serif" font-size="13" fill="${theme.ink}">`,
    `<text x="10" y="24" font-weight="600">${title}</text>`,
    ...lines.flat(),
    '</g></svg>\n',
  ].join('\n')
}
