import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, decimal, flag, lines, list, text } from '#kit/contract/field.ts'
import { inUse } from '#modules/estates/contract/estate.ts'
import { formulaType } from './choices.ts'

/** A value the formula asks for beside the usual variables. */
export const parameter = { name: text('变量', { required: true, max: 20 }), label: text('说明', { max: 40 }), required: flag('必填') }
export const named = { name: text('变量', { required: true, max: 40 }), value: decimal('值', { required: true, scale: 6 }) }

/** How an amount is computed (C2.2). */
export const feeFormula = entity('feeFormula', '收费公式', { table: 'fee_formula', reach: 'company', title: 'name', order: ['id'] }, {
  name: text('名称', { required: true, max: 40, sought: true, wire: 'FormulaName' }),
  formulaType: choice('类型', formulaType, { required: true, fixed: true }),
  expression: text('表达式', { max: 500, notIn: ['filter'] }),
  variables: list('变量', { max: 40, fixed: true, notIn: ['form', 'filter'] }),
  parameters: lines('参数', parameter, { max: 20, wire: 'ParamsJson', notIn: ['table', 'filter'] }),
  tests: lines('测试样例', named, { max: 40, wire: 'TestJson', notIn: ['table', 'filter'] }),
  isSystem: flag('内置', { required: true, initial: false, fixed: true, notIn: ['form'] }),
  remark: text('备注', { max: 200, notIn: ['table', 'filter'] }),
  state: choice('状态', inUse, { required: true, initial: 'on' }),
})
export type FeeFormula = Row<typeof feeFormula>
