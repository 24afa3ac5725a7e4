import { sheetColumns } from '#kit/contract/sheet.ts'
import { exportHandlers } from '#kit/server/sheet-export.ts'
import { exportManagers, manager } from '../contract/manager.ts'
import { buildManagerQuery, managerFilters, withAccountDetails } from './manager-list.ts'

const columns = sheetColumns(manager.fields, [
  'realName',
  'loginCode',
  'mobile',
  'managerType',
  'roleNames',
  'place',
  'allProject',
  'showPrivacy',
  'totpOn',
  'wechatBound',
  'mustChange',
  'lastLoginTime',
  'lastLoginIp',
  'state',
  'remark',
  'createTime',
])

export const managerExport = exportHandlers({
  kind: 'accounts.manager',
  name: '管理员',
  calls: exportManagers,
  entity: manager,
  columns,
  query: (input, { scope }) => {
    const { q, where } = buildManagerQuery(scope.ownerId, input)
    return { q, find: { filters: managerFilters, where } }
  },
  enrichRows: (rows, { db, scope, app }) => withAccountDetails(db, scope, app, rows),
})
