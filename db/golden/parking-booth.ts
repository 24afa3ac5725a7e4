import { codeOf } from '#kit/contract/field.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { addMinutes, fromInstant, type Moment } from '#kit/domain/moment.ts'
import { asFen, formatYuan, subtractFen, sumFen, type Fen } from '#kit/domain/money.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { findAll, insert, insertAll } from '#kit/server/table.ts'
import { carKind } from '#modules/parking/contract/car-labels.ts'
import { park } from '#modules/parking/contract/park.ts'
import { shiftEvent } from '#modules/parking-booth/contract/shift-event.ts'
import { boothShift, type BoothShift } from '#modules/parking-booth/contract/shift.ts'
import { parkingCharge, type ParkingCharge } from '#modules/parking-lanes/contract/charge.ts'
import { passWay } from '#modules/parking-lanes/contract/passage.ts'
import { parkLane } from '#modules/parking-lanes/contract/park-lane.ts'
import { parkingStay } from '#modules/parking-lanes/contract/stay.ts'

interface Person {
  readonly id: Id
  readonly name: string
}

/** Two people of the company; where there is one alone, the same. */
async function findPeople(tx: Tx, scope: Scope): Promise<readonly [Person, Person]> {
  const rows = await tx.rows<Person>(sql`
    select id, real_name as name
    from manager
    where owner_id = ${scope.ownerId} and delete_tag = 0
    order by (id = ${scope.operatorId}), id
    limit 2
  `)
  const first = rows[0] ?? { id: scope.operatorId, name: scope.name }
  return [first, rows[1] ?? first]
}

interface PlannedShift {
  readonly begin: Moment
  readonly end: Moment
  readonly off: Person
  readonly on?: Person
  /** What the counted cash differs by. */
  readonly diff: Fen
}

const methodsOf = (charges: readonly ParkingCharge[]): BoothShift['methods'] =>
  [...Map.groupBy(charges, charge => charge.payMethod)].map(([method, ofMethod]) => ({
    method,
    amount: sumFen(ofMethod.map(charge => charge.paidAmount)),
    count: ofMethod.length,
  }))

const eventsOf = (projectCode: string, parkId: Id, shiftId: Id, { begin, off }: PlannedShift) => {
  const common = { projectCode, parkId, shiftId, operatorId: off.id, operatorName: off.name }
  return [
    {
      ...common,
      eventTime: addMinutes(begin, 95),
      kind: 'free' as const,
      plateNo: '粤A81263',
      waived: asFen(700),
      reason: '业主搬家',
    },
    {
      ...common,
      eventTime: addMinutes(begin, 140),
      kind: 'plate' as const,
      plateNo: '粤A50318',
      oldPlate: '粤A5031B',
      waived: asFen(0),
      reason: '车牌识别有误',
    },
    {
      ...common,
      eventTime: addMinutes(begin, 180),
      kind: 'open' as const,
      waived: asFen(0),
      reason: '救护车进入',
    },
  ]
}

