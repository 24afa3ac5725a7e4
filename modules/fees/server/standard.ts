import type { Id } from '#kit/domain/id.ts'
import { keysOfRecord, omitKeys } from '#kit/domain/records.ts'
import { refuse, invalidInput } from '#kit/contract/wire.ts'
import type { Day } from '#kit/domain/day.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { registerDependentRows, assertDeletable } from '#kit/server/dependents.ts'
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
} from '#kit/server/table.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { enabledState } from '#modules/estates/contract/estate.ts'
import { sourceType } from '../contract/choices.ts'
import { feeFormula, type FeeFormula } from '../contract/formula.ts'
import { feeItem, type FeeItem } from '../contract/item.ts'
import {
  feeStandard,
  priceFields,
  standardFilters,
  standardVersion,
  type FeeStandard,
  type PriceInput,
} from '../contract/standard.ts'
import {
  addStandard,
  deleteStandards,
  editStandard,
  listStandards,
  getStandard,
  listStandardsByScene,
  listStandardsOfSource,
  setStandardState,
} from '../contract/standard-calls.ts'
import { prepareFormula, validateStandardEdit, validateStandard } from '../domain/definition-rules.ts'
import { selectableScenes, scenesOfSource } from '../domain/scenes.ts'
import { validatePrice } from '../domain/price-rules.ts'
import { assertNoFaults, setDefinitionState, findVersions } from './definitions.ts'
import { countOutdatedBills, findVersionUsage } from './billing-hooks.ts'
import { notEndedOn } from './relation-conditions.ts'
import { enrichStandard, enrichStandards, ofMonthPrices, ofScenes } from './standard-queries.ts'

uniqueMessages({
  fee_standard_code_live: '该项目已有此编码的收费标准',
  fee_standard_name_live: '该项目已有同名的收费标准',
  fee_version_day_live: '该日已有一个价格版本，请更换生效日期',
})

// FEE-5: a standard in use cannot be deleted (bills and meters register their own dependents).
registerDependentRows(
  'feeStandard',
  {
    label: '收费关联',
    table: 'fee_relation',
    where: (standard: FeeStandard) => sql`standard_id = ${standard.id}`,
  },
  {
    label: '套餐',
    table: 'fee_package',
    where: (standard: FeeStandard) => sql`${String(standard.id)} = any(standard_ids)`,
  },
)

interface Definitions {
  readonly item: FeeItem
  readonly formula: FeeFormula
}

/** The item and formula of a draft; refuses at their fields. `isNew`: disabled ones are refused too. */
async function requireItemAndFormula(
  tx: Tx,
  scope: Scope,
  draft: Pick<FeeStandard, 'feeItemId' | 'formulaId'>,
  isNew: boolean,
): Promise<Definitions> {
  const [item] = await findByIds(tx, feeItem, scope, [draft.feeItemId])
  const [formula] = await findByIds(tx, feeFormula, scope, [draft.formulaId])
  if (!item || (isNew && item.state === 'off'))
    throw invalidInput([
      {
        Field: 'FeeItemID',
        Message: item ? `收费项目「${item.name}」已停用，请先启用或更换` : '收费项目不存在，请重新选择',
      },
    ])
  if (!formula || (isNew && formula.state === 'off'))
    throw invalidInput([
      {
        Field: 'FormulaID',
        Message: formula ? `公式「${formula.name}」已停用，请先启用或更换` : '公式不存在，请重新选择',
      },
    ])
  return { item, formula }
}

const priceKeys = keysOfRecord(priceFields)

/** The first price holds from this day where its own is not given. */
export const firstPriceDay: Day = '2000-01-01'

/** A new standard's own values, and those of its first price. */
function splitPrice<D extends PriceInput>(
  draft: D,
): { readonly standard: Omit<D, keyof PriceInput>; readonly price: PriceInput } {
  return {
    standard: omitKeys(draft, priceKeys),
    price: Object.fromEntries(Object.entries(draft).filter(([key]) => key in priceFields)),
  }
}

/** Whether any price version of a standard has been billed. */
async function isBilled(tx: Tx, scope: Scope, standardId: Id): Promise<boolean> {
  const versions = await findVersions(tx, scope, standardId)
  const usage = await findVersionUsage(
    tx,
    scope.ownerId,
    standardId,
    versions.map(v => v.id),
    1,
  )
  return usage.size > 0
}

