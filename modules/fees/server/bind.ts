import { codeOf } from '#kit/contract/field.ts'
import { wrong } from '#kit/contract/wire.ts'
import type { Day } from '#kit/domain/day.ts'
import { audit } from '#kit/server/audit.ts'
import { sql, type Db, type RawBuilder, type Tx } from '#kit/server/db.ts'
import { reads, writes } from '#kit/server/handle.ts'
import { inProject, outside, type Scope } from '#kit/server/scope.ts'
import { byIds } from '#kit/server/table.ts'
import { batchBind, batchBindPro, previewBind, type BindAnswer } from '../contract/bind.ts'
import { scene, sourceType } from '../contract/choices.ts'
import { feePackage } from '../contract/relation.ts'
import { scenesFitting, suits } from '../domain/define.ts'
import { chargedStandards, type Charged } from './load.ts'
import { objectsOf } from './objects.ts'

type Ask = NonNullable<typeof previewBind.input.T>
type Sql = RawBuilder<any>
const most = 20_000
const listed = 5000
const ever = '0001-01-01'
const never = '9999-12-31'

/**
 * The standards named or packaged, judged once for all objects: in use, of this project, one of each item,
 * fit for the type.
 */
async function standardsFor(db: Db, scope: Scope, q: Ask): Promise<Charged[]> {
  const say = (Field: string, Message: string): never => {
    throw wrong([{ Field, Message }])
  }
  const pack = q.packageId === undefined ? undefined : (await byIds(db, feePackage, scope, [q.packageId]))[0]
  if (q.packageId !== undefined && pack?.projectCode !== q.projectCode)
    return say('PackageID', '该项目没有这个套餐，请重新选择')
  const ids = [
    ...new Set(
      [...(q.standardIds ?? []), ...(pack?.standardIds ?? [])].map(Number).filter(Number.isSafeInteger),
    ),
  ]
  const field = pack && !q.standardIds?.length ? 'PackageID' : 'StandardIDs'
  if (!ids.length) return say(field, '请选择收费标准或套餐')
  const all = [...(await chargedStandards(db, scope.ownerId, { ids: ids.filter(n => n > 0) })).values()]
  const faults: string[] = []
  if (all.length < ids.length) {
    faults.push('所选的收费标准有的已不存在，请重新选择')
  }
  const items = new Map<number, Charged>()
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
    if (!suits(item.scene, q.sourceType)) {
      faults.push(
        `收费项目「${item.name}」的适用场景是${scene.rows[item.scene][1]}，不能用于${sourceType.rows[q.sourceType][1]}`,
      )
    }
    if (other && !item.allowMulti) {
      faults.push(`「${other.standard.name}」与「${s.name}」同是收费项目「${item.name}」的标准，请只选一个`)
    }
    if (s.startRule === 'given' && !q.beginDate)
      throw wrong([{ Field: 'BeginDate', Message: `标准「${s.name}」从指定日期起收，请填写起收日期` }])
    if (s.endDate && q.beginDate && s.endDate < q.beginDate) {
      faults.push(`收费标准「${s.name}」已于 ${s.endDate} 停用`)
    }
    items.set(item.id, d)
  }
  if (q.beginDate && q.endDate && q.endDate < q.beginDate)
    throw wrong([{ Field: 'EndDate', Message: '止收日期不能早于起收日期' }])
  return faults.length ? say(field, [...new Set(faults)].slice(0, 5).join('；')) : all
}

type Verdict = 'bind' | 'replace' | 'closed' | 'scene' | 'same' | 'taken' | 'billed'

/**
 * What would become of every object with every standard, as `plan`. Needs fee_relation_source. Those of one
 * item that overlap (FEE-7) are folded into one look: what there is, from when to when, how far it is billed.
 */
