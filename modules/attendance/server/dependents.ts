import { sql } from '#kit/server/db.ts'
import { registerDependentRows } from '#kit/server/dependents.ts'
import type { Staff } from '#modules/staff/contract/staff.ts'

// BASE-5: whose days salaries were paid by stays.
registerDependentRows(
  'staff',
  { label: '考勤记录', table: 'attendance_day', where: (person: Staff) => sql`staff_id = ${person.id}` },
  { label: '打卡记录', table: 'attendance_log', where: (person: Staff) => sql`staff_id = ${person.id}` },
)
