import { Button, Modal } from 'antd'
import { LinkCards } from '#kit/web/link-cards.tsx'
import { Loaded } from '#kit/web/loaded.tsx'
import { useCall } from '#kit/web/query.ts'
import { confirmAndSend } from '#kit/web/record-actions.ts'
import type { Merchant } from '#modules/merchants/contract/merchant.ts'
import { getShopLink, renewShopLink } from '../contract/shop.ts'

interface LinkDialogProps {
  readonly merchant: Pick<Merchant, 'id' | 'name'>
  readonly onClose: () => void
}

/** 商户手机页: the link by which a merchant presents coupons on its own phone. */
export function LinkDialog({ merchant: { id, name }, onClose }: LinkDialogProps) {
  const link = useCall(getShopLink, { merchantId: id }, { quiet: true, staleMs: 0 })
  const change = (isVoid: boolean): Promise<boolean> =>
    confirmAndSend(renewShopLink, {
      unit: '个链接',
      reason: { presets: ['链接外泄', '手机丢失', '商户申请'] },
      actionLabel: isVoid ? '作废链接' : '重新生成',
      okLabel: isVoid ? '作废链接' : '重新生成',
      title: `${isVoid ? '作废' : '重新生成'}「${name}」的手机页链接`,
      consequences: isVoid
        ? ['作废后商户不能再用手机发券、购券', '重新生成后恢复']
        : ['原链接失效', '重新生成后，请将新链接发给商户'],
      input: { merchantId: id, isVoid },
      doneText: isVoid ? '链接已作废' : '链接已重新生成，请发给商户',
      onDone: () => void link.refetch(),
    })
  return (
    <Modal open title="商户手机页" width={560} footer={null} onCancel={onClose}>
      <p>
        商户用手机打开链接，发放停车券、购券、查看本月使用情况。持有链接即可操作，请只发给商户负责人；
        需要各人各自登录的，在商户的「登录账号」开通。
      </p>
      <Loaded query={link} height={160} rows={4}>
        {({ url, isVoid }) => (
          <LinkCards
            links={[{ placeName: name, url }]}
            linkName="手机页链接"
            copiedText="已复制链接，可发给商户"
            actionsOf={() => (
              <>
                <Button onClick={() => void change(false)}>重新生成</Button>
                {!isVoid && (
                  <Button danger onClick={() => void change(true)}>
                    作废链接
                  </Button>
                )}
              </>
            )}
          />
        )}
      </Loaded>
    </Modal>
  )
}
