import { codeOf } from '#kit/contract/field.ts'
import { refuse, invalidInput } from '#kit/contract/wire.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import { registerDependents, assertDeletable } from '#kit/server/dependents.ts'
import { reads, uniqueMessages, writes } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import {
  findByIds,
  insert,
  requireById,
  findPage,
  remove,
  findAll,
  update,
  withAllFields,
  type TableQuery,
} from '#kit/server/table.ts'
import { live } from '#kit/server/sql.ts'
import { scene, sourceType } from '../contract/choices.ts'
import { feeFormula } from '../contract/formula.ts'
import { feeItem } from '../contract/item.ts'
import {
  addStandard,
  deleteStandards,
  editStandard,
  feeStandard,
  listStandards,
  getStandard,
  priceFields,
  standardFilters,
  standardVersion,
  listStandardsByScene,
  listStandardsOfSource,
  setStandardState,
  type FeeStandard,
  type PriceInput,
} from '../contract/standard.ts'
import {
  prepareFormula,
  validateStandardEdit,
  validatePrice,
  compatibleScenes,
  scenesOfSource,
  validateStandard,
} from '../domain/definition-rules.ts'
import { assertNoFaults, setDefinitionState, findVersions } from './definitions.ts'
import { countOutdatedBills, findVersionUsage } from './billing-hooks.ts'

uniqueMessages({
  fee_standard_code_live: '该项目已有此编码的收费标准',
  fee_standard_name_live: '该项目已有同名的收费标准',
  fee_version_day_live: '这一天已有一个价格版本，请换一个生效日期',
})

// FEE-5: a standard stays while something is bound to it (bills and meters say theirs).
registerDependents('feeStandard', async (tx, scope, [s]) => {
  const n = await tx.one<{
    relations: number
    packages: number
  }>(sql`
    select (
      select count(*)
      from fee_relation
      where owner_id = ${scope.ownerId} and standard_id = ${s.id} and ${live()}
    )::int as relations,
      (
        select count(*)
        from fee_package
        where owner_id = ${scope.ownerId} and ${String(s.id)} = any(standard_ids) and ${live()}
      )::int as packages
  `)
  return [
    { what: '收费关联', count: n!.relations },
    { what: '套餐', count: n!.packages },
  ]
})

interface StandardExtras {
  id: number
  feeType: number
  formulaType: number
  price?: string
  priceFrom?: string
  relations: number
}

/** Kind of item and formula, today's price (else the first to come) and how much is bound. */
export async function enrichStandards(
  db: Db,
  scope: Scope,
  list: readonly FeeStandard[],
  today: string,
): Promise<readonly FeeStandard[]> {
  if (!list.length) return list
  const ids = list.map(s => s.id)
  const beside = new Map(
    (
      await db.rows<StandardExtras>(sql`
        select s.id, i.fee_type, f.formula_type, trim_scale(v.price)::text as price,
          v.effective_date as price_from, coalesce(r.n, 0)::int as relations
        from fee_standard s
        join fee_item i on i.owner_id = s.owner_id and i.id = s.fee_item_id
        join fee_formula f on f.owner_id = s.owner_id and f.id = s.formula_id
        left join lateral (
          select price, effective_date
          from fee_standard_version v
          where v.owner_id = s.owner_id and v.standard_id = s.id and ${live('v')}
          order by v.effective_date > ${today}, abs(v.effective_date - ${today}::date)
          limit 1
        ) v on true
        left join (
          select standard_id, count(*) as n
          from fee_relation
          where owner_id = ${scope.ownerId} and standard_id = any(${ids}) and ${live()}
          group by 1
        ) r on r.standard_id = s.id
        where s.owner_id = ${scope.ownerId} and s.id = any(${ids})
      `)
    ).map(b => [b.id, b]),
  )
  const { feeType, formulaType } = feeStandard.fields
  const key = (f: typeof feeType | typeof formulaType, n: number): string =>
    Object.keys(f.choices!.rows).find(k => f.choices!.rows[k]![0] === n)!
  return list.map(s => {
    const b = beside.get(s.id)!
    return {
      ...s,
      feeType: key(feeType, b.feeType),
      formulaType: key(formulaType, b.formulaType),
      relations: b.relations,
      ...(b.price === undefined ? {} : { price: b.price }),
      ...(b.priceFrom ? { priceFrom: b.priceFrom } : {}),
    } as FeeStandard
  })
}

const enrichStandard = async (db: Db, scope: Scope, s: FeeStandard, today: string): Promise<FeeStandard> =>
  (await enrichStandards(db, scope, [s], today))[0]!

/** The item and formula a draft names, refused at their fields when they can't be used. */
async function requireItemAndFormula(
  tx: Tx,
  scope: Scope,
  d: { feeItemId: number; formulaId: number },
  fresh: boolean,
) {
  const [[item], [formula]] = [
    await findByIds(tx, feeItem, scope, [d.feeItemId]),
    await findByIds(tx, feeFormula, scope, [d.formulaId]),
  ]
  if (!item || (fresh && item.state === 'off'))
    throw invalidInput([
      {
        Field: 'FeeItemID',
        Message: item ? `收费项目「${item.name}」已停用，请先启用或换一个` : '收费项目不存在，请重新选择',
      },
    ])
  if (!formula || (fresh && formula.state === 'off'))
    throw invalidInput([
      {
        Field: 'FormulaID',
        Message: formula ? `公式「${formula.name}」已停用，请先启用或换一个` : '公式不存在，请重新选择',
      },
    ])
  return { item, formula }
}

