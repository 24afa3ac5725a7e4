import { PassThrough } from 'node:stream'
import { flag, labelOf, list, text } from '#kit/contract/field.ts'
import { sheetColumns, formatSheetRow } from '#kit/contract/sheet.ts'
import { audit } from '#kit/server/audit.ts'
import { reads } from '#kit/server/handler.ts'
import { findAll } from '#kit/server/table.ts'
import { writeWorkbook, xlsxMediaType } from '#kit/server/workbook/workbook-writer.ts'
import { modules } from '#modules/index.ts'
import { manager, managerState, managerType } from '../contract/manager.ts'
import { exportPermissionReport } from '../contract/role.ts'
import { buildMenuTree } from '../domain/permission.ts'
import { loadAccountCallers } from './caller.ts'
import { withAccountDetails } from './manager.ts'

const reportFields = {
  realName: text('姓名'),
  loginCode: text('账号'),
  type: text('类型'),
  state: text('状态'),
  roles: list('角色'),
  place: text('数据范围'),
  privacy: flag('查看完整手机证件'),
  module: text('模块'),
  menu: text('菜单'),
  view: flag('查看'),
  add: flag('新增'),
  edit: flag('编辑'),
  del: flag('删除'),
  buttons: list('其他操作'),
}

/** Who may do what: a line for every account and every menu it may open. */
export const permissionReportHandlers = [
  reads(exportPermissionReport, async (_, { db, scope, today, app }) => {
    const people = await withAccountDetails(
      db,
      scope,
      app,
      await findAll(db, manager, scope, {}, { limit: 2000 }),
    )
    const powers = await loadAccountCallers(
      db,
      scope.ownerId,
      people.map(m => m.id),
    )
    const columns = sheetColumns(reportFields).map(c => ({ ...c, required: false }))
    const out = new PassThrough()
    const lines = function* (): Generator<ReturnType<typeof formatSheetRow>[]> {
      for (const m of people) {
        const p = powers.get(m.id)
        const who = {
          realName: m.realName,
          loginCode: m.loginCode,
          type: labelOf(managerType, m.managerType),
          state: labelOf(managerState, m.state),
          roles: m.roleNames ?? [],
          place: m.place,
          privacy: m.showPrivacy,
        }
        const menus = buildMenuTree(modules, k => p !== undefined && p.permissions.has(k)).flatMap(x =>
          (x.children ?? []).map(c => ({
            module: x.menuName,
            menu: c.menuName,
            view: c.allowView,
            add: c.allowAdd,
            edit: c.allowEdit,
            del: c.allowDel,
            buttons: (c.buttons ?? []).filter(b => b.allow).map(b => b.name),
          })),
        )
        yield (menus.length ? menus : [{}]).map(x => formatSheetRow(columns, { ...who, ...x }))
      }
    }
    await app.database.tx(scope.ownerId, tx =>
      audit(tx, scope, [
        { action: 'export', entity: 'manager', entityId: 0, after: { rows: people.length } },
      ]),
    )
    writeWorkbook(columns, lines(), out, { sheetName: '权限报表' }).catch(e => out.destroy(e as Error))
    return { name: `权限报表_${today.replaceAll('-', '')}.xlsx`, type: xlsxMediaType, body: out }
  }),
]
