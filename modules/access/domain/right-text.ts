import { labelOf } from '#kit/contract/field.ts'
import { rightSource, weekDay, type RightSource } from '../contract/choices.ts'
import type { WeekWindow } from './week-window.ts'

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

const windowText = ({ weekDays, begin, end }: WeekWindow): string => {
  const days =
    weekDays?.length && weekDays.length < 7 ? weekDays.map(day => labelOf(weekDay, day)).join('、') : '每天'
  return `${days} ${begin} ~ ${end <= begin ? '次日 ' : ''}${end}`
}

export const windowsText = (windows: readonly WeekWindow[] | undefined): string =>
  windows?.length ? windows.map(windowText).join('；') : '全天'
