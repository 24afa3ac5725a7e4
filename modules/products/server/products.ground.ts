import { Refused } from '#kit/contract/wire.ts'
import { dayOfMoment, fromInstant } from '#kit/domain/moment.ts'
import { sql } from '#kit/server/db.ts'
import type { As } from '#kit/server/ground/world.ts'
import { systemScope } from '#kit/server/scope.ts'
import { openGolden, type GoldenWorld } from '../../../db/golden/world.ts'
import { golden } from '../../../db/golden/fill.ts'
import type { ProductOrder } from '../contract/order.ts'
import { orderPaid, type Settled } from './public.ts'

interface Company {
  readonly edition: number
  readonly expireDate?: string
  readonly state: number
  readonly closedModules?: string[]
}

/**
 * What the tests of a company's subscription stand on: the golden company, its products by code, and money
 * from outside.
 */
export interface Ground {
  readonly t: GoldenWorld
  readonly me: As
  readonly other: As
  readonly owner: number
  readonly p: (code: string) => number
  readonly base: (q: ReturnType<typeof sql>) => Promise<number>
  /** The company stands anew: its edition and end, no orders, so much money. */
  readonly stands: (edition: 10 | 20 | 30, until: string | null, yuan?: string) => Promise<void>
  /** The platform's own hand, as the payment module will have it. */
  readonly paid: (o: ProductOrder, transactionId: string, amount?: number) => Promise<Settled>
  readonly company: () => Promise<Company>
}

export async function openGround(): Promise<Ground> {
  const t = await openGolden()
  const me = await t.as(golden.first.owner, '')
  const other = await t.as(golden.second.owner, '')
  const owner = (await t.store
    .reader('*')
    .one<{ ownerId: number }>(sql`select owner_id from manager where login_code = ${golden.first.owner}`))!
    .ownerId
  const ids = new Map(
    (
      await t.store
        .reader(owner)
        .rows<{ id: number; productCode: string }>(sql`select id, product_code from product`)
    ).map(x => [x.productCode, x.id]),
  )
  const base = (q: ReturnType<typeof sql>): Promise<number> => t.store.tx('*', tx => tx.run(q))
  return {
    t,
    me,
    other,
    owner,
    base,
    p: c => ids.get(c)!,
    stands: async (edition, until, yuan = '0.00') => {
      for (const table of ['product_order', 'increment_node', 'property_app', 'account_entry', 'call_seat']) {
        await base(sql`delete from ${sql.table(table)} where owner_id = ${owner}`)
      }
      await base(
        sql`
          update property
          set edition = ${edition}, expire_date = ${until}::date, state = 10, closed_modules = null
          where owner_id = ${owner}
        `,
      )
      await base(sql`update property_account set balance = ${yuan}::numeric where owner_id = ${owner}`)
      await t.world.sessions.refresh(owner, 'all')
    },
    paid: (o, transactionId, amount = o.amount) => {
      const now = fromInstant(t.world.clock())
      return t.store.tx(owner, tx =>
        orderPaid(
          { tx, world: t.world, scope: systemScope(owner), today: dayOfMoment(now), now },
          { orderNo: o.orderNo, amount, method: 'wechat', transactionId },
        ),
      )
    },
    company: async () =>
      (await t.store
        .reader(owner)
        .one<Company>(
          sql`select edition, expire_date, state, closed_modules from property where owner_id = ${owner}`,
        ))!,
  }
}

export const refusal = async (x: Promise<unknown>): Promise<Refused & { data: any }> => {
  const e = await x.then(
    () => undefined,
    y => y,
  )
  if (!(e instanceof Refused)) throw new Error('was not refused', { cause: e })
  return e as never
}

export const why = async (x: Promise<unknown>): Promise<string> => (await refusal(x)).message
