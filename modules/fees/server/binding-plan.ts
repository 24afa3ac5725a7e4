import type { Id } from '#kit/domain/id.ts'
import { codeOf } from '#kit/contract/field.ts'
import { maxDay, type Day } from '#kit/domain/day.ts'
import { sql, type Db, type RawBuilder } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { sqlFile } from '#kit/server/sql-file.ts'
import type { BindFilters, BindResult } from '../contract/binding-calls.ts'
import { scene, sourceType } from '../contract/choices.ts'
import { compatibleScenes } from '../domain/scenes.ts'
import type { BindInput } from './binding-standards.ts'
import type { ChargeableStandard } from './chargeable-standards.ts'
import { selectObjects } from './chargeable-objects.ts'

type Sql = RawBuilder<unknown>

/** Rows of the result at most; the counts are of all. */
export const maxListedRows = 5000

/** Days that stand for an open begin and an open end. */
export const minDay = '0001-01-01'

export type Verdict = 'bind' | 'replace' | 'closed' | 'scene' | 'same' | 'taken' | 'billed'

export interface PlannedBinding {
  readonly code: string
  readonly name: string
  readonly standardId: Id
  readonly standardName: string
  readonly item: Id
  readonly verdict: Verdict
  readonly since?: Day
  readonly until?: Day
  readonly billed?: Day
  readonly heldBy?: string
}

export interface PlanSummary {
  readonly rows: readonly PlannedBinding[]
  readonly counts: ReadonlyMap<Verdict, number>
  readonly objects: number
}

/** The objects of a binding: named ones, or those that filters find. */
export interface BoundObjects {
  readonly codes?: readonly string[]
  readonly reach?: BindFilters
}

const objectScenes = ['room', 'shop', 'area', 'parkPlace', 'company', 'car', 'lease'] as const

/** The scenes of objects that an item may be charged to, as codes. */
const sceneCodesOf = ({ item }: ChargeableStandard): (string | number)[] =>
  objectScenes.filter(s => compatibleScenes(s).includes(item.scene)).map(s => codeOf(scene, s))

/** The standards as a table `s`. */
function selectStandards(standards: readonly ChargeableStandard[]): Sql {
  const rows = standards.map(chargeable => ({
    id: chargeable.standard.id,
    item: chargeable.item.id,
    name: chargeable.standard.name,
    multi: chargeable.item.allowMulti,
    scenes: sceneCodesOf(chargeable),
  }))
  return sql`json_to_recordset(
    ${JSON.stringify(rows)}::json
  ) as s(id bigint, item bigint, name text, multi boolean, scenes json)`
}

/** What happens to an object that has another standard `h` of the item. */
const occupiedVerdict = (q: BindInput, begin: Sql): Sql =>
  q.mode === 'replace'
    ? sql`when h.billed >= coalesce(${begin}, ${minDay}::date) then 'billed'
          else 'replace'`
    : sql`else 'taken'`

const bindingPlan = sqlFile(import.meta.dirname, 'binding-plan.sql', [
  'begin',
  'end',
  'liveRelation',
  'maxDay',
  'minDay',
  'objects',
  'occupied',
  'ownerId',
  'project',
  'sourceType',
  'standards',
])

/**
 * What would become of every object with every standard, as a CTE `plan`. The relations of one item that
 * overlap the chosen days (FEE-7) are folded into one row `h`: how many, from when to when, how far billed.
 * Needs fee_relation_source.
 */
export function buildPlan(
  scope: Scope,
  input: BindInput,
  objects: BoundObjects,
  standards: readonly ChargeableStandard[],
): Sql {
  const begin = sql`${input.beginDate ?? null}::date`
  const end = sql`${input.endDate ?? null}::date`
  return bindingPlan({
    ownerId: scope.ownerId,
    project: input.projectCode,
    sourceType: code(sourceType, input.sourceType),
    objects: selectObjects(scope, input.projectCode, input.sourceType, objects),
    standards: selectStandards(standards),
    occupied: occupiedVerdict(input, begin),
    begin,
    end,
    minDay,
    maxDay,
    liveRelation: notDeleted('r'),
  })
}

