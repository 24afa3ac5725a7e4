import { labelOf } from '#kit/contract/field.ts'
import { displayYuan } from '#kit/domain/money.ts'
import { timeOf } from '#kit/domain/moment.ts'
import { Status } from '#kit/web/status.tsx'
import { passageDirection } from '#modules/access/contract/choices.ts'
import { carKind } from '#modules/parking/contract/car-labels.ts'
import { commandText, commandTone, outcomeOf } from './lane-text.ts'
import type { LaneEvent, LaneView } from './live-lanes.ts'

function LastCar({ event, isWaiting }: { readonly event: LaneEvent; readonly isWaiting: boolean }) {
  const { tone, text } = outcomeOf(event)
  return (
    <>
      <b className="booth-plate">{event.plateNo}</b>
      <p>
        {labelOf(carKind, event.carKind)} · <time>{timeOf(event.eventTime)}</time>
      </p>
      <Status tone={tone === 'bad' && !isWaiting ? 'off' : tone} plain>
        {text}
      </Status>
      {event.due > 0 && isWaiting && <p className="booth-due">待收 {displayYuan(event.due)} 元</p>}
    </>
  )
}

interface CardProps {
  readonly lane: LaneView
  readonly isChosen: boolean
  readonly onChoose: () => void
}

/** A lane with its last car; what waits stands out. */
export function LaneCard({ lane, isChosen, onChoose }: CardProps) {
  const [event] = lane.events
  const opening = commandText(lane)
  return (
    <li>
      <button
        type="button"
        className={`booth-lane${lane.isWaiting ? ' waiting' : ''}`}
        aria-pressed={isChosen}
        onClick={onChoose}
      >
        <span className="booth-lane-name">
          {lane.laneName} <small>{labelOf(passageDirection, lane.direction)}</small>
          {lane.isWaiting && <em>等候</em>}
        </span>
        {event ? <LastCar event={event} isWaiting={lane.isWaiting} /> : <p>暂无车辆通行</p>}
        {opening && (
          <Status tone={commandTone(lane)} plain>
            {opening}
          </Status>
        )}
      </button>
    </li>
  )
}
