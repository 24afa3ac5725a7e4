import { createRefSource } from '#kit/web/refs.ts'
import { wechatAccounts } from '../../contract/account.ts'

/** Official accounts by name. */
export default createRefSource(wechatAccounts.list, {
  value: account => account.id,
  label: account => account.mpName,
  note: account => account.appId,
})
