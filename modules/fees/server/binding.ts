import { codeOf } from '#kit/contract/field.ts'
import { invalidInput } from '#kit/contract/wire.ts'
import type { Day } from '#kit/domain/day.ts'
import { audit } from '#kit/server/audit.ts'
import { sql, type Db, type RawBuilder, type Tx } from '#kit/server/db.ts'
import { reads, writes } from '#kit/server/handler.ts'
import { hasProject, outOfDomain, type Scope } from '#kit/server/scope.ts'
import { findByIds } from '#kit/server/table.ts'
import { live, touch } from '#kit/server/sql.ts'
import { batchBind, batchBindByFilter, previewBind, type BindResult } from '../contract/relation-calls.ts'
import { scene, sourceType } from '../contract/choices.ts'
import { feePackage } from '../contract/relation.ts'
import { compatibleScenes, isSceneAllowed } from '../domain/definition-rules.ts'
import { loadChargeableStandards, type ChargeableStandard } from './chargeable-standards.ts'
import { selectObjects } from './chargeable-objects.ts'

type BindInput = NonNullable<typeof previewBind.input.T>
type Sql = RawBuilder<any>
const maxObjects = 20_000
const maxListedRows = 5000
const minDay = '0001-01-01'
const maxDay = '9999-12-31'

/**
 * The standards named or packaged, judged once for all objects: in use, of this project, one of each item,
 * fit for the type.
 */
async function findBindStandards(db: Db, scope: Scope, q: BindInput): Promise<ChargeableStandard[]> {
  const say = (Field: string, Message: string): never => {
    throw invalidInput([{ Field, Message }])
  }
  const pack =
    q.packageId === undefined ? undefined : (await findByIds(db, feePackage, scope, [q.packageId]))[0]
  if (q.packageId !== undefined && pack?.projectCode !== q.projectCode)
    return say('PackageID', '该项目没有这个套餐，请重新选择')
  const ids = [
    ...new Set(
      [...(q.standardIds ?? []), ...(pack?.standardIds ?? [])].map(Number).filter(Number.isSafeInteger),
    ),
  ]
  const field = pack && !q.standardIds?.length ? 'PackageID' : 'StandardIDs'
  if (!ids.length) return say(field, '请选择收费标准或套餐')
  const all = [
    ...(await loadChargeableStandards(db, scope.ownerId, { ids: ids.filter(n => n > 0) })).values(),
  ]
  const faults: string[] = []
  if (all.length < ids.length) {
    faults.push('所选的收费标准有的已不存在，请重新选择')
  }
  const items = new Map<number, ChargeableStandard>()
  for (const d of all) {
    const { standard: s, item } = d
    const other = items.get(item.id)
    if (s.projectCode !== q.projectCode) {
      faults.push(`收费标准「${s.name}」不属于所选项目`)
    }
    if (s.state === 'off' || item.state === 'off') {
      faults.push(
        `${s.state === 'off' ? '收费标准' : '收费项目'}「${s.state === 'off' ? s.name : item.name}」已停用，请先启用或换一个`,
      )
    }
    if (!isSceneAllowed(item.scene, q.sourceType)) {
      faults.push(
        `收费项目「${item.name}」的适用场景是${scene.rows[item.scene][1]}，不能用于${sourceType.rows[q.sourceType][1]}`,
      )
    }
    if (other && !item.allowMulti) {
      faults.push(`「${other.standard.name}」与「${s.name}」同是收费项目「${item.name}」的标准，请只选一个`)
    }
    if (s.startRule === 'given' && !q.beginDate)
      throw invalidInput([{ Field: 'BeginDate', Message: `标准「${s.name}」从指定日期起收，请填写起收日期` }])
    if (s.endDate && q.beginDate && s.endDate < q.beginDate) {
      faults.push(`收费标准「${s.name}」已于 ${s.endDate} 停用`)
    }
    items.set(item.id, d)
  }
  if (q.beginDate && q.endDate && q.endDate < q.beginDate)
    throw invalidInput([{ Field: 'EndDate', Message: '止收日期不能早于起收日期' }])
  return faults.length ? say(field, [...new Set(faults)].slice(0, 5).join('；')) : all
}

