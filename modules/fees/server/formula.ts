import { defined } from '#kit/domain/defined.ts'
import { labelOf, keysOf } from '#kit/contract/field.ts'
import { refuse } from '#kit/contract/wire.ts'
import { sql } from '#kit/server/db.ts'
import { registerDependentRows, assertDeletable } from '#kit/server/dependents.ts'
import { reads, uniqueMessages, writes } from '#kit/server/handler.ts'
import { findByIds, insert, requireById, findPage, remove, update, withAllFields } from '#kit/server/table.ts'
import { formulaType } from '../contract/choices.ts'
import {
  addFormula,
  deleteFormulas,
  editFormula,
  feeFormula,
  formulaFilters,
  listFormulaTypes,
  listFormulas,
  getFormula,
  setFormulaState,
  type FeeFormula,
} from '../contract/formula.ts'
import { validateFormula, listVariables } from '../domain/definition-rules.ts'
import { assertNoFaults, setDefinitionState, withStandardCounts } from './definitions.ts'

uniqueMessages({ fee_formula_name_live: '已有同名的收费公式' })

registerDependentRows('feeFormula', {
  label: '收费标准',
  table: 'fee_standard',
  where: (formula: FeeFormula) => sql`formula_id = ${formula.id}`,
})

type FormulaType = keyof typeof formulaType.rows

/** The formula types as the screen lists them (C2.2). */
const typeDescriptions: Readonly<Record<FormulaType, readonly [amount: string, wants: string]>> = {
  area: ['单价 × 面积 + 附加费', '面积口径：建筑、套内或计费面积'],
  fixed: ['固定金额', '无'],
  quantity: ['单价 × 数量', '数量口径：户数、人数、车辆数、楼层或手工'],
  usage: ['单价 × 用量 + 附加费', '仪表'],
  tiers: ['按各档单价分段计算', '仪表；阶梯按月或按年；可按人数增量'],
  share: ['公摊总额按权重分摊', '公摊池与分摊方式'],
  custom: ['按表达式计算', '公式中的变量'],
  imported: ['导入或手工填写的金额', '导入'],
  rent: ['合同约定的租金', '合同'],
  risingRent: ['租金按约定逐期递增', '合同'],
  times: ['单价 × 次数', '订单'],
}

export const formulaHandlers = [
  reads(listFormulas, async (q, { db, scope }) => {
    const found = await findPage(db, feeFormula, scope, q, { filters: formulaFilters })
    return { ...found, rows: await withStandardCounts(db, scope.ownerId, 'formula_id', found.rows) }
  }),
  reads(getFormula, async ({ id }, { db, scope }) =>
    defined(
      (
        await withStandardCounts(db, scope.ownerId, 'formula_id', [
          await requireById(db, feeFormula, scope, id),
        ])
      )[0],
    ),
  ),
  reads(listFormulaTypes, async () =>
    keysOf(formulaType).map(formulaKind => ({
      formulaType: formulaKind,
      name: labelOf(formulaType, formulaKind),
      amount: typeDescriptions[formulaKind][0],
      wants: typeDescriptions[formulaKind][1],
    })),
  ),
  writes(addFormula, async ({ id: _id, version: _version, ...d }, { tx, scope }) => {
    assertNoFaults(addFormula.input, validateFormula(d))
    return insert(tx, feeFormula, scope, { ...d, variables: listVariables(d), isSystem: false, state: 'on' })
  }),
  writes(editFormula, async ({ id, version, ...draft }, { tx, scope }) => {
    if (!id) return refuse('缺少要修改的公式')
    const before = await requireById(tx, feeFormula, scope, id, { lock: true })
    if (before.isSystem) return refuse(`「${before.name}」是内置公式，不能修改；请新增一个公式`)
    const next = { ...draft, formulaType: before.formulaType }
    assertNoFaults(editFormula.input, validateFormula(next))
    const [{ standards = 0 } = {}] = await withStandardCounts(tx, scope.ownerId, 'formula_id', [before])
    const same =
      before.expression === next.expression &&
      JSON.stringify(before.parameters ?? []) === JSON.stringify(next.parameters ?? [])
    // A used formula is as firm as a used price (FEE-6).
    if (standards && !same)
      return refuse(
        `公式「${before.name}」已用于 ${standards} 个收费标准，不能再改表达式；请新增一个公式，再建新标准`,
      )
    return update(
      tx,
      feeFormula,
      scope,
      id,
      { ...withAllFields(editFormula.input, next), variables: listVariables(next) },
      { version },
    )
  }),
  writes(deleteFormulas, async ({ ids, reason }, { tx, scope }) => {
    for (const f of await findByIds(tx, feeFormula, scope, ids, { lock: true })) {
      if (f.isSystem) return refuse(`「${f.name}」是内置公式，不能删除`)
      await assertDeletable(tx, scope, 'feeFormula', `公式「${f.name}」`, [f])
    }
    await remove(tx, feeFormula, scope, ids, reason)
  }),
  writes(setFormulaState, async (query, { tx, scope, today }) =>
    setDefinitionState(
      tx,
      feeFormula,
      scope,
      await findByIds(tx, feeFormula, scope, query.ids, { lock: true }),
      query,
      'formula_id',
      today,
    ),
  ),
]
