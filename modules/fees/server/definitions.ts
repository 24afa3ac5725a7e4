import { parseId, type Id } from '#kit/domain/id.ts'
import type { Day } from '#kit/domain/day.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Entity } from '#kit/contract/entity.ts'
import type { Shape } from '#kit/contract/shape.ts'
import { notFound, wireNameOf, invalidInput } from '#kit/contract/wire.ts'
import { nestedFieldsOf } from '#kit/contract/value.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { audit } from '#kit/server/audit.ts'
import { findAll } from '#kit/server/table.ts'
import { notDeleted, touch, code } from '#kit/server/sql.ts'
import { standardVersion, type StandardVersion } from '../contract/standard.ts'
import type { DefinitionFault } from '../domain/definition-rules.ts'
import { notEndedOn } from './relation-conditions.ts'
import { enabledState } from '#modules/estates/contract/estate.ts'

/** The wire name of a fault's field: `tiers[0].to` is `TierJson[0].To`. */
const wireName = (standard: Pick<Shape, 'fields'>, key: string): string => {
  const match = defined(/^(\w+)(?:\[(\d+)\]\.(\w+))?$/.exec(key))
  const field = standard.fields[defined(match[1])]
  if (!field) return key
  const own = wireNameOf(defined(match[1]), field)
  if (match[2] === undefined) return own
  const inner = nestedFieldsOf(field)[defined(match[3])]
  return `${own}[${match[2]}].${inner ? wireNameOf(defined(match[3]), inner) : match[3]}`
}

/** Refuses a draft at its fields, all faults at once. */
export function assertNoFaults(standard: Pick<Shape, 'fields'>, faults: readonly DefinitionFault[]): void {
  if (faults.length)
    throw invalidInput(
      faults.map(f => ({
        Field: wireName(standard, f.key),
        Message: f.message,
        ...(f.place ? { Place: f.place } : {}),
      })),
    )
}

/** The price versions of a standard, earliest first. */
export const findVersions = (db: Db, scope: Scope, standardId: Id): Promise<StandardVersion[]> =>
  findAll(
    db,
    standardVersion,
    scope,
    { order: 'effectiveDate' },
    { where: [sql`t.standard_id = ${standardId}`] },
  )

/** Adds how many standards use an item or a formula. */
export async function withStandardCounts<R extends { readonly id: Id }>(
  db: Db,
  ownerId: Id,
  by: 'fee_item_id' | 'formula_id',
  list: readonly R[],
): Promise<readonly R[]> {
  if (!list.length) return list
  const counts = new Map(
    (
      await db.rows<{ id: Id; n: number }>(
        sql`
          select ${sql.id(by)} as id, count(*)::int as n
          from fee_standard
          where owner_id = ${ownerId} and ${sql.id(by)} = any(${list.map(r => r.id)}) and ${notDeleted()}
          group by 1
        `,
      )
    ).map(c => [c.id, c.n]),
  )
  return list.map(r => ({ ...r, standards: counts.get(r.id) ?? 0 }))
}

/** How many relations of these definitions have not ended. */
async function countRunningRelations(
  tx: Tx,
  ownerId: Id,
  standards: 'id' | 'fee_item_id' | 'formula_id',
  ids: readonly Id[],
  today: Day,
): Promise<number> {
  const { count } = defined(
    await tx.one<{ count: number }>(sql`
      select count(*)::int as count
      from fee_relation r
      join fee_standard s on s.owner_id = ${ownerId} and s.id = r.standard_id
      where r.owner_id = ${ownerId}
        and s.${sql.id(standards)} = any(${[...ids]})
        and ${notDeleted('r')}
        and ${notEndedOn('r', today)}
    `),
  )
  return count
}

interface Definition {
  readonly id: Id
  readonly state: 'on' | 'off'
  readonly projectCode?: string | undefined
}

/**
 * Enables or disables definitions (FEE-5): a disabled one cannot be bound, existing relations go on. `found`
 * are the locked rows; `standards`: the column of fee_standard that names the definitions, for counting the
 * relations.
 */
export async function setDefinitionState(
  tx: Tx,
  entity: Pick<Entity, 'name' | 'table'>,
  scope: Scope,
  found: readonly Definition[],
  input: { readonly ids: readonly string[]; readonly state: 'on' | 'off'; readonly reason?: string },
  standards: 'id' | 'fee_item_id' | 'formula_id',
  today: Day,
): Promise<{ changed: number; relations: number; message: string }> {
  if (found.length !== new Set(input.ids.map(parseId)).size) throw notFound()
  const due = found.filter(r => r.state !== input.state)
  const ids = due.map(r => r.id)
  const relations = await countRunningRelations(
    tx,
    scope.ownerId,
    standards,
    found.map(r => r.id),
    today,
  )
  if (ids.length) {
    await tx.execute(
      sql`
        update ${sql.table(entity.table)}
        set state = ${code(enabledState, input.state)}, ${touch(scope)}
        where owner_id = ${scope.ownerId} and id = any(${ids})
      `,
    )
    await audit(
      tx,
      scope,
      due.map(row => ({
        action: 'state' as const,
        entity: entity.name,
        entityId: row.id,
        projectCode: row.projectCode,
        before: { state: row.state },
        after: { state: input.state },
        reason: input.reason,
      })),
    )
  }
  const changed = `已${input.state === 'on' ? '启用' : '停用'} ${ids.length} 个`
  return {
    changed: ids.length,
    relations,
    message:
      input.state === 'off' && relations
        ? `${changed}；还有 ${relations} 个收费关联在用，会按原标准收到各自的止收日期`
        : changed,
  }
}
