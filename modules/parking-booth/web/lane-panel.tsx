import { Button } from 'antd'
import { labelOf } from '#kit/contract/field.ts'
import type { Id } from '#kit/domain/id.ts'
import { ErrorState } from '#kit/web/list/list-feedback.tsx'
import { Status } from '#kit/web/status.tsx'
import { StoredImages } from '#kit/web/stored-images.tsx'
import { useCall } from '#kit/web/query.ts'
import { carKind } from '#modules/parking/contract/car-labels.ts'
import { getStayFee } from '#modules/parking-lanes/contract/charge.ts'
import { passWay } from '#modules/parking-lanes/contract/passage.ts'
import { LaneFee } from './lane-fee.tsx'
import { commandText, commandTone, outcomeOf } from './lane-text.ts'
import type { Booth, LaneEvent, LaneView } from './live-lanes.ts'
import { useLaneActions } from './use-lane-actions.tsx'

const pictureSize = 160
/** The fee of a car that waits grows. */
const feeMs = 30_000

const Pictures = ({ event: { inPhoto, outPhoto, plateNo } }: { readonly event: LaneEvent }) => {
  const keys = [outPhoto, inPhoto].flatMap(key => key ?? [])
  return keys.length ? (
    <StoredImages fileKeys={keys} size={pictureSize} />
  ) : (
    <div className="booth-no-picture">
      <b className="booth-plate">{plateNo}</b>
      <span>无抓拍</span>
    </div>
  )
}

const CarFacts = ({ event }: { readonly event: LaneEvent }) => (
  <dl className="booth-facts">
    <dt>车类</dt>
    <dd>{labelOf(carKind, event.carKind)}</dd>
    <dt>{labelOf(passWay, event.way)}识别</dt>
    <dd>{event.eventTime}</dd>
    {event.inTime && event.way === 'out' && (
      <>
        <dt>入场</dt>
        <dd>{event.inTime}</dd>
      </>
    )}
    <dt>判断</dt>
    <dd>
      <Status tone={outcomeOf(event).tone} plain>
        {outcomeOf(event).text}
      </Status>
      {event.warning && <p>{event.warning}</p>}
    </dd>
  </dl>
)

const Recent = ({ events }: { readonly events: readonly LaneEvent[] }) => (
  <section className="booth-recent">
    <h3>最近通行</h3>
    <ul>
      {events.map(event => (
        <li key={event.eventId}>
          <time>{event.eventTime.slice(11)}</time>
          <b>{event.plateNo}</b>
          <span>{event.isOpen ? '放行' : event.hasLeft ? '已离场' : '未放行'}</span>
          <span title={event.reason}>{event.reason}</span>
        </li>
      ))}
    </ul>
  </section>
)

const useFee = (stayId: Id | undefined) =>
  useCall(
    getStayFee,
    { id: stayId ?? 0 },
    { quiet: true, staleMs: 0, enabled: stayId !== undefined, refetchMs: feeMs },
  )

interface PanelProps {
  readonly booth: Booth
  /** In the car park: money is taken by a person whose sheet it comes on. */
  readonly isOnDuty: boolean
  readonly lane: LaneView
  readonly onNext: (() => void) | undefined
}

/** The car at the chosen lane: what it is, what it owes and why, and what is done with it. */
export function LanePanel({ booth, isOnDuty, lane, onNext }: PanelProps) {
  const [event, ...earlier] = lane.events
  const fee = useFee(event?.stayId)
  const { actions, dialog } = useLaneActions({
    booth,
    isOnDuty,
    lane,
    due: fee.data?.due,
    onNext,
    onCollected: () => void fee.refetch(),
  })
  const opening = commandText(lane)
  return (
    <aside className="booth-panel" aria-label={`车道「${lane.laneName}」`}>
      <header>
        <h2>{lane.laneName}</h2>
        {opening && (
          <Status tone={commandTone(lane)} plain>
            {opening}
          </Status>
        )}
      </header>
      <div className="booth-case">
        {event ? (
          <>
            <div className="booth-car">
              <Pictures event={event} />
              <div>
                <b className="booth-plate">{event.plateNo}</b>
                <CarFacts event={event} />
              </div>
            </div>
            {fee.isError && <ErrorState error={fee.error} onRetry={() => void fee.refetch()} />}
            {fee.isLoading && <div className="booth-fee" aria-busy="true" />}
            {fee.data && <LaneFee fee={fee.data} />}
          </>
        ) : (
          <p className="booth-empty">暂无车辆通行；相机离线时请登记通行</p>
        )}
      </div>
      <div className="booth-actions">
        {actions.map(({ keys, label, isPrimary, disabledReason, run }) => (
          <Button
            key={keys}
            type={isPrimary ? 'primary' : 'default'}
            disabled={disabledReason !== undefined}
            title={disabledReason}
            onClick={run}
          >
            {label} <kbd>{keys}</kbd>
          </Button>
        ))}
      </div>
      {earlier.length > 0 && <Recent events={earlier} />}
      {dialog}
    </aside>
  )
}
