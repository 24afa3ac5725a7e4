import type { Id } from '#kit/domain/id.ts'
import type { Moment } from '#kit/domain/moment.ts'
import { keyOf } from '#kit/contract/field.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { onRecordsWritten } from '#kit/server/record-events.ts'
import { notDeleted } from '#kit/server/sql.ts'
import {
  keyOfCredential,
  markRecords,
  registerCredentialSource,
  type CredentialSource,
} from '#modules/access/server/public.ts'
import { doorwayDevice } from '#modules/access/contract/doorway-device.ts'
import { companyRoom } from '#modules/companies/contract/company.ts'
import { residentBlock } from '#modules/residents/contract/block.ts'
import { visitorBlock } from '../contract/block.ts'
import { visitState, type ValidResult } from '../contract/choices.ts'
import { inviteRule } from '../contract/rule.ts'
import { inviteVisitor } from '../contract/visitor.ts'
import { doorwayReasonOf } from '../domain/code-reason.ts'
import {
  exitDoorwayResult,
  heldExitResult,
  passResult,
  stayResult,
  type PassingVisitor,
} from '../domain/pass.ts'
import { countEntrance } from './code-entrance.ts'
import {
  directionsAt,
  endTimeAt,
  entrancesAt,
  hasPapers,
  isBlocked,
  isLeft,
  isOpen,
  keysByBlock,
  keysByDoorwayDevice,
  keysByCompanyRoom,
  keysByResidentBlock,
  keysByRule,
  keysOfVisitors,
  stayEndTime,
  visitedRooms,
} from './code-reach.ts'

/** What the keys of codes begin with. */
export const codePrefix = keyOfCredential('qr', '')
const codesIn = (keys: readonly string[]): string[] =>
  keys.flatMap(key => (key.startsWith(codePrefix) ? [key.slice(codePrefix.length)] : []))

const findByCode = (db: Db, ownerId: Id, projectCode: string, key: string) =>
  db.one<Omit<PassingVisitor, 'state'> & { state: number }>(sql`
    select state, begin_time, end_time, max_times, used_times, exit_times
    from invite_visitor
    where owner_id = ${ownerId}
      and project_code = ${projectCode}
      and invite_no = any(${codesIn([key])}::text[])
      and ${notDeleted()}
  `)

type FaultDirection = Parameters<NonNullable<CredentialSource['faultAt']>>[3]

function resultAt(visitor: PassingVisitor, at: Moment, direction: FaultDirection): ValidResult {
  if (direction === 'both') return stayResult(visitor, at)
  if (direction === 'exit') return exitDoorwayResult(visitor, at)
  return direction === 'heldExit' ? heldExitResult(visitor, at) : passResult(visitor, 'in', at)
}

/** Why a code opens nothing at a moment; nothing where it is in order. */
async function faultAt(
  db: Db,
  { ownerId, projectCode, key }: { readonly ownerId: Id; readonly projectCode: string; readonly key: string },
  at: Moment,
  direction: FaultDirection,
): Promise<string | undefined> {
  const found = await findByCode(db, ownerId, projectCode, key)
  const state = found && keyOf(visitState, found.state)
  if (!found || !state) return '邀请码不存在'
  const visitor = { ...found, state }
  // Somebody inside goes on to a door behind the gates.
  if (direction === 'within' && state === 'arrived' && at <= found.endTime) return undefined
  const result = resultAt(visitor, at, direction)
  return result === 'passed' ? undefined : doorwayReasonOf(result, state)
}

// A visitor's code opens the doors of the groups that the rule names, like a card that is nobody's.
registerCredentialSource({
  kind: 'qr',
  entity: inviteVisitor.name,
  select: ({ ownerId, projectCode, today, at, keys, userId, staffId }) => [
    {
      columns: {
        itemKey: sql`'qr:' || v.invite_no`,
        id: sql`v.id`,
        number: sql`v.invite_no`,
        groupIds: sql`v.doorway_group_ids`,
        beginDate: sql`(v.begin_time at time zone 'Asia/Shanghai')::date`,
        endDate: sql`(v.end_time at time zone 'Asia/Shanghai')::date`,
        directions: directionsAt(at),
        endTime: endTimeAt(at),
        entrances: entrancesAt(at),
        stayEndTime,
        roomIds: visitedRooms(ownerId, today),
      },
      from: sql`
    from invite_visitor v
    where v.owner_id = ${ownerId}
      and v.project_code = ${projectCode}
      and ${notDeleted('v')}
      and ${isOpen}
      and ${isLeft(at)}
      and (v.end_time at time zone 'Asia/Shanghai')::date >= ${today}::date
      and not ${isBlocked(ownerId, today)}
      and ${hasPapers(ownerId)}
      ${keys ? sql`and v.invite_no = any(${codesIn(keys)}::text[])` : sql``}
      ${userId === undefined && staffId === undefined ? sql`` : sql`and false`}
  `,
    },
  ],
  selectHolders: (ownerId, projectCode, keys) => sql`
    select distinct on (v.invite_no) 'qr:' || v.invite_no as item_key, null::bigint as user_id,
      null::bigint as staff_id, v.invite_no as number, v.visitor_name as holder_name
    from invite_visitor v
    where v.owner_id = ${ownerId}
      and v.project_code = ${projectCode}
      and v.invite_no = any(${codesIn(keys)}::text[])
    order by v.invite_no, v.id desc
  `,
  selectKeys: ownerId => sql`
    select v.project_code, 'qr:' || v.invite_no as item_key
    from invite_visitor v
    where v.owner_id = ${ownerId} and false
  `,
  selectKeysOf: keysOfVisitors,
  selectKeysBy: {
    [visitorBlock.name]: keysByBlock,
    [residentBlock.name]: keysByResidentBlock,
    [inviteRule.name]: keysByRule,
    [companyRoom.name]: keysByCompanyRoom,
    [doorwayDevice.name]: keysByDoorwayDevice,
  },
  explain: async (db, { ownerId, projectCode, key, today }) => {
    const kept = await db.one<{ isBlocked: boolean; hasPapers: boolean }>(sql`
      select ${isBlocked(ownerId, today)} as is_blocked, ${hasPapers(ownerId)} as has_papers
      from invite_visitor v
      where v.owner_id = ${ownerId}
        and v.project_code = ${projectCode}
        and v.invite_no = any(${codesIn([key])}::text[])
        and ${notDeleted('v')}
    `)
    if (kept?.isBlocked) return '访客在黑名单中'
    const found = await findByCode(db, ownerId, projectCode, key)
    const state = found && keyOf(visitState, found.state)
    if (!found || !state) return '邀请码不存在'
    const result = passResult({ ...found, state }, 'in', found.beginTime)
    if (result !== 'passed') return doorwayReasonOf(result, state)
    return kept?.hasPapers === false ? '访客尚未补齐证件或人脸' : undefined
  },
  faultAt,
  countEntrance,
})

for (const { name } of [visitorBlock, inviteRule]) {
  onRecordsWritten(name, (tx, ownerId, { ids }) => markRecords(tx, ownerId, name, ids))
}
