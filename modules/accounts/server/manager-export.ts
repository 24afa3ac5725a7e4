import { sheetColumns } from '#kit/contract/sheet.ts'
import { exportHandlers } from '#kit/server/sheet-export.ts'
import { exportManagers, manager, type listManagers } from '../contract/manager.ts'
import { withAccountDetails, managerFilters, buildManagerQuery } from './manager.ts'

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

export const managerExport = exportHandlers<NonNullable<typeof listManagers.input.T>>({
  kind: 'accounts.manager',
  name: '管理员',
  calls: exportManagers,
  entity: manager,
  columns,
  query: said => {
    const { q, where } = buildManagerQuery(said)
    return { q, find: { filters: managerFilters, where } }
  },
  enrichRows: (rows, { db, scope, app }) => withAccountDetails(db, scope, app, rows as never),
})
