import { call, everyone } from '#kit/contract/call.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, decimal, flag, int, lines, list, text } from '#kit/contract/field.ts'
import {
  byId,
  byIdsWhy,
  draftOf,
  nothing,
  oneOf,
  pageOf,
  rowsOf,
  search,
  shape,
} from '#kit/contract/shape.ts'
import { inUse } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'
import { turned, turning } from './item.ts'
import { formulaType } from './choices.ts'

/** A value the formula asks for beside the usual variables. */
export const parameter = {
  name: text('变量', { required: true, max: 20 }),
  label: text('说明', { max: 40 }),
  required: flag('必填'),
}

export const named = {
  name: text('变量', { required: true, max: 40 }),
  value: decimal('值', { required: true, scale: 6 }),
}

/** How an amount is computed (C2.2). */
export const feeFormula = entity(
  'feeFormula',
  '收费公式',
  { table: 'fee_formula', reach: 'company', title: 'name', order: ['id'] },
  {
    name: text('名称', { required: true, max: 40, sought: true, wire: 'FormulaName' }),
    formulaType: choice('类型', formulaType, { required: true, fixed: true }),
    expression: text('表达式', { max: 500, notIn: ['filter'] }),
    variables: list('变量', { max: 40, fixed: true, notIn: ['form', 'filter'] }),
    parameters: lines('参数', parameter, { max: 20, wire: 'ParamsJson', notIn: ['table', 'filter'] }),
    tests: lines('测试样例', named, { max: 40, wire: 'TestJson', notIn: ['table', 'filter'] }),
    isSystem: flag('内置', { required: true, initial: false, fixed: true, notIn: ['form'] }),
    remark: text('备注', { max: 200, notIn: ['table', 'filter'] }),
    state: choice('状态', inUse, { required: true, initial: 'on', fixed: true, notIn: ['form'] }),
    standards: int('标准', { derived: true, wire: 'StandardCount', notIn: ['form', 'filter', 'sheet'] }),
  },
)

export type FeeFormula = Row<typeof feeFormula>
export const formulaFilters = ['formulaType', 'isSystem', 'state', 'createTime'] as const

/** With the sample values it must come out right with before it is saved (FEE-22). */
const draft = draftOf(feeFormula, ['variables', 'isSystem', 'state'])

export const listFormulas = call({
  at: 'GET finance/v1/FeeFormula/Get',
  names: ['Feeformula/get'],
  title: '查询收费公式',
  needs: everyone,
  input: search(feeFormula, formulaFilters),
  output: pageOf(feeFormula),
})

export const oneFormula = call({
  at: 'GET finance/v1/FeeFormula/GetOne',
  title: '查看收费公式',
  needs: menu.formula.may.view,
  input: byId,
  output: oneOf(feeFormula),
})

export const addFormula = call({
  at: 'POST finance/v1/FeeFormula/Post',
  names: ['Feeformula/post'],
  title: '新增收费公式',
  needs: menu.formula.may.add,
  input: draft,
  output: oneOf(feeFormula),
  affects: ['feeFormula'],
})

export const editFormula = call({
  at: 'PUT finance/v1/FeeFormula/Put',
  names: ['Feeformula/put'],
  title: '编辑收费公式',
  needs: menu.formula.may.edit,
  input: draft,
  output: oneOf(feeFormula),
  affects: ['feeFormula'],
})

export const deleteFormulas = call({
  at: 'DELETE finance/v1/FeeFormula/Delete',
  names: ['Feeformula/delete'],
  title: '删除收费公式',
  needs: menu.formula.may.del,
  input: byIdsWhy,
  output: nothing,
  affects: ['feeFormula'],
})

export const turnFormulas = call({
  at: 'PUT finance/v1/FeeFormula/PutState',
  title: '启用或停用收费公式',
  needs: menu.formula.may.edit,
  input: turning,
  output: turned,
  affects: ['feeFormula'],
})

export const formulaTypes = call({
  at: 'GET Feeformula/GetFormulaType',
  title: '公式类型',
  needs: everyone,
  input: shape({}),
  output: rowsOf({
    formulaType: choice('公式类型', formulaType, { required: true }),
    name: text('名称', { required: true }),
    amount: text('金额怎么算', { required: true }),
    wants: text('需要', { required: true }),
  }),
})
