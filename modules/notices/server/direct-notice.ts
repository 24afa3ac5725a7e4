import type { ChoiceOf } from '#kit/contract/field.ts'
import { notFound, refuse } from '#kit/contract/wire.ts'
import type { Id } from '#kit/domain/id.ts'
import { sql, type Db, type RawBuilder } from '#kit/server/db.ts'
import type { WriteContext } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import type { directState } from '../contract/choices.ts'
import { directWithdrawFault } from '../domain/states.ts'

type DirectTable = 'user_notice' | 'staff_notice'

/** Notices to named persons are seen by those who have the whole company, and by their author. */
export const isOwnOrAll = ({ domain, operatorId }: Scope): RawBuilder<unknown>[] =>
  domain.all ? [] : [sql`t.create_by = ${operatorId}`]

/** One that the caller may see; every other one is not there. */
export async function requireOwnOrAll(db: Db, scope: Scope, table: DirectTable, id: Id): Promise<void> {
  if (scope.domain.all) return
  const found = await db.one(sql`
    select 1 as found
    from ${sql.table(table)} t
    where t.owner_id = ${scope.ownerId} and t.id = ${id} and ${sql.join(isOwnOrAll(scope), sql` and `)}
  `)
  if (!found) throw notFound()
}

interface Withdrawn {
  readonly state: 'withdrawn'
  readonly withdrawReason: string
}

/** What notices to residents and to staff differ in, once they are out. */
interface DirectKind<T> {
  readonly table: DirectTable
  readonly findLocked: (c: WriteContext, id: Id) => Promise<T>
  /** Takes back what has not arrived yet. */
  readonly retract: (c: WriteContext, id: Id) => Promise<unknown>
  readonly save: (c: WriteContext, id: Id, values: Withdrawn, reason: string) => Promise<T>
}

export function directActions<T extends { readonly state: ChoiceOf<typeof directState> }>(
  kind: DirectKind<T>,
) {
  const lock = async (c: WriteContext, id: Id): Promise<T> => {
    await requireOwnOrAll(c.tx, c.scope, kind.table, id)
    return kind.findLocked(c, id)
  }
  const withdraw = async (c: WriteContext, id: Id, reason: string): Promise<T> => {
    const notice = await lock(c, id)
    const fault = directWithdrawFault(notice.state)
    if (fault !== undefined) return refuse(fault)
    await kind.retract(c, id)
    return kind.save(c, id, { state: 'withdrawn', withdrawReason: reason }, reason)
  }
  return { lock, withdraw }
}
