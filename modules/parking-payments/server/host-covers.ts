import { refuse } from '#kit/contract/wire.ts'
import { defined } from '#kit/domain/defined.ts'
import { parseId, type Id } from '#kit/domain/id.ts'
import { asFen, formatYuan, type Fen } from '#kit/domain/money.ts'
import { dayOfMoment, fromInstant } from '#kit/domain/moment.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import { systemScope, type Scope } from '#kit/server/scope.ts'
import { sqlArray } from '#kit/server/sql-array.ts'
import { code, codes, notDeleted, touch } from '#kit/server/sql.ts'
import { abolishByIds, issueBatch } from '#modules/bills/server/public.ts'
import { findPayerAt, loadSources } from '#modules/fees/server/public.ts'
import {
  coverKeyOf,
  passNoOf,
  registerHostCovers,
  visitorOfCover,
  type CouponUse,
  type StayCoupons,
  type StayOfCoupons,
} from '#modules/parking-lanes/server/public.ts'
import { visitState } from '#modules/visitors/contract/choices.ts'
import { hostFeeState } from '../contract/choices.ts'
import { findItem } from './stay-income.ts'

interface CoverRow {
  readonly visitorId: Id
  readonly plateNo: string
  readonly left: Fen
}

const isKept = sql`f.state in ${codes(hostFeeState, 'reserved', 'billed')}`

/** Visits that take place or took place; an entry in time stays one, whatever the visit comes to later. */
const isVisit = codes(visitState, 'passed', 'arrived', 'left', 'expired')

/** What of the host's limit is left for stays that began within the visit; what a stay keeps is its. */
const coversOf = (ownerId: Id, stayIds: readonly Id[], lock: boolean) => sql<CoverRow>`
  select v.id as visitor_id, s.plate_no, ((i.host_parking_limit - coalesce((
      select sum(f.amount)
      from parking_host_fee f
      where f.owner_id = ${ownerId} and f.visitor_id = v.id and f.stay_id <> s.id and ${isKept}
    ), 0)) * 100)::bigint as left
  from parking_stay s
  join invite_visitor v on v.owner_id = ${ownerId}
    and v.project_code = s.project_code
    and v.plate_no = s.plate_no
    and ${notDeleted('v')}
  join visitor_invitation i on i.owner_id = ${ownerId}
    and i.id = v.invitation_id
    and i.host_pays_parking
    and i.room_id is not null
  where s.owner_id = ${ownerId}
    and s.id = any(${sqlArray('bigint', [...stayIds])})
    and s.in_time >= v.begin_time
    and s.in_time <= v.end_time
    and (v.state in ${isVisit} or exists (
      select from parking_host_fee f
      where f.owner_id = ${ownerId} and f.visitor_id = v.id and f.stay_id = s.id and ${isKept}
    ))
    and not exists (
      select from parking_host_fee f
      where f.owner_id = ${ownerId} and f.stay_id = s.id and f.state = ${code(hostFeeState, 'billed')}
    )
  order by v.id
  ${lock ? sql`for no key update of v` : sql``}
`

const find: StayCoupons['find'] = async (db, ownerId, { parkId, day, stayIds, lock = false }) => {
  if (!stayIds.length) return new Map()
  const rows = (await db.rows<CoverRow>(coversOf(ownerId, stayIds, lock))).filter(({ left }) => left > 0)
  if (!rows.length || !(await hasItem(db, ownerId))) return new Map()
  return Map.groupBy(
    rows.map(({ visitorId, plateNo, left }) => ({
      key: coverKeyOf(visitorId),
      kind: 'amount' as const,
      value: left,
      parkId,
      validTo: day,
      plateNo,
    })),
    ({ plateNo }) => plateNo,
  )
}

/** A bill is made of the company's parking item: without one nobody is billed. */
const hasItem = async (db: Db, ownerId: Id): Promise<boolean> =>
  (await findItem(db, systemScope(ownerId, new Date(0).toISOString()), true)) !== undefined

/** Kept for the stay, in the state that is asked for; what it had kept before is that of now. */
async function keep(
  tx: Tx,
  scope: Scope,
  { stayId, plateNo }: StayOfCoupons,
  { key, discount }: CouponUse,
  billId: Id | undefined,
): Promise<void> {
  const state = code(hostFeeState, billId === undefined ? 'reserved' : 'billed')
  await tx.execute(sql`
    insert into parking_host_fee (
      owner_id, project_code, visitor_id, invitation_id, stay_id, plate_no, amount, bill_id, state, create_by,
      update_by
    )
    select ${scope.ownerId}, v.project_code, v.id, v.invitation_id, ${stayId}, ${plateNo},
      ${formatYuan(discount)}::numeric, ${billId ?? null}::bigint, ${state}, ${scope.operatorId},
      ${scope.operatorId}
    from invite_visitor v
    where v.owner_id = ${scope.ownerId} and v.id = ${visitorOfCover(key)}
    on conflict (owner_id, stay_id) where state in ${codes(hostFeeState, 'reserved', 'billed')} do update
    set visitor_id = excluded.visitor_id, invitation_id = excluded.invitation_id, amount = excluded.amount,
      bill_id = excluded.bill_id, state = excluded.state
    returning id
  `)
}

