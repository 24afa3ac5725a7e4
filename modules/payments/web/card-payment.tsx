import { Button, Select } from 'antd'
import { CreditCardOutlined } from '@ant-design/icons'
import { useState } from 'react'
import { useCall } from '#kit/web/query.ts'
import { StatusIcon } from '#kit/web/status.tsx'
import type { OrderView } from '../contract/order.ts'
import { listOrderTerminals } from '../contract/terminal.ts'

const lastTerminalKey = 'anju.pos'

/**
 * By card: the order goes to one of the project's terminals; the one used last on this machine is offered.
 */
export function CardPayment({
  order,
  isSending,
  onSend,
}: {
  readonly order: OrderView
  readonly isSending: boolean
  readonly onSend: (terminalNo: string) => void
}) {
  const answer = useCall(listOrderTerminals, { orderNo: order.orderNo }, { quiet: true })
  const terminals = answer.data ?? []
  const [chosen, setChosen] = useState<string | null>(() => localStorage.getItem(lastTerminalKey))
  const terminal = terminals.find(t => t.terminalNo === chosen) ?? terminals[0]
  const isWaiting = order.state === 'waiting'
  if (answer.data && !terminals.length)
    return (
      <div className="pay-scan">
        <p>本项目暂无登记 POS 机，请在「设置 › 基础配置 › POS 机」里登记，或更换方式。</p>
      </div>
    )
  return (
    <div className="pay-scan">
      <p>
        <CreditCardOutlined /> 支付单发送至 POS 机后，请付款人刷卡
      </p>
      <Select
        aria-label="POS 机"
        loading={answer.isPending}
        value={terminal?.terminalNo ?? null}
        disabled={!isWaiting}
        options={terminals.map(t => ({
          value: t.terminalNo,
          label: [t.name, t.place].filter(Boolean).join(' · '),
        }))}
        onChange={terminalNo => {
          setChosen(terminalNo)
          if (terminalNo) {
            localStorage.setItem(lastTerminalKey, terminalNo)
          }
        }}
      />
      <Button
        block
        type="primary"
        disabled={!isWaiting || !terminal}
        loading={isSending}
        onClick={() => {
          if (terminal) {
            onSend(terminal.terminalNo)
          }
        }}
      >
        发送到 POS 机
      </Button>
      {terminal?.page && (
        <p>
          <a href={terminal.page} target="_blank" rel="noreferrer">
            在本机打开 POS 机（模拟渠道）
          </a>
        </p>
      )}
      {order.state === 'paying' && (
        <p className="pay-over">
          <StatusIcon tone="doing" size={22} />
          <b>支付中</b>
          <span>等待付款人在 POS 机上刷卡</span>
        </p>
      )}
    </div>
  )
}