export const standardHandlers = [
  reads(listStandards, async ({ sourceType: type, isMonthPrice, ...query }, { db, scope, today }) => {
    const found = await findPage(db, feeStandard, scope, query, {
      filters: standardFilters,
      where: [
        ...(type ? [ofScenes(scope.ownerId, scenesOfSource(type))] : []),
        ...(isMonthPrice ? [ofMonthPrices(scope.ownerId)] : []),
      ],
    })
    return { ...found, rows: await enrichStandards(db, scope, found.rows, today) }
  }),
  reads(getStandard, async ({ id }, { db, scope, today }) => ({
    ...(await enrichStandard(db, scope, await requireById(db, feeStandard, scope, id), today)),
    oldBills: await countOutdatedBills(db, scope.ownerId, id),
  })),
  reads(listStandardsByScene, async (query, { db, scope, today }) => {
    const projectCode = query.projectCode ?? scope.projectCode
    const found = await findAll(
      db,
      feeStandard,
      scope,
      {
        ...(projectCode ? { projectCode } : {}),
        ...(query.feeItemId ? { feeItemId: [String(query.feeItemId)] } : {}),
      },
      {
        filters: ['feeItemId'],
        where: [
          sql`t.state = ${code(enabledState, 'on')}`,
          ...(query.scene
            ? [ofScenes(scope.ownerId, selectableScenes(query.scene), { onlyEnabledItems: true })]
            : []),
        ],
      },
    )
    return enrichStandards(db, scope, found, today)
  }),
  reads(listStandardsOfSource, async (query, { db, scope, today }) => {
    const projectCode = query.projectCode ?? scope.projectCode
    if (!projectCode) return []
    const typeCondition = query.sourceType
      ? sql`and r.source_type = ${code(sourceType, query.sourceType)}`
      : sql``
    const found = await findAll(
      db,
      feeStandard,
      scope,
      { projectCode },
      {
        where: [
          sql`t.id in (
            select r.standard_id
            from fee_relation r
            where r.owner_id = ${scope.ownerId}
              and r.project_code = ${projectCode} ${typeCondition}
              and r.source_code = ${query.sourceCode}
              and ${notDeleted('r')}
              and (r.begin_date is null or r.begin_date <= ${today})
              and ${notEndedOn('r', today)}
          )`,
        ],
      },
    )
    return enrichStandards(db, scope, found, today)
  }),
  writes(addStandard, async ({ id: _id, version: _version, ...draft }, { tx, scope, today }) => {
    const { standard, price } = splitPrice(draft)
    const { item, formula } = await requireItemAndFormula(tx, scope, standard, true)
    assertNoFaults(addStandard.input, [
      ...validateStandard(standard, item, formula, prepareFormula(formula)),
      ...validatePrice(price, formula),
    ])
    const added = await insert(tx, feeStandard, scope, { ...standard, state: 'on' })
    await insert(tx, standardVersion, scope, {
      ...price,
      standardId: added.id,
      effectiveDate: price.effectiveDate ?? firstPriceDay,
      extraProrate: price.extraProrate ?? false,
    })
    return enrichStandard(tx, scope, added, today)
  }),
  writes(editStandard, async ({ id, version, ...draft }, { tx, scope, today }) => {
    if (!id) return refuse('缺少要修改的收费标准')
    const before = await requireById(tx, feeStandard, scope, id, { lock: true })
    const { projectCode, feeItemId, formulaId } = before
    const fixed = { projectCode, code: before.code, feeItemId, formulaId }
    const { item, formula } = await requireItemAndFormula(tx, scope, fixed, false)
    assertNoFaults(
      editStandard.input,
      validateStandard({ ...draft, ...fixed }, item, formula, prepareFormula(formula)),
    )
    const values = withAllFields(editStandard.input, draft)
    const changed = validateStandardEdit(before, values)
    if (changed.length && (await isBilled(tx, scope, id))) {
      assertNoFaults(editStandard.input, changed)
    }
    const after = await update(tx, feeStandard, scope, id, { ...values, ...fixed }, { version })
    return enrichStandard(tx, scope, after, today)
  }),
  writes(deleteStandards, async ({ ids, reason }, { tx, scope }) => {
    for (const s of await findByIds(tx, feeStandard, scope, ids, { lock: true })) {
      await assertDeletable(tx, scope, 'feeStandard', `收费标准「${s.name}」`, [s])
    }
    await remove(tx, feeStandard, scope, ids, reason)
  }),
  writes(setStandardState, async (query, { tx, scope, today }) =>
    setDefinitionState(
      tx,
      feeStandard,
      scope,
      await findByIds(tx, feeStandard, scope, query.ids, { lock: true }),
      query,
      'id',
      today,
    ),
  ),
]
