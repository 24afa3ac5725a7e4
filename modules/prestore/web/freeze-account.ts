import { displayYuanWithSymbol } from '#kit/web/numbers.tsx'
import { confirmAndSend } from '#kit/web/record-actions.ts'
import { freezeAccount, type PrestoreAccount } from '../contract/account.ts'

/** Freezes an account, or releases a frozen one. */
export const confirmFreeze = (account: PrestoreAccount): Promise<boolean> =>
  confirmAndSend(freezeAccount, {
    actionLabel: account.state === 'frozen' ? '解冻' : '冻结',
    unit: '个账户',
    title: `${account.state === 'frozen' ? '解冻' : '冻结'}「${account.ownerName}」的预存`,
    affectedSums: [
      ['余额', displayYuanWithSymbol(account.balance)],
      ['赠送余额', displayYuanWithSymbol(account.giftBalance)],
    ],
    consequences: [
      account.state === 'frozen' ? '恢复充值、退款、转账与冲抵' : '不能充值、退款、转账，也不会自动冲抵',
    ],
    reason: { presets: ['有争议', '业主要求'] },
    input: { id: account.id, frozen: account.state !== 'frozen' },
  })
