import type { Tone } from '#kit/contract/choice-table.ts'
import { displayYuan } from '#kit/domain/money.ts'
import { timeOf } from '#kit/domain/moment.ts'
import type { passLane } from '../contract/lane-view.ts'
import type { LaneEvent, LaneView } from './live-lanes.ts'

const commandTexts = {
  waiting: '等待车道执行',
  sent: '等待车道执行',
  done: '已开闸',
  failed: '未开闸',
  expired: '已过期，车道未响应',
} as const

/** What became of the last command to open the barrier. */
export function commandText({ commandState, commandTime, commandResult }: LaneView): string | undefined {
  if (commandState === undefined || commandTime === undefined) return undefined
  const result = commandState === 'failed' && commandResult ? `：${commandResult}` : ''
  return `开闸 ${timeOf(commandTime)} ${commandTexts[commandState]}${result}`
}

export function commandTone({ commandState }: LaneView): Tone {
  if (commandState === 'done') return 'done'
  return commandState === 'failed' || commandState === 'expired' ? 'bad' : 'doing'
}

type Answer = NonNullable<typeof passLane.output.T>

/** What the lane decided about a car that was entered by hand. */
export const answerText = ({ isOpen, plateNo, reason, warning, due }: Answer): string =>
  [
    `${plateNo} ${isOpen ? '已放行' : '未放行'}：${reason}`,
    warning,
    due > 0 ? `待收 ${displayYuan(due)} 元` : undefined,
  ]
    .filter(Boolean)
    .join('；')

/** What became of the car: one that was not let through may have left since. */
export function outcomeOf({ isOpen, hasLeft, reason }: LaneEvent): {
  readonly tone: Tone
  readonly text: string
} {
  if (isOpen) return { tone: 'done', text: `已放行：${reason}` }
  if (hasLeft) return { tone: 'done', text: `已离场（识别时：${reason}）` }
  return { tone: 'bad', text: `未放行：${reason}` }
}

/** At an exit, with no record to charge or to let out. */
export const isUnseenExit = ({ way, stayId, isOpen }: LaneEvent): boolean =>
  way === 'out' && stayId === undefined && !isOpen
