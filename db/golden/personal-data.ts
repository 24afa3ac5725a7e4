import { codeOf } from '#kit/contract/field.ts'
import { addDays, type Day } from '#kit/domain/day.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { sql, type Database } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code } from '#kit/server/sql.ts'
import { applicantKind, requestState } from '#modules/personal-data/contract/choices.ts'
import { answerDays } from '#modules/personal-data/domain/retention.ts'
import { residencyStatus } from '#modules/residents/contract/labels.ts'
import { stampOf } from './stamp.ts'

interface DemoRequest {
  readonly applicant: keyof typeof applicantKind.rows
  readonly reason: string
  readonly daysAgo: number
  readonly end?: { readonly state: 'refused' | 'withdrawn'; readonly reason: string }
}

const requests: readonly DemoRequest[] = [
  { applicant: 'self', reason: '已迁出本小区，要求删除本人信息', daysAgo: 3 },
  { applicant: 'self', reason: '房屋已出售，不再需要物业服务', daysAgo: 9 },
  {
    applicant: 'self',
    reason: '租期届满，要求删除',
    daysAgo: 24,
    end: { state: 'withdrawn', reason: '续租，本人撤回' },
  },
]

/** Requests of people who have moved out, and periods that somebody has looked at. */
export async function seedPersonalData(
  database: Database,
  scope: Scope,
  project: string,
  today: Day,
): Promise<void> {
  const { ownerId, name } = scope
  await database.tx(ownerId, async tx => {
    const people = await tx.rows<{ id: Id; name: string; mobile?: string }>(sql`
      select r.id, r.name, r.mobile
      from resident r
      where r.owner_id = ${ownerId}
        and r.home_project = ${project}
        and exists (
          select 1
          from user_room l
          where l.owner_id = ${ownerId}
            and l.user_id = r.id
            and l.status = ${code(residencyStatus, 'left')}
        )
      order by r.id
      limit ${requests.length}
    `)
    for (const [i, person] of people.entries()) {
      const { applicant, reason, daysAgo, end } = defined(requests[i])
      const day = addDays(today, -daysAgo)
      await tx.execute(sql`
        insert into erasure_request (
          owner_id, create_by, update_by, person_kind, person_id, person_name, person_mobile, applicant, reason,
          due_date, state, end_reason, end_time, end_name, create_time
        )
        values (
          ${stampOf(scope)}, 'resident', ${person.id}, ${person.name}, ${person.mobile ?? null},
          ${codeOf(applicantKind, applicant)}, ${reason}, ${addDays(day, answerDays)},
          ${code(requestState, end?.state ?? 'open')}, ${end?.reason ?? null},
          ${end ? `${addDays(day, 4)} 10:20:00+08` : null}::timestamptz, ${end ? name : null},
          ${`${day} 09:30:00+08`}::timestamptz
        )
      `)
    }
    await tx.execute(sql`
      insert into retention_setting (
        owner_id, is_on, periods, version, update_time, update_by, last_run_time, last_run_count
      )
      values (
        ${ownerId}, true, '{}', 1, ${`${addDays(today, -60)} 10:00:00+08`}::timestamptz, ${scope.operatorId},
        ${`${addDays(today, -1)} 02:50:09+08`}::timestamptz, 73
      )
    `)
    await tx.execute(sql`
      insert into retention_run (owner_id, rule_key, run_day, row_count, last_time)
      select ${ownerId}::bigint, r.rule_key, ${addDays(today, -1)}::date, r.row_count,
        ${`${addDays(today, -1)} 02:50:04+08`}::timestamptz
      from (values ('imports', 4), ('access', 12), ('messages', 57)) as r(rule_key, row_count)
      returning rule_key
    `)
  })
}
