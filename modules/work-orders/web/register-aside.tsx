import { Link } from 'react-router'
import type { Id } from '#kit/domain/id.ts'
import { relativeText } from '#kit/web/date-format.ts'
import { useCall } from '#kit/web/query.ts'
import { ChoiceStatus } from '#kit/web/status.tsx'
import { listRooms } from '#modules/rooms/contract/room.ts'
import { RoomSections } from '#modules/rooms/web/public.tsx'
import { orderLevel, orderState } from '../contract/choices.ts'
import { findDuplicateOrders } from '../contract/order.ts'
import { getTypeLimits } from '../contract/order-type.ts'
import { displayYuan } from '#kit/web/numbers.tsx'
import type { ChoiceOf } from '#kit/contract/field.ts'
import { orderPath } from './order-address.ts'
import { formatMinutes } from './time-left.ts'
import './register.css'

interface Place {
  readonly projectCode?: string | undefined
  readonly typeId?: Id | undefined
  readonly roomCode?: string | undefined
  readonly areaId?: Id | undefined
}

/** WO-7: open orders of the same place and type, before another is registered. */
export function Duplicates({ projectCode, typeId, roomCode, areaId }: Place) {
  const hasPlace = Boolean(roomCode) || Boolean(areaId)
  const found = useCall(
    findDuplicateOrders,
    {
      projectCode: projectCode ?? '',
      typeId: typeId ?? 0,
      ...(roomCode ? { roomCode } : {}),
      ...(areaId ? { areaId } : {}),
    },
    { quiet: true, enabled: Boolean(projectCode) && Boolean(typeId) && hasPlace, staleMs: 0 },
  )
  if (!found.data?.length) return null
  return (
    <section className="duplicates" role="status">
      <h3>同一位置近期有 {found.data.length} 张同类工单未完结</h3>
      <ul>
        {found.data.map(row => (
          <li key={row.id}>
            <Link to={orderPath(row.id)}>{row.orderNo}</Link>
            <span>{row.title ?? row.typeName}</span>
            <small>{row.handlerName ?? '尚未派单'}</small>
            <small>{relativeText(row.registerTime)}</small>
            <ChoiceStatus choices={orderState} value={row.state} plain />
          </li>
        ))}
      </ul>
      <p>同一件事请在原工单中催办；确为另一件事时再登记</p>
    </section>
  )
}

/** What the chosen type promises, and what it costs. */
function TypeFacts({ typeId, level }: { readonly typeId: Id; readonly level: ChoiceOf<typeof orderLevel> }) {
  const { data: limits } = useCall(getTypeLimits, { typeId, level }, { quiet: true, keepPrevious: true })
  if (!limits) return null
  const times = [
    ['响应', limits.responseMinutes],
    ['到场', limits.arriveMinutes],
    ['完成', limits.finishMinutes],
  ] as const
  return (
    <section>
      <h3>{limits.typeName}</h3>
      <p>
        {times
          .flatMap(([label, m]) => (m === undefined ? [] : [`${label} ${formatMinutes(m)}`]))
          .join('，') || '无时限'}
      </p>
      <p className="absent">服务时间：{limits.serviceText}</p>
      {limits.isCharge && (
        <ul>
          {limits.prices.map(line => (
            <li key={line.name}>
              <span>{line.name}</span>
              <span className="figure">
                {displayYuan(line.price)}
                {line.unit ? `/${line.unit}` : ''}
              </span>
            </li>
          ))}
        </ul>
      )}
      {!limits.isCharge && <p className="absent">不收费</p>}
    </section>
  )
}

/** 一房一档 of the room that the order is about. */
function RoomFacts({
  code,
  projectCode,
}: {
  readonly code: string
  readonly projectCode: string | undefined
}) {
  const found = useCall(
    listRooms,
    { codes: [code], sceneType: 'roomShop', page: 1, size: 1, ...(projectCode ? { projectCode } : {}) },
    { quiet: true },
  )
  const room = found.data?.rows[0]
  if (!room?.id) return null
  return (
    <section className="register-room">
      <h3>{room.path}</h3>
      <RoomSections id={room.id} />
    </section>
  )
}

interface RegisterAsideProps extends Place {
  readonly level?: ChoiceOf<typeof orderLevel> | undefined
}

/** Beside the form: what the type promises, and all that is known of the room. */
export function RegisterAside({ typeId, level = 'normal', roomCode, projectCode }: RegisterAsideProps) {
  if (!typeId && !roomCode) return <p className="absent">选择类型与位置后，此处显示时限与房屋档案</p>
  return (
    <div className="register-aside">
      {typeId && <TypeFacts typeId={typeId} level={level} />}
      {roomCode && <RoomFacts code={roomCode} projectCode={projectCode} />}
    </div>
  )
}
