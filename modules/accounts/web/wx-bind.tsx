import { bindCancel, bindConfirm, bindScanned } from '../contract/wechat.ts'
import { BindWechat } from './bind-wechat.tsx'

/** A manager binds his own account. */
export default function WxBind() {
  return (
    <BindWechat
      scanned={bindScanned}
      confirm={bindConfirm}
      cancel={bindCancel}
      where="个人中心里"
      whom={w => ({
        to: '账号',
        name: `${w.realName}（${w.companyName}）`,
        heed: '不是你本人的账号时，请点「取消」',
        address: w.address,
      })}
    />
  )
}
