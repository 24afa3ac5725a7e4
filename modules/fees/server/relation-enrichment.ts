import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Day } from '#kit/domain/day.ts'
import { sql, type Db, type RawBuilder } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { payerSide } from '../contract/choices.ts'
import type { FeeRelation } from '../contract/relation.ts'

interface PriceAndPayer {
  readonly id: Id
  readonly price?: string
  readonly payer?: string
}

/**
 * The version `v` of a standard whose price is shown: the one of today, else the next to come. `standardId`:
 * the column that names the standard.
 */
export const currentVersion = (
  ownerId: Id,
  standardId: RawBuilder<unknown>,
  today: Day,
): RawBuilder<unknown> => sql`lateral (
    select price, effective_date
    from fee_standard_version v
    where v.owner_id = ${ownerId} and v.standard_id = ${standardId} and ${notDeleted('v')}
    order by v.effective_date > ${today}, abs(v.effective_date - ${today}::date)
    limit 1
  ) v on true`

/** Adds today's price, and the payer's name where the relation itself names one. */
export async function enrichRelations(
  db: Db,
  scope: Scope,
  list: readonly FeeRelation[],
  today: Day,
): Promise<readonly FeeRelation[]> {
  if (!list.length) return list
  const found = await db.rows<PriceAndPayer>(sql`
    select r.id, trim_scale(coalesce(r.price_override, v.price))::text as price,
      coalesce(p.name, c.name) as payer
    from fee_relation r
    left join ${currentVersion(scope.ownerId, sql`r.standard_id`, today)}
    left join resident p on p.owner_id = ${scope.ownerId}
      and r.payer_kind = ${code(payerSide, 'resident')}
      and p.id = r.payer_id
    left join company c on c.owner_id = ${scope.ownerId}
      and r.payer_kind = ${code(payerSide, 'company')}
      and c.id = r.payer_id
    where r.owner_id = ${scope.ownerId} and r.id = any(${list.map(r => r.id)})
  `)
  const extras = new Map(found.map(e => [e.id, e]))
  return list.map(row => {
    const extra = extras.get(row.id)
    return {
      ...row,
      ...(extra?.price === undefined ? {} : { price: extra.price }),
      ...(extra?.payer ? { payerName: extra.payer } : {}),
    }
  })
}

export const enrichRelation = async (
  db: Db,
  scope: Scope,
  relation: FeeRelation,
  today: Day,
): Promise<FeeRelation> => defined((await enrichRelations(db, scope, [relation], today))[0])
