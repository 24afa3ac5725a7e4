import type { Id } from '#kit/domain/id.ts'
import type { Day } from '#kit/domain/day.ts'
import { defined } from '#kit/domain/defined.ts'
import { formatYuan, sumFen, type Fen } from '#kit/domain/money.ts'
import { refuse } from '#kit/contract/wire.ts'
import { fromInstant, type Moment } from '#kit/domain/moment.ts'
import { sql, type Db, type RawBuilder } from '#kit/server/db.ts'
import { findAll } from '#kit/server/table.ts'
import { unrestrictedDomain, systemReadScope } from '#kit/server/scope.ts'
import { getSettingValue } from '#modules/estates/server/public.ts'
import {
  arrearsPolicy,
  findResidentContacts,
  placesAnswer,
  registerMoveStep,
  type MoveContext,
} from '#modules/residents/server/public.ts'
import type { Room } from '#modules/rooms/contract/room.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { sourceType } from '#modules/fees/contract/choices.ts'
import { bill, type Bill } from '../contract/bill.ts'
import { menu, paths } from '../module.ts'
import { splitByDate } from '../domain/adjustment.ts'
import { isLocked, unpaid } from '../domain/bill.ts'
import { applyPayer } from './adjustment.ts'
import { splitRow } from './split.ts'
import { computeLateFees } from './late-fee.ts'
import { toBill } from './stored-bill.ts'
import { activeStates } from './bill-states.ts'
import { payState } from '../contract/choices.ts'
import { lockRelations } from './bill-lock.ts'
import { isOwedByMover } from './move-bills.ts'
import { findWaitingBills } from './waiting-bills.ts'

type Sql = RawBuilder<unknown>

const yuan = (fen: Fen): string => formatYuan(fen, { thousands: true })

export const unpaidBillsPath = (name: string): string => `${paths.unpaid}?keyword=${encodeURIComponent(name)}`

type RoomKey = Pick<Room, 'code' | 'projectCode'>

/** Bills `t` of a room. */
export const isBillOfRoom = ({ code: roomCode }: RoomKey): Sql =>
  sql`t.source_type = ${code(sourceType, 'room')} and t.source_code = ${roomCode ?? ''}`

/** Bills `t` of the parking places of a room: the payer of the room pays them. */
export const isBillOfPlaces = (ownerId: Id, { projectCode, code: roomCode }: RoomKey): Sql =>
  sql`t.source_type = ${code(sourceType, 'parkPlace')}
    and t.source_code in (
      select k.code
      from park_place k
      where k.owner_id = ${ownerId}
        and k.project_code = ${projectCode}
        and k.room_code = ${roomCode ?? ''}
        and ${notDeleted('k')}
    )`

/** Bills `t` of a room and of its parking places, as the cashier opens them. */
export const isBillOfHousehold = (ownerId: Id, room: RoomKey): Sql =>
  sql`((${isBillOfRoom(room)}) or (${isBillOfPlaces(ownerId, room)}))`

/** The open bills of a room, or of its household, by due date, with late fees as of today. */
export async function findRoomArrears(
  db: Db,
  ownerId: Id,
  room: RoomKey,
  today: Day,
  isOfRoom = isBillOfRoom(room),
): Promise<{ readonly row: Bill; readonly unpaid: Fen }[]> {
  const scope = systemReadScope(ownerId)
  const list = await findAll(
    db,
    bill,
    scope,
    { projectCode: room.projectCode, order: 'dueDate' },
    {
      where: [
        isOfRoom,
        sql`t.state in ${activeStates}
          and t.pay_state = ${code(payState, 'unpaid')}`,
      ],
      limit: 500,
    },
  )
  const late = await computeLateFees(db, ownerId, list, today)
  return list.map(row => ({
    row,
    unpaid: unpaid({ ...toBill(row), lateDue: late.get(row.id) ?? row.lateFeeDue }),
  }))
}

const sumUnpaid = (list: readonly { readonly unpaid: Fen }[]): Fen => sumFen(list.map(b => b.unpaid))

const findMoverArrears = async (m: MoveContext): Promise<{ readonly row: Bill; readonly unpaid: Fen }[]> =>
  (
    await findRoomArrears(m.db, m.scope.ownerId, m.room, m.today, isBillOfHousehold(m.scope.ownerId, m.room))
  ).filter(each => isOwedByMover(m, each.row))

/** A move has only a day, but whether a hold has expired depends on when the request came in. */
const momentOf = ({ scope }: MoveContext): Moment => fromInstant(Date.parse(scope.time))

const hasBillInPayment = (m: MoveContext, list: readonly { readonly row: Bill }[]): boolean =>
  list.some(b => isLocked(toBill(b.row), momentOf(m)))

// Nobody moves out with arrears unless the operator decides that they stay with the room (BASE-11,
// BASE-16).
registerMoveStep({
  key: 'arrears',
  title: '欠费',
  order: 100,
  kinds: ['checkout', 'moveOut'],
  needs: menu.bill.permissions.view,
  plan: async moveContext => {
    const list = await findMoverArrears(moveContext)
    if (!list.length) return undefined
    const stay = moveContext.answerOf('arrears') === 'stay'
    return {
      lines: [
        {
          label: '未缴账单',
          value: `${list.length} 张，${yuan(sumUnpaid(list))} 元`,
          note: stay ? '留在房间，仍由原缴费人承担' : '须先缴清',
          tone: stay ? ('hold' as const) : ('bad' as const),
          to: unpaidBillsPath(moveContext.room.path),
        },
      ],
      question: {
        label: '欠费处理方式',
        value: stay ? 'stay' : 'settle',
        options: [
          { value: 'settle', label: '先缴清再办理' },
          { value: 'stay', label: '欠费留在房间', note: '迁出后仍可催缴' },
        ],
      },
      ...(hasBillInPayment(moveContext, list)
        ? { blocks: '有账单正在支付中，请等支付完成' }
        : stay
          ? {}
          : {
              blocks: `还有 ${list.length} 张账单未缴，共 ${yuan(sumUnpaid(list))} 元，请先收款，或选择欠费留在房间`,
            }),
    }
  },
})

