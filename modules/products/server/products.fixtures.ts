import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { dayOfMoment, fromInstant } from '#kit/domain/moment.ts'
import { asFen } from '#kit/domain/money.ts'
import { sql } from '#kit/server/db.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { clockScope } from '#kit/server/scope.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { golden } from '#db/golden/golden-data.ts'
import type { ProductOrder } from '../contract/order.ts'
import { applyOrderPayment, type OrderPaymentOutcome } from './public.ts'

interface CompanyRow {
  readonly edition: number
  readonly expireDate?: string
  readonly state: number
  readonly closedModules?: string[]
}

/**
 * What the tests of a company's subscription need: the golden company, its products by code, and payments
 * from outside.
 */
export interface ProductFixtures {
  readonly t: GoldenApp
  readonly me: CallOptions
  readonly other: CallOptions
  readonly ownerId: Id
  readonly getProductId: (code: string) => Id
  readonly executeSql: (q: ReturnType<typeof sql>) => Promise<number>
  /** Sets the company's edition, end date and balance (yuan), and deletes its orders, nodes and apps. */
  readonly resetCompany: (edition: 10 | 20 | 30, until: string | null, yuan?: string) => Promise<void>
  /** Applies a payment of an order, as the payments module does. */
  readonly payOrder: (o: ProductOrder, transactionId: string, amount?: number) => Promise<OrderPaymentOutcome>
  readonly loadCompany: () => Promise<CompanyRow>
}

export async function openProductFixtures(): Promise<ProductFixtures> {
  const t = await openGoldenApp()
  const me = await t.signedInAs(golden.first.owner, '')
  const other = await t.signedInAs(golden.second.owner, '')
  const ownerId = t.ownerId
  const ids = new Map(
    (
      await t.database
        .reader(ownerId)
        .rows<{ id: Id; productCode: string }>(sql`select id, product_code from product`)
    ).map(x => [x.productCode, x.id]),
  )
  const executeSql = (q: ReturnType<typeof sql>): Promise<number> => t.database.tx('*', tx => tx.execute(q))
  return {
    t,
    me,
    other,
    ownerId,
    executeSql,
    getProductId: code => {
      const id = ids.get(code)
      if (id === undefined) throw new Error(`no product ${code}`)
      return id
    },
    resetCompany: async (edition, until, yuan = '0.00') => {
      for (const table of ['product_order', 'increment_node', 'property_app', 'account_entry', 'call_seat']) {
        await executeSql(sql`delete from ${sql.table(table)} where owner_id = ${ownerId}`)
      }
      await executeSql(
        sql`
          update property
          set edition = ${edition}, expire_date = ${until}::date, state = 10, closed_modules = null
          where owner_id = ${ownerId}
        `,
      )
      await executeSql(sql`
        update property_account
        set balance = ${yuan}::numeric
        where owner_id = ${ownerId}
      `)
      await t.app.sessions.refresh(ownerId, 'all')
    },
    payOrder: (o, transactionId, amount = o.amount) => {
      const now = fromInstant(t.app.clock())
      return t.database.tx(ownerId, tx =>
        applyOrderPayment(
          { tx, app: t.app, scope: clockScope(t.app, ownerId), today: dayOfMoment(now), now },
          { orderNo: o.orderNo, amount: asFen(amount), method: 'wechat', transactionId },
        ),
      )
    },
    loadCompany: async () =>
      defined(
        await t.database
          .reader(ownerId)
          .one<CompanyRow>(
            sql`select edition, expire_date, state, closed_modules from property where owner_id = ${ownerId}`,
          ),
      ),
  }
}
