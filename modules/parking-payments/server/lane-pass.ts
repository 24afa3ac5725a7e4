import { randomUUID } from 'node:crypto'
import { refuse } from '#kit/contract/wire.ts'
import { anonymous } from '#kit/server/handler.ts'
import type { ParkLane } from '#modules/parking-lanes/contract/park-lane.ts'
import { reportCar, requestLaneOpen } from '#modules/parking-lanes/server/public.ts'
import { enterByCode, leaveByCode } from '../contract/lane-pass.ts'
import { signPayLink } from './pay-link.ts'
import { atScannedPlace, findOwnStay, type ScanContext, type ScannedPlace } from './scanned-place.ts'

/** The lane of the code, which must lead the way that is asked for. */
function requireLane({ lane }: ScannedPlace, way: 'in' | 'out'): ParkLane {
  if (!lane) return refuse('请扫描车道上的二维码')
  const other = way === 'in' ? 'exit' : 'entrance'
  return lane.direction === other ? refuse(`请扫描${way === 'in' ? '入口' : '出口'}的二维码`) : lane
}

/** The decision of the lane as if its camera had seen the car; the barrier opens with it. */
async function passLane(
  { tx, scope, now }: ScanContext,
  { id: laneId }: ParkLane,
  car: { readonly way: 'in' | 'out'; readonly plateNo?: string },
) {
  const report = { laneId, passKey: `scan-${randomUUID()}`, ...car }
  const answer = await reportCar(tx, scope, report, now)
  if (answer.isOpen) {
    const { stayId, plateNo } = answer
    const reason = car.way === 'in' ? '无牌车扫码入场' : '无牌车扫码出场'
    await requestLaneOpen(tx, scope, { laneId, stayId, plateNo, origin: 'scan', reason })
  }
  return answer
}

export const lanePassHandlers = [
  anonymous(enterByCode, ({ code, carKey }, { app }) =>
    atScannedPlace(app, code, async (place, c) => {
      const lane = requireLane(place, 'in')
      const own = await findOwnStay(place, c, carKey)
      if (own) return refuse(`本机车辆「${own.plateNo}」仍在场，请从出口扫码离场后再入场`)
      const { isOpen, reason, plateNo, stayId } = await passLane(c, lane, { way: 'in' })
      if (!isOpen || stayId === undefined) return { isOpen, reason }
      const { ownerId } = place
      return { isOpen, reason, plateNo, carKey: await signPayLink(app, { kind: 'car', ownerId, id: stayId }) }
    }),
  ),
  anonymous(leaveByCode, ({ code, carKey }, { app }) =>
    atScannedPlace(app, code, async (place, c) => {
      const lane = requireLane(place, 'out')
      const own = await findOwnStay(place, c, carKey)
      if (!own) return refuse('未查询到本机车辆的在场记录，请到岗亭办理')
      const { isOpen, reason, due } = await passLane(c, lane, { way: 'out', plateNo: own.plateNo })
      return { isOpen, reason, due }
    }),
  ),
]
