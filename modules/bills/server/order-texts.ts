import type { Id } from '#kit/domain/id.ts'
import type { Db } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import type { Bill } from '../contract/bill.ts'

/** A text for each order that has one. */
type OrderTextFinder<D extends Db> = (
  db: D,
  scope: Scope,
  orderIds: readonly Id[],
) => Promise<ReadonlyMap<Id, string>>

interface OrderTexts<D extends Db> {
  /** Called once, when the module of such orders is loaded; bills name them by `refType`. */
  register(refType: string, find: OrderTextFinder<D>): void
  /** By the bill; bills of no such order, or of one without a text, are not in it. */
  find(
    db: D,
    scope: Scope,
    bills: readonly Pick<Bill, 'id' | 'refType' | 'refId'>[],
  ): Promise<ReadonlyMap<Id, string>>
}

/** What the modules whose orders are charged say about them. */
export function createOrderTexts<D extends Db>(): OrderTexts<D> {
  const finders = new Map<string, OrderTextFinder<D>>()
  return {
    register: (refType, find) => {
      finders.set(refType, find)
    },
    find: async (db, scope, bills) => {
      const referring = bills.flatMap(({ id, refType, refId }) =>
        refType === undefined || refId === undefined ? [] : [{ id, refType, orderId: refId }],
      )
      const found = await Promise.all(
        [...Map.groupBy(referring, ({ refType }) => refType)].map(async ([refType, own]) => {
          const find = finders.get(refType)
          if (!find) return []
          const texts = await find(db, scope, [...new Set(own.map(({ orderId }) => orderId))])
          return own.flatMap(({ id, orderId }) => {
            const text = texts.get(orderId)
            return text === undefined ? [] : [[id, text] as const]
          })
        }),
      )
      return new Map(found.flat())
    },
  }
}
