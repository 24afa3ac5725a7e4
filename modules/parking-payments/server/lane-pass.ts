import { randomUUID } from 'node:crypto'
import { refuse } from '#kit/contract/wire.ts'
import { anonymous } from '#kit/server/handler.ts'
import type { ParkLane } from '#modules/parking-lanes/contract/park-lane.ts'
import {
  hasEntryCamera,
  lockUnreadCar,
  takeUnreadCar,
  type UnreadCar,
} from '#modules/parking-cameras/server/public.ts'
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

interface ScannedCar {
  readonly passKey: string
  readonly way: 'in' | 'out'
  readonly plateNo?: string
}

const newPassKey = (): string => `scan-${randomUUID()}`

/** The decision of the lane as if its camera had read the car; the barrier opens with it. */
async function passLane({ tx, scope, now }: ScanContext, { id: laneId }: ParkLane, car: ScannedCar) {
  const report = { laneId, ...car }
  const answer = await reportCar(tx, scope, report, now)
  if (answer.isOpen) {
    const { stayId, plateNo } = answer
    const reason = car.way === 'in' ? '无牌车扫码入场' : '无牌车扫码出场'
    await requestLaneOpen(tx, scope, { laneId, stayId, plateNo, origin: 'scan', reason })
  }
  return answer
}

/**
 * Only for a car that stands there: a photograph of the code would open from anywhere, as often as somebody
 * likes. One whose plate was read is decided by its plate, and not let in without one.
 */
async function requireUnreadCar({ tx, scope, now }: ScanContext, lane: ParkLane): Promise<UnreadCar> {
  if (!(await hasEntryCamera(tx, scope.ownerId, lane))) {
    return refuse('本入口没有车牌识别相机，请联系岗亭登记入场')
  }
  const car = await lockUnreadCar(tx, scope, lane.id, now)
  return car ?? refuse('没有待入场的无牌车，请将车停在道闸前，显示屏提示扫码后再试；仍不能入场的请联系岗亭')
}

/** One car that the camera could not read comes in for one telephone, under a number. */
async function enter(place: ScannedPlace, c: ScanContext, lane: ParkLane) {
  const car = await requireUnreadCar(c, lane)
  const passKey = newPassKey()
  const { isOpen, reason, plateNo, stayId } = await passLane(c, lane, { passKey, way: 'in' })
  if (!isOpen || stayId === undefined) return { isOpen, reason }
  const letIn = { laneId: lane.id, passKey, plateNo, stayId, reason: '无牌车扫码入场', now: c.now }
  await takeUnreadCar(c.tx, { ...c.scope, name: '扫码入场' }, car, letIn)
  const carKey = await signPayLink(c.app, { kind: 'car', ownerId: place.ownerId, id: stayId })
  return { isOpen, reason, plateNo, carKey }
}

export const lanePassHandlers = [
  anonymous(enterByCode, ({ code, carKey }, { app }) =>
    atScannedPlace(app, code, async (place, c) => {
      const lane = requireLane(place, 'in')
      const own = await findOwnStay(place, c, carKey)
      if (own) return refuse(`本机车辆「${own.plateNo}」仍在场，请从出口扫码离场后再入场`)
      return enter(place, c, lane)
    }),
  ),
  anonymous(leaveByCode, ({ code, carKey }, { app }) =>
    atScannedPlace(app, code, async (place, c) => {
      const lane = requireLane(place, 'out')
      const own = await findOwnStay(place, c, carKey)
      if (!own) return refuse('未查询到本机车辆的在场记录，请到岗亭办理')
      const { isOpen, reason, due } = await passLane(c, lane, {
        passKey: newPassKey(),
        way: 'out',
        plateNo: own.plateNo,
      })
      return { isOpen, reason, due }
    }),
  ),
]
