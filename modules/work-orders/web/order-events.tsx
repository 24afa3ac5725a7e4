import { useState } from 'react'
import { labelOf, type Tone } from '#kit/contract/field.ts'
import { dayOfMoment, secondsBetween, timeOf, type Moment } from '#kit/domain/moment.ts'
import { cssVariables } from '#kit/web/css-variables.ts'
import { relativeText } from '#kit/web/date-format.ts'
import { displayYuan } from '#kit/web/numbers.tsx'
import { StatusIcon } from '#kit/web/status.tsx'
import { StoredImages } from '#kit/web/stored-images.tsx'
import { orderAction } from '../contract/choices.ts'
import type { OrderRecord } from '../contract/record.ts'
import type { OrderAction } from '../domain/order-actions.ts'
import { describeStages, findSuspensionEnds } from './event-times.ts'
import type { OrderDetail } from './clock-bars.ts'
import { formatMinutes } from './time-left.ts'

const toneOf: { readonly [A in OrderAction]?: Tone } = {
  overtime: 'bad',
  auditRefuse: 'bad',
  deny: 'bad',
  checkReject: 'bad',
  suspend: 'hold',
  expedite: 'todo',
  requestExtension: 'todo',
  requestClose: 'todo',
  note: 'open',
  edit: 'open',
  close: 'off',
  cancel: 'off',
}

/** What is not the work itself. */
const sideActions: ReadonlySet<OrderAction> = new Set(['note', 'edit', 'expedite', 'modifyCost', 'overtime'])

interface EventProps {
  readonly record: OrderRecord
  /** When what began with it ended: of a suspension. */
  readonly endedAt: Moment | undefined
  /** How long the stage took that ended with it, beside what the type asks. */
  readonly timing: string | undefined
}

const factsOf = ({ record, endedAt, timing }: EventProps): string => {
  const { action, personName, deadline, costBefore, costAfter } = record
  const deadlineName = action === 'suspend' ? '预计恢复' : '时限'
  return [
    personName ? `处理人：${personName}` : '',
    deadline && endedAt === undefined ? `${deadlineName} ${relativeText(deadline)}` : '',
    costAfter === undefined ? '' : `费用 ${displayYuan(costBefore ?? 0)} → ${displayYuan(costAfter)}`,
    timing ?? '',
  ]
    .filter(Boolean)
    .join('，')
}

const labelOfEvent = ({ record: { action, actionTime }, endedAt }: EventProps): string =>
  endedAt === undefined
    ? labelOf(orderAction, action)
    : `${labelOf(orderAction, action)} ${formatMinutes(secondsBetween(actionTime, endedAt) / 60)}`

/** `今天 09:48 – 10:23`; the day of the end too where it is another one. */
const timeOfEvent = ({ record: { actionTime }, endedAt }: EventProps): string => {
  if (endedAt === undefined) return relativeText(actionTime)
  const isSameDay = dayOfMoment(actionTime) === dayOfMoment(endedAt)
  return `${relativeText(actionTime)} – ${isSameDay ? timeOf(endedAt).slice(0, 5) : relativeText(endedAt)}`
}

function Event(props: EventProps) {
  const { record } = props
  const tone = toneOf[record.action] ?? 'done'
  const facts = factsOf(props)
  return (
    <li>
      <span
        className="mark"
        style={cssVariables({ '--tone': `var(--${tone})`, '--tone-bg': `var(--${tone}-bg)` })}
      >
        <StatusIcon tone={tone} />
      </span>
      <div>
        <b>{labelOfEvent(props)}</b> <span className="actor">{record.operatorName}</span>
        {facts && <p>{facts}</p>}
        {record.content && <p>{record.content}</p>}
        {record.photos?.length ? <StoredImages fileKeys={record.photos} size={96} /> : null}
      </div>
      <time title={record.actionTime}>{timeOfEvent(props)}</time>
    </li>
  )
}

interface OrderEventsProps {
  readonly order: OrderDetail
  readonly onNote: () => void
}

/** What happened to the order, the newest first. */
export function OrderEvents({ order, onNote }: OrderEventsProps) {
  const [onlyWork, setOnlyWork] = useState(false)
  const ends = findSuspensionEnds(order.records)
  const timings = describeStages(order)
  const records = order.records
    .filter(record => !onlyWork || !sideActions.has(record.action))
    .toSorted((a, b) => b.id - a.id)
  return (
    <section aria-label="经过">
      <header>
        <h3>经过</h3>
        <div>
          <button
            type="button"
            className="linkish"
            aria-pressed={onlyWork}
            onClick={() => setOnlyWork(!onlyWork)}
          >
            {onlyWork ? '显示全部' : '只看处理'}
          </button>
          {order.actions.some(a => a.action === 'note') && (
            <button type="button" className="linkish" onClick={onNote}>
              添加备注
            </button>
          )}
        </div>
      </header>
      <ol className="order-events">
        {records.map(record => (
          <Event
            key={record.id}
            record={record}
            endedAt={ends.get(record.id)}
            timing={timings.get(`${record.action}/${record.actionTime}`)}
          />
        ))}
      </ol>
    </section>
  )
}
