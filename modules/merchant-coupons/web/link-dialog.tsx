import { Modal } from 'antd'
import { VoidableLinkCard } from '#kit/web/voidable-link-card.tsx'
import type { Merchant } from '#modules/merchants/contract/merchant.ts'
import { getShopLink, renewShopLink } from '../contract/shop.ts'

interface LinkDialogProps {
  readonly merchant: Pick<Merchant, 'id' | 'name'>
  readonly onClose: () => void
}

/** 商户手机页: the link by which a merchant presents coupons on its own phone. */
export const LinkDialog = ({ merchant: { id, name }, onClose }: LinkDialogProps) => (
  <Modal open title="商户手机页" width={560} footer={null} onCancel={onClose}>
    <p>
      商户用手机打开链接，发放停车券、购券、查看本月使用情况。持有链接即可操作，请只发给商户负责人；
      需要各人各自登录的，在商户的「登录账号」开通。
    </p>
    <VoidableLinkCard
      of={{ merchantId: id }}
      get={getShopLink}
      renew={renewShopLink}
      ownerName={name}
      linkName="手机页链接"
      copiedText="已复制链接，可发给商户"
      reasonPresets={['链接外泄', '手机丢失', '商户申请']}
      voidConsequences={['作废后商户不能再用手机发券、购券', '重新生成后恢复']}
      renewConsequences={['原链接失效', '重新生成后，请将新链接发给商户']}
      renewedText="链接已重新生成，请发给商户"
    />
  </Modal>
)