/** A shift that was handed over, with the charges of its time. */
async function seedShift(
  tx: Tx,
  scope: Scope,
  { projectCode, parkId }: { readonly projectCode: string; readonly parkId: Id },
  plan: PlannedShift,
): Promise<void> {
  const { begin, end, off, on, diff } = plan
  const charges = (await findAll(tx, parkingCharge, scope, { projectCode })).filter(
    charge => charge.parkId === parkId && charge.payTime > begin && charge.payTime <= end,
  )
  const methods = methodsOf(charges)
  const amountOf = (isCash: boolean): Fen =>
    sumFen(methods.filter(({ method }) => (method === 'cash') === isCash).map(({ amount }) => amount))
  const cashAmount = amountOf(true)
  const handAmount = asFen(cashAmount + diff)
  const { id } = await insert(tx, boothShift, scope, {
    projectCode,
    parkId,
    boothName: '岗亭',
    offStaffId: off.id,
    offStaffName: off.name,
    beginTime: begin,
    endTime: end,
    inCount: charges.length + 3,
    outCount: charges.length + 1,
    freeCount: 1,
    openCount: 1,
    priceCount: 0,
    chargeCount: charges.length,
    methods,
    cashAmount,
    onlineAmount: amountOf(false),
    waivedAmount: asFen(700),
    handAmount,
    diff: subtractFen(handAmount, cashAmount),
    ...(diff === 0 ? {} : { remark: '找零时少收' }),
    state: 'waiting',
    ...(on && {
      onStaffId: on.id,
      onStaffName: on.name,
      confirmAmount: handAmount,
      confirmTime: addMinutes(end, 6),
      state: diff === 0 ? ('confirmed' as const) : ('different' as const),
    }),
  })
  await tx.execute(sql`
    insert into park_shift_charge (owner_id, charge_id, shift_id, project_code)
    select ${scope.ownerId}, u.id, ${id}, ${projectCode}
    from unnest(${charges.map(charge => charge.id)}::bigint[]) as u (id)
    returning charge_id
  `)
  await insertAll(tx, shiftEvent, scope, eventsOf(projectCode, parkId, id, plan))
}

/** What the lanes of a car park decided last: a car came in, and one waits at the exit for its fee. */
async function seedLaneEvents(tx: Tx, scope: Scope, projectCode: string, parkId: Id, now: Moment) {
  const lanes = (await findAll(tx, parkLane, scope, { projectCode })).filter(lane => lane.parkId === parkId)
  const stays = (await findAll(tx, parkingStay, scope, { projectCode })).filter(
    stay => stay.parkId === parkId && stay.state === 'inside' && stay.carKind === 'temp' && stay.inTime,
  )
  const byEntry = stays.toSorted((a, b) => ((a.inTime ?? '') < (b.inTime ?? '') ? 1 : -1))
  const [latest] = byEntry
  const waiting = byEntry[2] ?? latest
  const entrance = lanes.find(lane => lane.direction === 'entrance')
  const exit = lanes.find(lane => lane.direction === 'exit')
  if (!latest || !waiting || !entrance || !exit) return
  const due = asFen(700)
  await tx.execute(sql`
    insert into park_lane_event (
      owner_id, project_code, lane_id, pass_key, way, plate_no, car_kind, event_time, is_open, reason, due, stay_id
    )
    values
      (${scope.ownerId}, ${projectCode}, ${entrance.id}, 'seed-in', ${codeOf(passWay, 'in')},
        ${latest.plateNo}, ${codeOf(carKind, 'temp')}, ${defined(latest.inTime)}::timestamptz, true,
        '临时车，欢迎光临', 0, ${latest.id}),
      (${scope.ownerId}, ${projectCode}, ${exit.id}, 'seed-out', ${codeOf(passWay, 'out')},
        ${waiting.plateNo}, ${codeOf(carKind, 'temp')}, ${addMinutes(now, -1)}::timestamptz, false,
        '待收 7.00，请先缴费', ${formatYuan(due)}::numeric, ${waiting.id})
  `)
}

/** The shifts of the last days of each booth of a project, and what its lanes show. */
export async function seedBooths(tx: Tx, scope: Scope, projectCode: string, nowMs: number): Promise<void> {
  const now = fromInstant(nowMs)
  const [first, second] = await findPeople(tx, scope)
  for (const { id: parkId } of await findAll(tx, park, scope, { projectCode })) {
    const at = (minutes: number): Moment => addMinutes(now, -minutes)
    const place = { projectCode, parkId }
    const early = { begin: at(2400), end: at(1500), off: first, on: second, diff: asFen(0) }
    const late = { begin: at(1500), end: at(800), off: second, on: first, diff: asFen(-200) }
    const last = { begin: at(800), end: at(30), off: first, diff: asFen(0) }
    for (const plan of [early, late, last]) {
      await seedShift(tx, scope, place, plan)
    }
    await seedLaneEvents(tx, scope, projectCode, parkId, now)
  }
}
