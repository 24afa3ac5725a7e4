import type { Entity } from '#kit/contract/entity.ts'
import { sql } from '#kit/server/db.ts'
import { containsPattern } from '#kit/server/like-pattern.ts'
import { tenantFilter } from '#kit/server/table/filter.ts'
import type { TargetCondition } from './kinds.ts'

type Sql = ReturnType<typeof sql>

const maxFound = 200

/** What is asked of the rows `t` of the objects' table; the keyword is looked for in `name`. */
export function targetFilter(entity: Entity, condition: TargetCondition, name: Sql): Sql {
  if (!('ids' in condition))
    return sql`${tenantFilter(entity, condition.caller, condition.projectCode)}
      and ${name} like ${containsPattern(condition.keyword ?? '')}`
  const byId = sql`t.id = any(${[...condition.ids]}::bigint[])`
  return condition.caller ? sql`${byId} and ${tenantFilter(entity, condition.caller)}` : byId
}

export const targetLimit = (condition: TargetCondition): number =>
  'ids' in condition ? condition.ids.length : maxFound
