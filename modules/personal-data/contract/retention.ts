import { call } from '#kit/contract/call.ts'
import { choice, day, flag, int, lines, moment, text } from '#kit/contract/field.ts'
import { periodUnit } from '#kit/contract/period-unit.ts'
import { listOfRows, noData, shape } from '#kit/contract/shape.ts'
import { menu } from '../module.ts'

const ruleFields = {
  key: text('种类', { required: true, max: 40, wire: 'RuleKey' }),
  label: text('种类', { required: true }),
  content: text('内容', { required: true }),
  basis: text('依据', { required: true }),
  unit: choice('单位', periodUnit, { required: true }),
  amount: int('保存期限', { required: true }),
  initial: int('默认', { required: true }),
  min: int('下限', { required: true }),
  max: int('上限', { required: true }),
  isAutomatic: flag('自动清除', { required: true }),
  /** Whether the company has switched it on or not. */
  isAlways: flag('始终清除', { required: true }),
  /** The screen on which each project sets its own period. */
  setTitle: text('设置页面'),
  setPath: text('设置页面地址'),
  lastDay: day('上次清除'),
  lastCount: int('上次清除条数'),
  /** The period that was set and that the bounds do not allow any more: `amount` holds instead. */
  replaced: int('原设置'),
}

const settingFields = {
  isOn: flag('到期自动清除', { required: true, wire: 'IsOn' }),
  rules: lines('保存期限', ruleFields, { required: true }),
  version: int('版本', { required: true }),
  lastRunTime: moment('上次运行'),
  lastRunCount: int('上次运行清除条数'),
  nextRunTime: moment('下次运行'),
}

export const getRetention = call({
  route: 'GET PersonalData/GetRetention',
  title: '查询保存期限',
  needs: menu.retention.permissions.view,
  input: noData,
  output: shape(settingFields),
})

const periodFields = {
  key: ruleFields.key,
  amount: int('保存期限', { required: true, min: 1, max: 1000 }),
}

export const saveRetention = call({
  route: 'PUT PersonalData/PutRetention',
  title: '设置保存期限',
  needs: menu.retention.permissions.edit,
  affects: ['retentionSetting'],
  input: shape({
    isOn: settingFields.isOn,
    periods: lines('保存期限', periodFields, { max: 100 }),
    version: int('版本', { required: true, min: 0 }),
  }),
  output: shape(settingFields),
})

/** How many rows the next run would take, with these periods where they are given. */
export const previewRetention = call({
  route: 'POST PersonalData/GetRetentionPreview',
  title: '预览到期数据',
  needs: menu.retention.permissions.view,
  readOnly: true,
  input: shape({ periods: lines('保存期限', periodFields, { max: 100 }) }),
  output: listOfRows({
    key: ruleFields.key,
    before: day('早于', { required: true }),
    count: int('到期条数', { required: true }),
  }),
})
