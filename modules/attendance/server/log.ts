import type { Id } from '#kit/domain/id.ts'
import { invalidField, refuse } from '#kit/contract/wire.ts'
import { crudHandlers } from '#kit/server/crud.ts'
import { importer } from '#kit/server/crud-import.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import { writes } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { importHandlers } from '#kit/server/sheet-import.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { enabledState } from '#modules/estates/contract/estate.ts'
import { dayOfMoment, type Moment } from '#kit/domain/moment.ts'
import {
  attendanceLog,
  devices,
  exportLogs,
  importLogs,
  logs,
  postPunches,
  type AttendanceDevice,
} from '../contract/log.ts'
import { closedMonthsOf, closedText } from './closed-months.ts'
import { addDepartments, departmentFilter } from './people.ts'
import { addPunches, nowOf, punchTimeFault } from './punches.ts'
import { findByStaffNo, unknownStaff } from './sheet-staff.ts'

async function lastPunches(db: Db, scope: Scope, ids: readonly Id[]): Promise<ReadonlyMap<Id, Moment>> {
  const rows = await db.rows<{ id: Id; time: Moment }>(sql`
    select device_id as id, max(punch_time) as time
    from attendance_log
    where owner_id = ${scope.ownerId} and device_id = any(${[...ids]}::bigint[])
    group by device_id
  `)
  return new Map(rows.map(({ id, time }) => [id, time]))
}

async function assertUnused(tx: Tx, scope: Scope, rows: readonly AttendanceDevice[]): Promise<void> {
  const used = await lastPunches(
    tx,
    scope,
    rows.map(({ id }) => id),
  )
  const blocked = rows.find(({ id }) => used.has(id))
  if (blocked) refuse(`「${blocked.deviceName}」已有打卡记录，不能删除；请改为停用`)
}

export const deviceServer = crudHandlers(devices, {
  unique: { attendance_device_no_live: '设备编号已存在，请更换' },
  enrich: async (rows, { db, scope }) => {
    const times = await lastPunches(
      db,
      scope,
      rows.map(({ id }) => id),
    )
    return rows.map(row => {
      const lastPunchTime = times.get(row.id)
      return lastPunchTime === undefined ? row : { ...row, lastPunchTime }
    })
  },
  beforeDelete: (rows, { tx, scope }) => assertUnused(tx, scope, rows),
})

export const logServer = crudHandlers(logs, {
  filter: (q, { scope }) => departmentFilter(q, scope),
  enrich: addDepartments,
  export: exportLogs,
})

function timeFaults(punchTime: Moment | undefined, now: Moment) {
  const message = punchTime && punchTimeFault(punchTime, now)
  return message ? [{ column: 'punchTime', message, remedy: '核对打卡时间' }] : []
}

const logImport = importer(attendanceLog, {
  calls: importLogs,
  kind: 'attendance.log',
  load: async (db, { scope }, _lock, lines) => ({
    people: await findByStaffNo(
      db,
      scope,
      lines.map(({ row }) => row.staffNo),
    ),
    closed: await closedMonthsOf(
      db,
      scope,
      lines.flatMap(({ row }) => (row.punchTime ? [dayOfMoment(row.punchTime)] : [])),
    ),
    now: nowOf(scope),
  }),
  rules: (row, _existing, { data }) => [
    ...(data.people.has(row.staffNo ?? '') ? [] : [unknownStaff(row.staffNo)]),
    ...timeFaults(row.punchTime, data.now),
    ...(data.closed.has(row.punchTime?.slice(0, 7) ?? '')
      ? [
          {
            column: 'punchTime',
            message: closedText(row.punchTime?.slice(0, 7) ?? ''),
            remedy: '解除封存后再导入',
          },
        ]
      : []),
  ],
  write: async (tx, ready, { data, request }) => {
    const keyed = ready.flatMap(({ line, row }) => {
      const person = data.people.get(row.staffNo)
      return person ? [{ line, staffId: person.id, row }] : []
    })
    const added = await addPunches(
      tx,
      request.scope,
      keyed.map(({ staffId, row }) => ({
        staffId,
        punchTime: row.punchTime,
        source: 'imported' as const,
        place: row.place,
        remark: row.remark,
      })),
      data.now,
    )
    return new Map(
      keyed.map(({ line, staffId, row }) => [
        line,
        added.has(`${staffId} ${row.punchTime}`)
          ? { outcome: 'added' as const, message: '已导入' }
          : { outcome: 'skipped' as const, message: '已有该打卡，已跳过' },
      ]),
    )
  },
})

export const { handlers: logImportHandlers, job: logImportJob } = importHandlers(logImport)

type Reported = NonNullable<typeof postPunches.input.T>

/** Punches of one device; those of people it does not know are answered line by line. */
async function receivePunches({ deviceNo, punches }: Reported, tx: Tx, scope: Scope, now: Moment) {
  const device = await tx.one<{ id: Id; isOn: boolean; place?: string }>(sql`
    select id, state = ${code(enabledState, 'on')} as is_on, place
    from attendance_device
    where owner_id = ${scope.ownerId} and device_no = ${deviceNo} and ${notDeleted()}
  `)
  if (!device) throw invalidField('DeviceNo', '设备未登记，请先在考勤设备中新增')
  if (!device.isOn) throw invalidField('DeviceNo', '设备已停用')
  const people = await findByStaffNo(
    tx,
    scope,
    punches.map(({ staffNo }) => staffNo),
  )
  const rows: { code: string; reason: string }[] = []
  const good = punches.flatMap(({ staffNo, punchTime }) => {
    const person = people.get(staffNo)
    const fault = punchTimeFault(punchTime, now)
    if (!person) {
      rows.push({ code: staffNo, reason: unknownStaff(staffNo).message })
    } else if (fault) {
      rows.push({ code: staffNo, reason: `${punchTime}：${fault}` })
    } else
      return [
        {
          staffId: person.id,
          punchTime,
          source: 'device' as const,
          deviceId: device.id,
          place: device.place,
        },
      ]
    return []
  })
  const added = await addPunches(tx, scope, good, now)
  return { success: added.size, fail: rows.length, skipped: good.length - added.size, rows }
}

export const logHandlers = [
  writes(postPunches, (reported, { tx, scope, now }) => receivePunches(reported, tx, scope, now)),
]
