import { WechatBindPage } from '#modules/accounts/web/public/auth-pages.ts'
import { cancelResidentWechat, confirmResidentWechat, scanResidentQr } from '../contract/wechat.ts'

/** A resident subscribes to the messages of the estate. */
export default function ResidentWechatPage() {
  return (
    <WechatBindPage
      scanned={scanResidentQr}
      confirm={confirmResidentWechat}
      cancel={cancelResidentWechat}
      where="物业给你"
      targetLabel={scan => ({
        to: '住户',
        name: scan.name,
        warning: '绑定后，账单和物业通知会发到该微信；如非本人操作请点「取消」',
        company: scan.companyName,
        address: scan.address,
      })}
    />
  )
}
