import { useLiveMessage } from '#kit/web/live.ts'
import { toast } from '#kit/web/toast.ts'

const showAccountLocked = (d: Readonly<Record<string, unknown>>): void =>
  toast.warning(
    `你的密码被连续输错（来自 ${String(d.ip ?? '未知地址')}），账号在 ${String(d.until ?? '').slice(11, 16)} 前不能再登录。如非本人操作，请尽快修改密码`,
  )

const showOwnerChanged = (d: Readonly<Record<string, unknown>>): void =>
  toast.info(`超级管理员已由「${String(d.from ?? '')}」移交给「${String(d.to ?? '')}」`)

/** Notifies the signed-in user about the account. */
export function useAccountAlerts(): void {
  useLiveMessage('account-locked', showAccountLocked)
  useLiveMessage('owner-changed', showOwnerChanged)
}
