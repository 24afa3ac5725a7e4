import { displayYuan, negateFen, sumFen } from '#kit/domain/money.ts'
import { fromInstant } from '#kit/domain/moment.ts'
import type { Db } from '#kit/server/db.ts'
import {
  registerMoveStep,
  type MoveApplyContext,
  type MoveContext,
  type MoveStepContent,
} from '#modules/residents/server/public.ts'
import { menu } from '../module.ts'
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
  return payer && !newOwners.some(owner => owner.id === payer.userId)
    ? { kind: 'resident', code: String(payer.userId), name: payer.userName ?? '' }
    : undefined
}

const isPayerStaying = (m: MoveContext): boolean => m.remaining.some(r => r.isPayer)

const findFilledAccounts = async (
  m: MoveContext,
  db: Db,
  options: { readonly lock?: boolean } = {},
): Promise<PrepaidAccount[]> =>
  m.room.code === undefined
    ? []
    : (
        await findPrepaidAccounts(
          db,
          m.scope.ownerId,
          m.room.projectCode,
          [{ kind: 'room', code: m.room.code }],
          options,
        )
      ).filter(account => account.balance !== 0 || account.gift !== 0)

const accountsPath = (m: MoveContext): string =>
  `/finance/reservemanagement/depositaccount?keyword=${encodeURIComponent(m.room.path ?? '')}`

function choicesOf(m: MoveContext, holder: Holder) {
  return [
    { value: 'keep', label: `归${holder.name}`, note: '转入其本人的预存账户，不再抵扣该房屋的账单' },
    m.kind === 'transfer'
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

function blockOf(m: MoveContext, accounts: readonly PrepaidAccount[]): string | undefined {
  const chosen = choiceOf(m)
  const balance = sumFen(accounts.map(account => account.balance))
  if (chosen === 'refund' && balance > 0)
    return `还有预存 ${displayYuan(balance)} 元未退，请先在预存账户中退款，或选择其他处理方式`
  return chosen !== 'room' && accounts.some(account => account.frozen)
    ? '预存账户已冻结，请先解冻'
    : undefined
}

async function planPrestore(m: MoveContext): Promise<MoveStepContent | undefined> {
  const accounts = await findFilledAccounts(m, m.db)
  if (!accounts.length) return undefined
  const holder = isPayerStaying(m) ? undefined : findLeavingHolder(m)
  const note = holder ? outcomeNotes[choiceOf(m)](holder) : '留在房屋，缴费人不变'
  const balance = sumFen(accounts.map(account => account.balance))
  const gift = sumFen(accounts.map(account => account.gift))
  const content: MoveStepContent = {
    lines: [
      { label: '预存余额', value: `${displayYuan(balance)} 元`, note, tone: 'hold', to: accountsPath(m) },
      ...(gift > 0
        ? [{ label: '赠送余额', value: `${displayYuan(gift)} 元`, note: '不退款，随预存余额' }]
        : []),
    ],
  }
  if (!holder) return m.kind === 'transfer' || m.kind === 'moveOut' ? content : undefined
  const blocks = blockOf(m, accounts)
  return {
    ...content,
    question: { label: '预存处理方式', value: choiceOf(m), options: choicesOf(m, holder) },
    ...(blocks ? { blocks } : {}),
  }
}

/** What an account of the room holds goes into the holder's account for the same fee item. */
async function handOver(m: MoveApplyContext, account: PrepaidAccount, holder: Holder): Promise<void> {
  const { tx, scope, room, today } = m
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

async function applyPrestore(m: MoveApplyContext): Promise<void> {
  const holder = isPayerStaying(m) ? undefined : findLeavingHolder(m)
  if (!holder || choiceOf(m) === 'room') return
  for (const account of await findFilledAccounts(m, m.tx, { lock: true })) {
    await handOver(m, account, holder)
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
