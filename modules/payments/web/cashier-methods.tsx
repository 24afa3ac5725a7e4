import {
  BankOutlined,
  CreditCardOutlined,
  EditOutlined,
  EllipsisOutlined,
  QrcodeOutlined,
  ScanOutlined,
  WalletOutlined,
  AlipayCircleOutlined,
  WechatOutlined,
} from '@ant-design/icons'
import type { KeyboardEvent, ReactNode } from 'react'
import { labelOf, type ChoiceOf } from '#kit/contract/field.ts'
import { useShortcuts, type Shortcut } from '#kit/web/shortcuts.ts'
import { payGroup, payMethod } from '../contract/choices.ts'
import type { PayMode } from './pay-mode.ts'

export type PayMethod = ChoiceOf<typeof payMethod>

interface MethodOption {
  readonly method: PayMethod
  readonly keys?: string
  readonly icon: ReactNode
}

/** What is taken by hand at the counter, with its key. */
const offlineOptions: readonly MethodOption[] = [
  { method: 'cash', keys: 'F2', icon: <WalletOutlined /> },
  { method: 'transfer', keys: 'F7', icon: <BankOutlined /> },
  { method: 'posOffline', keys: 'F8', icon: <CreditCardOutlined /> },
  { method: 'cheque', icon: <EditOutlined /> },
  { method: 'wechatTransfer', icon: <WechatOutlined /> },
  { method: 'alipayTransfer', icon: <AlipayCircleOutlined /> },
  { method: 'other', icon: <EllipsisOutlined /> },
]

export const offlineSelectOptions = offlineOptions.map(({ method }) => ({
  value: method,
  label: labelOf(payMethod, method),
}))

export interface ChannelOption {
  readonly mode: PayMode
  readonly keys: string
  readonly label: string
  readonly icon: ReactNode
  readonly help: string
}

/** What a channel takes, offered where the company has one. */
export const channelOptions: readonly ChannelOption[] = [
  {
    mode: 'qr',
    keys: 'F3',
    label: labelOf(payGroup, 'qr'),
    icon: <QrcodeOutlined />,
    help: '点「发起收款」后显示收款码；付款人扫码付款，到账自动完成。',
  },
  {
    mode: 'scan',
    keys: 'F4',
    label: labelOf(payGroup, 'scan'),
    icon: <ScanOutlined />,
    help: '点「发起收款」后，请扫描付款人的付款码。',
  },
  {
    mode: 'pos',
    keys: 'F6',
    label: labelOf(payGroup, 'pos'),
    icon: <CreditCardOutlined />,
    help: '点「发起收款」，支付单发送至 POS 机后，请付款人刷卡；到账自动完成。',
  },
]

interface MethodPickerProps {
  readonly offered: readonly ChannelOption[]
  readonly channel: ChannelOption | undefined
  readonly method: PayMethod
  readonly onChannel: (mode: PayMode) => void
  readonly onMethod: (method: PayMethod) => void
  /** Enter moves on to the button. */
  readonly onEnter: () => void
}

/** Arrows choose, as in any group of radio buttons. */
function onRadioKey(e: KeyboardEvent<HTMLElement>, onEnter: () => void): void {
  if (e.key === 'Enter' && !e.ctrlKey && !e.metaKey) {
    e.preventDefault()
    onEnter()
    return
  }
  const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[e.key]
  if (!step) return
  e.preventDefault()
  const all = [...e.currentTarget.querySelectorAll<HTMLElement>('[role=radio]')]
  const at = all.findIndex(radio => radio.getAttribute('aria-checked') === 'true')
  const next = all[(at + step + all.length) % all.length]
  next?.click()
  // The choice leads to the amount; going on with the arrows stays here.
  next?.focus()
}

/** Cash first, then what a channel takes, then the rest: the order of the keys. */
export function MethodPicker({ offered, channel, method, onChannel, onMethod, onEnter }: MethodPickerProps) {
  const offlineButton = (option: MethodOption): ReactNode => (
    <button
      key={option.method}
      type="button"
      role="radio"
      aria-checked={!channel && option.method === method}
      tabIndex={!channel && option.method === method ? 0 : -1}
      onClick={() => onMethod(option.method)}
    >
      {option.keys && <kbd>{option.keys}</kbd>}
      {option.icon}
      <span>{labelOf(payMethod, option.method)}</span>
    </button>
  )
  return (
    <div
      className="cashier-methods"
      role="radiogroup"
      aria-label="支付方式"
      onKeyDown={e => onRadioKey(e, onEnter)}
    >
      {offlineOptions.slice(0, 1).map(offlineButton)}
      {offered.map(option => (
        <button
          key={option.mode}
          type="button"
          role="radio"
          aria-checked={option === channel}
          tabIndex={option === channel ? 0 : -1}
          onClick={() => onChannel(option.mode)}
        >
          <kbd>{option.keys}</kbd>
          {option.icon}
          <span>{option.label}</span>
        </button>
      ))}
      {offlineOptions.slice(1).map(offlineButton)}
    </div>
  )
}

/** A key for every method of the counter that has one. */
export const offlineShortcuts = (onMethod: (method: PayMethod) => void): readonly Shortcut[] =>
  offlineOptions.flatMap(({ keys, method }) =>
    keys ? [{ keys, label: labelOf(payMethod, method), whileTyping: true, run: () => onMethod(method) }] : [],
  )

/** A key for every method that has one, and Ctrl Enter to take the money. */
export function useMethodShortcuts({
  channels,
  submitLabel,
  onChannel,
  onMethod,
  onSubmit,
}: {
  readonly channels: readonly ChannelOption[]
  readonly submitLabel: string
  readonly onChannel: (mode: PayMode) => void
  readonly onMethod: (method: PayMethod) => void
  readonly onSubmit: () => void
}): void {
  useShortcuts([
    ...channels.map(option => ({
      keys: option.keys,
      label: option.label,
      whileTyping: true,
      run: () => onChannel(option.mode),
    })),
    ...offlineShortcuts(onMethod),
    { keys: 'Ctrl Enter', label: submitLabel, whileTyping: true, run: onSubmit },
  ])
}
