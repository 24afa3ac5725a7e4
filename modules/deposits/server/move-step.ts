import { displayYuan, sumFen } from '#kit/domain/money.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { systemScope, unrestrictedDomain } from '#kit/server/scope.ts'
import { findAll, findByIds, updateAll } from '#kit/server/table.ts'
import {
  registerMoveStep,
  type MoveApplyContext,
  type MoveContext,
  type MoveStepContent,
} from '#modules/residents/server/public.ts'
import { deposit, type Deposit } from '../contract/deposit.ts'
import { depositScreens, menu } from '../module.ts'

// A deposit stays whose it is (C6.3): a move only says that it is there, has it refunded first, or, by
// agreement, makes it the new owner's.

const stepKey = 'deposits'

const findHeldDeposits = async (moveContext: MoveContext, db: Db): Promise<Deposit[]> =>
  moveContext.room.code === undefined
    ? []
    : findAll(
        db,
        deposit,
        systemScope(moveContext.scope.ownerId, moveContext.scope.time),
        { projectCode: moveContext.room.projectCode, order: 'id' },
        { where: [sql`t.room_code = ${moveContext.room.code}`, sql`t.balance > 0`] },
      )

/** Deposits of the people or the company who move; of one without a payer's name nobody knows whose it is. */
const findMoverDeposits = async (m: MoveContext, db: Db): Promise<Deposit[]> => {
  const names = m.kind === 'moveOut' ? [m.company?.name] : m.residencies.map(r => r.userName)
  return (await findHeldDeposits(m, db)).filter(d => !d.payerName || names.includes(d.payerName))
}

const depositsPath = (m: MoveContext): string =>
  `${depositScreens.paths.list}?keyword=${encodeURIComponent(m.room.path ?? '')}`

const choicesOf = (moveContext: MoveContext) => [
  { value: 'keep', label: '仍归原缴纳人', note: '以后凭收据退还' },
  ...(moveContext.kind === 'transfer'
    ? [{ value: 'newOwner', label: '转给新业主', note: '双方已同意；缴纳人改为新业主' }]
    : []),
  { value: 'refund', label: '先退还再办理' },
]

async function planDeposits(moveContext: MoveContext): Promise<MoveStepContent | undefined> {
  const deposits = await findMoverDeposits(moveContext, moveContext.db)
  if (!deposits.length) return undefined
  const chosen = moveContext.answerOf(stepKey) ?? 'keep'
  const sum = displayYuan(sumFen(deposits.map(d => d.balance)))
  return {
    lines: [
      {
        label: '未退押金',
        value: `${deposits.length} 笔，${sum} 元`,
        note: chosen === 'newOwner' ? '缴纳人改为新业主' : chosen === 'refund' ? '须先退还' : '仍归原缴纳人',
        tone: 'hold',
        to: depositsPath(moveContext),
      },
    ],
    question: { label: '押金处理方式', value: chosen, options: choicesOf(moveContext) },
    ...(chosen === 'newOwner' && deposits.some(d => d.refunding > 0)
      ? { blocks: '有押金正在退款审批，请先办结或取消，再转给新业主' }
      : {}),
    ...(chosen === 'refund'
      ? {
          blocks: `还有 ${deposits.length} 笔押金未退，共 ${sum} 元，请先在押金管理中退还，或选择其他处理方式`,
        }
      : {}),
  }
}

async function applyDeposits(moveApplyContext: MoveApplyContext): Promise<void> {
  if (moveApplyContext.answerOf(stepKey) !== 'newOwner' || !moveApplyContext.newOwner) return
  const scope = { ...moveApplyContext.scope, domain: unrestrictedDomain }
  const ids = (await findMoverDeposits(moveApplyContext, moveApplyContext.tx)).map(d => d.id)
  const deposits = await findByIds(moveApplyContext.tx, deposit, scope, ids, { lock: true })
  await updateAll(
    moveApplyContext.tx,
    deposit,
    scope,
    deposits,
    { payerName: moveApplyContext.newOwner.name },
    { reason: `过户，${moveApplyContext.day} 起生效` },
  )
}

registerMoveStep({
  key: stepKey,
  title: '押金',
  order: 120,
  kinds: ['checkout', 'transfer', 'moveOut'],
  needs: menu.deposit.permissions.view,
  plan: planDeposits,
  apply: applyDeposits,
})
