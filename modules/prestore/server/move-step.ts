import { displayYuan, negateFen, sumFen } from '#kit/domain/money.ts'
import { fromInstant } from '#kit/domain/moment.ts'
import type { Db } from '#kit/server/db.ts'
import {
  registerMoveStep,
  type MoveApplyContext,
  type MoveContext,
  type MoveStepContent,
} from '#modules/residents/server/public.ts'
import { menu, paths } from '../module.ts'
import {
  ensurePrepaidAccount,
  findPrepaidAccounts,
  postEntries,
  type AccountOwner,
  type NewLedgerEntry,
  type PrepaidAccount,
} from './ledger.ts'

// The prestore of a room pays any bill of the room, after a move those of the next payer. Unless both agree
// otherwise it goes with its payer, into an account that no room's bills are offset from.

const stepKey = 'prestore'

type Choice = 'keep' | 'room' | 'refund'

const isChoice = (value: string | undefined): value is Choice =>
  value === 'keep' || value === 'room' || value === 'refund'

const choiceOf = (m: MoveContext): Choice => {
  const answer = m.answerOf(stepKey)
  return isChoice(answer) ? answer : 'keep'
}

interface Holder extends AccountOwner {
  readonly name: string
}

/** Whose money the prestore of the room is, if they leave and are not among the new owners. */
function findLeavingHolder({ kind, room, company, residencies, newOwners }: MoveContext): Holder | undefined {
  if (kind === 'moveOut')
    return company && room.payerKind === 'company' && room.companyId === company.id
      ? { kind: 'company', code: String(company.id), name: company.name }
      : undefined
  if (room.payerKind === 'company') return undefined
  const payer = residencies.find(r => r.isPayer) ?? residencies.find(r => r.isMain)
  return payer && !newOwners.some(ownerId => ownerId.id === payer.userId)
    ? { kind: 'resident', code: String(payer.userId), name: payer.userName ?? '' }
    : undefined
}

const isPayerStaying = (m: MoveContext): boolean => m.remaining.some(r => r.isPayer)

const findFilledAccounts = async (
  moveContext: MoveContext,
  db: Db,
  options: { readonly lock?: boolean } = {},
): Promise<PrepaidAccount[]> =>
  moveContext.room.code === undefined
    ? []
    : (
        await findPrepaidAccounts(
          db,
          moveContext.scope.ownerId,
          moveContext.room.projectCode,
          [{ kind: 'room', code: moveContext.room.code }],
          options,
        )
      ).filter(account => account.balance !== 0 || account.gift !== 0 || account.refunding !== 0)

const accountsPath = (m: MoveContext): string =>
  `${paths.accounts}?keyword=${encodeURIComponent(m.room.path ?? '')}`

function choicesOf(moveContext: MoveContext, holder: Holder) {
  return [
    { value: 'keep', label: `归${holder.name}`, note: '转入其本人的预存账户，不再抵扣该房屋的账单' },
    moveContext.kind === 'transfer'
      ? { value: 'room', label: '转给新业主', note: '双方已同意；余额留在房屋，抵扣新业主的账单' }
      : { value: 'room', label: '留在房屋', note: '继续抵扣该房屋的账单' },
    { value: 'refund', label: '先退款再办理', note: '赠送余额不退' },
  ]
}

const outcomeNotes: Readonly<Record<Choice, (holder: Holder) => string>> = {
  keep: ({ name }) => `转入${name}本人的预存账户`,
  room: () => '留在房屋',
  refund: () => '须先退款',
}

function blockOf(moveContext: MoveContext, accounts: readonly PrepaidAccount[]): string | undefined {
  const chosen = choiceOf(moveContext)
  const balance = sumFen(accounts.map(account => account.balance))
  const refunding = sumFen(accounts.map(account => account.refunding))
  if (chosen !== 'room' && refunding > 0)
    return `有预存 ${displayYuan(refunding)} 元正在退款审批，请先办结或取消`
  if (chosen === 'refund' && balance > 0)
    return `还有预存 ${displayYuan(balance)} 元未退，请先在预存账户中退款，或选择其他处理方式`
  return chosen !== 'room' && accounts.some(account => account.frozen)
    ? '预存账户已冻结，请先解冻'
    : undefined
}

async function planPrestore(moveContext: MoveContext): Promise<MoveStepContent | undefined> {
  const accounts = await findFilledAccounts(moveContext, moveContext.db)
  if (!accounts.length) return undefined
  const holder = isPayerStaying(moveContext) ? undefined : findLeavingHolder(moveContext)
  const note = holder ? outcomeNotes[choiceOf(moveContext)](holder) : '留在房屋，缴费人不变'
  const balance = sumFen(accounts.map(account => account.balance))
  const gift = sumFen(accounts.map(account => account.gift))
  const content: MoveStepContent = {
    lines: [
      {
        label: '预存余额',
        value: `${displayYuan(balance)} 元`,
        note,
        tone: 'hold',
        to: accountsPath(moveContext),
      },
      ...(gift > 0
        ? [{ label: '赠送余额', value: `${displayYuan(gift)} 元`, note: '不退款，随预存余额' }]
        : []),
    ],
  }
  if (!holder) return moveContext.kind === 'transfer' || moveContext.kind === 'moveOut' ? content : undefined
  const blocks = blockOf(moveContext, accounts)
  return {
    ...content,
    question: {
      label: '预存处理方式',
      value: choiceOf(moveContext),
      options: choicesOf(moveContext, holder),
    },
    ...(blocks ? { blocks } : {}),
  }
}

/** What an account of the room holds goes into the holder's account for the same fee item. */
async function handOver(
  moveApplyContext: MoveApplyContext,
  account: PrepaidAccount,
  holder: Holder,
): Promise<void> {
  const { tx, scope, room, today } = moveApplyContext
  const { name } = holder
  const target = await ensurePrepaidAccount(
    tx,
    scope,
    room.projectCode,
    holder,
    name,
    account.itemId,
    undefined,
    today,
  )
  const moved: NewLedgerEntry[] = [
    { amount: account.balance, gift: false },
    { amount: account.gift, gift: true },
  ]
    .filter(({ amount }) => amount > 0)
    .flatMap(({ amount, gift }): NewLedgerEntry[] => [
      { accountId: account.id, type: 'moveOut', amount: negateFen(amount), gift, remark: `${name}迁出` },
      { accountId: target.id, type: 'moveIn', amount, gift, remark: `来自 ${account.ownerName}` },
    ])
  await postEntries(tx, scope, moved, fromInstant(Date.parse(scope.time)))
}

async function applyPrestore(moveApplyContext: MoveApplyContext): Promise<void> {
  const holder = isPayerStaying(moveApplyContext) ? undefined : findLeavingHolder(moveApplyContext)
  if (!holder || choiceOf(moveApplyContext) === 'room') return
  for (const account of await findFilledAccounts(moveApplyContext, moveApplyContext.tx, { lock: true })) {
    await handOver(moveApplyContext, account, holder)
  }
}

registerMoveStep({
  key: stepKey,
  title: '预存',
  order: 110,
  kinds: ['checkout', 'transfer', 'moveOut'],
  needs: menu.account.permissions.view,
  plan: planPrestore,
  apply: applyPrestore,
})
