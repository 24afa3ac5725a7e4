import { randomUUID } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { keyOf } from '#kit/contract/field.ts'
import { sheetLimits } from '#kit/contract/sheet.ts'
import { notFound, refuse, Refused, resultCode } from '#kit/contract/wire.ts'
import type { Id } from '#kit/domain/id.ts'
import { dayOfMoment, fromInstant, type Moment } from '#kit/domain/moment.ts'
import { audit } from '#kit/server/audit.ts'
import { exportCompany } from '#kit/server/company-data/export.ts'
import { requireProduct } from '#kit/server/company-data/installed.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { openFileStorage } from '#kit/server/file-storage.ts'
import { anonymous, reads } from '#kit/server/handler.ts'
import { defineJob, taskState } from '#kit/server/jobs.ts'
import { requirePermission, type Caller } from '#kit/server/scope.ts'
import { requireById } from '#kit/server/table.ts'
import { taskState as shownTaskState } from '#modules/system/contract/task.ts'
import { property } from '../contract/company.ts'
import { downloadCompanyExport, listCompanyExports, startCompanyExport } from '../contract/company-export.ts'
import { menu } from '../module.ts'
import { requireOwnPassword } from './identity-check.ts'
import { callerActor, requireCaller } from './request-actor.ts'

const kind = 'company.export'
const exportTaskType = 20

/** The export shows every project and every phone: only an account that sees them anyway may take it. */
function assertSeesEverything(caller: Pick<Caller, 'domain' | 'canSeePersonalData'>): void {
  if (!caller.domain.all || !caller.canSeePersonalData)
    throw new Refused(
      resultCode.forbidden,
      '只有数据范围为全部项目、可查看完整个人信息的账号才能导出公司全部数据',
    )
}

function assertCanStart(caller: Caller): void {
  requirePermission(caller, menu.company.permissions.takeout)
  if (caller.mustChangePassword) throw new Refused(resultCode.forbidden, '请先修改密码')
  if (caller.mustBindSecondFactor)
    throw new Refused(resultCode.forbidden, '你的角色要求二次验证，请先绑定动态验证码')
  assertSeesEverything(caller)
}

interface ExportTask {
  readonly id: Id
  readonly state: number
  readonly operatorName: string
  readonly createTime: Moment
  readonly done: number
  readonly total?: number
  readonly note?: string
  readonly message?: string
  readonly fileKey?: string
  readonly fileSize?: number
  readonly expireTime?: Moment
}

/**
 * The exports of the company, the latest first, with their files as long as they are kept. The key is in
 * the checkpoint and not in the result of the task, which its operator may open without this permission.
 */
const exportTasks = (db: Db, ownerId: Id, now: string, id?: Id): Promise<ExportTask[]> =>
  db.rows<ExportTask>(sql`
    select t.id, t.state, t.operator_name, t.create_time, t.done, t.total, t.note, t.message,
      f.key as file_key, f.size as file_size, f.expire_time
    from task_center t
    left join file_store f
      on f.owner_id = ${ownerId}
      and f.key = t.run_checkpoint ->> 'file'
      and f.expire_time > ${now}::timestamptz
    where t.owner_id = ${ownerId}
      and t.kind = ${kind}
      and t.delete_tag = 0
      and (${id ?? null}::bigint is null or t.id = ${id ?? null}::bigint)
    order by t.id desc
    limit 20
  `)

export const companyExportHandlers = [
  anonymous(startCompanyExport, async ({ password }, c) => {
    const caller = requireCaller(c)
    assertCanStart(caller)
    await requireOwnPassword(c, caller, password)
    const { ownerId } = caller
    return c.app.database.tx(ownerId, async tx => {
      // Of two at once the second one waits here and finds the first.
      await tx.rows(sql`select id from property where owner_id = ${ownerId} and id = ${ownerId} for update`)
      const running = await tx.one(sql`
        select id
        from task_center
        where owner_id = ${ownerId}
          and kind = ${kind}
          and state in (${taskState.waiting}, ${taskState.running})
          and delete_tag = 0
        limit 1
      `)
      if (running) return refuse('公司数据正在导出，请等待完成')
      const actor = callerActor(c, caller)
      await audit(tx, actor, [
        { action: 'export', entity: 'property', entityId: ownerId, reason: '导出公司全部数据' },
      ])
      const scope = { ...caller, ...actor, projectCode: '', time: c.now }
      return c.app.jobs.start(tx, scope, kind, '导出公司全部数据', {})
    })
  }),

  reads(listCompanyExports, async (_, { db, scope, now }) => {
    assertSeesEverything(scope)
    const tasks = await exportTasks(db, scope.ownerId, now)
    return tasks.map(({ fileKey, state, ...task }) => ({
      ...task,
      state: keyOf(shownTaskState, state) ?? 'stopped',
      hasFile: fileKey !== undefined,
    }))
  }),

  reads(downloadCompanyExport, async ({ id }, { db, scope, app, now }) => {
    assertSeesEverything(scope)
    const [task] = await exportTasks(db, scope.ownerId, now, id)
    if (!task) throw notFound()
    const file = task.fileKey && (await app.files.find(scope.ownerId, task.fileKey))
    if (!file) return refuse('文件尚未生成，或已超过 7 天保留期')
    await app.database.tx(scope.ownerId, tx =>
      audit(tx, scope, [
        { action: 'export', entity: 'property', entityId: scope.ownerId, reason: '下载公司全部数据' },
      ]),
    )
    return { name: file.name, type: file.type, size: file.size, body: file.read }
  }),
]

export const companyExportJob = defineJob<object>({
  kind,
  type: exportTaskType,
  run: async (_, { app, database, scope, signal, checkpoint, reportProgress }) => {
    requirePermission(scope, menu.company.permissions.takeout)
    const { ownerId } = scope
    const { companyName } = await requireById(database.reader(ownerId), property, scope, ownerId)
    const now = new Date(app.clock())
    const folder = join(app.dataDir, 'tmp')
    const path = join(folder, randomUUID())
    await mkdir(folder, { recursive: true, mode: 0o700 })
    try {
      const { tables, attachments } = await exportCompany({
        ...requireProduct(),
        databaseUrl: database.url,
        storage: await openFileStorage(app.dataDir),
        company: { id: ownerId, name: companyName },
        file: path,
        exportTime: now,
        signal,
        onProgress: reportProgress,
      })
      const day = dayOfMoment(fromInstant(app.clock())).replaceAll('-', '')
      // Stored by nobody: who stores a file may open it for a day by its key alone.
      const file = await app.files.save(
        ownerId,
        0,
        { name: `${companyName}_全部数据_${day}.zip`, type: 'application/zip', path },
        sheetLimits.retentionDays,
      )
      await database.tx(ownerId, tx => checkpoint.save(tx, { file }))
      const rows = tables.reduce((sum, table) => sum + table.rows, 0)
      const missing = attachments.missing ? `，${attachments.missing} 个文件在存储中已不存在` : ''
      return {
        success: rows,
        message: `已导出 ${tables.length} 个表 ${rows} 行、附件 ${attachments.count} 个${missing}，请在「公司信息」下载`,
      }
    } finally {
      await rm(path, { force: true })
    }
  },
})