type TransferOutcome = 'old' | 'new' | 'split' | 'settle'

/**
 * On a transfer of day T (BASE-17), bills that end before T stay with the old owner, must be settled, or
 * go to the new owner, depending on the project; bills that begin at T or later go to the new owner; bills
 * that span T are split.
 */
const decideTransferOutcome = (b: Bill, day: Day, policy: string): TransferOutcome => {
  if (b.endDate < day) return policy === '1' ? 'settle' : policy === '2' ? 'new' : 'old'
  if (b.paidPrincipal > 0 || b.lateFeePaid > 0 || b.invoiceState !== 'none') return 'old'
  return b.beginDate >= day || policy === '2' ? 'new' : 'split'
}

const outcomeLabels = {
  settle: ['须先缴清', 'bad'],
  old: ['留在原业主名下', 'hold'],
  new: ['转给新业主', 'done'],
  split: ['按生效日拆分', 'doing'],
} as const

const findTransferOutcomes = async (moveContext: MoveContext) => {
  const policy = await getSettingValue(
    moveContext.db,
    moveContext.scope.ownerId,
    moveContext.room.projectCode,
    arrearsPolicy,
  )
  const placesStay = moveContext.answerOf(placesAnswer.key) === placesAnswer.released
  return (await findMoverArrears(moveContext)).map(b => {
    const fate = decideTransferOutcome(b.row, moveContext.day, policy)
    const isStaying = placesStay && b.row.sourceType === 'parkPlace' && fate !== 'settle'
    return { ...b, fate: isStaying ? ('old' as const) : fate }
  })
}

/** What must be done before the room is transferred. */
function blocksOf(
  move: MoveContext,
  list: Awaited<ReturnType<typeof findTransferOutcomes>>,
  isWaiting: boolean,
): { readonly blocks?: string } {
  if (hasBillInPayment(move, list)) return { blocks: '有账单正在支付中，请等支付完成' }
  if (isWaiting) return { blocks: '有账单在减免或核销审批中，请等待审批结果，或由申请人撤回' }
  const due = list.filter(b => b.fate === 'settle')
  if (!due.length) return {}
  return {
    blocks: `还有 ${due.length} 张 ${move.day} 之前的账单未缴，共 ${yuan(sumUnpaid(due))} 元，请先收款`,
  }
}

registerMoveStep({
  key: 'bills',
  title: '账单',
  order: 100,
  kinds: ['transfer'],
  needs: menu.bill.permissions.view,
  plan: async moveContext => {
    const list = await findTransferOutcomes(moveContext)
    if (!list.length) return undefined
    const changed = list.filter(b => b.fate === 'new' || b.fate === 'split').map(b => b.row)
    const waiting = await findWaitingBills(moveContext.db, moveContext.scope, changed)
    return {
      lines: [...Map.groupBy(list, b => b.fate)].map(([outcome, group]) => ({
        label: outcomeLabels[outcome][0],
        value: `${group.length} 张，${yuan(sumUnpaid(group))} 元`,
        note:
          outcome === 'split'
            ? `跨 ${moveContext.day} 的账单按天拆分，之后的归新业主`
            : outcome === 'old' && group.some(b => b.row.endDate >= moveContext.day)
              ? '已部分缴费的不拆分'
              : '',
        tone: outcomeLabels[outcome][1],
        to: unpaidBillsPath(moveContext.room.path),
      })),
      ...blocksOf(moveContext, list, waiting.size > 0),
    }
  },
  apply: async moveApplyContext => {
    const list = await findTransferOutcomes(moveApplyContext)
    const { tx, scope, today } = moveApplyContext
    const newOwner = moveApplyContext.newOwner
    if (!list.length || !newOwner) return
    const context = {
      scope: { ...scope, domain: unrestrictedDomain },
      today,
      now: momentOf(moveApplyContext),
      reason: `过户，${moveApplyContext.day} 起生效`,
    }
    const ids = list.filter(b => b.fate === 'new' || b.fate === 'split').map(b => b.row.id)
    await lockRelations(tx, scope.ownerId, sql`t.owner_id = ${scope.ownerId} and t.id = any(${ids})`)
    await tx.rows(
      sql`select 1 from bill where owner_id = ${scope.ownerId} and id = any(${ids}) order by id for update`,
    )
    const [contact] = await findResidentContacts(tx, scope.ownerId, [newOwner.id])
    const transferred = list.filter(b => b.fate === 'new').map(b => b.row)
    for (const b of list.filter(x => x.fate === 'split')) {
      transferred.push(
        defined((await splitRow(tx, context, b.row, splitByDate(toBill(b.row), moveApplyContext.day)))[1]),
      )
    }
    if (!transferred.length) return
    const result = await applyPayer(tx, context, transferred, {
      kind: 'resident',
      id: newOwner.id,
      name: newOwner.name,
      mobile: contact?.mobile,
    })
    if (result.skipped) refuse(`有账单不能转给新业主：${defined(result.rows[0]).reason}`)
  },
})