interface HostRoom {
  readonly projectCode: string
  readonly roomCode: string
  readonly invitationNo: string
}

const findRoom = (tx: Tx, ownerId: Id, visitorId: number) =>
  tx.one<HostRoom>(sql`
    select i.project_code, r.code as room_code, i.invitation_no
    from invite_visitor v
    join visitor_invitation i on i.owner_id = ${ownerId} and i.id = v.invitation_id
    join room r on r.owner_id = ${ownerId} and r.id = i.room_id
    where v.owner_id = ${ownerId} and v.id = ${visitorId}
  `)

/** One bill of the host's room, by the one who pays for it now. */
async function billHost(tx: Tx, scope: Scope, stay: StayOfCoupons, use: CouponUse): Promise<Id> {
  const found = await findRoom(tx, scope.ownerId, visitorOfCover(use.key))
  const item = await findItem(tx, scope, true)
  if (!found || !item) return refuse('被访人的房屋或停车收费项目已删除，请重新计算停车费')
  const { projectCode, roomCode: sourceCode, invitationNo } = found
  const day = dayOfMoment(fromInstant(Date.parse(scope.time)))
  const source = { sourceType: 'room', sourceCode } as const
  const sources = await loadSources(tx, scope.ownerId, projectCode, [source], day)
  const located = [...sources.values()][0]
  if (!located) return refuse('被访人的房屋已删除，请重新计算停车费')
  const remark = `访客停车 ${stay.plateNo} ${passNoOf(stay.stayId)}，邀访 ${invitationNo}`
  const { ids } = await issueBatch(
    tx,
    scope,
    { project: projectCode, source: 'parking', state: 'normal' },
    'temporary',
    [
      {
        ...source,
        sourceName: located.name,
        buildCode: located.buildCode,
        payer: findPayerAt(located.source, day),
        item,
        begin: day,
        end: day,
        amount: use.discount,
        dueDate: day,
        canOverlap: true,
        remark,
      },
    ],
    day,
    { message: remark.slice(0, 100) },
  )
  return parseId(defined(ids[0]))
}

/** Up to the limit still, by the same statement that offered it; locked until the end of the transaction. */
async function isAvailable(tx: Tx, scope: Scope, { stayId }: StayOfCoupons, uses: readonly CouponUse[]) {
  const rows = await tx.rows<CoverRow>(coversOf(scope.ownerId, [stayId], true))
  return uses.every(({ key, discount }) =>
    rows.some(({ visitorId, left }) => coverKeyOf(visitorId) === key && left >= discount),
  )
}

const covers: StayCoupons = {
  find,
  canUse: isAvailable,
  reserve: async (tx, scope, stay, uses) => {
    for (const use of uses) {
      await keep(tx, scope, stay, use, undefined)
    }
  },
  release: async (tx, scope, stayIds) => {
    await tx.execute(sql`
      update parking_host_fee f
      set state = ${code(hostFeeState, 'returned')}, ${touch(scope)}
      where f.owner_id = ${scope.ownerId}
        and f.stay_id = any(${sqlArray('bigint', [...stayIds])})
        and f.state = ${code(hostFeeState, 'reserved')}
    `)
  },
  use: async (tx, scope, stay, uses) => {
    if (!(await isAvailable(tx, scope, stay, uses))) {
      refuse('被访人承担的停车费已变更，请重新计算停车费')
    }
    for (const use of uses) {
      await keep(tx, scope, stay, use, await billHost(tx, scope, stay, use))
    }
  },
  /** With the payment of the driver the host's bill goes, as long as nobody has paid it. */
  restore: async (tx, scope, stayId, day) => {
    const rows = await tx.rows<{ id: Id; visitorId: Id; billId: Id; fen: Fen }>(sql`
      select f.id, f.visitor_id, f.bill_id, (f.amount * 100)::bigint as fen
      from parking_host_fee f
      where f.owner_id = ${scope.ownerId}
        and f.stay_id = ${stayId}
        and f.state = ${code(hostFeeState, 'billed')}
      for no key update
    `)
    const [row] = rows
    if (!row) return []
    const own = { ...systemScope(scope.ownerId, scope.time), operatorId: scope.operatorId, name: scope.name }
    const now = fromInstant(Date.parse(scope.time))
    const context = { scope: own, today: day, now, reason: '停车费已退回', periodAfter: 'waived' } as const
    const { success } = await abolishByIds(tx, context, [row.billId])
    if (!success) return []
    await tx.execute(sql`
      update parking_host_fee
      set state = ${code(hostFeeState, 'returned')}, ${touch(scope)}
      where owner_id = ${scope.ownerId} and id = ${row.id}
    `)
    return [{ key: coverKeyOf(row.visitorId), discount: asFen(row.fen) }]
  },
}

registerHostCovers(covers)