type Verdict = 'bind' | 'replace' | 'closed' | 'scene' | 'same' | 'taken' | 'billed'

/**
 * What would become of every object with every standard, as `plan`. Needs fee_relation_source. Those of one
 * item that overlap (FEE-7) are folded into one look: what there is, from when to when, how far it is billed.
 */
function buildPlan(
  scope: Scope,
  q: BindInput,
  which: { codes?: readonly string[]; reach?: BindInput },
  all: readonly ChargeableStandard[],
): Sql {
  const begin = sql`${q.beginDate ?? null}::date`
  const end = sql`${q.endDate ?? null}::date`
  const type = codeOf(sourceType, q.sourceType) as number
  const fits = (d: ChargeableStandard): number[] =>
    (['room', 'shop', 'area', 'parkPlace', 'company', 'car', 'lease'] as const)
      .filter(k => compatibleScenes(k).includes(d.item.scene))
      .map(k => codeOf(scene, k) as number)
  const std = sql`json_to_recordset(
    ${JSON.stringify(all.map(d => ({ id: d.standard.id, item: d.item.id, name: d.standard.name, multi: d.item.allowMulti, scenes: fits(d) })))}::json
  ) as s(id bigint, item bigint, name text, multi boolean, scenes json)`
  return sql`plan as (
    select o.code, o.name, o.build_code, o.sort, s.id as standard_id, s.item, s.name as standard_name,
      s.multi, h.since, h.until, h.billed, h.standard as held_by,
      case
        when not o.open then 'closed'
        when not exists (
          select 1 from json_array_elements_text(s.scenes) x where x::int = o.scene
        ) then 'scene'
        when h.same then 'same'
        when h.n is null then 'bind' ${
          q.mode === 'replace'
            ? sql`when h.billed >= coalesce(${begin}, ${minDay}::date) then 'billed'
          else 'replace'`
            : sql`else 'taken'`
        }
        end as verdict
    from (${selectObjects(scope, q.projectCode, q.sourceType, which)}) o
    cross join ${std}
    left join lateral (
      select count(*) as n, bool_or(r.standard_id = s.id) as same,
        min(coalesce(r.begin_date, ${minDay}::date)) as since,
        max(coalesce(r.end_date, ${maxDay}::date)) as until, max(r.billed_to) as billed,
        (array_agg(w.name order by r.id))[1] as standard
      from fee_relation r
      join fee_standard w on w.owner_id = r.owner_id and w.id = r.standard_id
      where r.owner_id = ${scope.ownerId}
        and r.project_code = ${q.projectCode}
        and r.source_type = ${type}
        and r.source_code = o.code
        and ${live('r')}
        and r.fee_item_id = s.item
        and daterange(r.begin_date, r.end_date, '[]') && daterange(${begin}, ${end}, '[]')
        and (not s.multi or r.standard_id = s.id)
      having count(*) > 0
    ) h on true
  )`
}

interface PlannedBinding {
  code: string
  name: string
  standardId: number
  standardName: string
  item: number
  verdict: Verdict
  since?: Day
  until?: Day
  billed?: Day
  heldBy?: string
}

const formatRange = (p: PlannedBinding): string =>
  p.since === minDay && p.until === maxDay
    ? '一直有效'
    : `${p.since === minDay ? '' : `${p.since} `}${p.since === minDay ? '' : '起'}${p.until === maxDay ? '' : `至 ${p.until}`}`

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

const outcomeOf = (v: Verdict): 'bind' | 'replace' | 'skip' => (v === 'bind' || v === 'replace' ? v : 'skip')

interface PlanSummary {
  readonly rows: readonly PlannedBinding[]
  readonly counts: ReadonlyMap<Verdict, number>
  readonly objects: number
}

