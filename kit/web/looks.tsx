import type { ReactNode } from 'react'
import type { Field, Kind } from '#kit/contract/field.ts'
import { show } from '#kit/contract/value.ts'
import { blank } from '#kit/contract/text.ts'
import { Money } from './figure.tsx'
import { Status } from './status.tsx'

/** How a kind stands in a table cell and in a detail. */
export interface Look {
  /** Least width of its column in px; what is measured from the rows may widen it where `fit`. */
  readonly width: (f: Field) => number
  /** Share of the spare width; 0: figures and dates stay as narrow as they are. */
  readonly grow: number
  readonly align: 'left' | 'right'
  /** Never cut: the column widens to its widest value. */
  readonly fit: boolean
  readonly sorts: boolean
  readonly cell: (v: any, f: Field) => ReactNode
}

let pen: CanvasRenderingContext2D | null | undefined

/** Width of a text at 14 px in the page's own font; by rule of thumb where nothing can be measured. */
export function advance(text: string, strong = false): number {
  pen ??= typeof document === 'undefined' ? null : document.createElement('canvas').getContext('2d')
  if (pen) {
    pen.font = `${strong ? 600 : 400} 14px ${family()}`
    return Math.ceil(pen.measureText(text).width)
  }
  let w = 0
  for (const c of text) {
    w += c > '\u2e7f' ? 14 : 8
  }
  return w
}

let known: string | undefined
const family = (): string => (known ??= getComputedStyle(document.body).fontFamily)

const longest = (f: Field): number =>
  Math.max(28, ...Object.values(f.choices?.rows ?? {}).map(r => advance(r[1])))

const plain = (v: unknown, f: Field): ReactNode => show(v, f)

const textWidth = (f: Field): number => {
  const n = f.max ?? 60
  return n <= 10 ? 88 : n <= 20 ? 112 : n <= 40 ? 140 : n <= 60 ? 168 : 200
}

const toned = (f: Field): boolean => Object.values(f.choices?.rows ?? {}).some(r => r[2] !== undefined)

const words = {
  width: textWidth,
  grow: 1,
  align: 'left',
  fit: false,
  sorts: true,
  cell: plain,
} as const satisfies Look

const figure = {
  width: () => 60,
  grow: 0,
  align: 'right',
  fit: true,
  sorts: true,
  cell: plain,
} as const satisfies Look

const date = (width: number): Look => ({
  width: () => width,
  grow: 0,
  align: 'left',
  fit: true,
  sorts: true,
  cell: plain,
})

/** A kind without a look does not compile. */
export const looks: Record<Kind, Look> = {
  id: figure,
  int: { ...figure, cell: (v, f) => (f.unit && v !== undefined ? `${show(v, f)} ${f.unit}` : show(v, f)) },
  text: words,
  decimal: { ...figure, width: () => 76 },
  money: { ...figure, width: () => 80, cell: v => <Money fen={v} /> },
  day: date(102),
  month: date(112),
  moment: date(150),
  flag: { ...date(64), sorts: true },
  choice: {
    width: f => longest(f) + (toned(f) ? 54 : 20),
    grow: 0,
    align: 'left',
    fit: false,
    sorts: true,
    cell: (v, f) => {
      const row = f.choices?.rows[v]
      return row?.[2] ? <Status tone={row[2]}>{row[1]}</Status> : show(v, f)
    },
  },
  choices: { ...words, width: () => 140, sorts: false },
  ref: { ...words, width: () => 112 },
  list: { ...words, width: () => 140, sorts: false },
  lines: { ...figure, sorts: false },
  part: { ...words, sorts: false },
  file: { ...words, width: () => 64, grow: 0, sorts: false, cell: v => (v ? '有' : blank) },
}
