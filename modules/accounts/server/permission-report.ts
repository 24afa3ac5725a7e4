import { toError } from '#kit/domain/to-error.ts'
import { PassThrough } from 'node:stream'
import { flag, labelOf, list, text } from '#kit/contract/field.ts'
import { sheetColumns, formatSheetRow } from '#kit/contract/sheet.ts'
import { audit } from '#kit/server/audit.ts'
import { reads } from '#kit/server/handler.ts'
import { exportHeaderLines } from '#kit/server/export-header-footer.ts'
import { findAll } from '#kit/server/table.ts'
import { writeWorkbook, xlsxMediaType } from '#kit/server/workbook/workbook-writer.ts'
import { modules } from '#modules/index.ts'
import { manager, managerState, managerType } from '../contract/manager.ts'
import { exportPermissionReport } from '../contract/role.ts'
import { buildMenuTree } from '../domain/permission.ts'
import { loadAccountCallers } from './caller.ts'
import { withAccountDetails, type Manager } from './manager-list.ts'

const reportFields = {
  realName: text('姓名'),
  loginCode: text('账号'),
  type: text('类型'),
  state: text('状态'),
  roles: list('角色'),
  place: text('数据范围'),
  privacy: flag('查看完整手机号、证件号'),
  module: text('模块'),
  menu: text('菜单'),
  view: flag('查看'),
  add: flag('新增'),
  edit: flag('编辑'),
  del: flag('删除'),
  buttons: list('其他操作'),
}

type ReportRow = Readonly<Record<string, unknown>>

const describeAccount = (managerRow: Manager): ReportRow => ({
  realName: managerRow.realName,
  loginCode: managerRow.loginCode,
  type: labelOf(managerType, managerRow.managerType),
  state: labelOf(managerState, managerRow.state),
  roles: managerRow.roleNames ?? [],
  place: managerRow.place,
  privacy: managerRow.showPrivacy,
})

/** A row for each menu that an account may open; one without a menu where it may open none. */
function listMenuRows(permissions: ReadonlySet<string> | undefined): readonly ReportRow[] {
  const tree = buildMenuTree(modules, key => permissions?.has(key) === true)
  const rows = tree.flatMap(moduleNode =>
    (moduleNode.children ?? []).map(menu => ({
      module: moduleNode.menuName,
      menu: menu.menuName,
      view: menu.allowView,
      add: menu.allowAdd,
      edit: menu.allowEdit,
      del: menu.allowDel,
      buttons: (menu.buttons ?? []).filter(button => button.allow).map(button => button.name),
    })),
  )
  return rows.length ? rows : [{}]
}

/** Who may do what: a row for every account and every menu that it may open. */
export const permissionReportHandlers = [
  reads(exportPermissionReport, async (_, { db, scope, today, app }) => {
    const managers = await findAll(db, manager, scope, {}, { limit: 2000 })
    const accounts = await withAccountDetails(db, scope, app, managers)
    const callers = await loadAccountCallers(
      db,
      scope.ownerId,
      accounts.map(m => m.id),
    )
    const columns = sheetColumns(reportFields).map(c => ({ ...c, required: false }))
    const batches = function* (): Generator<ReturnType<typeof formatSheetRow>[]> {
      for (const m of accounts) {
        const account = describeAccount(m)
        const menuRows = listMenuRows(callers.get(m.id)?.permissions)
        yield menuRows.map(row => formatSheetRow(columns, { ...account, ...row }))
      }
    }
    await app.database.tx(scope.ownerId, tx =>
      audit(tx, scope, [
        { action: 'export', entity: 'manager', entityId: 0, after: { rows: accounts.length } },
      ]),
    )
    const body = new PassThrough()
    const head = await exportHeaderLines(exportPermissionReport, '权限报表', {}, { db, scope, app })
    writeWorkbook(columns, batches(), body, { sheetName: '权限报表', head }).catch((error: unknown) =>
      body.destroy(toError(error)),
    )
    return { name: `权限报表_${today.replaceAll('-', '')}.xlsx`, type: xlsxMediaType, body }
  }),
]
