import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { sql, type Db, type RawBuilder } from '#kit/server/db.ts'
import { notDeleted } from '#kit/server/sql.ts'

/** Ratings `e` that somebody gave: each counts, also those of before the order was taken up again. */
const isReal = sql`not e.is_default and ${notDeleted('e')}`

/** Orders `t` with the real ratings `e` of them. Uses work_order_evaluation_order. */
export const ratedOrders = (ownerId: Id): RawBuilder<unknown> => sql`work_order t
  join work_order_evaluation e on e.owner_id = ${ownerId} and e.order_id = t.id and ${isReal}`

/** Whether orders `t` were ever rated, for the work of one handler where one is named. */
export const hasRating = (ownerId: Id, handlerId?: Id): RawBuilder<unknown> => sql`exists (
  select
  from work_order_evaluation e
  where e.owner_id = ${ownerId}
    and e.order_id = t.id
    and ${isReal}
    ${handlerId === undefined ? sql`` : sql`and e.handler_id = ${handlerId}`}
)`

export interface RatingSums {
  readonly orders: number
  readonly count: number
  readonly scoreSum: number
}

export const sumRatings = async (
  db: Pick<Db, 'one'>,
  ownerId: Id,
  where: RawBuilder<unknown>,
): Promise<RatingSums> =>
  defined(
    await db.one<RatingSums>(sql`
      select count(distinct t.id)::int as orders, count(*)::int as count,
        coalesce(sum(e.score), 0)::int as score_sum
      from ${ratedOrders(ownerId)}
      where ${where}
    `),
  )
