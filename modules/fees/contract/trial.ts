import { call, everyone } from '#kit/contract/call.ts'
import { choice, day, decimal, flag, idOf, int, lines, list, money, text } from '#kit/contract/field.ts'
import { listOfRows, shape } from '#kit/contract/shape.ts'
import { menu } from '../module.ts'
import { formulaType } from './choices.ts'
import { namedValue } from './formula.ts'

/** A standard, a formula, or one that is only being written. */
const trialTarget = {
  id: idOf('标准', { min: 1, wire: ['StandardID', 'ID'] }),
  formulaId: idOf('公式', { min: 1, wire: 'FormulaID' }),
  expression: text('表达式', { max: 10_000 }),
  parameters: list('自定义变量', { max: 20 }),
}

const parameterFields = {
  name: text('变量', { required: true }),
  label: text('说明'),
  unit: text('单位'),
  origin: text('来自', { required: true, help: '对象、仪表、标准或账期' }),
  required: flag('必填', { required: true }),
  value: text('值', { help: '标准里已有的值，或试算用的样例' }),
}

/** The values a standard needs besides its own before it can charge (FEE-22). */
export const listStandardParameters = call({
  route: 'GET PropertyFeestandard/GetStandardParameters',
  title: '标准还缺的参数',
  needs: everyone,
  input: shape({ id: trialTarget.id, formulaId: trialTarget.formulaId }),
  output: listOfRows(parameterFields),
})

/** All values of a trial, with samples. */
export const listTestParameters = call({
  route: 'GET finance/v1/FeeStandard/GetTestParameters',
  title: '试算要填的变量',
  needs: everyone,
  input: shape(trialTarget),
  output: listOfRows(parameterFields),
})

/**
 * Computes once with the given values by the evaluator that bills use. A fault is an answer, not a refusal:
 * its place counts UTF-16 units as an input's selection does, `fix` is the whole text put right.
 */
export const testStandard = call({
  route: 'POST PropertyFeestandard/PostStandardTest',
  aliases: ['POST finance/v1/FeeStandard/ExecuteTest', 'GET finance/v1/FeeStandard/ExecuteTest'],
  title: '试算',
  needs: everyone,
  readOnly: true,
  input: shape({
    ...trialTarget,
    day: day('试算日期'),
    months: int('月数', { min: 1, max: 36 }),
    values: lines('变量的值', namedValue, { max: 60 }),
  }),
  output: shape({
    isComputed: flag('算出', { required: true, wire: 'Good' }),
    amount: money('金额'),
    exact: text('舍入前'),
    sentence: text('说明'),
    message: text('问题'),
    at: int('位置'),
    length: int('长度'),
    fix: text('改正'),
    missing: list('缺少的变量'),
  }),
})

/**
 * What one month (or one reading, one occasion) costs by a standard, for an object or for values entered by
 * hand.
 */
export const calculateStandardFee = call({
  route: 'GET PropertyFeestandard/GetStandardFee',
  title: '按标准算一次金额',
  needs: menu.standard.permissions.view,
  input: shape({
    id: idOf('标准', { required: true, min: 1, wire: ['StandardID', 'ID'] }),
    roomId: idOf('房间', { min: 1, wire: 'RoomID' }),
    quantity: decimal('数量', { min: 0 }),
    day: day('日期'),
  }),
  output: shape({
    isComputed: flag('算出', { required: true, wire: 'Good' }),
    formulaType: choice('公式类型', formulaType),
    amount: money('金额'),
    sentence: text('说明'),
    message: text('问题'),
  }),
})
