import { call, everyone } from '#kit/contract/call.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, decimal, flag, int, lines, list, text, systemChoice } from '#kit/contract/field.ts'
import {
  byId,
  byIdsWithReason,
  draftOf,
  noData,
  recordOf,
  pageOf,
  listOfRows,
  search,
  shape,
} from '#kit/contract/shape.ts'
import { enabledState } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'
import { stateChangeResult, stateChangeInput } from './item.ts'
import { formulaType } from './choices.ts'

/** A parameter of a formula besides the built-in variables. */
export const parameter = {
  name: text('变量', { required: true, max: 20 }),
  label: text('说明', { max: 40 }),
  required: flag('必填'),
}

export const namedValue = {
  name: text('变量', { required: true, max: 40 }),
  value: decimal('值', { required: true, scale: 6 }),
}

/** How an amount is computed (C2.2). */
export const feeFormula = entity(
  'feeFormula',
  '收费公式',
  { table: 'fee_formula', tenancy: 'company', title: 'name', order: ['id'] },
  {
    name: text('名称', { required: true, max: 40, searchable: true, wire: 'FormulaName' }),
    formulaType: choice('类型', formulaType, { required: true, immutable: true }),
    expression: text('表达式', { max: 500, hiddenIn: ['filter'] }),
    variables: list('变量', { max: 40, immutable: true, hiddenIn: ['form', 'filter'] }),
    parameters: lines('参数', parameter, { max: 20, wire: 'ParamsJson', hiddenIn: ['table', 'filter'] }),
    tests: lines('测试样例', namedValue, { max: 40, wire: 'TestJson', hiddenIn: ['table', 'filter'] }),
    isSystem: flag('内置', { required: true, initial: false, immutable: true, hiddenIn: ['form'] }),
    remark: text('备注', { max: 200, hiddenIn: ['table', 'filter'] }),
    state: systemChoice('状态', enabledState, 'on'),
    standards: int('标准', { derived: true, wire: 'StandardCount', hiddenIn: ['form', 'filter', 'sheet'] }),
  },
)

export type FeeFormula = Row<typeof feeFormula>
export const formulaFilters = ['formulaType', 'isSystem', 'state', 'createTime'] as const

/** With the sample values it must come out right with before it is saved (FEE-22). */
const formulaDraft = draftOf(feeFormula, ['variables', 'isSystem', 'state'])

export const listFormulas = call({
  route: 'GET finance/v1/FeeFormula/Get',
  aliases: ['Feeformula/get'],
  title: '查询收费公式',
  needs: everyone,
  input: search(feeFormula, formulaFilters),
  output: pageOf(feeFormula),
})

export const getFormula = call({
  route: 'GET finance/v1/FeeFormula/GetOne',
  title: '查看收费公式',
  needs: menu.formula.permissions.view,
  input: byId,
  output: recordOf(feeFormula),
})

export const addFormula = call({
  route: 'POST finance/v1/FeeFormula/Post',
  aliases: ['Feeformula/post'],
  title: '新增收费公式',
  needs: menu.formula.permissions.add,
  input: formulaDraft,
  output: recordOf(feeFormula),
  affects: ['feeFormula'],
})

export const editFormula = call({
  route: 'PUT finance/v1/FeeFormula/Put',
  aliases: ['Feeformula/put'],
  title: '编辑收费公式',
  needs: menu.formula.permissions.edit,
  input: formulaDraft,
  output: recordOf(feeFormula),
  affects: ['feeFormula'],
})

export const deleteFormulas = call({
  route: 'DELETE finance/v1/FeeFormula/Delete',
  aliases: ['Feeformula/delete'],
  title: '删除收费公式',
  needs: menu.formula.permissions.del,
  input: byIdsWithReason,
  output: noData,
  affects: ['feeFormula'],
})

export const setFormulaState = call({
  route: 'PUT finance/v1/FeeFormula/PutState',
  title: '启用或停用收费公式',
  needs: menu.formula.permissions.edit,
  input: stateChangeInput,
  output: stateChangeResult,
  affects: ['feeFormula'],
})

export const listFormulaTypes = call({
  route: 'GET Feeformula/GetFormulaType',
  title: '公式类型',
  needs: everyone,
  input: shape({}),
  output: listOfRows({
    formulaType: choice('公式类型', formulaType, { required: true }),
    name: text('名称', { required: true }),
    amount: text('计算说明', { required: true }),
    wants: text('需要', { required: true }),
  }),
})
