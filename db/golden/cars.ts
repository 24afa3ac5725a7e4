import { addDays, type Day } from '#kit/domain/day.ts'
import type { Id } from '#kit/domain/id.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { saveSearchText } from '#kit/server/search-column.ts'
import type { Scope } from '#kit/server/scope.ts'
import { codes, notDeleted } from '#kit/server/sql.ts'
import { findByIds, insertAll } from '#kit/server/table.ts'
import { carGroup } from '#modules/parking/contract/car-group.ts'
import { car, carValidity, type Car } from '#modules/parking/contract/car.ts'
import type { CarKind, CarState } from '#modules/parking/contract/car-labels.ts'
import { placeState } from '#modules/parking/contract/labels.ts'
import { createNamer } from './names.ts'
import { seededRandom } from './random.ts'

interface OwnedPlace {
  readonly placeId: Id
  readonly parkId: Id
  readonly roomCode: string
  readonly userId: Id
  readonly ownerName: string
  readonly mobile?: string
}

/** Places that are given out, with the main owner of their room: one for each owner. */
const findOwnedPlaces = (tx: Tx, ownerId: Id, projectCode: string, limit: number): Promise<OwnedPlace[]> =>
  tx.rows<OwnedPlace>(sql`
    select p.id as place_id, p.park_id, p.room_code, u.id as user_id, u.name as owner_name, u.mobile
    from park_place p
    join room r on r.owner_id = ${ownerId} and r.project_code = p.project_code and r.code = p.room_code
    join user_room l on l.owner_id = ${ownerId} and l.room_id = r.id and l.is_main and ${notDeleted('l')}
    join resident u on u.owner_id = ${ownerId} and u.id = l.user_id
    where p.owner_id = ${ownerId}
      and p.project_code = ${projectCode}
      and p.place_state in ${codes(placeState, 'sold', 'let')}
      and l.out_date is null
      and ${notDeleted('p')}
    order by p.id
    limit ${limit}
  `)

interface CarPlan {
  readonly kind: CarKind
  readonly state: CarState
  /** Days from today to the last one; absent: for good. */
  readonly until?: number
  readonly reason?: string
}

/** How cars of an estate stand, over and over: most are in order. */
const plans: readonly CarPlan[] = [
  { kind: 'month', state: 'normal', until: 41 },
  { kind: 'month', state: 'normal', until: 5 },
  { kind: 'fixed', state: 'normal' },
  { kind: 'month', state: 'normal', until: 96 },
  { kind: 'month', state: 'expired', until: -12 },
  { kind: 'fixed', state: 'normal' },
  { kind: 'month', state: 'normal', until: 190 },
  { kind: 'month', state: 'pending', until: 60 },
  { kind: 'month', state: 'normal', until: 2 },
  { kind: 'month', state: 'suspended', until: 25 },
]

const others: readonly CarPlan[] = [
  { kind: 'inner', state: 'normal' },
  { kind: 'vip', state: 'normal', until: 300 },
  { kind: 'temp', state: 'blocked', reason: '多次尾随出场逃费' },
  { kind: 'month', state: 'expired', until: -40 },
  { kind: 'month', state: 'cancelled', until: -150 },
  { kind: 'visitor', state: 'normal', until: 3 },
]

const models = [
  '大众 帕萨特',
  '比亚迪 秦 PLUS',
  '丰田 凯美瑞',
  '特斯拉 Model 3',
  '本田 雅阁',
  '吉利 星越',
] as const
const colors = ['白', '黑', '银', '灰', '蓝', '红'] as const

/** Electric ones have a letter more. Each index has digits of its own. */
function plateOf(index: number): Pick<Car, 'plateNo' | 'plateColor'> {
  const digits = String(10_000 + ((index * 7919 + 3571) % 90_000))
  return index % 4 === 1
    ? { plateNo: `苏ED${digits}`, plateColor: 'green' }
    : { plateNo: `苏E${digits}`, plateColor: 'blue' }
}

const daysOf = ({ until }: CarPlan, today: Day) =>
  until === undefined
    ? { beginDate: addDays(today, -300) }
    : { beginDate: addDays(today, Math.min(until, 0) - 90), endDate: addDays(today, until) }

async function addCars(tx: Tx, scope: Scope, rows: readonly Partial<Car>[]): Promise<readonly Car[]> {
  const ids = await insertAll(tx, car, scope, rows)
  const added = await findByIds(tx, car, scope, ids)
  for (const row of added) {
    await saveSearchText(tx, car, scope, carSearch, row)
  }
  await insertAll(
    tx,
    carValidity,
    scope,
    added
      .filter(row => row.beginDate)
      .map(({ id: carId, projectCode, plateNo, beginDate, endDate }) => ({
        projectCode,
        carId,
        plateNo,
        changeType: 'registered',
        newBegin: beginDate,
        newEnd: endDate,
        operatorName: scope.name,
      })),
  )
  return added
}

const carSearch = { names: ['ownerName', 'plateNo'], codes: ['plateNo', 'mobile'] } as const

export interface CarSeed {
  readonly projectCode: string
  readonly today: Day
  /** Cars of owners with a place; those of nobody registered come on top. */
  readonly owned: number
}

/**
 * The cars of an estate: of owners with places, some expired, stopped or to be checked, and a few of others;
 * where there are owners, three of them share two places.
 */
export async function seedCars(tx: Tx, scope: Scope, { projectCode, today, owned }: CarSeed): Promise<void> {
  const random = seededRandom(projectCode.length * 31 + owned)
  const namer = createNamer(random, '138')
  const places = await findOwnedPlaces(tx, scope.ownerId, projectCode, owned)
  const describe = (plan: CarPlan, index: number) => ({
    projectCode,
    ...plateOf(index),
    carKind: plan.kind,
    carModel: models[index % models.length],
    carColor: colors[index % colors.length],
    ...daysOf(plan, today),
    carState: plan.state,
    ...(plan.reason ? { blackReason: plan.reason } : {}),
  })
  const ofOwners = places.map(({ placeId, roomCode, userId, ownerName, mobile }, i) => ({
    ...describe(plans[i % plans.length] ?? { kind: 'fixed', state: 'normal' }, i),
    userId,
    ownerName,
    mobile,
    roomCode,
    placeId,
  }))
  const ofOthers = others.map((plan, i) => ({
    ...describe(plan, 100 + i),
    ...(plan.state === 'blocked' ? {} : { ownerName: namer.name(), mobile: namer.mobile() }),
  }))
  const added = await addCars(tx, scope, [...ofOwners, ...ofOthers])
  const shared = added.filter(row => row.userId !== undefined && row.carState === 'normal').slice(0, 3)
  const [first] = places
  if (shared.length < 3 || !first) return
  await insertAll(tx, carGroup, scope, [
    {
      projectCode,
      groupName: `${first.ownerName}家庭用车`,
      userId: first.userId,
      placeCount: 2,
      switchOnLeave: true,
      plateNos: shared.map(row => row.plateNo),
      parkIds: [String(first.parkId)],
      state: 'on',
    },
  ])
}
