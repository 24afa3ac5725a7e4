import type { Id } from '#kit/domain/id.ts'
import type { Moment } from '#kit/domain/moment.ts'
import { clockBars, type ClockBar, type ClockedOrder } from './clock-bars.ts'
import { formatMinutes } from './time-left.ts'

type EventRecord = ClockedOrder['records'][number]

/** When each suspension ended, by the record that began it. */
export function findSuspensionEnds(records: readonly EventRecord[]): ReadonlyMap<Id, Moment> {
  const ends = new Map<Id, Moment>()
  let begun: EventRecord | undefined
  for (const record of records.toSorted((a, b) => a.id - b.id)) {
    if (record.action === 'suspend') {
      begun = record
    } else if (begun && record.toState !== 'suspended') {
      ends.set(begun.id, record.actionTime)
      begun = undefined
    }
  }
  return ends
}

const stageActions = {
  response: ['accept', 'grab'],
  arrive: ['arrive'],
  finish: ['finish'],
} as const satisfies { readonly [K in ClockBar['key']]: readonly EventRecord['action'][] }

const describe = ({ label, seconds = 0, limitMinutes }: ClockBar): string =>
  `${label}用时 ${formatMinutes(seconds / 60)}${limitMinutes === undefined ? '' : `，时限 ${formatMinutes(limitMinutes)}`}`

/** How long each stage that is done took, by the action and the moment that ended it. */
export function describeStages(order: ClockedOrder): ReadonlyMap<string, string> {
  const endOf = { response: order.acceptTime, arrive: order.arriveTime, finish: order.finishTime }
  return new Map(
    clockBars(order, order.registerTime)
      .filter(bar => bar.state === 'done')
      .flatMap(bar => stageActions[bar.key].map(action => [`${action}/${endOf[bar.key]}`, describe(bar)])),
  )
}
