import { call } from '#kit/contract/call.ts'
import { flag, idOf, int, lines, list, moment, text } from '#kit/contract/field.ts'
import { fileResponse, noData, recordIdField, shape } from '#kit/contract/shape.ts'
import { menu } from '../module.ts'

const { permissions } = menu.sms

export const numberFileLimits = {
  bytes: 20 * 1024 * 1024,
  rows: 200_000,
  hours: 24,
  /** How many faults a screen lists; the file of faulty lines has them all. */
  listed: 200,
} as const

const numberFile = shape({
  id: idOf('编号', { required: true, wire: 'ID' }),
  fileName: text('文件名', { required: true, wire: 'FileName' }),
  variables: list('变量', { wire: 'Variables' }),
  hasRoom: flag('含房屋', { required: true, wire: 'HasRoom' }),
  rowCount: int('行数', { required: true, wire: 'RowCount' }),
  wrongCount: int('有错误', { required: true, wire: 'WrongCount' }),
  repeatCount: int('重复', { required: true, wire: 'RepeatCount' }),
  gapCount: int('变量没有内容', { required: true, wire: 'GapCount' }),
  expireTime: moment('保存至', { required: true, wire: 'ExpireTime' }),
  faults: lines(
    '问题',
    {
      line: int('行', { required: true, wire: 'Line' }),
      column: text('列', { wire: 'Column' }),
      value: text('原值', { wire: 'Value' }),
      message: text('问题', { required: true, wire: 'Message' }),
      remedy: text('修改建议', { wire: 'Remedy' }),
    },
    { required: true, wire: 'Faults' },
  ),
})

export type NumberFile = NonNullable<(typeof numberFile)['T']>

/** Own numbers from a sheet: read and checked at once, sent to by the number of the answer. */
export const uploadNumbers = call({
  route: 'POST PropertySms/PostNumbers',
  title: '上传号码文件',
  needs: permissions.add,
  upload: numberFileLimits.bytes,
  input: noData,
  output: numberFile,
})

export const getNumbers = call({
  route: 'GET PropertySms/GetNumbers',
  title: '查看号码文件',
  needs: permissions.add,
  input: shape({ id: recordIdField }),
  output: numberFile,
})

export const downloadNumbersTemplate = call({
  route: 'GET PropertySms/GetNumbersTemplate',
  title: '下载号码文件模板',
  needs: permissions.add,
  input: noData,
  output: fileResponse,
})

/** The faulty lines, each with what is wrong in it. */
export const downloadNumberFaults = call({
  route: 'GET PropertySms/GetNumberFaults',
  title: '下载号码文件的错误行',
  needs: permissions.add,
  input: shape({ id: recordIdField }),
  output: fileResponse,
})
