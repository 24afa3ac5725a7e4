import type { Tone } from '#kit/contract/field.ts'
import { secondsBetween, type Moment } from '#kit/domain/moment.ts'
import type { getOrder } from '../contract/order.ts'

export type OrderDetail = NonNullable<typeof getOrder.output.T>

type ClockRecord = Pick<OrderDetail['records'][number], 'id' | 'action' | 'actionTime' | 'toState'>

/** What the bars are drawn from. */
export interface ClockedOrder extends Pick<
  OrderDetail,
  | 'state'
  | 'registerTime'
  | 'acceptTime'
  | 'arriveTime'
  | 'finishTime'
  | 'endTime'
  | 'responseEntered'
  | 'arriveEntered'
  | 'finishEntered'
  | 'responseDeadline'
  | 'arriveDeadline'
  | 'finishDeadline'
  | 'respOvertime'
  | 'arriveOvertime'
  | 'finishOvertime'
> {
  readonly limits: Pick<OrderDetail['limits'], 'responseMinutes' | 'arriveMinutes' | 'finishMinutes'>
  readonly records: readonly ClockRecord[]
}

/** A stretch of a bar in percent of its length. */
export interface Stretch {
  readonly from: number
  readonly to: number
  readonly isPaused: boolean
}

/** One clock of an order as a bar over wall-clock time. */
export interface ClockBar {
  readonly key: 'response' | 'arrive' | 'finish'
  readonly label: string
  /** What the type asks, in minutes of service. */
  readonly limitMinutes: number | undefined
  readonly state: 'off' | 'running' | 'paused' | 'done'
  readonly tone: Tone
  readonly isLate: boolean
  readonly deadline: Moment | undefined
  /** Until the deadline, negative once it has passed; what it took once it is done. */
  readonly seconds: number | undefined
  readonly pausedMinutes: number
  readonly stretches: readonly Stretch[]
}

interface Pause {
  readonly from: Moment
  readonly to: Moment
}

/** When the order stood still, from its history. */
export function findPauses(records: readonly ClockRecord[], now: Moment): Pause[] {
  const ordered = records.toSorted((a, b) => a.id - b.id)
  const pauses: Pause[] = []
  let since: Moment | undefined
  for (const { action, actionTime, toState } of ordered) {
    if (action === 'suspend') {
      since = actionTime
    } else if (since !== undefined && toState !== 'suspended') {
      pauses.push({ from: since, to: actionTime })
      since = undefined
    }
  }
  return since === undefined ? pauses : [...pauses, { from: since, to: now }]
}

interface ClockFacts {
  readonly key: ClockBar['key']
  readonly label: string
  readonly limitMinutes: number | undefined
  readonly from: Moment | undefined
  readonly deadline: Moment | undefined
  readonly doneAt: Moment | undefined
  readonly isLate: boolean
  readonly isEnded: boolean
}

const factsOf = (order: ClockedOrder): ClockFacts[] => {
  const { limits, endTime } = order
  const isEnded = endTime !== undefined
  return [
    {
      key: 'response',
      label: '响应',
      limitMinutes: limits.responseMinutes,
      from: order.responseEntered ?? order.registerTime,
      deadline: order.responseDeadline,
      doneAt: order.acceptTime,
      isLate: order.respOvertime,
      isEnded,
    },
    {
      key: 'arrive',
      label: '到场',
      limitMinutes: limits.arriveMinutes,
      from: order.arriveEntered ?? order.acceptTime,
      deadline: order.arriveDeadline,
      doneAt: order.arriveTime ?? order.finishTime,
      isLate: order.arriveOvertime,
      isEnded,
    },
    {
      key: 'finish',
      label: '完成',
      limitMinutes: limits.finishMinutes,
      from: order.finishEntered ?? order.registerTime,
      deadline: order.finishDeadline,
      doneAt: order.finishTime,
      isLate: order.finishOvertime,
      isEnded,
    },
  ]
}

/** Below this share of its time a running clock is amber. */
const closeShare = 0.2

function toneOf(state: ClockBar['state'], isLate: boolean, share: number | undefined): Tone {
  if (isLate) return 'bad'
  if (state === 'done') return 'done'
  if (state === 'paused') return 'hold'
  if (state === 'off') return 'off'
  return share !== undefined && share <= closeShare ? 'todo' : 'doing'
}

const stateOf = ({ from, deadline, doneAt, isEnded }: ClockFacts, isPaused: boolean): ClockBar['state'] => {
  if (doneAt !== undefined && from !== undefined && doneAt >= from) return 'done'
  if (isEnded || from === undefined) return 'off'
  if (isPaused) return 'paused'
  return deadline === undefined ? 'off' : 'running'
}

function barOf(facts: ClockFacts, pauses: readonly Pause[], now: Moment, isSuspended: boolean): ClockBar {
  const { key, label, limitMinutes, from, deadline, doneAt } = facts
  const state = stateOf(facts, isSuspended && key !== 'response')
  const until = state === 'done' && doneAt ? doneAt : now
  const isCrossed = state === 'running' && deadline !== undefined && now > deadline
  const isLate = facts.isLate || isCrossed
  const base = { key, label, limitMinutes, state, isLate, deadline }
  if (state === 'off' || from === undefined)
    return {
      ...base,
      tone: toneOf(state, isLate, undefined),
      seconds: undefined,
      pausedMinutes: 0,
      stretches: [],
    }
  const end =
    [deadline, until]
      .filter(m => m !== undefined)
      .toSorted()
      .at(-1) ?? until
  const length = Math.max(1, secondsBetween(from, end))
  const percent = (m: Moment): number => Math.min(100, Math.max(0, (secondsBetween(from, m) / length) * 100))
  const own = pauses.filter(p => key !== 'response' && p.to > from && p.from < until)
  const pausedSeconds = own.reduce(
    (sum, p) => sum + secondsBetween(p.from < from ? from : p.from, p.to > until ? until : p.to),
    0,
  )
  const remainingSeconds = deadline === undefined ? undefined : secondsBetween(now, deadline)
  return {
    ...base,
    tone: toneOf(state, isLate, remainingSeconds === undefined ? undefined : remainingSeconds / length),
    seconds: state === 'done' ? secondsBetween(from, until) - pausedSeconds : remainingSeconds,
    pausedMinutes: Math.floor(pausedSeconds / 60),
    stretches: [
      { from: 0, to: percent(until), isPaused: false },
      ...own.map(p => ({ from: percent(p.from), to: percent(p.to), isPaused: true })),
    ],
  }
}

/** The clocks of an order at `now`: how far, where they stood still, whether crossed (WO-2, WO-3). */
export const clockBars = (order: ClockedOrder, now: Moment): ClockBar[] => {
  const pauses = findPauses(order.records, now)
  return factsOf(order).map(facts => barOf(facts, pauses, now, order.state === 'suspended'))
}
