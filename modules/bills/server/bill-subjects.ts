import type { Id } from '#kit/domain/id.ts'
import type { Db } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import type { Bill } from '../contract/bill.ts'

/** In a few words, what orders are about: who pays for them may read it, unlike the remark of staff. */
type SubjectFinder = (db: Db, scope: Scope, orderIds: readonly Id[]) => Promise<ReadonlyMap<Id, string>>

const finders: { readonly refType: string; readonly find: SubjectFinder }[] = []

/** Called once, when the module of such orders is loaded. */
export function registerBillSubjects(refType: string, find: SubjectFinder): void {
  finders.push({ refType, find })
}

type Referring = Pick<Bill, 'id' | 'refType' | 'refId'>

/** Of bills that ask for the money of orders, what each is about; others have none. By bill. */
export async function findBillSubjects(
  db: Db,
  scope: Scope,
  bills: readonly Referring[],
): Promise<ReadonlyMap<Id, string>> {
  const found = await Promise.all(
    finders.map(async ({ refType, find }) => {
      const own = bills.flatMap(bill =>
        bill.refType === refType && bill.refId !== undefined ? [{ id: bill.id, orderId: bill.refId }] : [],
      )
      if (!own.length) return []
      const subjects = await find(db, scope, [...new Set(own.map(({ orderId }) => orderId))])
      return own.flatMap(({ id, orderId }) => {
        const subject = subjects.get(orderId)
        return subject === undefined ? [] : [[id, subject] as const]
      })
    }),
  )
  return new Map(found.flat())
}