/** The planned rows, those that change nothing first, and the counts of all by verdict. */
export async function readPlan(db: Db, plan: Sql, objects: number): Promise<PlanSummary> {
  const [rows, counts] = await db.all<[PlannedBinding, { verdict: Verdict; n: number }]>(
    sql`
      with ${plan}
      select code, name, standard_id, standard_name, item, verdict, since, until, billed, held_by
      from plan
      order by (verdict in ('bind', 'replace')), sort, code, standard_id
      limit ${maxListedRows}
    `,
    sql`with ${plan} select verdict, count(*)::int as n from plan group by verdict`,
  )
  return { rows, counts: new Map(counts.map(c => [c.verdict, c.n])), objects }
}

function formatRange({ since, until }: PlannedBinding): string {
  if (since === minDay && until === maxDay) return '一直有效'
  return `${since === minDay ? '' : `${since} 起`}${until === maxDay ? '' : `至 ${until}`}`
}

const verdictMessages: Readonly<Record<Verdict, (p: PlannedBinding) => string>> = {
  bind: () => '绑定',
  replace: p => `替换「${p.heldBy}」`,
  closed: () => '对象已停用',
  scene: () => '收费项目不适用于这类对象',
  same: p => `已绑定同一标准（${formatRange(p)}）`,
  taken: p => `已绑定「${p.heldBy}」（${formatRange(p)}）`,
  billed: p => `「${p.heldBy}」已计费至 ${p.billed}，起收日期请定在这之后`,
}

const verdictLabels: Readonly<Record<Verdict | 'lost', string>> = {
  bind: '绑定',
  replace: '替换',
  closed: '对象已停用',
  scene: '收费项目不适用',
  same: '已绑定同一标准',
  taken: '已绑定同一项目的其他标准',
  billed: '原标准已计费到起收日期之后',
  lost: '刚刚被其他人绑定',
}

const skipVerdicts = ['closed', 'scene', 'same', 'taken', 'billed'] as const

export const isBinding = (v: Verdict): v is 'bind' | 'replace' => v === 'bind' || v === 'replace'

/** One object with one standard: the key of `lost`. */
export const bindingKey = (b: { readonly standardId: Id; readonly code: string }): string =>
  `${b.standardId} ${b.code}`

type ResultRow = BindResult['rows'][number]

function toResultRow(plannedBinding: PlannedBinding, isLost: boolean): ResultRow {
  const { code: sourceCode, name: sourceName, standardId, standardName, verdict } = plannedBinding
  const named = { sourceCode, sourceName, standardId, standardName }
  if (isLost) return { ...named, outcome: 'lost', reason: `${verdictLabels.lost}，请刷新后重试` }
  return {
    ...named,
    outcome: isBinding(verdict) ? verdict : 'skip',
    reason: verdictMessages[verdict](plannedBinding),
  }
}

/** `missing`: named objects that there are not. `lost`: bindings that another user made first, by key. */
export function toBindResult(
  summary: PlanSummary,
  missing: readonly string[],
  lost: ReadonlySet<string>,
  standards: readonly ChargeableStandard[],
): BindResult {
  const countOf = (v: Verdict): number => summary.counts.get(v) ?? 0
  const skips = skipVerdicts.filter(countOf)
  const missingRows = missing.flatMap(sourceCode =>
    standards.map(({ standard }): ResultRow => ({
      sourceCode,
      sourceName: sourceCode,
      standardId: standard.id,
      standardName: standard.name,
      outcome: 'skip',
      reason: '没有该对象，或不在可管理的范围内',
    })),
  )
  const plannedRows = summary.rows.map(p => toResultRow(p, lost.has(bindingKey(p))))
  return {
    objects: summary.objects + missing.length,
    success: countOf('bind') + countOf('replace') - lost.size,
    replaced: countOf('replace'),
    skipped: skips.reduce((n, v) => n + countOf(v), 0) + missingRows.length,
    fail: lost.size,
    reasons: [
      ...skips.map(v => ({ reason: verdictLabels[v], count: countOf(v) })),
      ...(missingRows.length ? [{ reason: '没有该对象', count: missingRows.length }] : []),
      ...(lost.size ? [{ reason: verdictLabels.lost, count: lost.size }] : []),
    ],
    rows: [...missingRows, ...plannedRows].slice(0, maxListedRows),
  }
}
