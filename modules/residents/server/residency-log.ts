import type { Id } from '#kit/domain/id.ts'
import type { Day } from '#kit/domain/day.ts'
import type { Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { insertAll } from '#kit/server/table.ts'
import { residencyLog, type Residency, type ResidencyLog } from '../contract/residency.ts'

export interface ResidencyLogEntry {
  readonly residency: Pick<Residency, 'id' | 'userId' | 'roomId' | 'buildCode' | 'projectCode' | 'relation'>
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
  entries: readonly ResidencyLogEntry[],
): Promise<Id[]> =>
  insertAll(
    tx,
    residencyLog,
    scope,
    entries.map(({ residency, ...entry }) => ({
      projectCode: residency.projectCode,
      linkId: residency.id,
      userId: residency.userId,
      roomId: residency.roomId,
      buildCode: residency.buildCode,
      relation: residency.relation,
      operatorName: scope.name,
      ...entry,
    })),
  )