function planned(
  scope: Scope,
  q: Ask,
  which: { codes?: readonly string[]; reach?: Ask },
  all: readonly Charged[],
): Sql {
  const begin = sql`${q.beginDate ?? null}::date`
  const end = sql`${q.endDate ?? null}::date`
  const type = codeOf(sourceType, q.sourceType) as number
  const fits = (d: Charged): number[] =>
    (['room', 'shop', 'area', 'parkPlace', 'company', 'car', 'lease'] as const)
      .filter(k => scenesFitting(k).includes(d.item.scene))
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
            ? sql`when h.billed >= coalesce(${begin}, ${ever}::date) then 'billed'
          else 'replace'`
            : sql`else 'taken'`
        }
        end as verdict
    from (${objectsOf(scope, q.projectCode, q.sourceType, which)}) o
    cross join ${std}
    left join lateral (
      select count(*) as n, bool_or(r.standard_id = s.id) as same,
        min(coalesce(r.begin_date, ${ever}::date)) as since,
        max(coalesce(r.end_date, ${never}::date)) as until, max(r.billed_to) as billed,
        (array_agg(w.name order by r.id))[1] as standard
      from fee_relation r
      join fee_standard w on w.owner_id = r.owner_id and w.id = r.standard_id
      where r.owner_id = ${scope.ownerId}
        and r.project_code = ${q.projectCode}
        and r.source_type = ${type}
        and r.source_code = o.code
        and r.delete_tag = 0
        and r.fee_item_id = s.item
        and daterange(r.begin_date, r.end_date, '[]') && daterange(${begin}, ${end}, '[]')
        and (not s.multi or r.standard_id = s.id)
      having count(*) > 0
    ) h on true
  )`
}

interface Planned {
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

const when = (p: Planned): string =>
  p.since === ever && p.until === never
    ? '一直有效'
    : `${p.since === ever ? '' : `${p.since} `}${p.since === ever ? '' : '起'}${p.until === never ? '' : `至 ${p.until}`}`

const told: Readonly<Record<Verdict, (p: Planned) => string>> = {
  bind: () => '绑定',
  replace: p => `替换「${p.heldBy}」`,
  closed: () => '对象已停用',
  scene: () => '收费项目不适用于这类对象',
  same: p => `已绑定同一标准（${when(p)}）`,
  taken: p => `已绑定「${p.heldBy}」（${when(p)}）`,
  billed: p => `「${p.heldBy}」已计费至 ${p.billed}，起收日期请定在这之后`,
}

const brief: Readonly<Record<Verdict | 'lost', string>> = {
  bind: '绑定',
  replace: '替换',
  closed: '对象已停用',
  scene: '收费项目不适用',
  same: '已绑定同一标准',
  taken: '已绑定同一项目的其他标准',
  billed: '原标准已计费到起收日期之后',
  lost: '刚刚被其他人绑定',
}

const outcome = (v: Verdict): 'bind' | 'replace' | 'skip' => (v === 'bind' || v === 'replace' ? v : 'skip')

interface Seen {
  readonly rows: readonly Planned[]
  readonly counts: ReadonlyMap<Verdict, number>
  readonly objects: number
}

async function look(db: Db, plan: Sql, objects: number): Promise<Seen> {
  const [found, counts] = await db.all<[Planned, { verdict: Verdict; n: number }]>(
    sql`
      with ${plan}
      select code, name, standard_id, standard_name, item, verdict, since, until, billed, held_by
      from plan
      order by (verdict in ('bind', 'replace')), sort, code, standard_id
      limit ${listed}
    `,
    sql`with ${plan} select verdict, count(*)::int as n from plan group by verdict`,
  )
  return { rows: found, counts: new Map(counts.map(c => [c.verdict, c.n])), objects }
}

const rowOf = (p: Planned, lost: boolean): BindAnswer['rows'][number] => ({
  sourceCode: p.code,
  sourceName: p.name,
  standardId: p.standardId,
  standardName: p.standardName,
  outcome: lost ? 'lost' : outcome(p.verdict),
  reason: lost ? `${brief.lost}，请刷新后重试` : told[p.verdict](p),
})

function answer(
  seen: Seen,
  missing: readonly string[],
  lost: ReadonlySet<string>,
  standards: readonly Charged[],
): BindAnswer {
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
      ...skips.map(v => ({ reason: brief[v], count: of(v) })),
      ...(absent.length ? [{ reason: '没有这个对象', count: absent.length }] : []),
      ...(lost.size ? [{ reason: brief.lost, count: lost.size }] : []),
    ],
    rows: [...absent, ...seen.rows.map(p => rowOf(p, lost.has(`${p.standardId} ${p.code}`)))].slice(
      0,
      listed,
    ),
  }
}

async function judged(
  db: Db,
  scope: Scope,
  q: Ask,
): Promise<{ plan: Sql; seen: Seen; missing: string[]; standards: Charged[] }> {
  if (!inProject(scope.domain, q.projectCode)) throw outside()
  const standards = await standardsFor(db, scope, q)
  const codes = q.sourceCodes && [...new Set(q.sourceCodes)]
  // Counted before anything is looked up for each of them.
  const { n } = (await db.one<{ n: number }>(
    sql`
      select count(*)::int as n
      from (${objectsOf(scope, q.projectCode, q.sourceType, codes ? { codes } : { reach: q })}) o
    `,
  ))!
  if (n > most)
    throw wrong([
      { Field: 'Buildcodes', Message: `符合条件的有 ${n} 个对象，一次最多 ${most} 个，请缩小范围分几次绑定` },
    ])
  const plan = planned(scope, q, codes ? { codes } : { reach: q }, standards)
  const seen = await look(db, plan, n)
  const there =
    codes &&
    new Set(
      (
        await db.rows<{ code: string }>(
          sql`select code from (${objectsOf(scope, q.projectCode, q.sourceType, { codes })}) o`,
        )
      ).map(o => o.code),
    )
  return { plan, seen, missing: codes?.filter(c => !there!.has(c)) ?? [], standards }
}

/**
 * FEE-7: the ones before give way up to the day before; what begins later and was never billed goes. Both in
 * order of the object, so that two clerks wait for each other and never in a ring.
 */
async function makeWay(tx: Tx, scope: Scope, q: Ask, plan: Sql): Promise<readonly number[]> {
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
        and r.delete_tag = 0
        and daterange(r.begin_date, r.end_date, '[]') && daterange(
          ${begin}, ${q.endDate ?? null}::date, '[]'
        )
      order by r.source_code, r.id
      for update of r
    `)
  ).map(r => r.id)
  if (held.length) {
    await tx.run(sql`
      update fee_relation r
      set end_date = case
        when coalesce(r.begin_date, ${ever}::date) < coalesce(${begin}, ${ever}::date) then ${begin} - 1
        else r.end_date
        end,
        delete_tag = case
          when coalesce(r.begin_date, ${ever}::date) < coalesce(${begin}, ${ever}::date) then 0
          else 1
          end,
        version = version + 1, update_time = now(), update_by = ${scope.operatorId}
      where r.owner_id = ${scope.ownerId} and r.id = any(${held})
    `)
  }
  return held
}

async function bind(tx: Tx, scope: Scope, q: Ask): Promise<BindAnswer> {
  const { plan, seen, missing, standards } = await judged(tx, scope, q)
  const due = (seen.counts.get('bind') ?? 0) + (seen.counts.get('replace') ?? 0)
  if (!due) return answer(seen, missing, new Set(), standards)
  const replaced = q.mode === 'replace' ? await makeWay(tx, scope, q, plan) : []
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
  const wanted = seen.rows.filter(p => outcome(p.verdict) !== 'skip').map(p => `${p.standardId} ${p.code}`)
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
  return answer(seen, missing, lost, standards)
}

export const bindHandlers = [
  reads(previewBind, async (q, { db, scope }) => {
    const { seen, missing, standards } = await judged(db, scope, q)
    return answer(seen, missing, new Set(), standards)
  }),
  writes(batchBind, (q, { tx, scope }) => bind(tx, scope, q as Ask)),
  writes(batchBindPro, (q, { tx, scope }) => bind(tx, scope, q as Ask)),
]