const priceKeys = Object.keys(priceFields) as (keyof PriceInput)[]

/** A price from ever, unless its day is said. */
export const firstPriceDay = '2000-01-01'

export const standardHandlers = [
  reads(listStandards, async ({ sourceType: type, ...q }, { db, scope, today }) => {
    const fit =
      type &&
      sql`exists (
        select 1
        from fee_item i
        where i.owner_id = t.owner_id
          and i.id = t.fee_item_id
          and i.scene = any(${scenesOfSource(type).map(s => codeOf(scene, s) as number)}::int[])
      )`
    const found = await findPage(db, feeStandard, scope, q, {
      filters: standardFilters,
      where: fit ? [fit] : [],
    })
    return { ...found, rows: await enrichStandards(db, scope, found.rows, today) }
  }),
  reads(getStandard, async ({ id }, { db, scope, today }) => ({
    ...(await enrichStandard(db, scope, await requireById(db, feeStandard, scope, id), today)),
    oldBills: await countOutdatedBills(db, scope.ownerId, id),
  })),
  reads(listStandardsByScene, async (q, { db, scope, today }) => {
    const fit =
      q.scene &&
      sql`exists (
        select 1
        from fee_item i
        where i.owner_id = t.owner_id
          and i.id = t.fee_item_id
          and i.state = 10
          and i.scene = any(${compatibleScenes(q.scene).map(s => codeOf(scene, s) as number)}::int[])
      )`
    const project = q.projectCode ?? scope.projectCode
    const found = await findAll(
      db,
      feeStandard,
      scope,
      {
        ...(project ? { projectCode: project } : {}),
        ...(q.feeItemId ? { feeItemId: [String(q.feeItemId)] } : {}),
      } as TableQuery,
      { filters: ['feeItemId'], where: [sql`t.state = 10`, ...(fit ? [fit] : [])] },
    )
    return enrichStandards(db, scope, found, today)
  }),
  reads(listStandardsOfSource, async (q, { db, scope, today }) => {
    const project = q.projectCode ?? scope.projectCode
    if (!project) return []
    const type = q.sourceType ? sql`and r.source_type = ${codeOf(sourceType, q.sourceType) as number}` : sql``
    const found = await findAll(db, feeStandard, scope, { projectCode: project } as TableQuery, {
      where: [
        sql`t.id in (
          select r.standard_id
          from fee_relation r
          where r.owner_id = ${scope.ownerId}
            and r.project_code = ${project} ${type}
            and r.source_code = ${q.sourceCode}
            and ${live('r')}
            and r.state <> 30
            and (r.begin_date is null or r.begin_date <= ${today})
            and (r.end_date is null or r.end_date >= ${today})
        )`,
      ],
    })
    return enrichStandards(db, scope, found, today)
  }),
  writes(addStandard, async ({ id: _, version: __, ...said }, { tx, scope, today }) => {
    const d = Object.fromEntries(
      Object.entries(said).filter(([k]) => !priceKeys.includes(k as keyof PriceInput)),
    ) as Omit<typeof said, keyof PriceInput>
    const price = Object.fromEntries(
      Object.entries(said).filter(([k]) => priceKeys.includes(k as keyof PriceInput)),
    ) as PriceInput
    const { item, formula } = await requireItemAndFormula(tx, scope, d, true)
    assertNoFaults(addStandard.input, [
      ...validateStandard(d, item, formula, prepareFormula(formula)),
      ...validatePrice(price, formula),
    ])
    const made = await insert(tx, feeStandard, scope, { ...d, state: 'on' })
    await insert(tx, standardVersion, scope, {
      ...price,
      standardId: made.id,
      effectiveDate: price.effectiveDate ?? firstPriceDay,
      extraProrate: price.extraProrate ?? false,
    })
    return enrichStandard(tx, scope, made, today)
  }),
  writes(editStandard, async ({ id, version, ...d }, { tx, scope, today }) => {
    if (!id) return refuse('缺少要修改的收费标准')
    const before = await requireById(tx, feeStandard, scope, id, true)
    const kept = {
      projectCode: before.projectCode,
      code: before.code,
      feeItemId: before.feeItemId,
      formulaId: before.formulaId,
    }
    const { item, formula } = await requireItemAndFormula(tx, scope, kept, false)
    assertNoFaults(
      editStandard.input,
      validateStandard({ ...d, ...kept }, item, formula, prepareFormula(formula)),
    )
    const said = withAllFields(editStandard.input, d)
    const changed = validateStandardEdit(before, said as Partial<FeeStandard>)
    if (
      changed.length &&
      (
        await findVersionUsage(
          tx,
          scope.ownerId,
          id,
          (await findVersions(tx, scope, id)).map(v => v.id),
          1,
        )
      ).size
    ) {
      assertNoFaults(editStandard.input, changed)
    }
    return enrichStandard(
      tx,
      scope,
      await update(tx, feeStandard, scope, id, { ...said, ...kept }, { version }),
      today,
    )
  }),
  writes(deleteStandards, async ({ ids, reason }, { tx, scope }) => {
    for (const s of await findByIds(tx, feeStandard, scope, ids, true)) {
      await assertDeletable(tx, scope, 'feeStandard', `收费标准「${s.name}」`, [s])
    }
    await remove(tx, feeStandard, scope, ids, reason)
  }),
  writes(setStandardState, (q, { tx, scope, today }) =>
    setDefinitionState(tx, feeStandard, scope, q, 'id', today),
  ),
]
