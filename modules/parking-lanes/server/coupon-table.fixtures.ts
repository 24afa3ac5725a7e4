import { refuse } from '#kit/contract/wire.ts'
import type { Id } from '#kit/domain/id.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import type { GoldenApp } from '#db/golden/golden-app.ts'
import type { CouponKind } from '../contract/choices.ts'
import type { CouponUse } from '../domain/coupons.ts'
import {
  registerStayCoupons,
  type CouponsAsked,
  type RestoredCoupon,
  type StayOfCoupons,
} from './stay-coupons.ts'

interface CouponRow {
  readonly key: string
  readonly kind: CouponKind
  readonly value: number
  readonly parkId: Id
  readonly plateNo: string
}

type CouponState = 'unused' | 'reserved' | 'used'

/** Coupons in a table of their own, as a module that keeps them has them. */
export async function openCouponTable(t: GoldenApp) {
  await t.database.tx('*', tx =>
    tx.execute(sql`
      create table test_coupon (
        key text primary key, kind text, value integer, park_id bigint, plate_no text,
        state text not null default 'unused', stay_id bigint
      )
    `),
  )
  const mark = async (tx: Tx, { stayId }: StayOfCoupons, uses: readonly CouponUse[], state: CouponState) => {
    const changed = await tx.execute(sql`
      update test_coupon
      set state = ${state}, stay_id = ${stayId}
      where key = any(${uses.map(use => use.key)}::text[])
        and (state = 'unused' or state = 'reserved' and stay_id = ${stayId})
    `)
    if (changed !== uses.length) refuse('停车券已使用，请重新查询')
  }
  registerStayCoupons({
    find: async (db: Db, _ownerId: Id, { parkId, plateNos, day, stayIds, lock }: CouponsAsked) => {
      const rows = await db.rows<CouponRow>(sql`
        select key, kind, value, park_id, plate_no
        from test_coupon
        where park_id = ${parkId} and plate_no = any(${[...plateNos]}::text[]) and state <> 'used'
          and (stay_id is null or stay_id = any(${[...stayIds]}::bigint[]))
        order by key
        ${lock ? sql`for update` : sql``}
      `)
      const coupons = rows.map(row => ({ ...row, validTo: day }))
      return Map.groupBy(coupons, coupon => coupon.plateNo)
    },
    reserve: (tx, _scope, stay, uses) => mark(tx, stay, uses, 'reserved'),
    use: (tx, _scope, stay, uses) => mark(tx, stay, uses, 'used'),
    release: async (tx, _scope, stayIds) => {
      await tx.execute(sql`
        update test_coupon
        set state = 'unused', stay_id = null
        where stay_id = any(${[...stayIds]}::bigint[]) and state = 'reserved'
      `)
    },
    restore: (tx, _scope, stayId) =>
      tx.rows<RestoredCoupon>(sql`
        update test_coupon
        set state = 'unused', stay_id = null
        where stay_id = ${stayId} and state = 'used'
        returning key, value as discount
      `),
    canUse: async (tx, _scope, { stayId }, uses) => {
      const rows = await tx.rows(sql`
        select key
        from test_coupon
        where key = any(${uses.map(use => use.key)}::text[])
          and (state = 'unused' or state = 'reserved' and stay_id = ${stayId})
        for update
      `)
      return rows.length === uses.length
    },
  })
  const run = (statement: ReturnType<typeof sql>) => t.database.tx('*', tx => tx.execute(statement))
  return {
    add: (coupon: CouponRow) =>
      run(sql`
        insert into test_coupon (key, kind, value, park_id, plate_no)
        values (${coupon.key}, ${coupon.kind}, ${coupon.value}, ${coupon.parkId}, ${coupon.plateNo})
      `),
    stateOf: async (key: string): Promise<CouponState | undefined> =>
      (
        await t.database
          .reader('*')
          .one<{ state: CouponState }>(sql`select state from test_coupon where key = ${key}`)
      )?.state,
  }
}

export type CouponTable = Awaited<ReturnType<typeof openCouponTable>>
