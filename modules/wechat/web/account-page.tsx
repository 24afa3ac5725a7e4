import type { ReactNode } from 'react'
import { useAddressedRecord } from '#kit/web/addressed-record.tsx'
import { wechatAccounts, type WechatAccount } from '../contract/account.ts'

/** A page of one account, which the address names; its tab is called after the account. */
export function AccountPage({
  title,
  children,
}: {
  readonly title: string
  readonly children: (account: WechatAccount) => ReactNode
}) {
  const { record, placeholder } = useAddressedRecord(wechatAccounts.get, {
    tabTitle: account => `${title}：${account.mpName}`,
  })
  return record ? children(record) : placeholder
}
