import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { invalidField } from '#kit/contract/wire.ts'
import { addDays } from '#kit/domain/day.ts'
import { audit } from '#kit/server/audit.ts'
import { sql, type Db, type RawBuilder, type Tx } from '#kit/server/db.ts'
import { reads, writes } from '#kit/server/handler.ts'
import { hasProject, outOfDomain, type Scope } from '#kit/server/scope.ts'
import { code, notDeleted, touch } from '#kit/server/sql.ts'
import { batchBind, batchBindByFilter, previewBind, type BindResult } from '../contract/binding-calls.ts'
import { relationState, sourceType } from '../contract/choices.ts'
import {
  bindingKey,
  buildPlan,
  isBinding,
  minDay,
  readPlan,
  toBindResult,
  type PlanSummary,
} from './binding-plan.ts'
import { findBindStandards, type BindInput } from './binding-standards.ts'
import type { ChargeableStandard } from './chargeable-standards.ts'
import { selectObjects } from './chargeable-objects.ts'

type Sql = RawBuilder<unknown>
const maxObjects = 20_000

interface Binding {
  readonly plan: Sql
  readonly summary: PlanSummary
  /** Named objects that there are not. */
  readonly missing: readonly string[]
  readonly standards: readonly ChargeableStandard[]
}

async function prepareBinding(db: Db, scope: Scope, query: BindInput): Promise<Binding> {
  if (!hasProject(scope.domain, query.projectCode)) throw outOfDomain()
  const standards = await findBindStandards(db, scope, query)
  const codes = query.sourceCodes && [...new Set(query.sourceCodes)]
  const objects = codes ? { codes } : { reach: query }
  const selected = selectObjects(scope, query.projectCode, query.sourceType, objects)
  // Counted before anything is looked up for each object.
  const counted = await db.one<{ n: number }>(sql`select count(*)::int as n from (${selected}) o`)
  const count = defined(counted).n
  if (count > maxObjects)
    throw invalidField(
      'Buildcodes',
      `符合条件的有 ${count} 个对象，一次最多 ${maxObjects} 个，请缩小范围分几次绑定`,
    )
  const plan = buildPlan(scope, query, objects, standards)
  const summary = await readPlan(db, plan, count)
  const missing = codes ? await findMissingObjects(db, selected, codes) : []
  return { plan, summary, missing, standards }
}

async function findMissingObjects(db: Db, selected: Sql, codes: readonly string[]): Promise<string[]> {
  const found = await db.rows<{ code: string }>(sql`select code from (${selected}) o`)
  const existing = new Set(found.map(o => o.code))
  return codes.filter(c => !existing.has(c))
}

/**
 * FEE-7: the relations that are replaced end the day before; those that begin later and were never billed are
 * deleted. Locked in order of the object, so that two users wait for each other without a deadlock. Returns
 * their ids.
 */
async function endReplacedRelations(
  tx: Tx,
  scope: Scope,
  input: BindInput,
  plan: Sql,
): Promise<readonly Id[]> {
  const begin = input.beginDate ?? minDay
  const replaced = await tx.rows<{ id: Id }>(sql`
    with ${plan}
    select r.id
    from fee_relation r
    join plan p on p.code = r.source_code and p.item = r.fee_item_id and p.verdict = 'replace'
    where r.owner_id = ${scope.ownerId}
      and r.project_code = ${input.projectCode}
      and r.source_type = ${code(sourceType, input.sourceType)}
      and ${notDeleted('r')}
      and daterange(r.begin_date, r.end_date, '[]') && daterange(
        ${input.beginDate ?? null}::date, ${input.endDate ?? null}::date, '[]'
      )
    order by r.source_code, r.id
    for update of r
  `)
  const ids = replaced.map(r => r.id)
  if (ids.length) {
    const beganBefore = sql`coalesce(r.begin_date, ${minDay}::date) < ${begin}::date`
    const dayBefore = input.beginDate ? addDays(input.beginDate, -1) : null
    await tx.execute(sql`
      update fee_relation r
      set end_date = case when ${beganBefore} then ${dayBefore}::date else r.end_date end,
        delete_tag = case when ${beganBefore} then 0 else 1 end,
        ${touch(scope)}
      where r.owner_id = ${scope.ownerId} and r.id = any(${ids})
    `)
  }
  return ids
}

/** Binds what the plan binds, one statement; what another user has bound since is left out. */
const insertRelations = (tx: Tx, scope: Scope, query: BindInput, plan: Sql) =>
  tx.rows<{ standardId: Id; code: string }>(sql`
    with ${plan}
    insert into fee_relation (
      owner_id, create_by, update_by, project_code, source_type, source_code, source_name, build_code,
      fee_item_id, standard_id, begin_date, end_date, price_override, ratio_override, quantity, remark,
      multi, state
    )
    select ${scope.ownerId}::bigint, ${scope.operatorId}::bigint, ${scope.operatorId}::bigint,
      ${query.projectCode}, ${code(sourceType, query.sourceType)}::smallint, p.code, p.name, p.build_code, p.item,
      p.standard_id, ${query.beginDate ?? null}::date, ${query.endDate ?? null}::date,
      ${query.priceOverride ?? null}::numeric, ${query.ratioOverride ?? null}::numeric,
      ${query.quantity ?? null}::numeric, ${query.remark ?? null}, p.multi, ${code(relationState, 'charging')}
    from plan p
    where p.verdict = 'bind'
    order by p.code, p.standard_id
    on conflict do nothing
    returning standard_id, source_code as code
  `)

async function bindObjects(tx: Tx, scope: Scope, input: BindInput): Promise<BindResult> {
  const { plan, summary, missing, standards } = await prepareBinding(tx, scope, input)
  const planned = (summary.counts.get('bind') ?? 0) + (summary.counts.get('replace') ?? 0)
  if (!planned) return toBindResult(summary, missing, new Set(), standards)
  const replaced = input.mode === 'replace' ? await endReplacedRelations(tx, scope, input, plan) : []
  const added = await insertRelations(tx, scope, input, plan)
  const addedKeys = new Set(added.map(bindingKey))
  const plannedKeys = summary.rows.filter(p => isBinding(p.verdict)).map(bindingKey)
  // Another user bound these first: the constraint in the database accepted only one.
  const lost = plannedKeys.filter(k => !addedKeys.has(k)).slice(0, Math.max(0, planned - added.length))
  await audit(tx, scope, [
    {
      action: 'insert',
      entity: 'feeRelation',
      entityId: 0,
      projectCode: input.projectCode,
      after: {
        count: added.length,
        replaced: replaced.length,
        standards: standards.map(c => c.standard.code),
        beginDate: input.beginDate,
        mode: input.mode ?? 'append',
      },
    },
  ])
  return toBindResult(summary, missing, new Set(lost), standards)
}

export const bindHandlers = [
  reads(previewBind, async (q, { db, scope }) => {
    const { summary, missing, standards } = await prepareBinding(db, scope, q)
    return toBindResult(summary, missing, new Set(), standards)
  }),
  writes(batchBind, (q, { tx, scope }) => bindObjects(tx, scope, q)),
  writes(batchBindByFilter, (q, { tx, scope }) => bindObjects(tx, scope, q)),
]
