import type { Id } from '#kit/domain/id.ts'
import type { Moment } from '#kit/domain/moment.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { findByIds, requireById } from '#kit/server/table.ts'
import type { CarKind } from '#modules/parking/contract/car-labels.ts'
import { expectedCarStatement } from '#modules/visitors/server/public.ts'
import { parkingStay, type ParkingStay } from '../contract/stay.ts'
import { groupIdOf, kindByRight } from '../domain/entry-decision.ts'
import { holdsPlace } from '../domain/stay-charge.ts'
import { groupStatement } from './passage/lane-facts.ts'
import { groupLockStatement, parkLockStatement } from './passage/locks.ts'
import { switchWaiting } from './passage/write-passage.ts'
import { findStayRights } from './stay-rights.ts'

const sorted = <T extends string | number>(values: Iterable<T>): T[] =>
  [...new Set(values)].toSorted((a, b) => (a < b ? -1 : 1))

/** What is done by hand waits its turn like a passage: before any record is locked, in one order. */
export async function lockPassages(
  tx: Tx,
  scope: Scope,
  ids: readonly Id[],
  plates: readonly string[] = [],
): Promise<void> {
  const { ownerId } = scope
  const stays = await findByIds(tx, parkingStay, scope, ids)
  const parkIds = sorted(stays.map(stay => stay.parkId))
  const projects = sorted(stays.map(stay => stay.projectCode))
  const ofGroups = [...stays.filter(stay => stay.groupId !== undefined).map(stay => stay.plateNo), ...plates]
  await tx.all(
    ...parkIds.map(parkId => parkLockStatement(ownerId, sql`${parkId}`)),
    ...projects.map(projectCode => groupLockStatement(ownerId, sql`${projectCode}`, ofGroups)),
  )
}

/** In the order of lanes: the passages first, then the record. */
export async function lockStay(
  tx: Tx,
  scope: Scope,
  id: Id,
  plates: readonly string[] = [],
): Promise<ParkingStay> {
  await lockPassages(tx, scope, [id], plates)
  return requireById(tx, parkingStay, scope, id, { lock: true })
}

/** The places of groups that stays had go to the cars that wait for them, as at a lane (PRK-6). */
export async function givePlaces(
  tx: Tx,
  scope: Scope,
  ended: readonly ParkingStay[],
  at: Moment,
): Promise<void> {
  const ofGroups = ended.filter(stay => stay.groupId !== undefined)
  const rightOf = await findStayRights(tx, scope.ownerId, ofGroups, at)
  const statements = ofGroups.flatMap(stay => {
    const { group } = rightOf(stay)
    return group?.switchesOnLeave && holdsPlace(stay, group) ? [switchWaiting(scope, group, at)] : []
  })
  await tx.all(...statements)
}

/** What a car that is inside is by another plate: as if the lane had read that one (PRK-2, PRK-6). */
export async function judgeEntry(
  tx: Tx,
  scope: Scope,
  stay: Pick<ParkingStay, 'projectCode' | 'parkId' | 'plateNo'>,
  at: Moment,
): Promise<{ readonly carKind: CarKind; readonly groupId: Id | undefined }> {
  const { projectCode, plateNo } = stay
  const project = sql`${projectCode}`
  const [rightOf, [groups, expected]] = await Promise.all([
    findStayRights(tx, scope.ownerId, [stay], at),
    tx.all<[{ groupId: Id; inside: number }, { id: Id }]>(
      groupStatement(scope.ownerId, project, plateNo),
      expectedCarStatement(scope.ownerId, project, plateNo, at),
    ),
  ])
  const right = rightOf(stay)
  const inside = groups.find(group => group.groupId === right.group?.id)?.inside ?? 0
  const kind = kindByRight(right, inside) ?? (expected.length ? 'visitor' : 'temp')
  return { carKind: kind, groupId: groupIdOf(right) }
}
