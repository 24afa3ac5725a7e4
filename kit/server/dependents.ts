import type { Tx } from './db.ts'
import { Refused, resultCode } from '#kit/contract/wire.ts'
import type { Scope } from './scope.ts'

/** What still hangs on a record, counted by kind in people's words: `{ what: '房间', count: 12 }`. */
export interface DependentCount {
  readonly what: string
  readonly count: number
}

type CountDependents = (tx: Tx, scope: Scope, rows: readonly any[]) => Promise<readonly DependentCount[]>
const dependentCounters = new Map<string, CountDependents[]>()

/**
 * A module that hangs things on another's entity says how to count them; the owner asks before it deletes
 * (BASE-5).
 */
export const registerDependents = (entity: string, ask: CountDependents): void => {
  dependentCounters.set(entity, [...(dependentCounters.get(entity) ?? []), ask])
}

/** Refuses to delete what is still in use; the message lists the counts by kind. */
export async function assertDeletable(
  tx: Tx,
  scope: Scope,
  entity: string,
  label: string,
  rows: readonly unknown[],
): Promise<void> {
  const held: DependentCount[] = []
  for (const ask of dependentCounters.get(entity) ?? []) {
    held.push(...(await ask(tx, scope, rows)).filter(h => h.count > 0))
  }
  if (held.length)
    throw new Refused(
      resultCode.refused,
      `${label}不能删除：还有${held.map(h => `${h.what} ${h.count} 个`).join('、')}，请先处理`,
    )
}
