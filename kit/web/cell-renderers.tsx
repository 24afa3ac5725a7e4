import type { ReactNode } from 'react'
import type { Field, FieldKind } from '#kit/contract/field.ts'
import { formatValue } from '#kit/contract/value.ts'
import { emptyPlaceholder } from '#kit/contract/text.ts'
import { Money } from './numbers.tsx'
import { Status } from './status.tsx'
import { fitPathHead, splitPathText } from './path-text.ts'

/** How a kind of field is shown in a table cell and in a detail. */
export interface CellRenderer {
  /** Minimum width of its column in px; with `fitContent` the rows may widen it. */
  readonly width: (f: Field) => number
  /** Share of the spare width; 0: figures and dates stay as narrow as they are. */
  readonly grow: number
  readonly align: 'left' | 'right'
  /** Never cut: the column grows to its widest value. */
  readonly fitContent: boolean
  readonly isSortable: boolean
  /** `width` in px is what its cell has, where that is known. */
  readonly render: (v: any, f: Field, width?: number) => ReactNode
}

let canvasContext: CanvasRenderingContext2D | null | undefined
let measuredFont: string | undefined

/** Width of a text at 14 px in the page's font; estimated where nothing can be measured. */
export function measureText(text: string, strong = false): number {
  canvasContext ??= typeof document === 'undefined' ? null : document.createElement('canvas').getContext('2d')
  if (canvasContext) {
    const font = `${strong ? 600 : 400} 14px ${fontFamily()}`
    // To set the same one again costs more than to measure.
    if (font !== measuredFont) {
      canvasContext.font = font
      measuredFont = font
    }
    return Math.ceil(canvasContext.measureText(text).width)
  }
  let width = 0
  for (const c of text) {
    width += c > '\u2e7f' ? 14 : 8
  }
  return width
}

let cachedFontFamily: string | undefined
const fontFamily = (): string => (cachedFontFamily ??= getComputedStyle(document.body).fontFamily)

const longestChoiceWidth = (f: Field): number =>
  Math.max(28, ...Object.values(f.choices?.rows ?? {}).map(r => measureText(r[1])))

const renderPlain = (v: unknown, f: Field): ReactNode => formatValue(v, f)

/** Texts up to this width fit into any column that shows them. */
const shortTextWidth = 96

function renderText(value: unknown, field: Field, width?: number): ReactNode {
  const text = formatValue(value, field)
  const parts = measureText(text) > (width ?? shortTextWidth) ? splitPathText(text) : undefined
  return parts ? (
    <span className="path-text" title={text}>
      <span>{width === undefined ? parts[0] : fitPathHead(parts, width, measureText)}</span>
      <span>{parts[1]}</span>
    </span>
  ) : (
    text
  )
}

/** Widths of a column, by the number of characters up to which they are enough. */
const widthsByLength: readonly (readonly [characters: number, width: number])[] = [
  [10, 88],
  [20, 112],
  [40, 140],
  [60, 168],
]

const textWidth = (f: Field): number =>
  widthsByLength.find(([characters]) => (f.max ?? 60) <= characters)?.[1] ?? 200

/** Drawn as a status, with its colour and shape. */
export const isStatus = (f: Field): boolean =>
  f.kind === 'choice' && Object.values(f.choices?.rows ?? {}).some(r => r[2] !== undefined)

const textRenderer = {
  width: textWidth,
  grow: 1,
  align: 'left',
  fitContent: false,
  isSortable: true,
  render: renderPlain,
} as const satisfies CellRenderer

const numberRenderer = {
  width: () => 60,
  grow: 0,
  align: 'right',
  fitContent: true,
  isSortable: true,
  render: renderPlain,
} as const satisfies CellRenderer

const dateRenderer = (width: number): CellRenderer => ({
  width: () => width,
  grow: 0,
  align: 'left',
  fitContent: true,
  isSortable: true,
  render: renderPlain,
})

/** A kind without a renderer does not compile. */
export const cellRenderers: Record<FieldKind, CellRenderer> = {
  id: numberRenderer,
  int: {
    ...numberRenderer,
    render: (v, f) => (f.unit && v !== undefined ? `${formatValue(v, f)} ${f.unit}` : formatValue(v, f)),
  },
  text: { ...textRenderer, render: renderText },
  decimal: { ...numberRenderer, width: () => 76 },
  money: { ...numberRenderer, width: () => 80, render: v => <Money fen={v} /> },
  day: dateRenderer(102),
  month: dateRenderer(112),
  moment: dateRenderer(150),
  flag: { ...dateRenderer(64), isSortable: true },
  choice: {
    width: f => longestChoiceWidth(f) + (isStatus(f) ? 54 : 20),
    grow: 0,
    align: 'left',
    fitContent: false,
    isSortable: true,
    render: (v, f) => {
      const row = f.choices?.rows[v]
      return row?.[2] ? <Status tone={row[2]}>{row[1]}</Status> : formatValue(v, f)
    },
  },
  choices: { ...textRenderer, width: () => 140, isSortable: false },
  ref: { ...textRenderer, width: () => 112 },
  list: { ...textRenderer, width: () => 140, isSortable: false },
  lines: { ...numberRenderer, isSortable: false },
  part: { ...textRenderer, isSortable: false },
  file: {
    ...textRenderer,
    width: () => 64,
    grow: 0,
    isSortable: false,
    render: v => (v ? '有' : emptyPlaceholder),
  },
}
