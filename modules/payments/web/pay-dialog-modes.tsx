import { Button, Input, type InputRef } from 'antd'
import { QrCode } from '#kit/web/qr-code.tsx'
import { useEffect, useRef, useState } from 'react'
import { labelOf } from '#kit/contract/field.ts'
import { toInstant } from '#kit/domain/moment.ts'
import { StatusIcon } from '#kit/web/status.tsx'
import { orderState } from '../contract/choices.ts'
import type { OrderView } from '../contract/order.ts'
import { formatCountdown } from './countdown.ts'
import type { OrderActions } from './use-order-actions.ts'
import { isOrderOpen, type PolledOrder } from './use-polled-order.ts'

const toneOf = (order: OrderView): 'doing' | 'done' | 'bad' => {
  if (isOrderOpen(order)) return 'doing'
  return order.state === 'paid' ? 'done' : 'bad'
}

/** A picture for the payer's phone, and how long it is good for. */
export function QrCodePane({
  polled: { order, now },
  actions,
  isSimulated,
}: {
  readonly polled: PolledOrder
  readonly actions: OrderActions
  readonly isSimulated: boolean
}) {
  const isOpen = isOrderOpen(order)
  const isCovered = order.state !== 'waiting'
  return (
    <>
      <div className="pay-code" data-under={isCovered || undefined}>
        <QrCode aria-label="付款二维码" value={`${location.origin}${order.url}`} size={208} />
        {isCovered && (
          <p className="pay-over" data-bad={!isOpen || undefined}>
            <StatusIcon tone={toneOf(order)} size={22} />
            <b>{labelOf(orderState, order.state)}</b>
            {isOpen && <span>{order.channel === 'pos' ? '已发送至 POS 机' : '付款人已扫码，正在付款'}</span>}
          </p>
        )}
      </div>
      <p>用手机扫码付款</p>
      {isOpen && (
        <p>
          二维码 <b className="figure">{formatCountdown(toInstant(order.expireTime) - now)}</b> 后失效
          {actions.renew && (
            <>
              {' '}
              ·{' '}
              <button
                type="button"
                className="pay-plain"
                disabled={actions.running !== undefined}
                onClick={actions.renew}
              >
                重新生成
              </button>
            </>
          )}
        </p>
      )}
      {isSimulated && isOpen && (
        <p>
          <a href={order.url} target="_blank" rel="noreferrer">
            在本机打开付款页（模拟渠道）
          </a>
        </p>
      )}
    </>
  )
}

/** The code on the payer's phone, read by a scanner that types like a keyboard. */
export function ScanPane({ order, actions }: { readonly order: OrderView; readonly actions: OrderActions }) {
  const [authCode, setAuthCode] = useState('')
  const input = useRef<InputRef>(null)
  const isPaying = order.state === 'paying'
  const isWaiting = order.state === 'waiting'
  useEffect(() => {
    if (isWaiting) {
      setTimeout(() => input.current?.focus(), 60)
    }
  }, [isWaiting])
  const submit = async (): Promise<void> => {
    await actions.payWithCode(authCode)
    setAuthCode('')
    input.current?.focus()
  }
  return (
    <div className="pay-scan">
      <p>请扫描付款人的付款码</p>
      <Input
        ref={input}
        size="large"
        data-scan-input
        aria-label="付款码"
        placeholder="付款码"
        autoComplete="off"
        maxLength={40}
        value={authCode}
        disabled={!isWaiting}
        onChange={e => setAuthCode(e.target.value)}
        onPressEnter={() => void submit()}
      />
      <Button block disabled={!isWaiting} loading={actions.running === 'scan'} onClick={() => void submit()}>
        提交付款码
      </Button>
      {isPaying && (
        <p className="pay-over">
          <StatusIcon tone="doing" size={22} />
          <b>支付中</b>
          <span>等待付款人在手机上确认</span>
        </p>
      )}
    </div>
  )
}
