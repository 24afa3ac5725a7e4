import { cancelWechatBind, confirmWechatBind, scanWechatBindQr } from '../contract/wechat-binding.ts'
import { WechatBindPage } from './wechat-bind-page.tsx'

/** A manager binds their own account. */
export default function ManagerWechatBind() {
  return (
    <WechatBindPage
      scanned={scanWechatBindQr}
      confirm={confirmWechatBind}
      cancel={cancelWechatBind}
      where="个人中心"
      targetLabel={binding => ({
        to: '账号',
        name: `${binding.realName}（${binding.companyName}）`,
        warning: '如非本人账号，请点「取消」',
        address: binding.address,
      })}
    />
  )
}
