import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { keyOf, type ChoiceOf, codeOf } from '#kit/contract/field.ts'
import type { Day } from '#kit/domain/day.ts'
import { sql, type Db, type RawBuilder } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { enabledState } from '#modules/estates/contract/estate.ts'
import { feeType, formulaType, scene } from '../contract/choices.ts'
import type { FeeStandard } from '../contract/standard.ts'
import { currentVersion } from './relation-enrichment.ts'

type Scene = ChoiceOf<typeof scene>

interface StandardExtras {
  readonly id: Id
  readonly feeType: number
  readonly formulaType: number
  readonly price?: string
  readonly priceFrom?: Day
  readonly relations: number
}

/** Adds the kinds of item and formula, today's price (else the next to come) and the number of relations. */
export async function enrichStandards(
  db: Db,
  scope: Scope,
  list: readonly FeeStandard[],
  today: Day,
): Promise<readonly FeeStandard[]> {
  if (!list.length) return list
  const ids = list.map(s => s.id)
  const found = await db.rows<StandardExtras>(sql`
    select s.id, i.fee_type, f.formula_type, trim_scale(v.price)::text as price,
      v.effective_date as price_from, coalesce(r.n, 0)::int as relations
    from fee_standard s
    join fee_item i on i.owner_id = ${scope.ownerId} and i.id = s.fee_item_id
    join fee_formula f on f.owner_id = ${scope.ownerId} and f.id = s.formula_id
    left join ${currentVersion(scope.ownerId, sql`s.id`, today)}
    left join (
      select standard_id, count(*) as n
      from fee_relation
      where owner_id = ${scope.ownerId} and standard_id = any(${ids}) and ${notDeleted()}
      group by 1
    ) r on r.standard_id = s.id
    where s.owner_id = ${scope.ownerId} and s.id = any(${ids})
  `)
  const extras = new Map(found.map(e => [e.id, e]))
  return list.map(standard => {
    const extra = defined(extras.get(standard.id))
    return {
      ...standard,
      feeType: defined(keyOf(feeType, extra.feeType)),
      formulaType: defined(keyOf(formulaType, extra.formulaType)),
      relations: extra.relations,
      ...(extra.price === undefined ? {} : { price: extra.price }),
      ...(extra.priceFrom ? { priceFrom: extra.priceFrom } : {}),
    }
  })
}

export const enrichStandard = async (
  db: Db,
  scope: Scope,
  standard: FeeStandard,
  today: Day,
): Promise<FeeStandard> => defined((await enrichStandards(db, scope, [standard], today))[0])

/** Standards `t` whose item is for one of the scenes (FEE-9). */
export const ofScenes = (
  ownerId: Id,
  scenes: readonly Scene[],
  { onlyEnabledItems = false }: { readonly onlyEnabledItems?: boolean } = {},
): RawBuilder<unknown> => sql`exists (
  select 1
  from fee_item i
  where i.owner_id = ${ownerId}
    and i.id = t.fee_item_id
    ${onlyEnabledItems ? sql`and i.state = ${code(enabledState, 'on')}` : sql``}
    and i.scene = any(${scenes.map(s => codeOf(scene, s))}::int[])
)`

/** Standards `t` that say what a month of a car costs (PRK-4). */
export const ofMonthPrices = (ownerId: Id): RawBuilder<unknown> => sql`
  t.fee_item_id in (
    select i.id
    from fee_item i
    where i.owner_id = ${ownerId} and i.fee_type = ${code(feeType, 'monthCard')}
  )
  and t.formula_id in (
    select f.id
    from fee_formula f
    where f.owner_id = ${ownerId} and f.formula_type = ${code(formulaType, 'fixed')}
  )
`
