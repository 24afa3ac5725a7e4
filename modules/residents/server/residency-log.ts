import type { Day } from '#kit/domain/day.ts'
import type { Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { insertAll } from '#kit/server/table.ts'
import { residencyLog, type Residency, type ResidencyLog } from '../contract/residency.ts'

export interface ResidencyLogEntry {
  readonly link: Pick<Residency, 'id' | 'userId' | 'roomId' | 'buildCode' | 'projectCode' | 'relation'>
  readonly userName: string
  readonly action: ResidencyLog['action']
  readonly day: Day
  readonly detail?: string | undefined
  readonly reason?: string | undefined
}

/** Writes what happened between people and rooms, all in one statement. */
export const logResidencyChanges = (
  tx: Tx,
  scope: Scope,
  notes: readonly ResidencyLogEntry[],
): Promise<number[]> =>
  insertAll(
    tx,
    residencyLog,
    scope,
    notes.map(({ link: l, ...n }) => ({
      projectCode: l.projectCode,
      linkId: l.id,
      userId: l.userId,
      roomId: l.roomId,
      buildCode: l.buildCode,
      relation: l.relation,
      operatorName: scope.name,
      ...n,
    })),
  )
