import type { Id } from '#kit/domain/id.ts'
import { fromInstant, toInstant, type Moment } from '#kit/domain/moment.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import {
  findPassedDoorways,
  hasPassage,
  type CodeEntrance,
  type EntranceDecision,
} from '#modules/access/server/public.ts'
import { justOpenedText, sameEntranceMs } from '#modules/devices/contract/code-reading.ts'
import { recordState } from '../contract/choices.ts'
import { codeUses } from '../domain/code-uses.ts'
import { resultText } from '../domain/result-text.ts'
import { findReadings, hasJustOpened, insertReading } from './code-reading.ts'
import { consumePass } from './pass.ts'

const refused = (reason: string): EntranceDecision => ({ isOpen: false, reason })

interface LockedVisitor {
  readonly id: Id
  readonly endTime: Moment
  readonly maxTimes: number
  readonly usedTimes: number
  readonly isInside: boolean
}

/** One reading of a code after the other, and none while its passages are counted. */
const lockVisitor = async (
  tx: Tx,
  ownerId: Id,
  { projectCode, number }: CodeEntrance,
): Promise<LockedVisitor | undefined> => {
  const locked = await tx.one(sql`
    select v.id
    from invite_visitor v
    where v.owner_id = ${ownerId}
      and v.project_code = ${projectCode}
      and v.invite_no = ${number}
      and ${notDeleted('v')}
    for update
  `)
  if (!locked) return undefined
  // A statement of its own: it sees what was done while the lock was waited for.
  return tx.one<LockedVisitor>(sql`
    select v.id, v.end_time, v.max_times, v.used_times, exists (
        select 1
        from visit_record b
        where b.owner_id = ${ownerId}
          and b.visitor_id = v.id
          and b.state = ${code(recordState, 'inside')}
          and ${notDeleted('b')}
      ) as is_inside
    from invite_visitor v
    where v.owner_id = ${ownerId} and v.invite_no = ${number} and ${notDeleted('v')}
  `)
}

/** What is counted of an opening inwards: an entrance, nothing for somebody inside, or none is left. */
async function countAt(
  tx: Tx,
  { ownerId, time }: Scope,
  { isInside, endTime, maxTimes, usedTimes }: LockedVisitor,
  entrance: CodeEntrance,
): Promise<'entrance' | 'nothing' | 'none left'> {
  const doorways = await findPassedDoorways(tx, ownerId, [entrance])
  const doorway = doorways.get(entrance.doorwayId) ?? { isOneWay: true, isInner: false }
  const { entrances, overuses } = codeUses([{ ...doorway, direction: 'entrance', at: time }], {
    isInside,
    endsAt: new Date(toInstant(endTime)).toISOString(),
    entrancesLeft: maxTimes - usedTimes,
  })
  if (overuses.length) return 'none left'
  return entrances ? 'entrance' : 'nothing'
}

/**
 * VIS-2: of any number of gates one is let in by a code for one entrance. It is counted here, by the same
 * conditional statement as at a gatehouse, before the door opens; a reading that is asked about again gets
 * the same answer, and one whose passage has come already none.
 */
export async function countEntrance(tx: Tx, scope: Scope, entrance: CodeEntrance): Promise<EntranceDecision> {
  const visitor = await lockVisitor(tx, scope.ownerId, entrance)
  if (!visitor) return refused(resultText.invalid)
  const [known] = await findReadings(tx, scope.ownerId, [entrance])
  if (known && known.state !== 'returned') return { isOpen: true, usedTimes: known.usedTimes }
  if (known || (await hasPassage(tx, scope, entrance))) return refused('读码已过时，请重试')
  const { doorwayId } = entrance
  // Before the count, by which nothing may be left: the visitor stands before the open door.
  if (await hasJustOpened(tx, scope, visitor.id, { doorwayId, sinceMs: sameEntranceMs }))
    return refused(justOpenedText)
  const decision = await entrance.judge()
  if (!decision.isAllowed) return refused(decision.reason)
  const count = await countAt(tx, scope, visitor, entrance)
  const now = fromInstant(Date.parse(scope.time))
  const isCounted = count === 'entrance'
  const isLeft = !isCounted || (await consumePass(tx, scope, visitor.id, 'in', now))
  if (count === 'none left' || !isLeft) return refused(resultText.usedUp)
  const usedTimes = visitor.usedTimes + Number(isCounted)
  await insertReading(tx, scope, { ...entrance, visitorId: visitor.id, isCounted, usedTimes })
  return { isOpen: true, usedTimes }
}
