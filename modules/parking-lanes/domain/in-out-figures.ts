import { keyOf, keysOf, labelOf, codeOf } from '#kit/contract/field.ts'
import { addDays, type Day } from '#kit/domain/day.ts'
import { carKind } from '#modules/parking/contract/car-labels.ts'

/** Passages of one value of one dimension. */
export interface CountedPasses {
  readonly value: string
  readonly isEntry: boolean
  readonly count: number
}

export interface InOutFigure {
  readonly key: string
  readonly label: string
  readonly inCount: number
  readonly outCount: number
}

const countOf = (rows: readonly CountedPasses[], value: string, isEntry: boolean): number =>
  rows.reduce((sum, row) => (row.value === value && row.isEntry === isEntry ? sum + row.count : sum), 0)

const figureOf = (rows: readonly CountedPasses[], key: string, label: string): InOutFigure => ({
  key,
  label,
  inCount: countOf(rows, key, true),
  outCount: countOf(rows, key, false),
})

/** Every day of a time, those without a car too. */
export function dayFigures(rows: readonly CountedPasses[], from: Day, to: Day): InOutFigure[] {
  const figures: InOutFigure[] = []
  for (let day = from; day <= to; day = addDays(day, 1)) {
    figures.push(figureOf(rows, day, day.slice(5)))
  }
  return figures
}

const hoursOfDay = 24

export const hourFigures = (rows: readonly CountedPasses[]): InOutFigure[] =>
  Array.from({ length: hoursOfDay }, (_, hour) => figureOf(rows, String(hour), `${hour}`))

/** The kinds that came up. */
export const kindFigures = (rows: readonly CountedPasses[]): InOutFigure[] =>
  keysOf(carKind)
    .map(kind => figureOf(rows, String(codeOf(carKind, kind)), labelOf(carKind, kind)))
    .filter(figure => figure.inCount + figure.outCount > 0)
    .map(figure => ({ ...figure, key: keyOf(carKind, Number(figure.key)) ?? figure.key }))