async function readPlan(db: Db, plan: Sql, objects: number): Promise<PlanSummary> {
  const [found, counts] = await db.all<[PlannedBinding, { verdict: Verdict; n: number }]>(
    sql`
      with ${plan}
      select code, name, standard_id, standard_name, item, verdict, since, until, billed, held_by
      from plan
      order by (verdict in ('bind', 'replace')), sort, code, standard_id
      limit ${maxListedRows}
    `,
    sql`with ${plan} select verdict, count(*)::int as n from plan group by verdict`,
  )
  return { rows: found, counts: new Map(counts.map(c => [c.verdict, c.n])), objects }
}

const toResultRow = (p: PlannedBinding, lost: boolean): BindResult['rows'][number] => ({
  sourceCode: p.code,
  sourceName: p.name,
  standardId: p.standardId,
  standardName: p.standardName,
  outcome: lost ? 'lost' : outcomeOf(p.verdict),
  reason: lost ? `${verdictLabels.lost}，请刷新后重试` : verdictMessages[p.verdict](p),
})

function toBindResult(
  seen: PlanSummary,
  missing: readonly string[],
  lost: ReadonlySet<string>,
  standards: readonly ChargeableStandard[],
): BindResult {
  const of = (v: Verdict): number => seen.counts.get(v) ?? 0
  const skips = (['closed', 'scene', 'same', 'taken', 'billed'] as const).filter(of)
  const absent = missing.flatMap(code =>
    standards.map(d => ({
      sourceCode: code,
      sourceName: code,
      standardId: d.standard.id,
      standardName: d.standard.name,
      outcome: 'skip' as const,
      reason: '没有这个对象，或不在可管理的范围内',
    })),
  )
  return {
    objects: seen.objects + missing.length,
    success: of('bind') + of('replace') - lost.size,
    replaced: of('replace'),
    skipped: skips.reduce((n, v) => n + of(v), 0) + absent.length,
    fail: lost.size,
    reasons: [
      ...skips.map(v => ({ reason: verdictLabels[v], count: of(v) })),
      ...(absent.length ? [{ reason: '没有这个对象', count: absent.length }] : []),
      ...(lost.size ? [{ reason: verdictLabels.lost, count: lost.size }] : []),
    ],
    rows: [...absent, ...seen.rows.map(p => toResultRow(p, lost.has(`${p.standardId} ${p.code}`)))].slice(
      0,
      maxListedRows,
    ),
  }
}

async function prepareBinding(
  db: Db,
  scope: Scope,
  q: BindInput,
): Promise<{ plan: Sql; seen: PlanSummary; missing: string[]; standards: ChargeableStandard[] }> {
  if (!hasProject(scope.domain, q.projectCode)) throw outOfDomain()
  const standards = await findBindStandards(db, scope, q)
  const codes = q.sourceCodes && [...new Set(q.sourceCodes)]
  // Counted before anything is looked up for each of them.
  const { n } = (await db.one<{ n: number }>(
    sql`
      select count(*)::int as n
      from (${selectObjects(scope, q.projectCode, q.sourceType, codes ? { codes } : { reach: q })}) o
    `,
  ))!
  if (n > maxObjects)
    throw invalidInput([
      {
        Field: 'Buildcodes',
        Message: `符合条件的有 ${n} 个对象，一次最多 ${maxObjects} 个，请缩小范围分几次绑定`,
      },
    ])
  const plan = buildPlan(scope, q, codes ? { codes } : { reach: q }, standards)
  const seen = await readPlan(db, plan, n)
  const there =
    codes &&
    new Set(
      (
        await db.rows<{ code: string }>(
          sql`select code from (${selectObjects(scope, q.projectCode, q.sourceType, { codes })}) o`,
        )
      ).map(o => o.code),
    )
  return { plan, seen, missing: codes?.filter(c => !there!.has(c)) ?? [], standards }
}

/**
 * FEE-7: the ones before give way up to the day before; what begins later and was never billed goes. Both in
 * order of the object, so that two clerks wait for each other and never in a ring.
 */
