import type { Id } from '#kit/domain/id.ts'
import { sql, type Db } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { notDeleted } from '#kit/server/sql.ts'
import type { SignMatcher } from '#modules/planned-work/server/public.ts'

/** The points of a project by what their labels say. */
export async function loadSigns(
  db: Db,
  { ownerId }: Pick<Scope, 'ownerId'>,
  projectCode: string | undefined,
): Promise<ReadonlyMap<string, Id>> {
  const rows = await db.rows<{ id: Id; qrCode: string }>(sql`
    select id, qr_code
    from cleaning_location
    where owner_id = ${ownerId} and project_code = ${projectCode ?? ''} and ${notDeleted()}
  `)
  return new Map(rows.map(({ id, qrCode }) => [qrCode, id]))
}

/** A label that was scanned must be that of the task's own point (PAT-6). */
export const matchSign =
  (points: ReadonlyMap<string, Id>): SignMatcher =>
  ({ code, stepId }, { targetId }, steps) => {
    if (stepId === undefined || !steps.some(({ id }) => id === stepId)) return { reason: 'notInTask' }
    if (code === undefined) return { stepId }
    const point = points.get(code)
    if (point === undefined) return { reason: 'unknownCode' }
    return point === targetId ? { stepId } : { reason: 'notInTask', message: '二维码是另一个点位的' }
  }
