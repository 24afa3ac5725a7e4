import type { Id } from '#kit/domain/id.ts'
import type { Moment } from '#kit/domain/moment.ts'
import { labelOf } from '#kit/contract/field.ts'
import { stepResult, taskState } from '#modules/planned-work/contract/choices.ts'
import { byUrgency, isOpen, nextPoint, type ShownPoint, type ShownRound } from './rounds.ts'

const timesOf = ({ beginTime, endTime }: ShownRound): string =>
  `${beginTime.slice(5, 16)} ~ ${endTime.slice(11, 16)}`

/** The rounds of the person: what is open first to hand. */
export function RoundList({
  rounds,
  now,
  onOpen,
}: {
  readonly rounds: readonly ShownRound[]
  readonly now: Moment
  readonly onOpen: (id: Id) => void
}) {
  return (
    <ol>
      {byUrgency(rounds, now).map(round => (
        <li key={round.id} className={isOpen(round, now) && round.done < round.points.length ? 'next' : ''}>
          <button type="button" onClick={() => onOpen(round.id)}>
            <b>{round.planName}</b>
            <span className="count">
              {round.done} / {round.points.length}
            </span>
            <small>{timesOf(round)}</small>
            <small>{labelOf(taskState, round.state)}</small>
          </button>
        </li>
      ))}
    </ol>
  )
}

const toneOf = (point: ShownPoint): string => {
  if (point.waits) return 'waiting'
  if (point.result === 'missed' || point.isAbnormal) return 'bad'
  return point.result === 'normal' ? 'done' : point.result ? 'todo' : ''
}

const stateText = (point: ShownPoint): string => {
  const time = point.signTime?.slice(11, 16)
  if (point.waits) return `${time} 待上传`
  if (point.result) return [time, labelOf(stepResult, point.result)].filter(Boolean).join(' ')
  return time ? `${time} 已签到` : '未到'
}

/** The points of a round in the order in which they are walked. */
export function PointList({
  round,
  onOpen,
}: {
  readonly round: ShownRound
  readonly onOpen: (stepId: Id) => void
}) {
  const next = nextPoint(round)
  return (
    <ol>
      {round.points.map(point => (
        <li key={point.stepId} className={point === next ? 'next' : ''}>
          <button type="button" onClick={() => onOpen(point.stepId)}>
            <b>
              {point.sort}. {point.name}
            </b>
            <span className={toneOf(point)}>{stateText(point)}</span>
            <small>应到 {point.dueTime.slice(11, 16)}</small>
            <small>
              {point.isAbnormal ? '有异常' : point.items.length ? `检查 ${point.items.length} 项` : ''}
            </small>
          </button>
        </li>
      ))}
    </ol>
  )
}