async function endReplacedRelations(
  tx: Tx,
  scope: Scope,
  q: BindInput,
  plan: Sql,
): Promise<readonly number[]> {
  const begin = sql`${q.beginDate ?? null}::date`
  const held = (
    await tx.rows<{
      id: number
    }>(sql`
      with ${plan}
      select r.id
      from fee_relation r
      join plan p on p.code = r.source_code and p.item = r.fee_item_id and p.verdict = 'replace'
      where r.owner_id = ${scope.ownerId}
        and r.project_code = ${q.projectCode}
        and r.source_type = ${codeOf(sourceType, q.sourceType) as number}
        and ${live('r')}
        and daterange(r.begin_date, r.end_date, '[]') && daterange(
          ${begin}, ${q.endDate ?? null}::date, '[]'
        )
      order by r.source_code, r.id
      for update of r
    `)
  ).map(r => r.id)
  if (held.length) {
    await tx.execute(sql`
      update fee_relation r
      set end_date = case
        when coalesce(r.begin_date, ${minDay}::date) < coalesce(${begin}, ${minDay}::date) then ${begin} - 1
        else r.end_date
        end,
        delete_tag = case
          when coalesce(r.begin_date, ${minDay}::date) < coalesce(${begin}, ${minDay}::date) then 0
          else 1
          end,
        ${touch(scope)}
      where r.owner_id = ${scope.ownerId} and r.id = any(${held})
    `)
  }
  return held
}

async function bindObjects(tx: Tx, scope: Scope, q: BindInput): Promise<BindResult> {
  const { plan, seen, missing, standards } = await prepareBinding(tx, scope, q)
  const due = (seen.counts.get('bind') ?? 0) + (seen.counts.get('replace') ?? 0)
  if (!due) return toBindResult(seen, missing, new Set(), standards)
  const replaced = q.mode === 'replace' ? await endReplacedRelations(tx, scope, q, plan) : []
  const made = await tx.rows<{
    standardId: number
    code: string
  }>(sql`
    with ${plan}
    insert into fee_relation (
      owner_id, create_by, update_by, project_code, source_type, source_code, source_name, build_code,
      fee_item_id, standard_id, begin_date, end_date, price_override, ratio_override, quantity, remark,
      multi, state
    )
    select ${scope.ownerId}::bigint, ${scope.operatorId}::bigint, ${scope.operatorId}::bigint,
      ${q.projectCode}, ${codeOf(sourceType, q.sourceType) as number}::smallint, p.code, p.name,
      p.build_code, p.item, p.standard_id, ${q.beginDate ?? null}::date, ${q.endDate ?? null}::date,
      ${q.priceOverride ?? null}::numeric, ${q.ratioOverride ?? null}::numeric,
      ${q.quantity ?? null}::numeric, ${q.remark ?? null}, p.multi, 10
    from plan p
    where p.verdict = 'bind'
    order by p.code, p.standard_id
    on conflict do nothing
    returning standard_id, source_code as code
  `)
  const did = new Set(made.map(m => `${m.standardId} ${m.code}`))
  const wanted = seen.rows.filter(p => outcomeOf(p.verdict) !== 'skip').map(p => `${p.standardId} ${p.code}`)
  // Somebody else was first with these: the guard in the database let only one in.
  const lost = new Set(wanted.filter(k => !did.has(k)).slice(0, Math.max(0, due - made.length)))
  await audit(tx, scope, [
    {
      action: 'insert',
      entity: 'feeRelation',
      entityId: 0,
      projectCode: q.projectCode,
      after: {
        count: made.length,
        replaced: replaced.length,
        standards: standards.map(d => d.standard.code),
        beginDate: q.beginDate,
        mode: q.mode ?? 'append',
      },
    },
  ])
  return toBindResult(seen, missing, lost, standards)
}

export const bindHandlers = [
  reads(previewBind, async (q, { db, scope }) => {
    const { seen, missing, standards } = await prepareBinding(db, scope, q)
    return toBindResult(seen, missing, new Set(), standards)
  }),
  writes(batchBind, (q, { tx, scope }) => bindObjects(tx, scope, q as BindInput)),
  writes(batchBindByFilter, (q, { tx, scope }) => bindObjects(tx, scope, q as BindInput)),
]
