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
import { menu } from '../module.ts'

// A deposit stays whose it is (C6.3): a move only says that it is there, has it given back first, or, by
// agreement, makes it the new owner's.

const stepKey = 'deposits'

const findHeldDeposits = async (m: MoveContext, db: Db): Promise<Deposit[]> =>
  m.room.code === undefined
    ? []
    : findAll(
        db,
        deposit,
        systemScope(m.scope.ownerId, m.scope.time),
        { projectCode: m.room.projectCode, order: 'id' },
        { where: [sql`t.room_code = ${m.room.code}`, sql`t.balance > 0`] },
      )

/** Deposits of the people or the company who move; of one without a payer's name nobody knows whose it is. */
const findMoverDeposits = async (m: MoveContext, db: Db): Promise<Deposit[]> => {
  const names = m.kind === 'moveOut' ? [m.company?.name] : m.residencies.map(r => r.userName)
  return (await findHeldDeposits(m, db)).filter(d => !d.payerName || names.includes(d.payerName))
}

const depositsPath = (m: MoveContext): string =>
  `/finance/chargemanage/deposits?keyword=${encodeURIComponent(m.room.path ?? '')}`

const choicesOf = (m: MoveContext) => [
  { value: 'keep', label: '仍归原缴纳人', note: '以后凭收据退还' },
  ...(m.kind === 'transfer'
    ? [{ value: 'newOwner', label: '转给新业主', note: '双方已同意；缴纳人改为新业主' }]
    : []),
  { value: 'refund', label: '先退还再办理' },
]

async function planDeposits(m: MoveContext): Promise<MoveStepContent | undefined> {
  const held = await findMoverDeposits(m, m.db)
  if (!held.length) return undefined
  const chosen = m.answerOf(stepKey) ?? 'keep'
  const sum = displayYuan(sumFen(held.map(d => d.balance)))
  return {
    lines: [
      {
        label: '未退押金',
        value: `${held.length} 笔，${sum} 元`,
        note: chosen === 'newOwner' ? '缴纳人改为新业主' : chosen === 'refund' ? '须先退还' : '仍归原缴纳人',
        tone: 'hold',
        to: depositsPath(m),
      },
    ],
    question: { label: '押金处理方式', value: chosen, options: choicesOf(m) },
    ...(chosen === 'refund'
      ? { blocks: `还有 ${held.length} 笔押金未退，共 ${sum} 元，请先在押金管理中退还，或选择其他处理方式` }
      : {}),
  }
}

async function applyDeposits(m: MoveApplyContext): Promise<void> {
  if (m.answerOf(stepKey) !== 'newOwner' || !m.newOwner) return
  const scope = { ...m.scope, domain: unrestrictedDomain }
  const ids = (await findMoverDeposits(m, m.tx)).map(d => d.id)
  const held = await findByIds(m.tx, deposit, scope, ids, { lock: true })
  await updateAll(
    m.tx,
    deposit,
    scope,
    held,
    { payerName: m.newOwner.name },
    { reason: `过户，${m.day} 起生效` },
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
