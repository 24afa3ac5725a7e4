import { labelOf } from '#kit/contract/field.ts'
import { rightSource, type RightSource } from '../contract/choices.ts'

interface ShownRight {
  readonly source: RightSource
  readonly sourceName?: string | undefined
  readonly place?: string | undefined
}

/** Why somebody may open a door: `公共门（1栋-1-101）`. */
export function rightText({ source, sourceName, place }: ShownRight): string {
  const name = sourceName === undefined ? '' : `「${sourceName}」`
  const where = place === undefined ? '' : `（${place}）`
  return `${labelOf(rightSource, source)}${name}${where}`
}
