import { refuse, refuseField } from '#kit/contract/wire.ts'
import type { Id } from '#kit/domain/id.ts'
import { addMinutes, fromInstant, type Moment } from '#kit/domain/moment.ts'
import { sql, type Db, type RawBuilder } from '#kit/server/db.ts'
import { forEachDueCompany } from '#kit/server/directory.ts'
import { defineCron } from '#kit/server/jobs.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code } from '#kit/server/sql.ts'
import type { Audience } from '../contract/audience.ts'
import { receiverKind } from '../contract/choices.ts'
import { numberFileLimits } from '../contract/number-file.ts'
import {
  audienceVariables,
  fileVariablesOf,
  requiredVariablesOf,
  variableFault,
  type FilledColumns,
} from '../domain/template.ts'

export interface StoredNumberFile extends FilledColumns {
  readonly id: Id
  readonly fileName: string
  readonly rowCount: number
  readonly wrongCount: number
  readonly repeatCount: number
  readonly gapCount: number
  readonly createTime: Moment
}

const oldest = (now: Moment): Moment => addMinutes(now, -numberFileLimits.hours * 60)

/** A file of numbers that the caller has uploaded within the last day. */
export async function requireNumberFile(
  db: Db,
  scope: Scope,
  id: Id,
  now: Moment,
): Promise<StoredNumberFile> {
  const file = await db.one<StoredNumberFile>(sql`
    select f.id, f.file_name, f.variables, f.row_count, f.wrong_count, f.repeat_count, f.gap_count,
      f.create_time,
      exists (
        select 1 from sms_number n where n.owner_id = ${scope.ownerId} and n.file_id = f.id and n.room is not null
      ) as has_room
    from sms_number_file f
    where f.owner_id = ${scope.ownerId}
      and f.id = ${id}
      and f.create_by = ${scope.operatorId}
      and f.create_time > ${oldest(now)}::timestamptz
  `)
  return file ?? refuse(`号码文件已过期（保存 ${numberFileLimits.hours} 小时），请重新上传`)
}

interface WordedText {
  readonly text: string
  /** The name of the template that the text is of. */
  readonly template?: string | undefined
}

/** Refuses a text with a variable that the audience does not fill in, and a file that is no longer there. */
export async function assertVariables(
  db: Db,
  scope: Scope,
  audience: Audience,
  { text, template }: WordedText,
  now: Moment,
): Promise<void> {
  const { scopeType, scopeJson } = audience
  const fileId = scopeType === 'numbers' ? scopeJson?.numberFileId : undefined
  const file = fileId === undefined ? undefined : await requireNumberFile(db, scope, fileId, now)
  const fault = variableFault(text, audienceVariables(audience, file), template)
  if (fault) {
    refuseField(template === undefined ? 'Content' : 'TemplateID', fault)
  }
}

/** Which variables of a text an audience fills in by itself: those of its file. */
export const filledVariables = ({ scopeType, scopeJson }: Audience, text: string): readonly string[] =>
  scopeType === 'numbers' && scopeJson?.numberFileId !== undefined ? fileVariablesOf(text) : []

/** The variables of a text without which a receiver gets no message: those that a file has to fill in. */
export const requiredVariables = ({ scopeType, scopeJson }: Audience, text: string): readonly string[] =>
  scopeType === 'numbers' && scopeJson?.numberFileId !== undefined ? requiredVariablesOf(text) : []

/** The lines of a file as an audience has its people. */
export const fileNumberQuery = ({ ownerId, operatorId }: Scope, fileId: Id): RawBuilder<unknown> => sql`
  select ${code(receiverKind, 'number')}::smallint as receiver_kind, 0::bigint as receiver_id,
    null::text as project_code, null::bigint as room_id, n.room, n.name, n.mobile, null::text as email,
    null::text as open_id, n.line, n.variables
  from sms_number_file f
  join sms_number n on n.owner_id = ${ownerId} and n.file_id = f.id and n.is_chosen
  where f.owner_id = ${ownerId} and f.id = ${fileId} and f.create_by = ${operatorId}
`

/** Files of numbers of whom nobody knows more: they end after a day. */
export const numberFileCron = defineCron({
  name: 'messages-number-files',
  schedule: '25 * * * *',
  run: async ({ database, clock }) => {
    const before = oldest(fromInstant(clock()))
    await forEachDueCompany(
      database,
      sql<{ ownerId: Id }>`
        select distinct owner_id from sms_number_file where create_time <= ${before}::timestamptz
      `,
      async (tx, ownerId) => {
        const old = sql`
          select f.id
          from sms_number_file f
          where f.owner_id = ${ownerId} and f.create_time <= ${before}::timestamptz
        `
        await tx.execute(sql`delete from sms_number where owner_id = ${ownerId} and file_id in (${old})`)
        await tx.execute(sql`
          delete from sms_number_file
          where owner_id = ${ownerId} and create_time <= ${before}::timestamptz
        `)
      },
    )
  },
})
