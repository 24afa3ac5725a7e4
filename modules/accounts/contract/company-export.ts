import { call } from '#kit/contract/call.ts'
import { choice, flag, int, moment, text } from '#kit/contract/field.ts'
import {
  byId,
  fileResponse,
  listOfRows,
  noData,
  recordIdField,
  shape,
  singleValue,
} from '#kit/contract/shape.ts'
import { taskState } from '#modules/system/contract/task.ts'
import { menu } from '../module.ts'
import { passwordField } from './credential-fields.ts'

/**
 * Everything the company owns as one zip of open files, made as a task. For accounts that see all of it
 * anyway: every project, personal data in full.
 */
export const startCompanyExport = call({
  route: 'POST Property/PostExport',
  title: '导出公司全部数据',
  needs: menu.company.permissions.takeout,
  perMinute: 5,
  input: shape({ password: passwordField('当前密码') }),
  output: singleValue(recordIdField),
  affects: ['taskCenter'],
})

/** The exports of the last six months, by all accounts; their files are kept for seven days. */
export const listCompanyExports = call({
  route: 'GET Property/GetExports',
  title: '查询公司数据导出',
  needs: menu.company.permissions.takeout,
  input: noData,
  output: listOfRows({
    id: recordIdField,
    state: choice('状态', taskState, { required: true }),
    operatorName: text('操作人', { required: true }),
    createTime: moment('开始时间', { required: true }),
    done: int('已处理', { required: true }),
    total: int('总数'),
    note: text('正在进行'),
    message: text('结果说明'),
    hasFile: flag('文件可下载', { required: true }),
    fileSize: int('文件大小', { max: 2 ** 53 - 1, unit: '字节' }),
    expireTime: moment('文件保留至'),
  }),
})

export const downloadCompanyExport = call({
  route: 'GET Property/DownloadExport',
  title: '下载公司全部数据',
  needs: menu.company.permissions.takeout,
  input: byId,
  output: fileResponse,
})
