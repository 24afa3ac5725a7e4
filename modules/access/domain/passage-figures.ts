import { keyOf, keysOf, labelOf, codeOf, type Choices } from '#kit/contract/field.ts'
import { addDays, type Day } from '#kit/domain/day.ts'

/** Records of one value of one dimension, by their result. */
export interface Counted {
  readonly value: string
  readonly isOpened: boolean
  readonly count: number
}

export interface Figure {
  readonly key: string
  readonly label: string
  readonly opened: number
  readonly refused: number
}

const countOf = (rows: readonly Counted[], value: string, isOpened: boolean): number =>
  rows.reduce((sum, row) => (row.value === value && row.isOpened === isOpened ? sum + row.count : sum), 0)

const figureOf = (rows: readonly Counted[], key: string, label: string): Figure => ({
  key,
  label,
  opened: countOf(rows, key, true),
  refused: countOf(rows, key, false),
})

const totalOf = ({ opened, refused }: Figure): number => opened + refused

/** Every day of a time, those without a record too. */
export function dayFigures(rows: readonly Counted[], from: Day, to: Day): Figure[] {
  const figures: Figure[] = []
  for (let day = from; day <= to; day = addDays(day, 1)) {
    figures.push(figureOf(rows, day, day.slice(5)))
  }
  return figures
}

const hoursOfDay = 24

export const hourFigures = (rows: readonly Counted[]): Figure[] =>
  Array.from({ length: hoursOfDay }, (_, hour) => figureOf(rows, String(hour), `${hour}`))

/** The choices that came up, the most frequent first. */
export const choiceFigures = (rows: readonly Counted[], choices: Choices): Figure[] =>
  keysOf(choices)
    .map(key => figureOf(rows, String(codeOf(choices, key)), labelOf(choices, key)))
    .filter(figure => totalOf(figure) > 0)
    .toSorted((a, b) => totalOf(b) - totalOf(a))
    .map(figure => ({ ...figure, key: keyOf(choices, figure.key) ?? figure.key }))

/** The values that came up most often, under their names. */
export const topFigures = (
  rows: readonly Counted[],
  limit: number,
  labelOfValue: (value: string) => string = value => value,
): Figure[] =>
  [...new Set(rows.map(row => row.value))]
    .map(value => figureOf(rows, value, labelOfValue(value)))
    .toSorted((a, b) => totalOf(b) - totalOf(a) || a.label.localeCompare(b.label))
    .slice(0, limit)
