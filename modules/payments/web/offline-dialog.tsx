import { Button, Modal, Spin } from 'antd'
import type { Fen } from '#kit/domain/money.ts'
import { displayYuanWithSymbol } from '#kit/web/numbers.tsx'
import { useFocusReturn } from '#kit/web/use-focus-return.ts'
import type { OfflinePayment } from './use-offline-resend.ts'

interface Props {
  readonly offline: OfflinePayment
  readonly sourceName: string
  /** What would be taken. */
  readonly amount: Fen
  readonly onWait: () => void
  readonly onCancel: () => void
}

/** No network: nothing is sent later unless the cashier says so, and then it is seen to be waiting. */
export function OfflineDialog({
  offline: { phase, isUnknown },
  sourceName,
  amount,
  onWait,
  onCancel,
}: Props) {
  useFocusReturn()
  const isWaiting = phase === 'waiting'
  return (
    <Modal
      open
      width={480}
      title={isWaiting ? '等待网络恢复' : '网络已断开'}
      closable={false}
      keyboard={!isWaiting}
      mask={{ closable: false }}
      onCancel={onCancel}
      footer={[
        <Button key="cancel" onClick={onCancel} autoFocus={!isWaiting}>
          {isWaiting ? '取消等待' : '暂不提交'}
        </Button>,
        !isWaiting && (
          <Button key="wait" type="primary" onClick={onWait}>
            网络恢复后自动提交
          </Button>
        ),
      ]}
    >
      <div className="offline-payment" role="status">
        {isWaiting && <Spin size="small" />}
        <p>
          {sourceName} 收款 <b className="figure">{displayYuanWithSymbol(amount)}</b>{' '}
          {isUnknown ? '已发出，未收到结果。' : '尚未提交。'}
          {isWaiting
            ? '网络恢复后自动提交，请勿关闭页面。'
            : isUnknown
              ? '是否在网络恢复后以同一流水重新提交？同一流水不会重复收款。'
              : '是否在网络恢复后自动提交？'}
        </p>
      </div>
    </Modal>
  )
}
